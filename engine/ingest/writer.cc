#include "engine/ingest/writer.h"

#include <algorithm>
#include <utility>

#include "index/vectors.h"
#include "storage/public_id.h"
#include "storage/sha256.h"

namespace souvenance::ingest {
namespace {

using storage::EventKind;
using storage::PublicKind;

constexpr Timestamp kEpoch{};

// Hashtags of the text join the tags given; each once, in order.
std::vector<std::string> AllTags(const std::vector<std::string>& given,
                                 const std::vector<std::string>& found) {
  std::vector<std::string> tags;
  for (const std::vector<std::string>* list : {&given, &found}) {
    for (const std::string& tag : *list) {
      if (std::find(tags.begin(), tags.end(), tag) == tags.end()) tags.push_back(tag);
    }
  }
  return tags;
}

}  // namespace

std::string PublicIdOf(storage::PublicKind kind, Ordinal ordinal, const Scope& scope) {
  return storage::FormatPublicId(kind, ordinal, storage::ScopeTag(scope));
}

Writer::Writer(const Core& core, storage::WriteTransaction& tx)
    : core_(core), tx_(tx), perceiver_(core.linguist->analyzer()) {}

Result<storage::ScopeRow> Writer::OpenScope(const std::string& agent, const Scope& scope,
                                            Timestamp now) {
  if (auto ok = CheckAgent(agent); !ok) return Fail(ok.error());
  if (auto ok = CheckName(scope.name, "scope"); !ok) return Fail(ok.error());
  auto id = tx_.EnsureAgent(agent, now);
  if (!id) return Fail(id.error());
  return tx_.EnsureScope(*id, scope, now);
}

Result<std::int64_t> Writer::Space() {
  if (space_) return *space_;
  auto active = tx_.ActiveEmbeddingSpace();
  if (!active) return Fail(active.error());
  const shard::Linguist& linguist = *core_.linguist;
  if (*active) {
    if ((*active)->fingerprint != linguist.embedder_fingerprint()) {
      return Fail(ErrorCode::kConfiguration,
                  "write vectors: the store's vectors are of another embedder or version",
                  "run `souvenance reindex` to embed everything again");
    }
    space_ = (*active)->id;
    return *space_;
  }
  storage::EmbeddingSpaceRow row;
  row.fingerprint = linguist.embedder_fingerprint();
  row.identity = index::IdentityJson(linguist.embedder().identity());
  row.dimension = linguist.embedder().identity().dimension;
  auto probe = index::ProbeVectors(linguist.embedder());
  if (!probe) return Fail(probe.error());
  row.probe = std::move(*probe);
  row.active = true;
  auto id = tx_.AddEmbeddingSpace(row);
  if (!id) return Fail(id.error());
  if (auto done = tx_.ActivateEmbeddingSpace(*id); !done) return Fail(done.error());
  space_ = *id;
  return *space_;
}

Result<Receipt> Writer::ReceiptOf(const std::string& agent, const storage::ChainHead& head) const {
  return Receipt{agent, head.sequence, storage::Hex(head.hash)};
}

Result<void> Writer::Derive(const storage::ScopeRow& scope, const storage::RevisionRow& row,
                            std::string_view text, std::string_view speaker,
                            std::string_view addressee, std::span<const float> vector) {
  const shard::Linguist& linguist = *core_.linguist;
  auto notes = linguist.Analyse(text);
  if (!notes) return Fail(notes.error());
  if (auto done = tx_.PutTerms(scope.id, row.ordinal, linguist.analyzer().fingerprint(),
                               shard::EncodeNotes(*notes));
      !done) {
    return done;
  }
  auto space = Space();
  if (!space) return Fail(space.error());
  std::vector<float> embedded;
  if (vector.empty()) {
    auto own = linguist.Embed(text, index::EmbedRole::kDocument);
    if (!own) return Fail(own.error());
    embedded = std::move(*own);
  } else {
    auto unit = index::Normalise(vector);
    if (!unit) return Fail(unit.error());
    embedded = std::move(*unit);
  }
  if (!embedded.empty()) {
    if (auto done = tx_.PutVector(scope.id, row.ordinal, *space, embedded); !done) return done;
  }
  auto perceived = perceiver_.Entities({text, speaker, addressee});
  if (!perceived) return Fail(perceived.error());
  // Names that the scope knows, wherever they stand; then what the text alone gives away.
  auto words = linguist.analyzer().Words(text);
  if (!words) return Fail(words.error());
  std::vector<std::string> texts;
  for (const index::Word& word : *words) texts.push_back(word.text);
  auto known = core_.known_names->Find(tx_, scope.id, texts);
  if (!known) return Fail(known.error());
  for (const KnownNames::Hit& hit : *known) {
    storage::MentionRow mention;
    mention.artifact = row.artifact;
    mention.revision = row.revision;
    mention.entity = hit.entity;
    mention.begin = (*words)[hit.first_word].begin;
    mention.end = (*words)[hit.past_word - 1].end;
    if (auto done = tx_.AddMention(mention); !done) return done;
  }
  for (const perceive::Perceived& thing : *perceived) {
    if (thing.type == "tag" || thing.type == "date") continue;
    auto entity = EnsureEntity(scope.id, thing.name, thing.type);
    if (!entity) return Fail(entity.error());
    storage::MentionRow mention;
    mention.artifact = row.artifact;
    mention.revision = row.revision;
    mention.entity = *entity;
    mention.begin = thing.begin;
    mention.end = thing.end;
    if (auto done = tx_.AddMention(mention); !done) return done;
  }
  return {};
}

Result<EntityId> Writer::EnsureEntity(ScopeId scope, const std::string& name,
                                      const std::string& type) {
  auto key = core_.linguist->analyzer().NameKey(name);
  if (!key) return Fail(key.error());
  // A name of signs alone is its own key.
  const std::string& lookup = key->empty() ? name : *key;
  auto found = tx_.FindEntity(scope, lookup);
  if (!found) return Fail(found.error());
  if (*found) return **found;
  return tx_.AddEntity(name, lookup, type);
}

Result<storage::PredicateRow> Writer::EnsurePredicate(ScopeId scope, const std::string& name) {
  auto found = tx_.FindPredicate(scope, name);
  if (!found) return Fail(found.error());
  if (*found) return **found;
  auto id = tx_.AddPredicate(name, /*single_valued=*/false);
  if (!id) return Fail(id.error());
  storage::PredicateRow row;
  row.id = *id;
  return row;
}

Result<RememberAnswer> Writer::Remember(const RememberRequest& request) {
  const std::size_t dimension = core_.linguist->embedder().identity().dimension;
  if (auto ok = CheckRemember(request, dimension); !ok) return Fail(ok.error());
  const Timestamp now = core_.Now(request.now);
  auto scope = OpenScope(request.agent, request.scope, now);
  if (!scope) return Fail(scope.error());
  if (auto space = Space(); !space) return Fail(space.error());

  RememberAnswer answer;
  const Timestamp event_time = request.event_time.value_or(now);
  if (event_time > now) answer.flags.push_back("future");
  if (event_time < kEpoch) answer.flags.push_back("before_1970");

  // The same source is there already, or something else under its name.
  const auto known = [&](Result<std::optional<storage::SourceRow>> found,
                         const std::string& id) -> Result<bool> {
    if (!found) return Fail(found.error());
    if (!*found) return false;
    auto content = tx_.Text((*found)->content);
    if (!content) return Fail(content.error());
    if (content->has_value() && **content != request.content) {
      return Fail(ErrorCode::kConflict, "remember: the id \"" + id + "\" is taken by another text",
                  "give this source an id of its own, or `revise` the one that is there");
    }
    answer.existed = true;
    answer.source_id = PublicIdOf(PublicKind::kSource, (*found)->ordinal, request.scope);
    auto artifacts = tx_.ArtifactsOfSource((*found)->id);
    if (!artifacts) return Fail(artifacts.error());
    for (const ArtifactId artifact : *artifacts) {
      auto revisions = tx_.Revisions(artifact);
      if (!revisions) return Fail(revisions.error());
      const std::string id_text =
          PublicIdOf(PublicKind::kArtifact, revisions->back().artifact_ordinal, request.scope);
      if (revisions->back().verbatim && answer.artifact_id.empty()) {
        answer.artifact_id = id_text;
      } else {
        answer.artifact_ids.push_back(id_text);
      }
    }
    return true;
  };
  for (const bool external : {true, false}) {
    const std::string& id = external ? request.external_id : request.request_id;
    if (id.empty()) continue;
    auto found = known(external ? tx_.FindSourceByExternalId(scope->id, id)
                                : tx_.FindSourceByRequestId(scope->id, id),
                       id);
    if (!found) return Fail(found.error());
    if (!*found) continue;
    auto head = tx_.Head(scope->agent);
    if (!head) return Fail(head.error());
    answer.receipt = *ReceiptOf(request.agent, *head);
    return answer;
  }

  auto begun = tx_.BeginEvent(scope->agent, scope->id, EventKind::kRemembered, now);
  if (!begun) return Fail(begun.error());
  storage::NewSource source;
  source.type = request.source_type;
  source.content = request.content;
  source.external_id = request.external_id;
  source.request_id = request.request_id;
  source.session = request.session_id;
  source.speaker = request.speaker_id;
  source.subject = request.subject_id;
  source.metadata_json = request.metadata_json;
  source.event_time = event_time;
  source.received_at = request.received_at;
  auto source_row = tx_.AddSource(source);
  if (!source_row) return Fail(source_row.error());
  answer.source_id = PublicIdOf(PublicKind::kSource, source_row->ordinal, request.scope);

  const storage::NewEvidence evidence{source_row->id, 0,
                                      static_cast<std::uint32_t>(request.content.size())};
  const std::string tags_json = TagsJson(AllTags(request.tags, perceiver_.Tags(request.content)));
  storage::NewRevision revision;
  revision.memory_type = request.memory_type;
  revision.shape = request.shape;
  revision.content_payload = source_row->content;
  revision.tags_json = tags_json;
  revision.emotion = request.emotion;
  revision.emotion_intensity = request.emotion_intensity;
  revision.salience = request.salience.value_or(0.5);
  revision.sensitivity = request.sensitivity;
  revision.session = request.session_id;
  revision.speaker = request.speaker_id;
  revision.subject = request.subject_id;
  revision.event_time = event_time;
  revision.evidence = {&evidence, 1};
  auto row = tx_.AddArtifact(ArtifactKind::kScene, /*verbatim=*/true, revision);
  if (!row) return Fail(row.error());
  answer.artifact_id = PublicIdOf(PublicKind::kArtifact, row->artifact_ordinal, request.scope);
  if (auto done = Derive(*scope, *row, request.content, request.speaker_id, request.addressee,
                         request.vector);
      !done) {
    return Fail(done.error());
  }
  if (auto done = AddArtifacts(*scope, request.artifacts, {&evidence, 1}, request, event_time,
                               &answer.artifact_ids);
      !done) {
    return Fail(done.error());
  }
  if (auto done = AddRelations(*scope, request.relations, {&source_row->id, 1}, event_time, now,
                               &answer.relation_ids);
      !done) {
    return Fail(done.error());
  }
  auto head = tx_.EndEvent();
  if (!head) return Fail(head.error());
  answer.receipt = *ReceiptOf(request.agent, *head);
  return answer;
}

Result<void> Writer::AddArtifacts(const storage::ScopeRow& scope,
                                  std::span<const NewArtifact> artifacts,
                                  std::span<const storage::NewEvidence> evidence,
                                  const RememberRequest& source, Timestamp event_time,
                                  std::vector<std::string>* ids) {
  for (const NewArtifact& artifact : artifacts) {
    const std::string tags_json = TagsJson(artifact.tags);
    storage::NewRevision revision;
    revision.memory_type = artifact.memory_type;
    revision.shape = artifact.shape;
    revision.content = artifact.content;
    revision.gist = artifact.gist;
    revision.tags_json = tags_json;
    revision.emotion = source.emotion;
    revision.emotion_intensity = source.emotion_intensity;
    revision.salience = artifact.salience.value_or(source.salience.value_or(0.5));
    // What is derived from something inherits how sensitive it is.
    revision.sensitivity = std::max(artifact.sensitivity.value_or(0), source.sensitivity);
    revision.confidence = artifact.confidence;
    revision.session = source.session_id;
    revision.speaker = source.speaker_id;
    revision.subject = artifact.subject_id.empty() ? source.subject_id : artifact.subject_id;
    revision.event_time = event_time;
    revision.valid_at = artifact.valid_at;
    revision.invalid_at = artifact.invalid_at;
    revision.evidence = evidence;
    auto row = tx_.AddArtifact(artifact.kind, /*verbatim=*/false, revision);
    if (!row) return Fail(row.error());
    ids->push_back(PublicIdOf(PublicKind::kArtifact, row->artifact_ordinal, scope.scope));
    if (auto done = Derive(scope, *row, artifact.content, {}, {}, {}); !done) return done;
  }
  return {};
}

}  // namespace souvenance::ingest
