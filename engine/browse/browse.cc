#include "engine/browse/browse.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "engine/recall/lookup.h"
#include "engine/recall/pool.h"
#include "engine/recall/show.h"
#include "scoring/forgetting.h"
#include "storage/public_id.h"

namespace souvenance::browse {
namespace {

using recall::ItemRef;
using recall::Pool;
using storage::PublicKind;

constexpr std::size_t kMaxListed = 10000;

Result<std::string> TextOf(storage::ReadTransaction& tx, PayloadId id) {
  if (id == kNoPayload) return std::string();
  auto text = tx.Text(id);
  if (!text) return Fail(text.error());
  return text->value_or("");
}

Result<RevisionView> View(const Pool& pool, const storage::RevisionRow& row,
                          const std::string& scope_tag) {
  RevisionView view;
  view.revision = row.revision;
  view.state = row.state;
  view.kind = row.kind;
  view.memory_type = row.memory_type;
  view.shape = row.shape;
  auto text = pool.tx().Text(row.content);
  if (!text) return Fail(text.error());
  view.text = std::move(*text);
  auto gist = TextOf(pool.tx(), row.gist);
  if (!gist) return Fail(gist.error());
  view.gist = std::move(*gist);
  auto tags = TextOf(pool.tx(), row.tags);
  if (!tags) return Fail(tags.error());
  const auto parsed = nlohmann::json::parse(*tags, nullptr, false);
  if (parsed.is_array()) {
    for (const auto& tag : parsed) {
      if (tag.is_string()) view.tags.push_back(tag.get<std::string>());
    }
  }
  auto emotion = TextOf(pool.tx(), row.emotion);
  if (!emotion) return Fail(emotion.error());
  view.emotion = std::move(*emotion);
  view.emotion_intensity = row.emotion_intensity;
  view.salience = row.salience;
  view.sensitivity = row.sensitivity;
  view.confidence = row.confidence;
  view.event_time = row.event_time;
  view.valid_at = row.valid_at;
  view.invalid_at = row.invalid_at;
  view.created_at = row.created_at;
  auto sources = recall::Citations(pool, row.artifact, row.revision, scope_tag);
  if (!sources) return Fail(sources.error());
  view.sources = std::move(*sources);
  return view;
}

// The revision that counted at the pool's record time; nullptr when there was none yet.
const storage::RevisionRow* RevisionAt(const Pool& pool,
                                       const std::vector<storage::RevisionRow>& revisions) {
  const storage::RevisionRow* found = nullptr;
  for (const storage::RevisionRow& row : revisions) {
    if (!pool.when().known_at || row.created_at <= *pool.when().known_at) found = &row;
  }
  return found;
}

Result<ItemView> ViewItem(const Pool& pool, std::uint32_t shard_number, ArtifactId artifact) {
  const shard::Shard& shard = *pool.shards()[shard_number];
  auto revisions = pool.tx().Revisions(artifact);
  if (!revisions) return Fail(revisions.error());
  const storage::RevisionRow* row = RevisionAt(pool, *revisions);
  if (row == nullptr) return recall::NoSuchId("?");
  ItemView item;
  item.id = storage::FormatPublicId(PublicKind::kArtifact, row->artifact_ordinal, shard.scope_tag);
  item.scope = shard.scope;
  for (auto [id, out] :
       {std::pair(row->subject, &item.subject_id), std::pair(row->speaker, &item.said_by),
        std::pair(row->session, &item.session_id)}) {
    auto text = TextOf(pool.tx(), id);
    if (!text) return Fail(text.error());
    *out = std::move(*text);
  }
  auto current = View(pool, *row, shard.scope_tag);
  if (!current) return Fail(current.error());
  item.current = std::move(*current);
  if (!item.current.sources.empty()) item.external_id = item.current.sources.front().external_id;

  const ItemRef ref{shard_number, row->ordinal};
  Timestamp last = row->event_time;
  for (const shard::Use* use : pool.UsesOf(ref)) {
    if (use->at > pool.when().now) continue;
    item.hits += use->amount;
    if (use->amount > 0) last = std::max(last, use->at);
  }
  item.stability_days =
      scoring::StabilityDays(row->salience, item.hits, row->shape, row->emotion_intensity);
  item.retention = scoring::Retention(scoring::AgeDays(last, pool.when().now), item.stability_days);
  const shard::GraphPart& part = shard.Graph();
  if (const auto node = part.document_nodes.find(row->ordinal); node != part.document_nodes.end()) {
    std::set<std::string> names;
    for (const std::uint32_t e : part.graph->EdgesAt(node->second)) {
      const graph::Edge& edge = part.graph->edge(e);
      const graph::Node other = edge.from == node->second ? edge.to : edge.from;
      if (part.graph->node(other).is_entity) names.insert(shard.entities[other].name);
    }
    item.entities.assign(names.begin(), names.end());
  }
  for (Ordinal f = shard.docs[row->ordinal].first_fact; f != 0; f = shard.docs[f].next_fact) {
    item.facts.push_back(pool.PublicId({shard_number, f}));
  }
  return item;
}

Result<SourceView> ViewSource(const Pool& pool, std::uint32_t shard_number, Ordinal ordinal) {
  const shard::Shard& shard = *pool.shards()[shard_number];
  auto row = pool.tx().FindSourceByOrdinal(shard.scope_id, ordinal);
  if (!row) return Fail(row.error());
  if (!*row) return recall::NoSuchId("?");
  SourceView view;
  auto citation = recall::CiteSource(pool, shard_number, ordinal);
  if (!citation) return Fail(citation.error());
  view.source = std::move(*citation);
  view.type = (*row)->type;
  view.scope = shard.scope;
  for (auto [id, out] :
       {std::pair((*row)->session, &view.session_id), std::pair((*row)->speaker, &view.said_by),
        std::pair((*row)->subject, &view.subject_id),
        std::pair((*row)->metadata, &view.metadata_json)}) {
    auto text = TextOf(pool.tx(), id);
    if (!text) return Fail(text.error());
    *out = std::move(*text);
  }
  auto text = pool.tx().Text((*row)->content);
  if (!text) return Fail(text.error());
  view.text = std::move(*text);
  view.event_time = (*row)->event_time;
  view.received_at = (*row)->received_at;
  view.created_at = (*row)->created_at;
  auto artifacts = pool.tx().ArtifactsOfSource((*row)->id);
  if (!artifacts) return Fail(artifacts.error());
  for (const ArtifactId artifact : *artifacts) {
    auto revisions = pool.tx().Revisions(artifact);
    if (!revisions) return Fail(revisions.error());
    view.artifacts.push_back(storage::FormatPublicId(
        PublicKind::kArtifact, revisions->back().artifact_ordinal, shard.scope_tag));
  }
  return view;
}

// The artifact that an id names, live or not; its source's for a source id.
Result<ArtifactId> ArtifactOf(const Pool& pool, std::uint32_t shard_number,
                              const storage::PublicId& id, std::string_view text) {
  const shard::Shard& shard = *pool.shards()[shard_number];
  if (id.kind == PublicKind::kArtifact) {
    auto artifact = pool.tx().FindArtifactByOrdinal(shard.scope_id, id.ordinal);
    if (!artifact) return Fail(artifact.error());
    if (*artifact) return **artifact;
  }
  if (id.kind == PublicKind::kSource) {
    auto source = pool.tx().FindSourceByOrdinal(shard.scope_id, id.ordinal);
    if (!source) return Fail(source.error());
    if (*source) {
      auto artifacts = pool.tx().ArtifactsOfSource((*source)->id);
      if (!artifacts) return Fail(artifacts.error());
      if (!artifacts->empty()) return artifacts->front();
    }
  }
  return recall::NoSuchId(text);
}

}  // namespace

Result<ShowAnswer> Show(const Core& core, std::string_view id, const Viewer& viewer,
                        const Moment& moment) {
  if (!index::IsValidText(id)) {
    return Fail(ErrorCode::kInvalidData, "read id: it is not valid UTF-8");
  }
  auto pool = Pool::Open(core, viewer, moment);
  if (!pool) return Fail(pool.error());
  auto resolved = pool->Resolve(id);
  if (!resolved) return Fail(resolved.error());
  const auto& [shard_number, parsed] = *resolved;
  const shard::Shard& shard = *pool->shards()[shard_number];
  ShowAnswer answer;
  switch (parsed.kind) {
    case PublicKind::kSource: {
      if (parsed.ordinal == 0 || parsed.ordinal >= shard.verbatim_of.size()) {
        return recall::NoSuchId(id);
      }
      auto source = ViewSource(*pool, shard_number, parsed.ordinal);
      if (!source) return Fail(source.error());
      answer.source = std::move(*source);
      return answer;
    }
    case PublicKind::kEntity:
      for (std::uint32_t i = 0; i < shard.entities.size(); ++i) {
        if (shard.entities[i].ordinal != parsed.ordinal) continue;
        answer.entity = recall::ShowEntity(*pool, shard_number, i);
        return answer;
      }
      return recall::NoSuchId(id);
    case PublicKind::kRelation: {
      if (parsed.ordinal >= shard.relations.size() ||
          Raw(shard.relations[parsed.ordinal].id) == 0) {
        return recall::NoSuchId(id);
      }
      auto relation = recall::ShowRelation(*pool, shard_number, parsed.ordinal);
      if (!relation) return Fail(relation.error());
      answer.relation = std::move(*relation);
      return answer;
    }
    case PublicKind::kArtifact: {
      auto artifact = ArtifactOf(*pool, shard_number, parsed, id);
      if (!artifact) return Fail(artifact.error());
      if (parsed.ordinal >= shard.document_of.size() || shard.document_of[parsed.ordinal] == 0) {
        return recall::NoSuchId(id);
      }
      auto item = ViewItem(*pool, shard_number, *artifact);
      if (!item) return Fail(item.error());
      answer.item = std::move(*item);
      return answer;
    }
  }
  return recall::NoSuchId(id);
}

Result<HistoryAnswer> History(const Core& core, std::string_view id, const Viewer& viewer,
                              const Moment& moment) {
  if (!index::IsValidText(id)) {
    return Fail(ErrorCode::kInvalidData, "read id: it is not valid UTF-8");
  }
  auto pool = Pool::Open(core, viewer, moment);
  if (!pool) return Fail(pool.error());
  auto resolved = pool->Resolve(id);
  if (!resolved) return Fail(resolved.error());
  auto artifact = ArtifactOf(*pool, resolved->first, resolved->second, id);
  if (!artifact) return Fail(artifact.error());
  auto revisions = pool->tx().Revisions(*artifact);
  if (!revisions) return Fail(revisions.error());
  const shard::Shard& shard = *pool->shards()[resolved->first];
  HistoryAnswer answer;
  answer.id = storage::FormatPublicId(PublicKind::kArtifact, revisions->front().artifact_ordinal,
                                      shard.scope_tag);
  for (const storage::RevisionRow& row : *revisions) {
    if (pool->when().known_at && row.created_at > *pool->when().known_at) continue;
    auto view = View(*pool, row, shard.scope_tag);
    if (!view) return Fail(view.error());
    answer.revisions.push_back(std::move(*view));
  }
  if (answer.revisions.empty()) return recall::NoSuchId(id);
  for (const shard::Use* use : pool->UsesOf({resolved->first, revisions->front().ordinal})) {
    answer.uses.push_back({use->kind, use->at, use->amount});
  }
  return answer;
}

Result<ListAnswer> List(const Core& core, const ListQuery& query) {
  if (query.limit > kMaxListed) {
    return Fail(ErrorCode::kInvalidArgument, "read query: limit must lie in [0, 10000]");
  }
  std::optional<ArtifactKind> kind;
  if (!query.kind.empty()) {
    kind = ParseArtifactKind(query.kind);
    if (!kind) {
      return Fail(ErrorCode::kInvalidArgument,
                  "read query: there is no kind \"" + query.kind + "\"",
                  "use fact, scene, impression or persona");
    }
  }
  const std::optional<RevisionState> state =
      record_names::Parse<RevisionState>(record_names::kRevisionStates, query.state);
  if (!state && query.state != "any") {
    return Fail(ErrorCode::kInvalidArgument,
                "read query: there is no state \"" + query.state + "\"",
                "use active, forgotten, retracted or any");
  }
  auto pool = Pool::Open(core, query.viewer, query.moment);
  if (!pool) return Fail(pool.error());
  ListAnswer answer;
  for (std::uint32_t s = 0; s < pool->shards().size(); ++s) {
    const shard::Shard& shard = *pool->shards()[s];
    for (std::size_t a = 1; a < shard.document_of.size(); ++a) {
      const Ordinal document = shard.document_of[a];
      if (document == 0) continue;
      const ItemRef item{s, document};
      const shard::Doc& doc = shard.docs[document];
      if (kind && doc.kind != *kind) continue;
      if (state == RevisionState::kActive && !pool->Accepts(item)) continue;
      if (state && *state != RevisionState::kActive && doc.live) continue;
      if (pool->when().since && doc.event_time < *pool->when().since) continue;
      if (pool->when().until && doc.event_time >= *pool->when().until) continue;
      if (!query.subject.empty() && pool->Name(item, doc.subject) != query.subject) continue;
      if (!query.speaker.empty() && pool->Name(item, doc.speaker) != query.speaker) continue;
      if (!query.session.empty() && pool->Name(item, doc.session) != query.session) continue;
      if (!query.tag.empty()) {
        const std::vector<std::string>& tags = shard.tag_sets[doc.tag_set];
        if (std::find(tags.begin(), tags.end(), query.tag) == tags.end()) continue;
      }
      if (state && *state != RevisionState::kActive) {
        auto revisions = pool->tx().Revisions(doc.artifact);
        if (!revisions) return Fail(revisions.error());
        const storage::RevisionRow* row = RevisionAt(*pool, *revisions);
        if (row == nullptr || row->state != *state) continue;
      }
      ++answer.total;
      if (answer.total <= query.offset || answer.items.size() >= query.limit) continue;
      auto view = ViewItem(*pool, s, doc.artifact);
      if (!view) return Fail(view.error());
      answer.items.push_back(std::move(*view));
    }
  }
  return answer;
}

Result<RecentAnswer> Recent(const Core& core, const RecentQuery& query) {
  if (query.k < 1 || query.k > kMaxListed) {
    return Fail(ErrorCode::kInvalidArgument, "read query: k must lie in [1, 10000]");
  }
  if (query.session.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "read query: no session was named",
                "name one with --session");
  }
  auto pool = Pool::Open(core, query.viewer, query.moment);
  if (!pool) return Fail(pool.error());
  RecentAnswer answer;
  answer.session = query.session;
  std::vector<std::pair<Timestamp, ItemRef>> turns;  // newest first within a scope
  for (std::uint32_t s = 0; s < pool->shards().size(); ++s) {
    const shard::Shard& shard = *pool->shards()[s];
    for (std::size_t number = 1; number < shard.sessions.size(); ++number) {
      if (shard.NameText(shard.sessions[number]) != query.session) continue;
      std::size_t taken = 0;
      for (Ordinal turn = shard.session_last[number]; turn != 0 && taken < query.k;
           turn = shard.docs[turn].previous) {
        if (!pool->Accepts(s, turn)) continue;
        turns.emplace_back(shard.docs[turn].event_time, ItemRef{s, turn});
        ++taken;
      }
    }
  }
  // A session of one scope stays in its order of arrival; times are often equal and may lie.
  if (pool->shards().size() > 1) {
    std::stable_sort(turns.begin(), turns.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
  }
  if (turns.size() > query.k) turns.resize(query.k);
  std::reverse(turns.begin(), turns.end());
  for (const auto& [time, item] : turns) {
    const shard::Doc& doc = pool->doc(item);
    Turn turn;
    turn.id = pool->PublicId(item);
    turn.scope = pool->shard(item).scope;
    turn.said_by = pool->Name(item, doc.speaker);
    turn.event_time = time;
    auto text = recall::DocText(*pool, item);
    if (!text) return Fail(text.error());
    turn.text = std::move(*text);
    auto sources =
        recall::Citations(*pool, doc.artifact, doc.revision, pool->shard(item).scope_tag);
    if (!sources) return Fail(sources.error());
    if (!sources->empty()) turn.external_id = sources->front().external_id;
    answer.turns.push_back(std::move(turn));
  }
  return answer;
}

Result<StatsAnswer> Stats(const Core& core) {
  auto tx = core.store->Read();
  if (!tx) return Fail(tx.error());
  StatsAnswer answer;
  answer.store_id = core.store->store_id();
  auto counts = (*tx)->Counts();
  if (!counts) return Fail(counts.error());
  answer.counts = std::move(*counts);
  auto agents = (*tx)->Agents();
  if (!agents) return Fail(agents.error());
  for (const auto& [agent, name] : *agents) {
    auto scopes = (*tx)->Scopes(agent);
    if (!scopes) return Fail(scopes.error());
    for (const storage::ScopeRow& row : *scopes) {
      auto shard = core.cache->Get(**tx, row, std::nullopt);
      if (!shard) return Fail(shard.error());
      StatsAnswer::ScopeStats stats;
      stats.agent = name;
      stats.scope = row.scope;
      stats.items = (*shard)->live_items;
      stats.terms = (*shard)->live_length;
      for (std::size_t o = 1; o < (*shard)->docs.size(); ++o) {
        const shard::Doc& doc = (*shard)->docs[o];
        if (doc.live && doc.vector_segment != shard::kNoSegment) ++stats.vectors;
      }
      stats.entities = (*shard)->entities.size();
      for (std::size_t o = 1; o < (*shard)->relations.size(); ++o) {
        const shard::Relation& relation = (*shard)->relations[o];
        if (Raw(relation.id) != 0 && relation.expired_at == kEndOfTime) ++stats.relations;
      }
      answer.scopes.push_back(std::move(stats));
    }
  }
  auto space = (*tx)->ActiveEmbeddingSpace();
  if (!space) return Fail(space.error());
  if (*space) answer.embedder = (*space)->identity;
  std::error_code ignored;
  const std::filesystem::path truth = core.store->path() / "truth.db";
  answer.truth_bytes = static_cast<std::int64_t>(std::filesystem::file_size(truth, ignored));
  for (std::filesystem::recursive_directory_iterator it(core.store->index_path(), ignored), end;
       !ignored && it != end; it.increment(ignored)) {
    if (it->is_regular_file(ignored)) {
      answer.index_bytes += static_cast<std::int64_t>(it->file_size(ignored));
    }
  }
  return answer;
}

}  // namespace souvenance::browse
