// The rows of a scope, in the order of their keys, and single rows.
#include "storage/transaction.h"

namespace souvenance::storage {

namespace {

#define SOURCE_COLUMNS                                                                   \
  "id, ordinal, event_id, source_type, content_id, external_id, request_id, session_id," \
  " said_by, subject_id, metadata_id, event_time_us, received_us, created_us FROM sources"
#define REVISION_COLUMNS                                                                      \
  "r.artifact_id, a.ordinal, r.ordinal, r.revision, r.event_id, a.kind, a.verbatim, r.state," \
  " r.memory_type, r.shape, r.content_id, r.gist_id, r.tags_id, r.emotion_id,"                \
  " r.emotion_intensity, r.salience, r.sensitivity, r.confidence, r.session_id, r.said_by,"   \
  " r.subject_id, r.event_time_us, r.valid_us, r.invalid_us, r.created_us"                    \
  " FROM artifact_revisions r JOIN artifacts a ON a.id = r.artifact_id"
#define EVIDENCE_COLUMNS "s.artifact_id, s.revision, s.source_id, s.begin_byte, s.end_byte"
#define REINFORCEMENT_COLUMNS \
  "id, scope_id, artifact_id, event_id, kind, session_id, amount, at_us FROM reinforcements"
#define RELATION_COLUMNS                                                               \
  "id, ordinal, event_id, origin, asserted_id, subject_entity_id, predicate_id,"       \
  " object_entity_id, valid_us, invalid_us, point, confidence, created_us, expired_us" \
  " FROM relations"
// What came into a scope after an event, found through the events, which are few.
#define AFTER_EVENT(table, column)                     \
  " FROM events e CROSS JOIN " table " t ON t." column \
  " = e.id WHERE e.scope_id = ?1 AND e.id > "          \
  "?2"

constexpr char kSources[] =
    "SELECT " SOURCE_COLUMNS " WHERE scope_id = ?1 AND ordinal > ?2 ORDER BY ordinal";
constexpr char kSourceById[] = "SELECT " SOURCE_COLUMNS " WHERE id = ?1";
constexpr char kSourceByOrdinal[] =
    "SELECT " SOURCE_COLUMNS " WHERE scope_id = ?1 AND ordinal = ?2";
constexpr char kSourceByExternalId[] = "SELECT " SOURCE_COLUMNS " WHERE external_id = ?1";
constexpr char kSourceByRequestId[] = "SELECT " SOURCE_COLUMNS " WHERE request_id = ?1";
constexpr char kRevisions[] =
    "SELECT " REVISION_COLUMNS " WHERE r.scope_id = ?1 AND r.ordinal > ?2 ORDER BY r.ordinal";
constexpr char kRevisionsOfArtifact[] =
    "SELECT " REVISION_COLUMNS " WHERE r.artifact_id = ?1 ORDER BY r.revision";
constexpr char kEvidence[] =
    "SELECT r.ordinal, " EVIDENCE_COLUMNS
    " FROM artifact_revisions r CROSS JOIN artifact_sources s"
    " ON s.artifact_id = r.artifact_id AND s.revision = r.revision"
    " WHERE r.scope_id = ?1 AND r.ordinal > ?2 ORDER BY r.ordinal, s.position";
constexpr char kEvidenceOfRevision[] =
    "SELECT 0, " EVIDENCE_COLUMNS
    " FROM artifact_sources s WHERE s.artifact_id = ?1 AND s.revision = ?2 ORDER BY s.position";
constexpr char kArtifactsOfSource[] =
    "SELECT DISTINCT s.artifact_id FROM artifact_sources s WHERE s.source_id = ?1"
    " AND s.revision = (SELECT max(r.revision) FROM artifact_revisions r"
    " WHERE r.artifact_id = s.artifact_id) ORDER BY s.artifact_id";
constexpr char kArtifactByOrdinal[] =
    "SELECT id FROM artifacts WHERE scope_id = ?1 AND ordinal = ?2";
constexpr char kScopeOfArtifact[] = "SELECT scope_id FROM artifacts WHERE id = ?1";
constexpr char kReinforcements[] =
    "SELECT " REINFORCEMENT_COLUMNS " WHERE scope_id = ?1 AND id > ?2 ORDER BY id";
constexpr char kReinforcementsOfArtifact[] =
    "SELECT " REINFORCEMENT_COLUMNS " WHERE artifact_id = ?1 ORDER BY id";
constexpr char kEntities[] = "SELECT t.id, t.ordinal, t.event_id, t.name_id, t.type" AFTER_EVENT(
    "entities", "event_id") " ORDER BY e.id, t.id";
constexpr char kAliases[] = "SELECT t.entity_id, t.event_id, t.name_id" AFTER_EVENT(
    "entity_aliases", "event_id") " ORDER BY e.id, t.entity_id, t.name_id";
constexpr char kMentions[] =
    "SELECT t.artifact_id, t.revision, t.entity_id, t.event_id, t.begin_byte, "
    "t.end_byte" AFTER_EVENT(
        "mentions",
        "event_id") " ORDER BY e.id, t.artifact_id, t.revision, t.entity_id, t.begin_byte";
constexpr char kPredicates[] = "SELECT t.id, t.event_id, t.name_id, t.single_valued" AFTER_EVENT(
    "predicates", "event_id") " ORDER BY e.id, t.id, t.revision";
constexpr char kExpiries[] =
    "SELECT t.id, t.expired_us" AFTER_EVENT("relations", "expired_event_id") " ORDER BY e.id, t.id";
constexpr char kEntityByName[] = "SELECT id FROM entities WHERE name_id = ?1";
constexpr char kEntityByAlias[] =
    "SELECT min(a.entity_id) FROM payloads p JOIN entity_aliases a ON a.name_id = p.id"
    " WHERE p.lookup = ?1 AND p.lookup IS NOT NULL AND p.kind = 12";
constexpr char kPredicateByName[] =
    "SELECT id, event_id, name_id, single_valued FROM predicates WHERE name_id = ?1"
    " ORDER BY revision DESC LIMIT 1";
constexpr char kRelations[] =
    "SELECT " RELATION_COLUMNS " WHERE scope_id = ?1 AND ordinal > ?2 ORDER BY ordinal";
constexpr char kRelationByOrdinal[] =
    "SELECT " RELATION_COLUMNS " WHERE scope_id = ?1 AND ordinal = ?2";
constexpr char kRelationsOf[] =
    "SELECT " RELATION_COLUMNS
    " WHERE subject_entity_id = ?1 AND predicate_id = ?2 AND expired_us IS NULL ORDER BY id";
constexpr char kRelationHistory[] =
    "SELECT " RELATION_COLUMNS " WHERE subject_entity_id = ?1 AND predicate_id = ?2 ORDER BY id";
constexpr char kRelationSources[] =
    "SELECT r.id, s.source_id FROM relations r CROSS JOIN relation_sources s"
    " ON s.relation_id = r.id WHERE r.scope_id = ?1 AND r.ordinal > ?2"
    " ORDER BY r.ordinal, s.position";

constexpr char kRelationRetracted[] =
    "SELECT e.kind = 12 FROM relations r JOIN events e ON e.id = r.expired_event_id"
    " WHERE r.id = ?1";
static_assert(static_cast<int>(EventKind::kRelationRetracted) == 12);
constexpr char kEvidenceOfRelation[] =
    "SELECT source_id FROM relation_sources WHERE relation_id = ?1 ORDER BY position";
constexpr char kPredicateById[] =
    "SELECT id, event_id, name_id, single_valued FROM predicates WHERE id = ?1"
    " ORDER BY revision DESC LIMIT 1";

#undef SOURCE_COLUMNS
#undef REVISION_COLUMNS
#undef EVIDENCE_COLUMNS
#undef REINFORCEMENT_COLUMNS
#undef RELATION_COLUMNS
#undef AFTER_EVENT

SourceRow ToSource(const Statement& row) {
  SourceRow source;
  source.id = row.As<SourceId>(0);
  source.ordinal = row.As<Ordinal>(1);
  source.event = row.As<EventId>(2);
  source.type = row.As<SourceType>(3);
  source.content = row.As<PayloadId>(4);
  source.external_id = row.As<PayloadId>(5);
  source.request_id = row.As<PayloadId>(6);
  source.session = row.As<NameId>(7);
  source.speaker = row.As<NameId>(8);
  source.subject = row.As<NameId>(9);
  source.metadata = row.As<PayloadId>(10);
  source.event_time = FromMicros(row.Int(11));
  source.received_at = row.Time(12);
  source.created_at = FromMicros(row.Int(13));
  return source;
}

RevisionRow ToRevision(const Statement& row) {
  RevisionRow revision;
  revision.artifact = row.As<ArtifactId>(0);
  revision.artifact_ordinal = row.As<Ordinal>(1);
  revision.ordinal = row.As<Ordinal>(2);
  revision.revision = row.As<std::uint32_t>(3);
  revision.event = row.As<EventId>(4);
  revision.kind = row.As<ArtifactKind>(5);
  revision.verbatim = row.Int(6) != 0;
  revision.state = row.As<RevisionState>(7);
  revision.memory_type = row.As<MemoryType>(8);
  revision.shape = row.As<Shape>(9);
  revision.content = row.As<PayloadId>(10);
  revision.gist = row.As<PayloadId>(11);
  revision.tags = row.As<PayloadId>(12);
  revision.emotion = row.As<NameId>(13);
  revision.emotion_intensity = row.Real(14);
  revision.salience = row.Real(15);
  revision.sensitivity = row.Real(16);
  revision.confidence = row.Real(17);
  revision.session = row.As<NameId>(18);
  revision.speaker = row.As<NameId>(19);
  revision.subject = row.As<NameId>(20);
  revision.event_time = FromMicros(row.Int(21));
  revision.valid_at = row.Time(22);
  revision.invalid_at = row.Time(23);
  revision.created_at = FromMicros(row.Int(24));
  return revision;
}

EvidenceRow ToEvidence(const Statement& row) {
  return {row.As<ArtifactId>(1), row.As<std::uint32_t>(2), row.As<SourceId>(3),
          row.As<std::uint32_t>(4), row.As<std::uint32_t>(5)};
}

ReinforcementRow ToReinforcement(const Statement& row) {
  return {row.Int(0),         row.As<ScopeId>(1),           row.As<ArtifactId>(2),
          row.As<EventId>(3), row.As<ReinforcementKind>(4), row.As<NameId>(5),
          row.Real(6),        FromMicros(row.Int(7))};
}

EntityRow ToEntity(const Statement& row) {
  return {row.As<EntityId>(0), row.As<Ordinal>(1), row.As<EventId>(2), row.As<PayloadId>(3),
          std::string(row.Bytes(4))};
}

AliasRow ToAlias(const Statement& row) {
  return {row.As<EntityId>(0), row.As<EventId>(1), row.As<PayloadId>(2)};
}

MentionRow ToMention(const Statement& row) {
  return {row.As<ArtifactId>(0), row.As<std::uint32_t>(1), row.As<EntityId>(2),
          row.As<EventId>(3),    row.As<std::uint32_t>(4), row.As<std::uint32_t>(5)};
}

PredicateRow ToPredicate(const Statement& row) {
  return {row.Int(0), row.As<EventId>(1), row.As<PayloadId>(2), row.Int(3) != 0};
}

RelationRow ToRelation(const Statement& row) {
  RelationRow relation;
  relation.id = row.As<RelationId>(0);
  relation.ordinal = row.As<Ordinal>(1);
  relation.event = row.As<EventId>(2);
  relation.origin = row.As<RelationOrigin>(3);
  relation.asserted = row.As<RelationId>(4);
  relation.subject = row.As<EntityId>(5);
  relation.predicate = row.Int(6);
  relation.object = row.As<EntityId>(7);
  relation.valid_at = FromMicros(row.Int(8));
  relation.invalid_at = row.Time(9).value_or(kEndOfTime);
  relation.point = row.Int(10) != 0;
  relation.confidence = row.Real(11);
  relation.created_at = FromMicros(row.Int(12));
  relation.expired_at = row.Time(13);
  return relation;
}

// The rows of a statement one by one, until the visitor has enough.
template <typename Make, typename Visit, typename... Values>
Result<void> ForEach(TransactionState& state, const char* doing, const char* sql, Make make,
                     const Visit& visit, const Values&... values) {
  return Guard(state, doing, [&] {
    const auto statement = state.Use(sql);
    statement->Bind(values...);
    while (statement->Step()) {
      if (!visit(make(*statement))) return;
    }
  });
}

template <typename Make, typename... Values>
auto FindOne(TransactionState& state, const char* doing, const char* sql, Make make,
             const Values&... values)
    -> Result<std::optional<std::invoke_result_t<Make, const Statement&>>> {
  using Row = std::invoke_result_t<Make, const Statement&>;
  return Guard(state, doing, [&]() -> std::optional<Row> {
    const auto statement = state.Use(sql);
    statement->Bind(values...);
    if (!statement->Step() || statement->IsNull(0)) return std::nullopt;
    return make(*statement);
  });
}

template <typename Make, typename... Values>
auto All(TransactionState& state, const char* doing, const char* sql, Make make,
         const Values&... values)
    -> Result<std::vector<std::invoke_result_t<Make, const Statement&>>> {
  return Guard(state, doing, [&] {
    std::vector<std::invoke_result_t<Make, const Statement&>> rows;
    const auto statement = state.Use(sql);
    statement->Bind(values...);
    while (statement->Step()) rows.push_back(make(*statement));
    return rows;
  });
}

template <typename Id>
Id ToId(const Statement& row) {
  return row.As<Id>(0);
}

// The payload of a name within a scope.
Result<std::optional<PayloadId>> FindName(TransactionState& state, ScopeId scope, PayloadKind kind,
                                          std::string_view text) {
  return Guard(state, "look a name up", [&]() -> std::optional<PayloadId> {
    return FindPayload(state, state.store->Lookup(AgentId{0}, scope, kind, text));
  });
}

}  // namespace

Result<void> ReadTransaction::ForEachSource(ScopeId scope, Ordinal after,
                                            const std::function<bool(const SourceRow&)>& visit) {
  return ForEach(*connection_, "read sources", kSources, ToSource, visit, scope, after);
}

Result<void> ReadTransaction::ForEachRevision(
    ScopeId scope, Ordinal after, const std::function<bool(const RevisionRow&)>& visit) {
  return ForEach(*connection_, "read revisions", kRevisions, ToRevision, visit, scope, after);
}

Result<void> ReadTransaction::ForEachEvidence(
    ScopeId scope, Ordinal after, const std::function<bool(Ordinal, const EvidenceRow&)>& visit) {
  const auto make = [](const Statement& row) {
    return std::make_pair(row.As<Ordinal>(0), ToEvidence(row));
  };
  const auto both = [&](const auto& row) { return visit(row.first, row.second); };
  return ForEach(*connection_, "read evidence", kEvidence, make, both, scope, after);
}

Result<void> ReadTransaction::ForEachReinforcement(
    ScopeId scope, std::int64_t after, const std::function<bool(const ReinforcementRow&)>& visit) {
  return ForEach(*connection_, "read reinforcements", kReinforcements, ToReinforcement, visit,
                 scope, after);
}

Result<void> ReadTransaction::ForEachEntity(ScopeId scope, EventId after,
                                            const std::function<bool(const EntityRow&)>& visit) {
  return ForEach(*connection_, "read entities", kEntities, ToEntity, visit, scope, Raw(after));
}

Result<void> ReadTransaction::ForEachAlias(ScopeId scope, EventId after,
                                           const std::function<bool(const AliasRow&)>& visit) {
  return ForEach(*connection_, "read aliases", kAliases, ToAlias, visit, scope, Raw(after));
}

Result<void> ReadTransaction::ForEachMention(ScopeId scope, EventId after,
                                             const std::function<bool(const MentionRow&)>& visit) {
  return ForEach(*connection_, "read mentions", kMentions, ToMention, visit, scope, Raw(after));
}

Result<void> ReadTransaction::ForEachRelation(
    ScopeId scope, Ordinal after, const std::function<bool(const RelationRow&)>& visit) {
  return ForEach(*connection_, "read relations", kRelations, ToRelation, visit, scope, after);
}

Result<void> ReadTransaction::ForEachExpiry(
    ScopeId scope, EventId after, const std::function<bool(RelationId, Timestamp)>& visit) {
  const auto make = [](const Statement& row) {
    return std::make_pair(row.As<RelationId>(0), FromMicros(row.Int(1)));
  };
  const auto both = [&](const auto& row) { return visit(row.first, row.second); };
  return ForEach(*connection_, "read expiries", kExpiries, make, both, scope, Raw(after));
}

Result<void> ReadTransaction::ForEachRelationSource(
    ScopeId scope, Ordinal after_relation, const std::function<bool(RelationId, SourceId)>& visit) {
  const auto make = [](const Statement& row) {
    return std::make_pair(row.As<RelationId>(0), row.As<SourceId>(1));
  };
  const auto both = [&](const auto& row) { return visit(row.first, row.second); };
  return ForEach(*connection_, "read the evidence of relations", kRelationSources, make, both,
                 scope, after_relation);
}

Result<void> ReadTransaction::ForEachPredicate(
    ScopeId scope, EventId after, const std::function<bool(const PredicateRow&)>& visit) {
  return ForEach(*connection_, "read predicates", kPredicates, ToPredicate, visit, scope,
                 Raw(after));
}

Result<std::optional<SourceRow>> ReadTransaction::FindSource(SourceId id) {
  return FindOne(*connection_, "find a source", kSourceById, ToSource, id);
}

Result<std::optional<SourceRow>> ReadTransaction::FindSourceByOrdinal(ScopeId scope,
                                                                      Ordinal ordinal) {
  return FindOne(*connection_, "find a source", kSourceByOrdinal, ToSource, scope, ordinal);
}

Result<std::optional<SourceRow>> ReadTransaction::FindSourceByExternalId(ScopeId scope,
                                                                         std::string_view id) {
  const auto name = FindName(*connection_, scope, PayloadKind::kExternalId, id);
  if (!name) return Fail(name.error());
  if (!*name) return std::nullopt;
  return FindOne(*connection_, "find a source", kSourceByExternalId, ToSource, **name);
}

Result<std::optional<SourceRow>> ReadTransaction::FindSourceByRequestId(ScopeId scope,
                                                                        std::string_view id) {
  const auto name = FindName(*connection_, scope, PayloadKind::kRequestId, id);
  if (!name) return Fail(name.error());
  if (!*name) return std::nullopt;
  return FindOne(*connection_, "find a source", kSourceByRequestId, ToSource, **name);
}

Result<std::optional<ArtifactId>> ReadTransaction::FindArtifactByOrdinal(ScopeId scope,
                                                                         Ordinal ordinal) {
  return FindOne(*connection_, "find an artifact", kArtifactByOrdinal, ToId<ArtifactId>, scope,
                 ordinal);
}

Result<std::vector<RevisionRow>> ReadTransaction::Revisions(ArtifactId artifact) {
  return All(*connection_, "read revisions", kRevisionsOfArtifact, ToRevision, artifact);
}

Result<std::vector<EvidenceRow>> ReadTransaction::Evidence(ArtifactId artifact,
                                                           std::uint32_t revision) {
  return All(*connection_, "read evidence", kEvidenceOfRevision, ToEvidence, artifact, revision);
}

Result<std::vector<ArtifactId>> ReadTransaction::ArtifactsOfSource(SourceId source) {
  return All(*connection_, "find artifacts", kArtifactsOfSource, ToId<ArtifactId>, source);
}

Result<std::vector<ReinforcementRow>> ReadTransaction::Reinforcements(ArtifactId artifact) {
  return All(*connection_, "read reinforcements", kReinforcementsOfArtifact, ToReinforcement,
             artifact);
}

Result<std::optional<EntityId>> ReadTransaction::FindEntity(ScopeId scope, std::string_view key) {
  const auto name = FindName(*connection_, scope, PayloadKind::kEntityName, key);
  if (!name) return Fail(name.error());
  if (*name) {
    auto entity = FindOne(*connection_, "find an entity", kEntityByName, ToId<EntityId>, **name);
    if (!entity || *entity) return entity;
  }
  const Digest alias = connection_->store->Lookup(AgentId{0}, scope, PayloadKind::kAlias, key);
  return FindOne(*connection_, "find an entity", kEntityByAlias, ToId<EntityId>, Blob{View(alias)});
}

Result<std::optional<PredicateRow>> ReadTransaction::FindPredicate(ScopeId scope,
                                                                   std::string_view name) {
  const auto payload = FindName(*connection_, scope, PayloadKind::kPredicateName, name);
  if (!payload) return Fail(payload.error());
  if (!*payload) return std::nullopt;
  return FindOne(*connection_, "find a predicate", kPredicateByName, ToPredicate, **payload);
}

Result<std::vector<RelationRow>> ReadTransaction::RelationsOf(EntityId subject,
                                                              std::int64_t predicate) {
  return All(*connection_, "read relations", kRelationsOf, ToRelation, subject, predicate);
}

Result<std::vector<RelationHistoryRow>> ReadTransaction::RelationHistory(EntityId subject,
                                                                         std::int64_t predicate) {
  auto rows = All(*connection_, "read relations", kRelationHistory, ToRelation, subject, predicate);
  if (!rows) return Fail(rows.error());
  const auto retracted = [](const Statement& row) { return row.Int(0) != 0; };
  std::vector<RelationHistoryRow> history;
  for (RelationRow& row : *rows) {
    auto found = FindOne(*connection_, "read a retraction", kRelationRetracted, retracted, row.id);
    if (!found) return Fail(found.error());
    history.push_back({std::move(row), found->value_or(false)});
  }
  return history;
}

Result<std::vector<SourceId>> ReadTransaction::RelationEvidence(RelationId relation) {
  return All(*connection_, "read the evidence of a relation", kEvidenceOfRelation, ToId<SourceId>,
             relation);
}

Result<bool> ReadTransaction::IsSingleValued(std::int64_t predicate) {
  auto found = FindOne(*connection_, "find a predicate", kPredicateById, ToPredicate, predicate);
  if (!found) return Fail(found.error());
  return *found && (*found)->single_valued;
}

Result<std::optional<RelationRow>> ReadTransaction::FindRelationByOrdinal(ScopeId scope,
                                                                          Ordinal ordinal) {
  return FindOne(*connection_, "find a relation", kRelationByOrdinal, ToRelation, scope, ordinal);
}

Result<std::optional<ScopeId>> ReadTransaction::ScopeOfArtifact(ArtifactId artifact) {
  return FindOne(*connection_, "find an artifact", kScopeOfArtifact, ToId<ScopeId>, artifact);
}

}  // namespace souvenance::storage
