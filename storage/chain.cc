#include "storage/chain.h"

#include <algorithm>
#include <bit>

namespace souvenance::storage {

namespace {

using enum ColumnKind;

constexpr ChainColumn kPayloads[] = {
    {"agent_id", kAgent}, {"scope_id", kScope}, {"kind", kInteger}, {"commitment", kDigest}};
constexpr ChainColumn kAgents[] = {{"name_id", kPayload}};
constexpr ChainColumn kScopes[] = {
    {"agent_id", kAgent}, {"ordinal", kInteger}, {"name_id", kPayload}};
constexpr ChainColumn kSources[] = {
    {"scope_id", kScope},      {"ordinal", kInteger},       {"source_type", kInteger},
    {"content_id", kPayload},  {"external_id", kPayload},   {"request_id", kPayload},
    {"session_id", kPayload},  {"said_by", kPayload},       {"subject_id", kPayload},
    {"metadata_id", kPayload}, {"event_time_us", kInteger}, {"received_us", kInteger},
    {"created_us", kInteger}};
constexpr ChainColumn kArtifacts[] = {
    {"scope_id", kScope}, {"ordinal", kInteger}, {"kind", kInteger}, {"verbatim", kInteger}};
constexpr ChainColumn kRevisions[] = {
    {"artifact_id", kArtifact},  {"revision", kInteger},   {"scope_id", kScope},
    {"ordinal", kInteger},       {"state", kInteger},      {"memory_type", kInteger},
    {"shape", kInteger},         {"content_id", kPayload}, {"gist_id", kPayload},
    {"tags_id", kPayload},       {"emotion_id", kPayload}, {"emotion_intensity", kReal},
    {"salience", kReal},         {"sensitivity", kReal},   {"confidence", kReal},
    {"session_id", kPayload},    {"said_by", kPayload},    {"subject_id", kPayload},
    {"event_time_us", kInteger}, {"valid_us", kInteger},   {"invalid_us", kInteger},
    {"created_us", kInteger}};
constexpr ChainColumn kArtifactSources[] = {{"artifact_id", kArtifact}, {"revision", kInteger},
                                            {"position", kInteger},     {"source_id", kSource},
                                            {"begin_byte", kInteger},   {"end_byte", kInteger}};
constexpr ChainColumn kReinforcements[] = {{"scope_id", kScope}, {"artifact_id", kArtifact},
                                           {"kind", kInteger},   {"session_id", kPayload},
                                           {"amount", kReal},    {"at_us", kInteger}};
constexpr ChainColumn kEntities[] = {
    {"scope_id", kScope}, {"ordinal", kInteger}, {"name_id", kPayload}, {"type", kText}};
constexpr ChainColumn kAliases[] = {{"entity_id", kEntity}, {"name_id", kPayload}};
constexpr ChainColumn kMentions[] = {{"artifact_id", kArtifact},
                                     {"revision", kInteger},
                                     {"entity_id", kEntity},
                                     {"begin_byte", kInteger},
                                     {"end_byte", kInteger}};
constexpr ChainColumn kPredicates[] = {{"scope_id", kScope},
                                       {"name_id", kPayload},
                                       {"revision", kInteger},
                                       {"single_valued", kInteger}};
constexpr ChainColumn kRelations[] = {
    {"scope_id", kScope},          {"ordinal", kInteger},          {"origin", kInteger},
    {"asserted_id", kRelation},    {"subject_entity_id", kEntity}, {"predicate_id", kPredicate},
    {"object_entity_id", kEntity}, {"valid_us", kInteger},         {"invalid_us", kInteger},
    {"point", kInteger},           {"confidence", kReal},          {"created_us", kInteger}};
constexpr ChainColumn kRelationSources[] = {
    {"relation_id", kRelation}, {"position", kInteger}, {"source_id", kSource}};
constexpr ChainColumn kExpiries[] = {{"id", kRelation}, {"expired_us", kInteger}};
constexpr ChainColumn kIdentityVersions[] = {{"agent_id", kAgent},
                                             {"version", kInteger},
                                             {"content_id", kPayload},
                                             {"created_us", kInteger}};
constexpr ChainColumn kSkills[] = {
    {"scope_id", kScope},     {"ordinal", kInteger}, {"version", kInteger},   {"name_id", kPayload},
    {"content_id", kPayload}, {"state", kInteger},   {"created_us", kInteger}};
constexpr ChainColumn kProposals[] = {{"scope_id", kScope},    {"ordinal", kInteger},
                                      {"skill_id", kSkill},    {"content_id", kPayload},
                                      {"reason_id", kPayload}, {"state", kInteger},
                                      {"created_us", kInteger}};
constexpr ChainColumn kReflections[] = {{"scope_id", kScope},     {"ordinal", kInteger},
                                        {"content_id", kPayload}, {"begin_us", kInteger},
                                        {"end_us", kInteger},     {"created_us", kInteger}};
constexpr ChainColumn kScores[] = {{"scope_id", kScope},    {"artifact_id", kArtifact},
                                   {"kind", kInteger},      {"amount", kReal},
                                   {"reason_id", kPayload}, {"at_us", kInteger}};
constexpr ChainColumn kUsage[] = {{"agent_id", kAgent}, {"scope_id", kScope}, {"kind", kText},
                                  {"amount", kReal},    {"unit", kText},      {"at_us", kInteger}};

constexpr ChainTableSpec kTables[] = {
    {ChainTable::kPayloads, "payloads", "event_id", kPayloads},
    {ChainTable::kAgents, "agents", "event_id", kAgents},
    {ChainTable::kScopes, "scopes", "event_id", kScopes},
    {ChainTable::kSources, "sources", "event_id", kSources},
    {ChainTable::kArtifacts, "artifacts", "event_id", kArtifacts},
    {ChainTable::kArtifactRevisions, "artifact_revisions", "event_id", kRevisions},
    {ChainTable::kArtifactSources, "artifact_sources", "event_id", kArtifactSources},
    {ChainTable::kReinforcements, "reinforcements", "event_id", kReinforcements},
    {ChainTable::kEntities, "entities", "event_id", kEntities},
    {ChainTable::kEntityAliases, "entity_aliases", "event_id", kAliases},
    {ChainTable::kMentions, "mentions", "event_id", kMentions},
    {ChainTable::kPredicates, "predicates", "event_id", kPredicates},
    {ChainTable::kRelations, "relations", "event_id", kRelations},
    {ChainTable::kRelationSources, "relation_sources", "event_id", kRelationSources},
    {ChainTable::kRelationExpiries, "relations", "expired_event_id", kExpiries},
    {ChainTable::kIdentityVersions, "identity_versions", "event_id", kIdentityVersions},
    {ChainTable::kSkills, "skills", "event_id", kSkills},
    {ChainTable::kSkillChangeProposals, "skill_change_proposals", "event_id", kProposals},
    {ChainTable::kReflections, "reflections", "event_id", kReflections},
    {ChainTable::kScoreTransactions, "score_transactions", "event_id", kScores},
    {ChainTable::kResourceUsage, "resource_usage", "event_id", kUsage},
};

// How a value is encoded.
constexpr char kNullValue = 0;
constexpr char kIntegerValue = 1;
constexpr char kRealValue = 2;
constexpr char kTextValue = 3;
constexpr char kCommitmentValue = 4;
constexpr char kReferenceValue = 5;

void Append64(std::string& out, std::uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

void Append32(std::string& out, std::size_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

void AppendField(std::string& out, std::string_view bytes) {
  Append32(out, bytes.size());
  out += bytes;
}

void AppendField64(std::string& out, std::int64_t value) {
  Append32(out, 8);
  Append64(out, static_cast<std::uint64_t>(value));
}

}  // namespace

std::span<const ChainTableSpec> ChainTables() { return kTables; }

RowEncoder& RowEncoder::Null() {
  bytes_ += kNullValue;
  return *this;
}

RowEncoder& RowEncoder::Integer(std::int64_t value) {
  bytes_ += kIntegerValue;
  Append64(bytes_, static_cast<std::uint64_t>(value));
  return *this;
}

RowEncoder& RowEncoder::Real(double value) {
  bytes_ += kRealValue;
  Append64(bytes_, std::bit_cast<std::uint64_t>(value));
  return *this;
}

RowEncoder& RowEncoder::Text(std::string_view value) {
  bytes_ += kTextValue;
  AppendField(bytes_, value);
  return *this;
}

RowEncoder& RowEncoder::Commitment(const Digest& value) {
  bytes_ += kCommitmentValue;
  bytes_ += View(value);
  return *this;
}

RowEncoder& RowEncoder::Reference(const Digest& scope, std::int64_t ordinal) {
  bytes_ += kReferenceValue;
  bytes_ += View(scope);
  Append64(bytes_, static_cast<std::uint64_t>(ordinal));
  return *this;
}

Digest RowsDigest(std::vector<std::string>& rows) {
  // std::string compares bytes as unsigned, whatever the sign of char.
  std::sort(rows.begin(), rows.end());
  Sha256Stream stream;
  for (const std::string& row : rows) {
    std::string length;
    Append32(length, row.size());
    stream.Update(length).Update(row);
  }
  return stream.Finish();
}

std::string EncodeEvent(const EventImage& event) {
  std::string out;
  out.reserve(224);
  AppendField(out, std::string_view(reinterpret_cast<const char*>(&kChainFormat), 1));
  AppendField64(out, event.sequence);
  AppendField(out, std::string_view(reinterpret_cast<const char*>(&event.kind), 1));
  AppendField(out, View(event.scope));
  AppendField64(out, event.recorded_us);
  AppendField(out, View(event.reason));
  AppendField(out, View(event.content));
  AppendField(out, View(event.rows));
  return out;
}

Digest EventHash(const Digest& previous, const EventImage& event) {
  return Sha256(std::string(View(previous)) + EncodeEvent(event));
}

Digest Commit(std::span<const std::uint8_t> salt, std::string_view content) {
  thread_local Sha256Stream stream;
  return stream.Update(salt).Update(content).Finish();
}

}  // namespace souvenance::storage
