#include "engine/ingest/changes.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/ingest/writer.h"
#include "index/analyzer.h"
#include "scoring/forgetting.h"
#include "storage/public_id.h"
#include "storage/sha256.h"

namespace souvenance::ingest {
namespace {

using storage::EventKind;
using storage::PublicId;
using storage::PublicKind;

tl::unexpected<Error> NoSuchId(std::string_view id) {
  return Fail(
      ErrorCode::kNotFound,
      "find id: nothing that you may see has the id \"" + std::string(id.substr(0, 200)) + "\"",
      "`souvenance list` shows the ids of a scope; name the scope with --scope");
}

// The viewer's scopes, which must be there.
struct Visible {
  AgentId agent{};
  std::vector<storage::ScopeRow> scopes;
};

Result<Visible> FindScopes(storage::WriteTransaction& tx, const Viewer& viewer) {
  Visible visible;
  auto agent = tx.FindAgent(viewer.agent);
  if (!agent) return Fail(agent.error());
  if (!*agent) {
    return Fail(ErrorCode::kInvalidArgument,
                "find agent: there is no agent \"" + viewer.agent + "\"",
                "`souvenance stats` lists the agents");
  }
  visible.agent = **agent;
  std::vector<Scope> scopes = viewer.scopes;
  if (scopes.empty()) scopes.push_back({});
  for (const Scope& scope : scopes) {
    auto row = tx.FindScope(visible.agent, scope);
    if (!row) return Fail(row.error());
    if (!*row) {
      return Fail(ErrorCode::kInvalidArgument,
                  "find scope: there is no scope \"" + FormatScope(scope) + "\"",
                  "use public, private:NAME or group:NAME; a first write to a scope makes it");
    }
    visible.scopes.push_back(**row);
  }
  return visible;
}

struct Target {
  storage::ScopeRow scope;
  PublicKind kind = PublicKind::kArtifact;
  ArtifactId artifact{};
  storage::RelationRow relation;
};

// An artifact or relation by its id, or a verbatim artifact by its source's id.
Result<Target> FindTarget(storage::WriteTransaction& tx, const Visible& visible,
                          const std::string& id) {
  if (auto ok = CheckName(id, "id"); !ok) return Fail(ok.error());
  const auto parsed = storage::ParsePublicId(id);
  for (const storage::ScopeRow& scope : visible.scopes) {
    Target target;
    target.scope = scope;
    std::optional<SourceId> source;
    if (parsed) {
      if (parsed->scope_tag != storage::ScopeTag(scope.scope)) continue;
      if (parsed->kind == PublicKind::kArtifact) {
        auto artifact = tx.FindArtifactByOrdinal(scope.id, parsed->ordinal);
        if (!artifact) return Fail(artifact.error());
        if (!*artifact) continue;
        target.artifact = **artifact;
        return target;
      }
      if (parsed->kind == PublicKind::kRelation) {
        auto relation = tx.FindRelationByOrdinal(scope.id, parsed->ordinal);
        if (!relation) return Fail(relation.error());
        if (!*relation) continue;
        target.kind = PublicKind::kRelation;
        target.relation = **relation;
        return target;
      }
      if (parsed->kind == PublicKind::kSource) {
        auto row = tx.FindSourceByOrdinal(scope.id, parsed->ordinal);
        if (!row) return Fail(row.error());
        if (*row) source = (*row)->id;
      }
    } else {
      auto row = tx.FindSourceByExternalId(scope.id, id);
      if (!row) return Fail(row.error());
      if (*row) source = (*row)->id;
    }
    if (!source) continue;
    auto artifacts = tx.ArtifactsOfSource(*source);
    if (!artifacts) return Fail(artifacts.error());
    for (const ArtifactId artifact : *artifacts) {
      auto revisions = tx.Revisions(artifact);
      if (!revisions) return Fail(revisions.error());
      if (!revisions->back().verbatim) continue;
      target.artifact = artifact;
      return target;
    }
  }
  return NoSuchId(id);
}

// The texts behind a revision, so that the next one can start from them.
struct Texts {
  std::string content, tags, emotion, session, speaker, subject;
  bool erased = false;
};

Result<Texts> ReadTexts(storage::WriteTransaction& tx, const storage::RevisionRow& row) {
  const PayloadId ids[] = {row.content, row.tags,    row.emotion,
                           row.session, row.speaker, row.subject};
  auto texts = tx.Texts(ids);
  if (!texts) return Fail(texts.error());
  Texts out;
  out.erased = !(*texts)[0].has_value();
  std::string* fields[] = {&out.content, &out.tags,    &out.emotion,
                           &out.session, &out.speaker, &out.subject};
  for (std::size_t i = 0; i < std::size(fields); ++i) *fields[i] = (*texts)[i].value_or("");
  return out;
}

Result<std::string> TextOrNothing(storage::WriteTransaction& tx, PayloadId id) {
  if (id == kNoPayload) return std::string();
  auto text = tx.Text(id);
  if (!text) return Fail(text.error());
  return text->value_or("");
}

storage::NewRevision Copy(const storage::RevisionRow& row, const Texts& texts) {
  storage::NewRevision next;
  next.state = row.state;
  next.memory_type = row.memory_type;
  next.shape = row.shape;
  next.content_payload = row.content;
  next.gist_payload = row.gist;
  next.tags_json = texts.tags;
  next.emotion = texts.emotion;
  next.emotion_intensity = row.emotion_intensity;
  next.salience = row.salience;
  next.sensitivity = row.sensitivity;
  next.confidence = row.confidence;
  next.session = texts.session;
  next.speaker = texts.speaker;
  next.subject = texts.subject;
  next.event_time = row.event_time;
  next.valid_at = row.valid_at;
  next.invalid_at = row.invalid_at;
  return next;
}

Result<std::vector<storage::NewEvidence>> EvidenceOf(storage::WriteTransaction& tx,
                                                     const storage::RevisionRow& row) {
  auto rows = tx.Evidence(row.artifact, row.revision);
  if (!rows) return Fail(rows.error());
  std::vector<storage::NewEvidence> evidence;
  for (const storage::EvidenceRow& e : *rows) evidence.push_back({e.source, e.begin, e.end});
  return evidence;
}

Result<void> CheckRevise(const ReviseRequest& request) {
  NewArtifact like;
  like.content = request.content.value_or("x");
  like.gist = request.gist.value_or("");
  like.tags = request.tags.value_or(std::vector<std::string>{});
  like.salience = request.salience;
  like.sensitivity = request.sensitivity;
  like.confidence = request.confidence.value_or(1);
  like.valid_at = request.valid_at;
  like.invalid_at = request.invalid_at;
  if (auto ok = CheckText(request.reason, "reason"); !ok) return ok;
  return CheckArtifact(like);
}

}  // namespace

Result<WriteAnswer> Revise(const Core& core, storage::WriteTransaction& tx,
                           const ReviseRequest& request) {
  if (auto ok = CheckRevise(request); !ok) return Fail(ok.error());
  const Timestamp now = core.Now(request.now);
  auto visible = FindScopes(tx, request.viewer);
  if (!visible) return Fail(visible.error());
  auto target = FindTarget(tx, *visible, request.id);
  if (!target) return Fail(target.error());
  if (target->kind != PublicKind::kArtifact) {
    return Fail(ErrorCode::kInvalidArgument, "revise: \"" + request.id + "\" is a relation",
                "retract it, and remember the corrected fact with its source");
  }
  auto revisions = tx.Revisions(target->artifact);
  if (!revisions) return Fail(revisions.error());
  const storage::RevisionRow& last = revisions->back();
  auto texts = ReadTexts(tx, last);
  if (!texts) return Fail(texts.error());
  if (texts->erased) return NoSuchId(request.id);

  storage::NewRevision next = Copy(last, *texts);
  // A forgotten memory stays forgotten; one that was retracted is stated anew by being revised.
  if (last.state == RevisionState::kRetracted) next.state = RevisionState::kActive;
  std::string tags_json;
  if (request.content) {
    next.content_payload = kNoPayload;
    next.content = *request.content;
  }
  if (request.gist) {
    next.gist_payload = kNoPayload;
    next.gist = *request.gist;
  }
  if (request.tags) {
    tags_json = TagsJson(*request.tags);
    next.tags_json = tags_json;
  }
  if (request.salience) next.salience = *request.salience;
  if (request.sensitivity) next.sensitivity = *request.sensitivity;
  if (request.confidence) next.confidence = *request.confidence;
  if (request.valid_at) next.valid_at = request.valid_at;
  if (request.invalid_at) next.invalid_at = request.invalid_at;
  if (request.memory_type) next.memory_type = *request.memory_type;
  if (request.shape) next.shape = *request.shape;
  if (next.valid_at && next.invalid_at && *next.invalid_at <= *next.valid_at) {
    return Fail(ErrorCode::kInvalidData, "revise: invalid_at does not lie after valid_at");
  }
  auto gist = TextOrNothing(tx, last.gist);
  if (!gist) return Fail(gist.error());
  auto evidence = EvidenceOf(tx, last);
  if (!evidence) return Fail(evidence.error());
  const std::size_t evidence_before = evidence->size();
  for (const std::string& id : request.evidence) {
    auto found = tx.FindSourceByExternalId(target->scope.id, id);
    if (!found) return Fail(found.error());
    if (!*found) {
      const auto parsed = storage::ParsePublicId(id);
      if (parsed && parsed->kind == PublicKind::kSource &&
          parsed->scope_tag == storage::ScopeTag(target->scope.scope)) {
        found = tx.FindSourceByOrdinal(target->scope.id, parsed->ordinal);
        if (!found) return Fail(found.error());
      }
    }
    if (!*found) return NoSuchId(id);
    const SourceId source = (*found)->id;
    if (std::any_of(evidence->begin(), evidence->end(),
                    [&](const storage::NewEvidence& e) { return e.source == source; })) {
      continue;
    }
    auto content = tx.Text((*found)->content);
    if (!content) return Fail(content.error());
    evidence->push_back({source, 0, static_cast<std::uint32_t>(content->value_or("").size())});
  }
  next.evidence = *evidence;
  const bool same =
      next.state == last.state && next.memory_type == last.memory_type &&
      next.shape == last.shape && next.salience == last.salience &&
      next.sensitivity == last.sensitivity && next.confidence == last.confidence &&
      next.valid_at == last.valid_at && next.invalid_at == last.invalid_at &&
      next.tags_json == texts->tags && (!request.content || *request.content == texts->content) &&
      (!request.gist || *request.gist == *gist) && evidence->size() == evidence_before;
  if (same) {
    return Fail(ErrorCode::kInvalidArgument, "revise: it says so already",
                "name what is to be different, as in --content \"...\" or --salience 0.9");
  }

  Writer writer(core, tx);
  if (auto space = writer.Space(); !space) return Fail(space.error());
  auto begun =
      tx.BeginEvent(visible->agent, target->scope.id, EventKind::kRevised, now, request.reason);
  if (!begun) return Fail(begun.error());
  auto row = tx.AddRevision(target->artifact, next);
  if (!row) return Fail(row.error());
  if (next.state == RevisionState::kActive) {
    const std::string& text = request.content ? *request.content : texts->content;
    if (auto done = writer.Derive(target->scope, *row, text, texts->speaker, {}, {}); !done) {
      return Fail(done.error());
    }
  }
  auto head = tx.EndEvent();
  if (!head) return Fail(head.error());
  WriteAnswer answer;
  answer.ids.push_back(storage::FormatPublicId(PublicKind::kArtifact, row->artifact_ordinal,
                                               storage::ScopeTag(target->scope.scope)));
  answer.receipt = *writer.ReceiptOf(request.viewer.agent, *head);
  return answer;
}

Result<WriteAnswer> ChangeState(const Core& core, storage::WriteTransaction& tx,
                                const StateRequest& request) {
  if (request.ids.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "change state: no id was given");
  }
  if (auto ok = CheckText(request.reason, "reason"); !ok) return Fail(ok.error());
  const Timestamp now = core.Now(request.now);
  auto visible = FindScopes(tx, request.viewer);
  if (!visible) return Fail(visible.error());
  std::vector<Target> targets;
  for (const std::string& id : request.ids) {
    auto target = FindTarget(tx, *visible, id);
    if (!target) return Fail(target.error());
    if (target->kind == PublicKind::kRelation && request.change != StateChange::kRetract) {
      return Fail(ErrorCode::kInvalidArgument, "change state: \"" + id + "\" is a relation",
                  "a relation can be retracted; forget applies to memories");
    }
    targets.push_back(std::move(*target));
  }
  Writer writer(core, tx);
  WriteAnswer answer;
  storage::ChainHead head;
  for (const Target& target : targets) {
    if (target.kind == PublicKind::kRelation) {
      if (target.relation.expired_at) {
        return Fail(ErrorCode::kConflict, "retract: the relation is no longer believed already",
                    "`souvenance lookup --history` shows what replaced it");
      }
      auto begun = tx.BeginEvent(visible->agent, target.scope.id, EventKind::kRelationRetracted,
                                 now, request.reason);
      if (!begun) return Fail(begun.error());
      if (auto done = tx.ExpireRelation(target.relation.id, now); !done) {
        return Fail(done.error());
      }
      auto ended = tx.EndEvent();
      if (!ended) return Fail(ended.error());
      head = *ended;
      answer.ids.push_back(storage::FormatPublicId(PublicKind::kRelation, target.relation.ordinal,
                                                   storage::ScopeTag(target.scope.scope)));
      auto single = tx.IsSingleValued(target.relation.predicate);
      if (!single) return Fail(single.error());
      if (!*single) continue;
      // What the retracted fact had closed may hold again; that is an event of its own, so that
      // the retraction alone says what was retracted.
      auto next = tx.BeginEvent(visible->agent, target.scope.id, EventKind::kMaintained, now);
      if (!next) return Fail(next.error());
      if (auto done = writer.Supersede(target.scope, target.relation.subject,
                                       target.relation.predicate, now);
          !done) {
        return Fail(done.error());
      }
      ended = tx.EndEvent();
      if (!ended) return Fail(ended.error());
      head = *ended;
      continue;
    }
    auto revisions = tx.Revisions(target.artifact);
    if (!revisions) return Fail(revisions.error());
    const storage::RevisionRow& last = revisions->back();
    auto texts = ReadTexts(tx, last);
    if (!texts) return Fail(texts.error());
    auto evidence = EvidenceOf(tx, last);
    if (!evidence) return Fail(evidence.error());
    storage::NewRevision next = Copy(last, *texts);
    next.evidence = *evidence;
    EventKind kind = EventKind::kForgotten;
    next.state = RevisionState::kForgotten;
    if (request.change == StateChange::kRetract) {
      kind = EventKind::kRetracted;
      next.state = RevisionState::kRetracted;
    } else if (request.change == StateChange::kRecover) {
      kind = EventKind::kRecovered;
      next.state = RevisionState::kActive;
      if (last.state == RevisionState::kRetracted) {
        return Fail(ErrorCode::kConflict, "recover: it was retracted, not forgotten",
                    "`souvenance revise` states anew what is believed");
      }
    }
    answer.ids.push_back(storage::FormatPublicId(PublicKind::kArtifact, last.artifact_ordinal,
                                                 storage::ScopeTag(target.scope.scope)));
    if (next.state == last.state) continue;  // it is so already
    auto begun = tx.BeginEvent(visible->agent, target.scope.id, kind, now, request.reason);
    if (!begun) return Fail(begun.error());
    auto row = tx.AddRevision(target.artifact, next);
    if (!row) return Fail(row.error());
    if (next.state == RevisionState::kActive) {
      if (auto done = writer.Derive(target.scope, *row, texts->content, texts->speaker, {}, {});
          !done) {
        return Fail(done.error());
      }
    }
    auto ended = tx.EndEvent();
    if (!ended) return Fail(ended.error());
    head = *ended;
  }
  if (head.sequence == 0) {
    auto now_head = tx.Head(visible->agent);
    if (!now_head) return Fail(now_head.error());
    head = *now_head;
  }
  answer.receipt = *writer.ReceiptOf(request.viewer.agent, head);
  return answer;
}

Result<WriteAnswer> Reinforce(const Core& core, storage::WriteTransaction& tx,
                              const ReinforceRequest& request) {
  if (request.ids.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "reinforce: no id was given");
  }
  if (auto ok = CheckName(request.viewer.session, "session"); !ok) return Fail(ok.error());
  const Timestamp now = core.Now(request.now);
  auto visible = FindScopes(tx, request.viewer);
  if (!visible) return Fail(visible.error());
  const storage::ScopeRow& given_in = visible->scopes.front();
  std::vector<Target> targets;
  for (const std::string& id : request.ids) {
    auto target = FindTarget(tx, *visible, id);
    if (!target) return Fail(target.error());
    if (target->kind != PublicKind::kArtifact) {
      return Fail(ErrorCode::kInvalidArgument, "reinforce: \"" + id + "\" is a relation");
    }
    // One use is one use, however often it is named.
    if (std::any_of(targets.begin(), targets.end(),
                    [&](const Target& t) { return t.artifact == target->artifact; })) {
      continue;
    }
    targets.push_back(std::move(*target));
  }
  auto begun = tx.BeginEvent(visible->agent, given_in.id, EventKind::kReinforced, now);
  if (!begun) return Fail(begun.error());
  WriteAnswer answer;
  for (const Target& target : targets) {
    auto uses = tx.Reinforcements(target.artifact);
    if (!uses) return Fail(uses.error());
    bool counted_before = false;
    Timestamp last{};
    for (const storage::ReinforcementRow& use : *uses) {
      // The ledger of a scope decides for itself: what others did cannot show here.
      if (use.scope != given_in.id || use.kind != ReinforcementKind::kRecalled || use.amount <= 0) {
        continue;
      }
      if (!counted_before || use.at > last) last = use.at;
      counted_before = true;
    }
    const double amount = scoring::CountedAmount(request.kind, counted_before, last, now);
    if (auto done =
            tx.AddReinforcement(target.artifact, request.kind, request.viewer.session, amount, now);
        !done) {
      return Fail(done.error());
    }
    auto revisions = tx.Revisions(target.artifact);
    if (!revisions) return Fail(revisions.error());
    answer.ids.push_back(storage::FormatPublicId(PublicKind::kArtifact,
                                                 revisions->back().artifact_ordinal,
                                                 storage::ScopeTag(target.scope.scope)));
  }
  auto head = tx.EndEvent();
  if (!head) return Fail(head.error());
  Writer writer(core, tx);
  answer.receipt = *writer.ReceiptOf(request.viewer.agent, *head);
  return answer;
}

}  // namespace souvenance::ingest
