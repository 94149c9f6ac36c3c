// What is believed, apart from the sources: facts with their periods, artifacts over several
// sources, declarations.
#include <algorithm>
#include <utility>

#include "engine/ingest/writer.h"
#include "graph/supersession.h"
#include "storage/public_id.h"

namespace souvenance::ingest {
namespace {

using storage::EventKind;
using storage::PublicKind;

// A date or year as an end holds through its last instant; an instant as an end is the end.
Timestamp EndOf(const TimeSpan& span) {
  return span.past_last - span.first == Duration{1} ? span.first : span.past_last;
}

void SetPeriod(const NewRelation& relation, Timestamp event_time, storage::NewRelation* row) {
  if (relation.at) {
    row->point = true;
    row->valid_at = relation.at->first;
    row->invalid_at = relation.at->past_last;
    return;
  }
  row->valid_at = relation.valid_at ? relation.valid_at->first : event_time;
  if (!relation.invalid_at) return;
  row->invalid_at = EndOf(*relation.invalid_at);
  // An end without a start, before the source spoke: true until then, since whenever.
  if (!relation.valid_at && row->invalid_at <= row->valid_at) row->valid_at = kBeginningOfTime;
}

}  // namespace

Result<void> Writer::AddRelations(const storage::ScopeRow& scope,
                                  std::span<const NewRelation> relations,
                                  std::span<const SourceId> evidence, Timestamp event_time,
                                  Timestamp now, std::vector<std::string>* ids) {
  for (const NewRelation& relation : relations) {
    auto subject = EnsureEntity(scope.id, relation.subject, relation.subject_type);
    if (!subject) return Fail(subject.error());
    auto object = EnsureEntity(scope.id, relation.object, relation.object_type);
    if (!object) return Fail(object.error());
    auto predicate = EnsurePredicate(scope.id, relation.predicate);
    if (!predicate) return Fail(predicate.error());
    storage::NewRelation row;
    row.subject = *subject;
    row.predicate = predicate->id;
    row.object = *object;
    row.confidence = relation.confidence;
    row.evidence = evidence;
    SetPeriod(relation, event_time, &row);
    auto added = tx_.AddRelation(row);
    if (!added) return Fail(added.error());
    ids->push_back(PublicIdOf(PublicKind::kRelation, added->ordinal, scope.scope));
    if (predicate->single_valued) {
      if (auto done = Supersede(scope, *subject, predicate->id, now); !done) return done;
    }
  }
  return {};
}

Result<void> Writer::Supersede(const storage::ScopeRow&, EntityId subject, std::int64_t predicate,
                               Timestamp now) {
  auto history = tx_.RelationHistory(subject, predicate);
  if (!history) return Fail(history.error());
  // Assertions that are still held, and for each the row that states it now.
  struct Held {
    storage::RelationRow asserted;
    const storage::RelationRow* current = nullptr;
    bool retracted = false;
  };
  std::vector<Held> held;
  std::unordered_map<std::int64_t, std::size_t> by_id;
  for (const storage::RelationHistoryRow& entry : *history) {
    if (entry.row.origin != storage::RelationOrigin::kAsserted || entry.row.point) continue;
    by_id[Raw(entry.row.id)] = held.size();
    held.push_back({entry.row, nullptr, false});
  }
  for (const storage::RelationHistoryRow& entry : *history) {
    const auto found = by_id.find(Raw(entry.row.asserted));
    if (found == by_id.end()) continue;
    Held& of = held[found->second];
    if (!entry.row.expired_at) of.current = &entry.row;
    if (entry.retracted) of.retracted = true;
  }
  std::erase_if(held, [](const Held& h) { return h.retracted; });

  std::vector<graph::Assertion> assertions;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const storage::RelationRow& row = held[i].asserted;
    assertions.push_back({i, static_cast<std::uint64_t>(Raw(row.object)), row.valid_at,
                          row.invalid_at, row.ordinal});
  }
  for (const graph::Period& period : graph::ResolveSingleValued(assertions)) {
    const Held& of = held[period.id];
    const bool empty = period.invalid_at <= period.valid_at;
    if (of.current != nullptr && !empty && of.current->valid_at == period.valid_at &&
        of.current->invalid_at == period.invalid_at) {
      continue;
    }
    if (of.current != nullptr) {
      if (auto done = tx_.ExpireRelation(of.current->id, now); !done) return done;
    }
    if (empty) continue;
    auto evidence = tx_.RelationEvidence(of.asserted.id);
    if (!evidence) return Fail(evidence.error());
    storage::NewRelation row;
    row.origin = storage::RelationOrigin::kDerived;
    row.asserted = of.asserted.id;
    row.subject = subject;
    row.predicate = predicate;
    row.object = of.asserted.object;
    row.valid_at = period.valid_at;
    row.invalid_at = period.invalid_at;
    row.confidence = of.asserted.confidence;
    row.evidence = *evidence;
    auto added = tx_.AddRelation(row);
    if (!added) return Fail(added.error());
  }
  return {};
}

Result<WriteAnswer> Writer::Understand(const UnderstandRequest& request) {
  for (const NewArtifact& artifact : request.artifacts) {
    if (auto ok = CheckArtifact(artifact); !ok) return Fail(ok.error());
  }
  for (const NewRelation& relation : request.relations) {
    if (auto ok = CheckRelation(relation); !ok) return Fail(ok.error());
  }
  if (request.artifacts.empty() && request.relations.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "understand: there is nothing to keep");
  }
  if (request.evidence.empty()) {
    return Fail(ErrorCode::kInvalidData, "understand: an artifact needs at least one source",
                "name the sources that it rests on as evidence");
  }
  const Timestamp now = core_.Now(request.now);
  auto scope = OpenScope(request.agent, request.scope, now);
  if (!scope) return Fail(scope.error());
  std::vector<storage::NewEvidence> evidence;
  std::vector<SourceId> sources;
  RememberRequest like;  // what the artifacts inherit
  Timestamp event_time = kBeginningOfTime;
  for (const std::string& id : request.evidence) {
    if (auto ok = CheckName(id, "evidence"); !ok) return Fail(ok.error());
    auto found = tx_.FindSourceByExternalId(scope->id, id);
    if (!found) return Fail(found.error());
    if (!*found) {
      const auto parsed = storage::ParsePublicId(id);
      if (parsed && parsed->kind == PublicKind::kSource &&
          parsed->scope_tag == storage::ScopeTag(request.scope)) {
        found = tx_.FindSourceByOrdinal(scope->id, parsed->ordinal);
        if (!found) return Fail(found.error());
      }
    }
    if (!*found) {
      return Fail(ErrorCode::kNotFound,
                  "understand: the scope has no source \"" + id + "\" to rest on",
                  "import the sources first; evidence is named by external id or source id");
    }
    const storage::SourceRow& row = **found;
    if (std::find(sources.begin(), sources.end(), row.id) != sources.end()) continue;
    auto content = tx_.Text(row.content);
    if (!content) return Fail(content.error());
    evidence.push_back(
        {row.id, 0, content->has_value() ? static_cast<std::uint32_t>((*content)->size()) : 0});
    sources.push_back(row.id);
    event_time = std::max(event_time, row.event_time);
    if (sources.size() == 1) {
      for (auto [name, out] :
           {std::pair(row.session, &like.session_id), std::pair(row.speaker, &like.speaker_id),
            std::pair(row.subject, &like.subject_id)}) {
        if (name == kNoPayload) continue;
        auto text = tx_.Text(name);
        if (!text) return Fail(text.error());
        *out = text->value_or("");
      }
    }
    auto artifacts = tx_.ArtifactsOfSource(row.id);
    if (!artifacts) return Fail(artifacts.error());
    for (const ArtifactId artifact : *artifacts) {
      auto revisions = tx_.Revisions(artifact);
      if (!revisions) return Fail(revisions.error());
      if (revisions->back().verbatim) {
        like.sensitivity = std::max(like.sensitivity, revisions->back().sensitivity);
      }
    }
  }
  // What is understood already is not understood twice: an import may be run again.
  WriteAnswer answer;
  std::vector<NewArtifact> artifacts;
  for (const NewArtifact& artifact : request.artifacts) {
    auto known = FindArtifact(scope->scope, artifact, sources);
    if (!known) return Fail(known.error());
    if (known->empty()) {
      artifacts.push_back(artifact);
    } else {
      answer.ids.push_back(*known);
    }
  }
  std::vector<NewRelation> relations;
  for (const NewRelation& relation : request.relations) {
    auto known = FindRelation(*scope, relation, sources, event_time);
    if (!known) return Fail(known.error());
    if (known->empty()) {
      relations.push_back(relation);
    } else {
      answer.ids.push_back(*known);
    }
  }
  if (artifacts.empty() && relations.empty()) {
    auto head = tx_.Head(scope->agent);
    if (!head) return Fail(head.error());
    answer.existed = true;
    answer.receipt = *ReceiptOf(request.agent, *head);
    return answer;
  }
  auto begun = tx_.BeginEvent(scope->agent, scope->id, EventKind::kRemembered, now);
  if (!begun) return Fail(begun.error());
  if (auto done = AddArtifacts(*scope, artifacts, evidence, like, event_time, &answer.ids); !done) {
    return Fail(done.error());
  }
  if (auto done = AddRelations(*scope, relations, sources, event_time, now, &answer.ids); !done) {
    return Fail(done.error());
  }
  auto head = tx_.EndEvent();
  if (!head) return Fail(head.error());
  answer.receipt = *ReceiptOf(request.agent, *head);
  return answer;
}

Result<std::string> Writer::FindArtifact(const Scope& scope, const NewArtifact& artifact,
                                         std::span<const SourceId> sources) {
  auto candidates = tx_.ArtifactsOfSource(sources.front());
  if (!candidates) return Fail(candidates.error());
  for (const ArtifactId id : *candidates) {
    auto revisions = tx_.Revisions(id);
    if (!revisions) return Fail(revisions.error());
    const storage::RevisionRow& row = revisions->back();
    if (row.verbatim || row.kind != artifact.kind) continue;
    auto evidence = tx_.Evidence(id, row.revision);
    if (!evidence) return Fail(evidence.error());
    if (evidence->size() != sources.size()) continue;
    auto text = tx_.Text(row.content);
    if (!text) return Fail(text.error());
    if (*text && **text == artifact.content) {
      return PublicIdOf(PublicKind::kArtifact, row.artifact_ordinal, scope);
    }
  }
  return std::string();
}

Result<std::string> Writer::FindRelation(const storage::ScopeRow& scope,
                                         const NewRelation& relation,
                                         std::span<const SourceId> sources, Timestamp event_time) {
  std::vector<EntityId> ends;
  for (const std::string* name : {&relation.subject, &relation.object}) {
    auto key = core_.linguist->analyzer().NameKey(*name);
    if (!key) return Fail(key.error());
    auto entity = tx_.FindEntity(scope.id, key->empty() ? *name : *key);
    if (!entity) return Fail(entity.error());
    if (!*entity) return std::string();
    ends.push_back(**entity);
  }
  auto predicate = tx_.FindPredicate(scope.id, relation.predicate);
  if (!predicate) return Fail(predicate.error());
  if (!*predicate) return std::string();
  auto history = tx_.RelationHistory(ends[0], (*predicate)->id);
  if (!history) return Fail(history.error());
  storage::NewRelation like;
  SetPeriod(relation, event_time, &like);
  for (const storage::RelationHistoryRow& known : *history) {
    const storage::RelationRow& row = known.row;
    if (row.origin != storage::RelationOrigin::kAsserted || known.retracted ||
        row.object != ends[1] || row.point != like.point || row.valid_at != like.valid_at ||
        row.invalid_at != like.invalid_at) {
      continue;
    }
    auto evidence = tx_.RelationEvidence(row.id);
    if (!evidence) return Fail(evidence.error());
    if (std::equal(evidence->begin(), evidence->end(), sources.begin(), sources.end())) {
      return PublicIdOf(PublicKind::kRelation, row.ordinal, scope.scope);
    }
  }
  return std::string();
}

Result<WriteAnswer> Writer::DeclareEntity(const EntityRequest& request) {
  if (auto ok = CheckName(request.name, "entity name"); !ok) return Fail(ok.error());
  if (request.name.find_first_not_of(" \t\n") == std::string::npos) {
    return Fail(ErrorCode::kInvalidData, "read entity: its name is blank");
  }
  for (const std::string& alias : request.aliases) {
    if (auto ok = CheckName(alias, "alias"); !ok) return Fail(ok.error());
  }
  const Timestamp now = core_.Now(request.now);
  auto scope = OpenScope(request.agent, request.scope, now);
  if (!scope) return Fail(scope.error());
  const auto key_of = [&](const std::string& name) -> Result<std::string> {
    auto key = core_.linguist->analyzer().NameKey(name);
    if (!key) return Fail(key.error());
    return key->empty() ? name : *key;
  };
  auto own_key = key_of(request.name);
  if (!own_key) return Fail(own_key.error());
  auto known = tx_.FindEntity(scope->id, *own_key);
  if (!known) return Fail(known.error());
  std::vector<std::pair<std::string, std::string>> aliases;  // those that are new, with their keys
  for (const std::string& alias : request.aliases) {
    auto key = key_of(alias);
    if (!key) return Fail(key.error());
    auto found = tx_.FindEntity(scope->id, *key);
    if (!found) return Fail(found.error());
    if (*key == *own_key || (*known && *found == *known)) continue;
    aliases.emplace_back(alias, *key);
  }
  WriteAnswer answer;
  if (*known && aliases.empty()) {
    auto unchanged = tx_.Head(scope->agent);
    if (!unchanged) return Fail(unchanged.error());
    answer.existed = true;
    answer.receipt = *ReceiptOf(request.agent, *unchanged);
    return answer;
  }
  auto begun = tx_.BeginEvent(scope->agent, scope->id, EventKind::kEntityDeclared, now);
  if (!begun) return Fail(begun.error());
  auto entity = EnsureEntity(scope->id, request.name, request.type);
  if (!entity) return Fail(entity.error());
  for (const auto& [alias, key] : aliases) {
    if (auto done = tx_.AddAlias(*entity, alias, key); !done) return Fail(done.error());
  }
  auto head = tx_.EndEvent();
  if (!head) return Fail(head.error());
  answer.receipt = *ReceiptOf(request.agent, *head);
  return answer;
}

Result<WriteAnswer> Writer::DeclarePredicate(const PredicateRequest& request) {
  if (auto ok = CheckName(request.name, "predicate name"); !ok) return Fail(ok.error());
  if (request.name.find_first_not_of(" \t\n") == std::string::npos) {
    return Fail(ErrorCode::kInvalidData, "read predicate: its name is blank");
  }
  const Timestamp now = core_.Now(request.now);
  auto scope = OpenScope(request.agent, request.scope, now);
  if (!scope) return Fail(scope.error());
  auto known = tx_.FindPredicate(scope->id, request.name);
  if (!known) return Fail(known.error());
  WriteAnswer answer;
  if (*known && (*known)->single_valued == request.single_valued) {
    auto head = tx_.Head(scope->agent);
    if (!head) return Fail(head.error());
    answer.existed = true;
    answer.receipt = *ReceiptOf(request.agent, *head);
    return answer;
  }
  auto begun = tx_.BeginEvent(scope->agent, scope->id, EventKind::kPredicateDeclared, now);
  if (!begun) return Fail(begun.error());
  auto id = tx_.AddPredicate(request.name, request.single_valued);
  if (!id) return Fail(id.error());
  // Declared after the facts: what they say is derived again, in new rows.
  if (*known && request.single_valued) {
    std::vector<EntityId> subjects;
    auto read = tx_.ForEachRelation(scope->id, 0, [&](const storage::RelationRow& row) {
      if (row.predicate == *id &&
          std::find(subjects.begin(), subjects.end(), row.subject) == subjects.end()) {
        subjects.push_back(row.subject);
      }
      return true;
    });
    if (!read) return Fail(read.error());
    for (const EntityId subject : subjects) {
      if (auto done = Supersede(*scope, subject, *id, now); !done) return Fail(done.error());
    }
  }
  auto head = tx_.EndEvent();
  if (!head) return Fail(head.error());
  answer.receipt = *ReceiptOf(request.agent, *head);
  return answer;
}

}  // namespace souvenance::ingest
