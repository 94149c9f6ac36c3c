#include "engine/recall/lookup.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/recall/facts.h"
#include "engine/recall/recall.h"
#include "graph/activation.h"
#include "index/analyzer.h"

namespace souvenance::recall {
namespace {

constexpr std::size_t kMaxHops = 4;
constexpr std::size_t kMaxNodes = 500;

// What began, ended or happened, in order of time, then of relation.
std::vector<TimelineEntry> TimelineOf(const std::vector<RelationHit>& relations,
                                      HistoryMode history) {
  std::vector<TimelineEntry> timeline;
  for (std::size_t i = 0; i < relations.size(); ++i) {
    const RelationHit& r = relations[i];
    if (r.point) {
      timeline.push_back({r.valid_at, "event", i});
    } else {
      timeline.push_back({r.valid_at, "begins", i});
      if (r.invalid_at) timeline.push_back({*r.invalid_at, "ends", i});
    }
    if (history == HistoryMode::kAll) {
      timeline.push_back({r.created_at, "learned", i});
      if (r.expired_at) timeline.push_back({*r.expired_at, "corrected", i});
    }
  }
  std::stable_sort(timeline.begin(), timeline.end(),
                   [](const TimelineEntry& a, const TimelineEntry& b) {
                     return std::tie(a.at, a.relation) < std::tie(b.at, b.relation);
                   });
  return timeline;
}

class LookupRun {
 public:
  LookupRun(const Pool& pool, const LookupQuery& query) : pool_(pool), query_(query) {}
  Result<LookupAnswer> Run();

 private:
  Result<void> AddGraph();
  Result<void> AddPassages(const Ranking& ranking);
  Result<void> AddEvidence();
  void NoteSource(std::uint32_t shard, const std::vector<Citation>& sources);

  const Pool& pool_;
  const LookupQuery& query_;
  LookupAnswer answer_;
  std::vector<LinkedEntity> linked_;
  std::map<graph::ViewNode, double> activation_;
  std::vector<std::pair<std::uint32_t, Citation>> sources_;
  std::set<std::string> noted_;
};

void LookupRun::NoteSource(std::uint32_t shard, const std::vector<Citation>& sources) {
  for (const Citation& source : sources) {
    if (noted_.insert(source.id).second) sources_.emplace_back(shard, source);
  }
}

Result<LookupAnswer> LookupRun::Run() {
  answer_.cue = query_.cue;
  answer_.as_of = pool_.when().as_of;
  answer_.known_at = pool_.when().known_at;

  RecallQuery recall;
  recall.cue = query_.cue;
  recall.viewer = pool_.viewer();
  recall.options = query_.options;
  recall.options.exploration = Switch::kOff;
  recall.k = std::max<std::size_t>(query_.passages, 1);
  auto ranking = Rank(pool_, recall);
  if (!ranking) return Fail(ranking.error());
  linked_ = ranking->cue.linked;
  if (linked_.empty()) {
    // A cue that names nothing still has facts that match it: their ends are what it is about.
    auto matched = MatchFacts(pool_, ranking->cue, 3);
    if (!matched) return Fail(matched.error());
    std::set<graph::ViewNode> ends;
    for (const FactHit& fact : *matched) {
      const shard::Relation& relation = pool_.shards()[fact.shard]->relations[fact.relation];
      ends.insert(pool_.View().Canonical({fact.shard, relation.subject}));
    }
    for (const graph::ViewNode node : ends) linked_.push_back({node, 0.5});
  }
  if (auto done = AddGraph(); !done) return Fail(done.error());
  if (auto done = AddPassages(*ranking); !done) return Fail(done.error());
  if (auto done = AddEvidence(); !done) return Fail(done.error());
  if (answer_.entities.empty() && answer_.passages.empty()) {
    answer_.reason = ranking->cue.terms.empty() ? "no_terms" : "nothing_linked";
  }
  return std::move(answer_);
}

Result<void> LookupRun::AddGraph() {
  std::vector<graph::ViewNode> centres;
  std::vector<graph::Seed> seeds;
  for (const LinkedEntity& linked : linked_) {
    centres.push_back(linked.node);
    seeds.push_back({linked.node, linked.strength, linked.strength});
  }
  if (centres.empty()) return {};
  const graph::NodeFilter entities_only = [&](graph::ViewNode node) {
    return pool_.shards()[node.shard]->Graph().node_documents[node.node] == 0;
  };
  const auto history =
      query_.history == HistoryMode::kAll ? graph::History::kInclude : graph::History::kExclude;
  const graph::Subgraph subgraph = graph::Neighbourhood(
      pool_.View(), centres, pool_.AsOf(), static_cast<std::uint32_t>(query_.hops),
      static_cast<std::uint32_t>(query_.max_nodes), history, entities_only);
  answer_.truncated = subgraph.truncated;

  graph::ActivationParams params;
  params.restart = query_.options.restart;
  params.mention_weight = 0;
  params.lineage_weight = 0;
  params.evidence_weight = 0;
  double largest = 0;
  for (const graph::Activated& a :
       graph::PersonalisedPageRank(pool_.View(), seeds, pool_.AsOf(), params, entities_only)) {
    activation_[a.node] = a.mass;
    largest = std::max(largest, a.mass);
  }
  std::set<graph::ViewNode> named;
  for (const LinkedEntity& linked : linked_) {
    if (linked.strength >= 1) named.insert(linked.node);
  }
  // Facts of several scopes may close one another for this viewer; a scope's own did so already.
  std::vector<FactRef> facts;
  for (const graph::Subgraph::Link& link : subgraph.relations) {
    const graph::Edge& edge = pool_.shards()[link.shard]->Graph().graph->edge(link.edge);
    facts.push_back({link.shard, edge.relation});
  }
  auto shown = ShowFacts(pool_, std::move(facts), query_.history, PeriodFilter::kAtMoment,
                         query_.options.disclosure);
  if (!shown) return Fail(shown.error());
  std::set<graph::ViewNode> told = named;
  for (ShownFact& fact : *shown) {
    const shard::Relation& relation = pool_.shards()[fact.ref.shard]->relations[fact.ref.relation];
    told.insert(pool_.View().Canonical({fact.ref.shard, relation.subject}));
    told.insert(pool_.View().Canonical({fact.ref.shard, relation.object}));
    NoteSource(fact.ref.shard, fact.hit.sources);
    answer_.relations.push_back(std::move(fact.hit));
  }
  // An entity that only untold facts lead to is not told either.
  for (const graph::ViewNode node : subgraph.nodes) {
    if (node.node >= pool_.shards()[node.shard]->entities.size()) continue;
    if (!told.contains(node)) continue;
    EntityHit entity = ShowEntity(pool_, node.shard, node.node);
    entity.linked = named.contains(node);
    if (largest > 0) entity.activation = activation_[node] / largest;
    answer_.entities.push_back(std::move(entity));
  }
  answer_.timeline = TimelineOf(answer_.relations, query_.history);
  return {};
}

Result<void> LookupRun::AddPassages(const Ranking& ranking) {
  const Shown shown = DiscloseRanking(pool_, ranking, query_.options, query_.passages);
  for (const Shown::Entry& entry : shown.entries) {
    if (answer_.passages.size() >= query_.passages) break;
    auto result = Render(pool_, *entry.candidate, entry.disclosed);
    if (!result) return Fail(result.error());
    Passage passage;
    passage.id = result->id;
    passage.text = std::move(result->text);
    passage.score = result->score;
    passage.event_time = result->event_time;
    passage.said_by = result->said_by;
    passage.sources = result->sources;
    // A gist's sources say more than the gist may: they are cited, not opened.
    if (result->disclosure == DisclosureLevel::kFull) {
      NoteSource(entry.candidate->item.shard, passage.sources);
    }
    answer_.passages.push_back(std::move(passage));
  }
  return {};
}

Result<void> LookupRun::AddEvidence() {
  for (const auto& [shard_number, citation] : sources_) {
    const shard::Shard& shard = *pool_.shards()[shard_number];
    const auto parsed = storage::ParsePublicId(citation.id);
    if (!parsed) continue;
    auto source = pool_.tx().FindSourceByOrdinal(shard.scope_id, parsed->ordinal);
    if (!source) return Fail(source.error());
    if (!*source) continue;
    // Raw evidence is shown as far as the memory that says it may be.
    if (parsed->ordinal < shard.verbatim_of.size() && shard.verbatim_of[parsed->ordinal] != 0 &&
        query_.options.disclosure == Switch::kOn) {
      const ItemRef item{shard_number, shard.verbatim_of[parsed->ordinal]};
      if (Disclose(pool_, item, 1).level != scoring::Disclosure::kFull) continue;
    }
    LookupAnswer::Evidence evidence;
    evidence.source = citation;
    evidence.event_time = (*source)->event_time;
    auto text = pool_.tx().Text((*source)->content);
    if (!text) return Fail(text.error());
    if (!*text) continue;
    evidence.text = std::move(**text);
    if ((*source)->speaker != kNoPayload) {
      auto speaker = pool_.tx().Text((*source)->speaker);
      if (!speaker) return Fail(speaker.error());
      evidence.said_by = speaker->value_or("");
    }
    answer_.evidence.push_back(std::move(evidence));
  }
  return {};
}

}  // namespace

EntityHit ShowEntity(const Pool& pool, std::uint32_t shard_number, std::uint32_t index) {
  const shard::Shard& shard = *pool.shards()[shard_number];
  const shard::Entity& entity = shard.entities[index];
  EntityHit hit;
  hit.id = storage::FormatPublicId(storage::PublicKind::kEntity, entity.ordinal, shard.scope_tag);
  hit.name = entity.name;
  hit.type = entity.type;
  hit.scope = shard.scope;
  return hit;
}

Result<RelationHit> ShowRelation(const Pool& pool, std::uint32_t shard_number, Ordinal ordinal) {
  const shard::Shard& shard = *pool.shards()[shard_number];
  const shard::Relation& relation = shard.relations[ordinal];
  RelationHit hit;
  hit.id = storage::FormatPublicId(storage::PublicKind::kRelation, ordinal, shard.scope_tag);
  hit.subject = shard.entities[relation.subject].name;
  hit.predicate = shard.NameText(relation.predicate);
  hit.object = shard.entities[relation.object].name;
  hit.valid_at = relation.valid_at;
  if (relation.invalid_at != kEndOfTime) hit.invalid_at = relation.invalid_at;
  hit.point = relation.point;
  hit.created_at = relation.created_at;
  if (relation.expired_at != kEndOfTime) hit.expired_at = relation.expired_at;
  hit.confidence = relation.confidence;
  const graph::AsOf at = pool.AsOf();
  hit.current = relation.valid_at <= at.valid && at.valid < relation.invalid_at &&
                relation.expired_at == kEndOfTime;
  hit.scope = shard.scope;
  for (const Ordinal source : relation.sources) {
    auto citation = CiteSource(pool, shard_number, source);
    if (!citation) return Fail(citation.error());
    hit.sources.push_back(std::move(*citation));
  }
  return hit;
}

Result<LookupAnswer> Lookup(const Core& core, const LookupQuery& query) {
  RecallQuery like;
  like.cue = query.cue;
  like.options = query.options;
  if (auto checked = CheckRecall(like); !checked) return Fail(checked.error());
  if (query.hops > kMaxHops) {
    return Fail(ErrorCode::kInvalidArgument, "read query: hops must lie in [0, 4]");
  }
  if (query.max_nodes < 1 || query.max_nodes > kMaxNodes) {
    return Fail(ErrorCode::kInvalidArgument, "read query: max_nodes must lie in [1, 500]");
  }
  if (query.passages > 1000) {
    return Fail(ErrorCode::kInvalidArgument, "read query: passages must lie in [0, 1000]");
  }
  auto pool = Pool::Open(core, query.viewer, query.moment);
  if (!pool) return Fail(pool.error());
  return LookupRun(*pool, query).Run();
}

Result<TimelineAnswer> Timeline(const Core& core, const TimelineQuery& query) {
  if (auto checked = CheckCue(query.entity); !checked) return Fail(checked.error());
  auto pool = Pool::Open(core, query.viewer, query.moment);
  if (!pool) return Fail(pool.error());
  TimelineAnswer answer;
  answer.entity = query.entity;
  auto key = core.linguist->analyzer().NameKey(query.entity);
  if (!key) return Fail(key.error());
  const std::vector<std::string> words = core.linguist->WordTexts(query.entity);

  // Entities whose whole name or alias is what was asked for, or that the id names.
  std::set<std::pair<std::uint32_t, std::uint32_t>> entities;
  const auto parsed = storage::ParsePublicId(query.entity);
  for (std::uint32_t s = 0; s < pool->shards().size(); ++s) {
    const shard::Shard& shard = *pool->shards()[s];
    if (parsed && parsed->kind == storage::PublicKind::kEntity &&
        parsed->scope_tag == shard.scope_tag) {
      for (std::uint32_t i = 0; i < shard.entities.size(); ++i) {
        if (shard.entities[i].ordinal == parsed->ordinal) entities.insert({s, i});
      }
      continue;
    }
    for (const graph::NameHit& hit : shard.Graph().names.Link(words)) {
      if (hit.first_word == 0 && hit.past_word == words.size()) entities.insert({s, hit.node});
    }
    if (words.empty()) {
      for (std::uint32_t i = 0; i < shard.entities.size(); ++i) {
        if (shard.entities[i].name == query.entity) entities.insert({s, i});
      }
    }
  }
  if (entities.empty()) {
    return Fail(ErrorCode::kNotFound,
                "find entity: no entity that you may see has the name \"" +
                    query.entity.substr(0, 200) + "\"",
                "`souvenance lookup` finds entities by a cue; name the scope with --scope");
  }
  const std::string& predicate = query.predicate;
  std::vector<FactRef> facts;
  for (std::uint32_t s = 0; s < pool->shards().size(); ++s) {
    const shard::Shard& shard = *pool->shards()[s];
    for (Ordinal o = 1; o < shard.relations.size(); ++o) {
      const shard::Relation& relation = shard.relations[o];
      if (Raw(relation.id) == 0) continue;
      const bool subject = entities.contains({s, relation.subject});
      if (!subject && !entities.contains({s, relation.object})) continue;
      // "The last before T" asks what the entity did, not what was done to it.
      if (!subject && query.pick == TimelineQuery::Pick::kLastInstant) continue;
      if (!predicate.empty() && shard.NameText(relation.predicate) != predicate) continue;
      facts.push_back({s, o});
    }
  }
  // A timeline shows periods that have ended too: its point is what held when. With a moment
  // asked for by name, only what held then.
  auto shown =
      ShowFacts(*pool, std::move(facts), query.history,
                query.moment.as_of ? PeriodFilter::kAtMoment : PeriodFilter::kAll, Switch::kOn);
  if (!shown) return Fail(shown.error());
  std::vector<RelationHit> hits;
  for (ShownFact& fact : *shown) {
    if (query.before && fact.hit.valid_at >= *query.before) continue;
    hits.push_back(std::move(fact.hit));
  }
  if (query.pick == TimelineQuery::Pick::kLastInstant && !hits.empty()) {
    Timestamp last = kBeginningOfTime;
    for (const RelationHit& hit : hits) last = std::max(last, hit.valid_at);
    std::erase_if(hits, [&](const RelationHit& hit) { return hit.valid_at != last; });
  }
  std::stable_sort(hits.begin(), hits.end(), [](const RelationHit& a, const RelationHit& b) {
    return a.valid_at < b.valid_at;
  });
  answer.relations = std::move(hits);
  answer.timeline = TimelineOf(answer.relations, query.history);
  return answer;
}

}  // namespace souvenance::recall
