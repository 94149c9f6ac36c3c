// Agents, scopes, payloads, the chain, and the derived tables. The rows of a scope are in
// read_rows.cc.
#include <cstring>

#include "storage/transaction.h"

namespace souvenance::storage {

namespace {

constexpr char kSelectPayloadByLookup[] =
    "SELECT id FROM payloads WHERE lookup = ?1 AND lookup IS NOT NULL AND kind <> 12";
constexpr char kSelectCommitment[] = "SELECT commitment FROM payloads WHERE id = ?1";
constexpr char kSelectContent[] = "SELECT content FROM payloads WHERE id = ?1";
constexpr char kSelectNames[] =
    "SELECT id, kind, content FROM payloads"
    " WHERE scope_id = ?1 AND id > ?2 AND kind IN (3, 8, 9, 10, 11, 12, 13)"
    " AND content IS NOT NULL ORDER BY id";
constexpr char kSelectAgentByName[] = "SELECT id FROM agents WHERE name_id = ?1";
constexpr char kSelectAgents[] =
    "SELECT a.id, p.content FROM agents a JOIN payloads p ON p.id = a.name_id ORDER BY a.id";
constexpr char kSelectScopeByName[] = "SELECT id, ordinal FROM scopes WHERE name_id = ?1";
constexpr char kSelectScopes[] =
    "SELECT s.id, s.ordinal, p.content FROM scopes s JOIN payloads p ON p.id = s.name_id"
    " WHERE s.agent_id = ?1 ORDER BY s.ordinal";
constexpr char kSelectScopeChange[] = "SELECT max(id) FROM events WHERE scope_id = ?1";
constexpr char kSelectHead[] =
    "SELECT sequence, hash FROM events WHERE agent_id = ?1 ORDER BY sequence DESC LIMIT 1";

constexpr char kSelectLastEventUntil[] = "SELECT max(id) FROM events WHERE recorded_us <= ?1";
constexpr char kSelectTermsOf[] =
    "SELECT terms FROM analysed_terms WHERE scope_id = ?1 AND ordinal = ?2"
    " AND fingerprint = ?3";
constexpr char kSelectTerms[] =
    "SELECT ordinal, terms FROM analysed_terms"
    " WHERE scope_id = ?1 AND ordinal > ?2 AND fingerprint = ?3 ORDER BY ordinal";
constexpr char kSelectActiveSpace[] =
    "SELECT id, fingerprint, identity, dimension, probe, active FROM embedding_spaces"
    " WHERE active = 1";
constexpr char kSelectVectors[] =
    "SELECT ordinal, vector FROM embeddings"
    " WHERE space_id = ?1 AND scope_id = ?2 AND ordinal > ?3 ORDER BY ordinal";
constexpr char kSelectManifests[] =
    "SELECT kind, change, path, digest FROM index_manifests WHERE scope_id = ?1 ORDER BY kind";
constexpr char kSelectPending[] =
    "SELECT id, kind, target FROM pending WHERE scope_id = ?1 ORDER BY id";

// Floats lie in the blob as they lie in memory; every machine that this runs on is little endian.
std::vector<float> Floats(std::string_view bytes) {
  std::vector<float> floats(bytes.size() / sizeof(float));
  if (!floats.empty()) std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
  return floats;
}

EmbeddingSpaceRow ToSpace(const Statement& row) {
  EmbeddingSpaceRow space;
  space.id = row.Int(0);
  space.fingerprint = std::string(row.Bytes(1));
  space.identity = std::string(row.Bytes(2));
  space.dimension = row.As<std::uint32_t>(3);
  space.probe = Floats(row.Bytes(4));
  space.active = row.Int(5) != 0;
  return space;
}

ScopeRow ToScope(AgentId agent, ScopeId id, Ordinal ordinal, std::string_view name) {
  const Result<Scope> scope = ParseScope(name);
  if (!scope) Throw(ErrorCode::kCorruption, "a scope's name is none: " + scope.error().message);
  return {id, agent, ordinal, *scope};
}

}  // namespace

std::optional<PayloadId> FindPayload(TransactionState& state, const Digest& lookup) {
  const auto statement = state.Use(kSelectPayloadByLookup);
  statement->Bind(Blob{View(lookup)});
  if (!statement->Step()) return std::nullopt;
  return statement->As<PayloadId>(0);
}

Digest CommitmentOf(TransactionState& state, PayloadId id) {
  const auto statement = state.Use(kSelectCommitment);
  statement->Bind(id);
  if (!statement->Step()) Refuse(ErrorCode::kNotFound, "no payload " + std::to_string(Raw(id)));
  return ToDigest(statement->Bytes(0));
}

ChainHead HeadOf(TransactionState& state, AgentId agent) {
  const auto statement = state.Use(kSelectHead);
  statement->Bind(agent);
  if (!statement->Step()) return {};
  return {statement->Int(0), ToDigest(statement->Bytes(1))};
}

ReadTransaction::ReadTransaction() = default;
ReadTransaction::~ReadTransaction() = default;

Result<std::optional<AgentId>> ReadTransaction::FindAgent(std::string_view name) {
  TransactionState& state = *connection_;
  return Guard(state, "find an agent", [&]() -> std::optional<AgentId> {
    const auto payload = FindPayload(
        state, state.store->Lookup(AgentId{0}, ScopeId{0}, PayloadKind::kAgentName, name));
    if (!payload) return std::nullopt;
    const auto statement = state.Use(kSelectAgentByName);
    statement->Bind(*payload);
    if (!statement->Step()) return std::nullopt;
    return statement->As<AgentId>(0);
  });
}

Result<std::vector<std::pair<AgentId, std::string>>> ReadTransaction::Agents() {
  TransactionState& state = *connection_;
  return Guard(state, "list the agents", [&] {
    std::vector<std::pair<AgentId, std::string>> agents;
    const auto statement = state.Use(kSelectAgents);
    while (statement->Step()) {
      agents.emplace_back(statement->As<AgentId>(0), std::string(statement->Bytes(1)));
    }
    return agents;
  });
}

Result<std::optional<ScopeRow>> ReadTransaction::FindScope(AgentId agent, const Scope& scope) {
  TransactionState& state = *connection_;
  return Guard(state, "find a scope", [&]() -> std::optional<ScopeRow> {
    const auto payload = FindPayload(
        state, state.store->Lookup(agent, ScopeId{0}, PayloadKind::kScopeName, FormatScope(scope)));
    if (!payload) return std::nullopt;
    const auto statement = state.Use(kSelectScopeByName);
    statement->Bind(*payload);
    if (!statement->Step()) return std::nullopt;
    return ScopeRow{statement->As<ScopeId>(0), agent, statement->As<Ordinal>(1), scope};
  });
}

Result<std::vector<ScopeRow>> ReadTransaction::Scopes(AgentId agent) {
  TransactionState& state = *connection_;
  return Guard(state, "list the scopes", [&] {
    std::vector<ScopeRow> scopes;
    const auto statement = state.Use(kSelectScopes);
    statement->Bind(agent);
    while (statement->Step()) {
      if (statement->IsNull(2)) continue;  // its name was erased
      scopes.push_back(ToScope(agent, statement->As<ScopeId>(0), statement->As<Ordinal>(1),
                               statement->Bytes(2)));
    }
    return scopes;
  });
}

Result<EventId> ReadTransaction::Change() {
  TransactionState& state = *connection_;
  return Guard(state, "read the change number", [&] {
    if (!state.write) return state.change;
    const auto statement = state.Use(kSelectLastEvent);
    statement->Step();
    return statement->As<EventId>(0);
  });
}

Result<EventId> ReadTransaction::ScopeChange(ScopeId scope) {
  TransactionState& state = *connection_;
  return Guard(state, "read the change number of a scope", [&] {
    const auto statement = state.Use(kSelectScopeChange);
    statement->Bind(scope);
    statement->Step();
    return statement->As<EventId>(0);
  });
}

Result<EventId> ReadTransaction::LastEventUntil(Timestamp time) {
  TransactionState& state = *connection_;
  return Guard(state, "read the change number of a time", [&] {
    const auto statement = state.Use(kSelectLastEventUntil);
    statement->Bind(Micros(time));
    statement->Step();
    return statement->As<EventId>(0);
  });
}

Result<ChainHead> ReadTransaction::Head(AgentId agent) {
  TransactionState& state = *connection_;
  return Guard(state, "read the head of the chain", [&] { return HeadOf(state, agent); });
}

Result<std::optional<std::string>> ReadTransaction::Text(PayloadId id) {
  TransactionState& state = *connection_;
  return Guard(state, "read a text", [&]() -> std::optional<std::string> {
    const auto statement = state.Use(kSelectContent);
    statement->Bind(id);
    if (!statement->Step()) {
      Refuse(ErrorCode::kNotFound, "no payload " + std::to_string(Raw(id)));
    }
    if (statement->IsNull(0)) return std::nullopt;
    return std::string(statement->Bytes(0));
  });
}

Result<std::vector<std::optional<std::string>>> ReadTransaction::Texts(
    std::span<const PayloadId> ids) {
  TransactionState& state = *connection_;
  return Guard(state, "read texts", [&] {
    std::vector<std::optional<std::string>> texts(ids.size());
    const auto statement = state.Use(kSelectContent);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      statement->Bind(ids[i]);
      if (statement->Step() && !statement->IsNull(0)) {
        texts[i] = std::string(statement->Bytes(0));
      }
      statement->Reset();
    }
    return texts;
  });
}

Result<Digest> ReadTransaction::Commitment(PayloadId id) {
  TransactionState& state = *connection_;
  return Guard(state, "read a commitment", [&] { return CommitmentOf(state, id); });
}

Result<void> ReadTransaction::ForEachName(
    ScopeId scope, PayloadId after,
    const std::function<bool(PayloadId, PayloadKind, std::string_view)>& visit) {
  TransactionState& state = *connection_;
  return Guard(state, "read names", [&] {
    const auto statement = state.Use(kSelectNames);
    statement->Bind(scope, Raw(after));
    while (statement->Step()) {
      if (!visit(statement->As<PayloadId>(0), statement->As<PayloadKind>(1), statement->Bytes(2))) {
        return;
      }
    }
  });
}

Result<void> ReadTransaction::ForEachTerms(
    ScopeId scope, std::string_view fingerprint, Ordinal after,
    const std::function<bool(Ordinal, std::string_view blob)>& visit) {
  TransactionState& state = *connection_;
  return Guard(state, "read analysed terms", [&] {
    const auto statement = state.Use(kSelectTerms);
    statement->Bind(scope, after, fingerprint);
    while (statement->Step()) {
      if (!visit(statement->As<Ordinal>(0), statement->Bytes(1))) return;
    }
  });
}

Result<std::optional<std::string>> ReadTransaction::TermsOf(ScopeId scope,
                                                            std::string_view fingerprint,
                                                            Ordinal revision) {
  TransactionState& state = *connection_;
  return Guard(state, "read analysed terms", [&]() -> std::optional<std::string> {
    const auto statement = state.Use(kSelectTermsOf);
    statement->Bind(scope, revision, fingerprint);
    if (!statement->Step()) return std::nullopt;
    return std::string(statement->Bytes(0));
  });
}

Result<std::optional<EmbeddingSpaceRow>> ReadTransaction::ActiveEmbeddingSpace() {
  TransactionState& state = *connection_;
  return Guard(state, "read the embedding space", [&]() -> std::optional<EmbeddingSpaceRow> {
    const auto statement = state.Use(kSelectActiveSpace);
    if (!statement->Step()) return std::nullopt;
    return ToSpace(*statement);
  });
}

Result<void> ReadTransaction::ForEachVector(
    ScopeId scope, std::int64_t space, Ordinal after,
    const std::function<bool(Ordinal, std::span<const float>)>& visit) {
  TransactionState& state = *connection_;
  return Guard(state, "read vectors", [&] {
    std::vector<float> vector;
    const auto statement = state.Use(kSelectVectors);
    statement->Bind(space, scope, after);
    while (statement->Step()) {
      // The blob lies where SQLite put it, not where a float may lie.
      const std::string_view bytes = statement->Bytes(1);
      vector.resize(bytes.size() / sizeof(float));
      if (!vector.empty()) {
        std::memcpy(vector.data(), bytes.data(), vector.size() * sizeof(float));
      }
      if (!visit(statement->As<Ordinal>(0), vector)) return;
    }
  });
}

Result<std::vector<ManifestRow>> ReadTransaction::Manifests(ScopeId scope) {
  TransactionState& state = *connection_;
  return Guard(state, "read index manifests", [&] {
    std::vector<ManifestRow> manifests;
    const auto statement = state.Use(kSelectManifests);
    statement->Bind(scope);
    while (statement->Step()) {
      manifests.push_back({scope, std::string(statement->Bytes(0)), statement->As<EventId>(1),
                           std::string(statement->Bytes(2)), ToDigest(statement->Bytes(3))});
    }
    return manifests;
  });
}

Result<std::vector<PendingRow>> ReadTransaction::Pending(ScopeId scope) {
  TransactionState& state = *connection_;
  return Guard(state, "read pending work", [&] {
    std::vector<PendingRow> rows;
    const auto statement = state.Use(kSelectPending);
    statement->Bind(scope);
    while (statement->Step()) {
      rows.push_back({statement->Int(0), scope, statement->As<PendingKind>(1), statement->Int(2)});
    }
    return rows;
  });
}

Result<std::vector<std::pair<std::string, std::int64_t>>> ReadTransaction::Counts() {
  TransactionState& state = *connection_;
  return Guard(state, "count rows", [&] {
    std::vector<std::pair<std::string, std::int64_t>> counts;
    constexpr const char* kTables[] = {"agents",
                                       "scopes",
                                       "events",
                                       "payloads",
                                       "sources",
                                       "artifacts",
                                       "artifact_revisions",
                                       "artifact_sources",
                                       "reinforcements",
                                       "pending",
                                       "entities",
                                       "entity_aliases",
                                       "relations",
                                       "relation_sources",
                                       "mentions",
                                       "predicates",
                                       "analysed_terms",
                                       "index_manifests",
                                       "embedding_spaces",
                                       "embeddings",
                                       "identity_versions",
                                       "skills",
                                       "skill_change_proposals",
                                       "reflections",
                                       "score_transactions",
                                       "resource_usage"};
    for (const char* table : kTables) {
      const auto statement =
          state.connection->Prepare(std::string("SELECT count(*) FROM ") + table);
      statement->Step();
      counts.emplace_back(table, statement->Int(0));
    }
    return counts;
  });
}

}  // namespace souvenance::storage
