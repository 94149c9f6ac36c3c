// Entities, mentions, predicates and relations.
#include "storage/writing.h"

namespace souvenance::storage {

namespace {

constexpr char kLastEntity[] = "SELECT max(id) FROM entities";
constexpr char kLastEntityOrdinal[] = "SELECT max(ordinal) FROM entities WHERE scope_id = ?1";
constexpr char kLastPredicate[] = "SELECT max(id) FROM predicates";
constexpr char kLastRelation[] = "SELECT max(id) FROM relations";
constexpr char kLastRelationOrdinal[] = "SELECT max(ordinal) FROM relations WHERE scope_id = ?1";

constexpr char kInsertEntity[] =
    "INSERT INTO entities(id, scope_id, ordinal, event_id, name_id, type)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
constexpr char kInsertAlias[] =
    "INSERT INTO entity_aliases(entity_id, name_id, event_id) VALUES (?1, ?2, ?3)";
constexpr char kInsertMention[] =
    "INSERT INTO mentions(event_id, artifact_id, revision, entity_id, begin_byte, end_byte)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
constexpr char kInsertPredicate[] =
    "INSERT INTO predicates(id, revision, scope_id, event_id, name_id, single_valued)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
constexpr char kInsertRelation[] =
    "INSERT INTO relations(id, scope_id, ordinal, event_id, origin, asserted_id,"
    " subject_entity_id, predicate_id, object_entity_id, valid_us, invalid_us, point, confidence,"
    " created_us, first_position)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, 1)";
constexpr char kInsertRelationSource[] =
    "INSERT INTO relation_sources(relation_id, position, event_id, source_id)"
    " VALUES (?1, ?2, ?3, ?4)";
constexpr char kExpireRelation[] =
    "UPDATE relations SET expired_us = ?2, expired_event_id = ?3 WHERE id = ?1";

constexpr char kSelectEntityFacts[] = "SELECT scope_id, ordinal FROM entities WHERE id = ?1";
constexpr char kSelectEntityByName[] = "SELECT id FROM entities WHERE name_id = ?1";
constexpr char kSelectAliasRow[] =
    "SELECT 1 FROM entity_aliases WHERE entity_id = ?1 AND name_id = ?2";
constexpr char kSelectPredicate[] =
    "SELECT id, revision, single_valued FROM predicates WHERE name_id = ?1"
    " ORDER BY revision DESC LIMIT 1";
constexpr char kSelectPredicateName[] =
    "SELECT scope_id, name_id FROM predicates WHERE id = ?1 AND revision = 1";
constexpr char kSelectRelation[] =
    "SELECT scope_id, ordinal, expired_us, origin FROM relations WHERE id = ?1";
constexpr char kSelectRevisionExists[] =
    "SELECT 1 FROM artifact_revisions WHERE artifact_id = ?1 AND revision = ?2";
constexpr char kSelectMention[] =
    "SELECT 1 FROM mentions WHERE event_id = ?1 AND artifact_id = ?2 AND revision = ?3"
    " AND entity_id = ?4 AND begin_byte = ?5";

struct RelationFacts {
  ScopeId scope{};
  Ordinal ordinal = 0;
  bool expired = false;
  RelationOrigin origin = RelationOrigin::kAsserted;
};

RelationFacts FactsOfRelation(TransactionState& state, RelationId id) {
  const auto statement = state.Use(kSelectRelation);
  statement->Bind(id);
  if (!statement->Step()) {
    Refuse(ErrorCode::kNotFound, "no relation " + std::to_string(Raw(id)));
  }
  return {statement->As<ScopeId>(0), statement->As<Ordinal>(1), !statement->IsNull(2),
          statement->As<RelationOrigin>(3)};
}

// The ordinal of something in the event's scope.
Ordinal Own(const WriteState::OpenEvent& event, const std::pair<ScopeId, Ordinal>& facts,
            const char* what) {
  if (facts.first != event.scope) {
    Refuse(ErrorCode::kInvalidArgument, std::string(what) + " belongs to another scope");
  }
  return facts.second;
}

// The payload of a predicate's name.
PayloadId PredicateName(TransactionState& state, std::int64_t predicate) {
  const auto statement = state.Use(kSelectPredicateName);
  statement->Bind(predicate);
  if (!statement->Step() || statement->As<ScopeId>(0) != CurrentEvent(state).scope) {
    Refuse(ErrorCode::kInvalidArgument, "the scope has no predicate " + std::to_string(predicate));
  }
  return statement->As<PayloadId>(1);
}

// What a new relation refers to, as ordinals.
struct RelationEnds {
  Ordinal subject = 0;
  Ordinal object = 0;
  Ordinal asserted = 0;  // 0: itself
  PayloadId predicate_name = kNoPayload;
};

RelationEnds CheckRelation(TransactionState& state, const NewRelation& relation) {
  const WriteState::OpenEvent& event = CurrentScopeEvent(state);
  if (relation.evidence.empty()) {
    Refuse(ErrorCode::kInvalidArgument, "nothing is believed without evidence",
           "name at least one source");
  }
  for (const SourceId source : relation.evidence) {
    const SourceFacts& facts = FactsOfSource(state, source);
    Own(event, {facts.scope, facts.ordinal}, "a source");
  }
  if (!(relation.confidence >= 0 && relation.confidence <= 1)) {
    Refuse(ErrorCode::kInvalidArgument, "confidence lies outside [0, 1]");
  }
  if (relation.valid_at >= relation.invalid_at) {
    Refuse(ErrorCode::kInvalidArgument, "invalid_at does not lie after valid_at");
  }
  RelationEnds ends;
  ends.subject = Own(event, FactsOfEntity(state, relation.subject), "the subject");
  ends.object = Own(event, FactsOfEntity(state, relation.object), "the object");
  ends.predicate_name = PredicateName(state, relation.predicate);
  if (relation.origin == RelationOrigin::kDerived) {
    const RelationFacts asserted = FactsOfRelation(state, relation.asserted);
    ends.asserted = Own(event, {asserted.scope, asserted.ordinal}, "the asserted relation");
    if (asserted.origin != RelationOrigin::kAsserted) {
      Refuse(ErrorCode::kInvalidArgument, "a derived relation restates an asserted one");
    }
  }
  return ends;
}

std::optional<Timestamp> OpenEnd(Timestamp time) {
  if (time == kEndOfTime) return std::nullopt;
  return time;
}

void EncodeRelation(TransactionState& state, const RelationRow& row, const RelationEnds& ends) {
  WriteState::OpenEvent& event = CurrentEvent(state);
  const Digest& scope = event.scope_commitment;
  RowEncoder encoder(ChainTable::kRelations);
  encoder.Commitment(scope)
      .Integer(row.ordinal)
      .Integer(static_cast<int>(row.origin))
      .Reference(scope, ends.asserted == 0 ? row.ordinal : ends.asserted)
      .Reference(scope, ends.subject);
  EncodePayload(encoder, state, ends.predicate_name);
  encoder.Reference(scope, ends.object).Integer(Micros(row.valid_at));
  EncodeTime(encoder, OpenEnd(row.invalid_at));
  encoder.Integer(row.point ? 1 : 0).Real(row.confidence).Integer(Micros(row.created_at));
  event.rows.push_back(encoder.Take());
}

void InsertRelationSources(TransactionState& state, const RelationRow& row,
                           std::span<const SourceId> evidence) {
  WriteState::OpenEvent& event = CurrentEvent(state);
  std::int64_t position = 0;
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    bool seen = false;
    for (std::size_t k = 0; k < i; ++k) seen = seen || evidence[k] == evidence[i];
    if (seen) continue;
    const auto insert = state.Use(kInsertRelationSource);
    insert->Bind(row.id, ++position, event.id, evidence[i]);
    insert->Run();
    RowEncoder encoder(ChainTable::kRelationSources);
    encoder.Reference(event.scope_commitment, row.ordinal)
        .Integer(position)
        .Reference(event.scope_commitment, FactsOfSource(state, evidence[i]).ordinal);
    event.rows.push_back(encoder.Take());
  }
}

}  // namespace

std::pair<ScopeId, Ordinal> FactsOfEntity(TransactionState& state, EntityId id) {
  const auto statement = state.Use(kSelectEntityFacts);
  statement->Bind(id);
  if (!statement->Step()) {
    Refuse(ErrorCode::kInvalidArgument, "no entity " + std::to_string(Raw(id)));
  }
  return {statement->As<ScopeId>(0), statement->As<Ordinal>(1)};
}

Result<EntityId> WriteTransaction::AddEntity(std::string_view name, std::string_view key,
                                             std::string_view type) {
  TransactionState& state = *connection_;
  return Guard(state, "add an entity", [&] {
    WriteState::OpenEvent& event = CurrentScopeEvent(state);
    if (name.empty() || key.empty()) {
      Refuse(ErrorCode::kInvalidArgument, "an entity needs a name and a key");
    }
    CheckText(name, "the name");
    CheckText(key, "the key");
    CheckText(type, "the type");
    const auto taken = FindPayload(
        state, state.store->Lookup(AgentId{0}, event.scope, PayloadKind::kEntityName, key));
    if (taken) {
      const auto statement = state.Use(kSelectEntityByName);
      statement->Bind(*taken);
      if (statement->Step()) Refuse(ErrorCode::kConflict, "an entity of this name exists");
    }
    const PayloadId name_id = Intern(state, PayloadKind::kEntityName, name, key);
    const auto id = static_cast<EntityId>(NextNumber(state, kLastEntity));
    const std::int64_t ordinal = NextNumber(state, kLastEntityOrdinal, Raw(event.scope));
    const auto insert = state.Use(kInsertEntity);
    insert->Bind(id, event.scope, ordinal, event.id, name_id, type);
    insert->Run();
    RowEncoder encoder(ChainTable::kEntities);
    encoder.Commitment(event.scope_commitment).Integer(ordinal);
    EncodePayload(encoder, state, name_id);
    encoder.Text(type);
    event.rows.push_back(encoder.Take());
    return id;
  });
}

Result<void> WriteTransaction::AddAlias(EntityId entity, std::string_view name,
                                        std::string_view key) {
  TransactionState& state = *connection_;
  return Guard(state, "add an alias", [&] {
    WriteState::OpenEvent& event = CurrentScopeEvent(state);
    const Ordinal ordinal = Own(event, FactsOfEntity(state, entity), "the entity");
    if (name.empty() || key.empty()) {
      Refuse(ErrorCode::kInvalidArgument, "an alias needs a name and a key");
    }
    CheckText(name, "the alias");
    CheckText(key, "the key");
    const PayloadId name_id = Intern(state, PayloadKind::kAlias, name, key);
    {
      const auto statement = state.Use(kSelectAliasRow);
      statement->Bind(entity, name_id);
      if (statement->Step()) return;  // known already
    }
    const auto insert = state.Use(kInsertAlias);
    insert->Bind(entity, name_id, event.id);
    insert->Run();
    RowEncoder encoder(ChainTable::kEntityAliases);
    encoder.Reference(event.scope_commitment, ordinal);
    EncodePayload(encoder, state, name_id);
    event.rows.push_back(encoder.Take());
  });
}

Result<void> WriteTransaction::AddMention(const MentionRow& mention) {
  TransactionState& state = *connection_;
  return Guard(state, "add a mention", [&] {
    WriteState::OpenEvent& event = CurrentScopeEvent(state);
    const Ordinal artifact = Own(event, FactsOfArtifact(state, mention.artifact), "the artifact");
    const Ordinal entity = Own(event, FactsOfEntity(state, mention.entity), "the entity");
    if (mention.begin > mention.end) Refuse(ErrorCode::kInvalidArgument, "the span is none");
    {
      const auto statement = state.Use(kSelectRevisionExists);
      statement->Bind(mention.artifact, mention.revision);
      if (!statement->Step()) Refuse(ErrorCode::kInvalidArgument, "no such revision");
    }
    {
      const auto statement = state.Use(kSelectMention);
      statement->Bind(event.id, mention.artifact, mention.revision, mention.entity, mention.begin);
      if (statement->Step()) return;  // said already
    }
    const auto insert = state.Use(kInsertMention);
    insert->Bind(event.id, mention.artifact, mention.revision, mention.entity, mention.begin,
                 mention.end);
    insert->Run();
    RowEncoder encoder(ChainTable::kMentions);
    encoder.Reference(event.scope_commitment, artifact)
        .Integer(mention.revision)
        .Reference(event.scope_commitment, entity)
        .Integer(mention.begin)
        .Integer(mention.end);
    event.rows.push_back(encoder.Take());
  });
}

Result<std::int64_t> WriteTransaction::AddPredicate(std::string_view name, bool single_valued) {
  TransactionState& state = *connection_;
  return Guard(state, "add a predicate", [&]() -> std::int64_t {
    WriteState::OpenEvent& event = CurrentScopeEvent(state);
    if (name.empty()) Refuse(ErrorCode::kInvalidArgument, "a predicate needs a name");
    CheckText(name, "the name");
    const PayloadId name_id = Intern(state, PayloadKind::kPredicateName, name);
    std::int64_t id = 0;
    std::int64_t revision = 1;
    {
      const auto statement = state.Use(kSelectPredicate);
      statement->Bind(name_id);
      if (statement->Step()) {
        id = statement->Int(0);
        revision = statement->Int(1) + 1;
        if ((statement->Int(2) != 0) == single_valued) return id;  // declared so already
      }
    }
    if (id == 0) id = NextNumber(state, kLastPredicate);
    const auto insert = state.Use(kInsertPredicate);
    insert->Bind(id, revision, event.scope, event.id, name_id, single_valued);
    insert->Run();
    RowEncoder encoder(ChainTable::kPredicates);
    encoder.Commitment(event.scope_commitment);
    EncodePayload(encoder, state, name_id);
    encoder.Integer(revision).Integer(single_valued ? 1 : 0);
    event.rows.push_back(encoder.Take());
    return id;
  });
}

Result<RelationRow> WriteTransaction::AddRelation(const NewRelation& relation) {
  TransactionState& state = *connection_;
  return Guard(state, "add a relation", [&] {
    WriteState::OpenEvent& event = CurrentScopeEvent(state);
    const RelationEnds ends = CheckRelation(state, relation);
    RelationRow row;
    row.id = static_cast<RelationId>(NextNumber(state, kLastRelation));
    row.ordinal = static_cast<Ordinal>(NextNumber(state, kLastRelationOrdinal, Raw(event.scope)));
    row.event = event.id;
    row.origin = relation.origin;
    row.asserted = relation.origin == RelationOrigin::kDerived ? relation.asserted : row.id;
    row.subject = relation.subject;
    row.predicate = relation.predicate;
    row.object = relation.object;
    row.valid_at = relation.valid_at;
    row.invalid_at = relation.invalid_at;
    row.point = relation.point;
    row.confidence = Normal(relation.confidence);
    row.created_at = event.at;
    const auto insert = state.Use(kInsertRelation);
    insert->Bind(row.id, event.scope, row.ordinal, event.id, row.origin, row.asserted, row.subject,
                 row.predicate, row.object, row.valid_at, OpenEnd(row.invalid_at), row.point,
                 row.confidence, row.created_at);
    insert->Run();
    EncodeRelation(state, row, ends);
    InsertRelationSources(state, row, relation.evidence);
    return row;
  });
}

Result<void> WriteTransaction::ExpireRelation(RelationId relation, Timestamp at) {
  TransactionState& state = *connection_;
  return Guard(state, "expire a relation", [&] {
    WriteState::OpenEvent& event = CurrentScopeEvent(state);
    const RelationFacts facts = FactsOfRelation(state, relation);
    const Ordinal ordinal = Own(event, {facts.scope, facts.ordinal}, "the relation");
    if (facts.expired) Refuse(ErrorCode::kConflict, "it has expired already");
    const auto update = state.Use(kExpireRelation);
    update->Bind(relation, at, event.id);
    update->Run();
    RowEncoder encoder(ChainTable::kRelationExpiries);
    encoder.Reference(event.scope_commitment, ordinal).Integer(Micros(at));
    event.rows.push_back(encoder.Take());
  });
}

}  // namespace souvenance::storage
