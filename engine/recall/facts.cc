#include "engine/recall/facts.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/recall/lookup.h"
#include "engine/recall/show.h"
#include "graph/supersession.h"
#include "index/lexical.h"

namespace souvenance::recall {
namespace {

bool Holds(const shard::Relation& relation, const graph::AsOf& at) {
  return relation.valid_at <= at.valid && at.valid < relation.invalid_at &&
         relation.created_at <= at.known && at.known < relation.expired_at;
}

// What the viewer's scopes together say of single-valued predicates: the end of each fact that
// another scope's later value closes. Facts that end as stated are not in it.
std::map<FactRef, Timestamp> CrossScopeEnds(const Pool& pool, const std::vector<FactRef>& facts) {
  std::map<FactRef, Timestamp> ends;
  if (pool.shards().size() < 2) return ends;
  // Which (subject, predicate) pairs are concerned, as everybody in the pool names them.
  using Pair = std::pair<graph::ViewNode, std::string>;
  const auto pair_of = [&](const FactRef& fact) {
    const shard::Shard& shard = *pool.shards()[fact.shard];
    const shard::Relation& relation = shard.relations[fact.relation];
    return Pair{pool.View().Canonical({fact.shard, relation.subject}),
                shard.NameText(relation.predicate)};
  };
  std::set<std::string> single;
  for (const auto& shard : pool.shards()) {
    for (const shard::Predicate& predicate : shard->predicates) {
      if (predicate.single_valued) single.insert(shard->NameText(predicate.name));
    }
  }
  std::map<Pair, std::vector<FactRef>> members;
  for (const FactRef& fact : facts) {
    const Pair pair = pair_of(fact);
    if (single.contains(pair.second)) members[pair];
  }
  if (members.empty()) return ends;
  for (std::uint32_t s = 0; s < pool.shards().size(); ++s) {
    const shard::Shard& shard = *pool.shards()[s];
    for (Ordinal o = 1; o < shard.relations.size(); ++o) {
      const shard::Relation& relation = shard.relations[o];
      if (Raw(relation.id) == 0 || relation.point || relation.expired_at != kEndOfTime) continue;
      if (!single.contains(shard.NameText(relation.predicate))) continue;
      const auto found = members.find(pair_of({s, o}));
      if (found != members.end()) found->second.push_back({s, o});
    }
  }
  for (const auto& [pair, refs] : members) {
    std::vector<graph::Assertion> assertions;
    for (std::size_t i = 0; i < refs.size(); ++i) {
      const shard::Relation& relation = pool.shards()[refs[i].shard]->relations[refs[i].relation];
      const graph::ViewNode object = pool.View().Canonical({refs[i].shard, relation.object});
      // Between scopes there is no order of arrival that both viewers would see alike, so at
      // equal times the later recorded one wins, then the later scope.
      assertions.push_back({i, pool.View().Dense(object), relation.valid_at, relation.invalid_at,
                            static_cast<std::uint64_t>(Micros(relation.created_at))});
    }
    for (const graph::Period& period : graph::ResolveSingleValued(assertions)) {
      if (period.closed_by_rule) ends[refs[period.id]] = period.invalid_at;
    }
  }
  return ends;
}

// A fact whose memories have all left recall is told as its scope is seen.
bool MayBeTold(const Pool& pool, const FactRef& fact) {
  const shard::Shard& shard = *pool.shards()[fact.shard];
  bool any = false;
  for (const Ordinal source : shard.relations[fact.relation].sources) {
    const Ordinal document = shard.verbatim_of[source];
    if (document == 0) continue;
    any = true;
    if (Disclose(pool, {fact.shard, document}, 1).level == scoring::Disclosure::kFull) return true;
  }
  return !any;
}

}  // namespace

// Facts are short texts, "subject predicate object", scored by BM25 with the statistics of the
// visible facts. Each cue term counts once: a fact repeats nothing.
Result<std::vector<FactHit>> MatchFacts(const Pool& pool, const Cue& cue, std::size_t limit) {
  std::uint64_t facts = 0;
  std::uint64_t length = 0;
  for (const auto& shard : pool.shards()) {
    facts += shard->Graph().facts->documents();
    length += shard->Graph().facts->total_length();
  }
  std::vector<FactHit> hits;
  if (facts == 0 || limit == 0) return hits;
  const double average = static_cast<double>(length) / static_cast<double>(facts);
  std::vector<index::WeightedTerm> terms;
  for (const CueTerm& term : cue.terms) {
    std::uint64_t df = 0;
    for (const auto& shard : pool.shards()) {
      auto part = shard->Graph().facts->DocumentFrequency(term.term);
      if (!part) return Fail(part.error());
      df += *part;
    }
    if (df > 0) terms.push_back({term.term, index::Bm25Idf(facts, df)});
  }
  if (terms.empty()) return hits;
  const graph::AsOf at = pool.AsOf();
  const index::Bm25Params params;
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint32_t> counts;
  for (std::uint32_t s = 0; s < pool.shards().size(); ++s) {
    const shard::Shard& shard = *pool.shards()[s];
    const index::LexicalSegment& segment = *shard.Graph().facts;
    auto found = segment.Candidates(terms, average, params, limit, [&](Ordinal relation) {
      return Holds(shard.relations[relation], at);
    });
    if (!found) return Fail(found.error());
    lengths.assign(found->size(), 0);
    counts.assign(found->size(), 0);
    std::vector<double> scores(found->size(), 0);
    if (auto done = segment.Lengths(*found, lengths); !done) return Fail(done.error());
    for (const index::WeightedTerm& term : terms) {
      if (auto done = segment.TermFrequencies(term.term, *found, counts); !done) {
        return Fail(done.error());
      }
      for (std::size_t i = 0; i < found->size(); ++i) {
        scores[i] += term.weight * index::Bm25TermWeight(counts[i], lengths[i], average, params);
      }
    }
    for (std::size_t i = 0; i < found->size(); ++i) hits.push_back({s, (*found)[i], scores[i]});
  }
  std::sort(hits.begin(), hits.end(), [](const FactHit& a, const FactHit& b) {
    if (a.score != b.score) return a.score > b.score;
    return std::pair(a.shard, a.relation) < std::pair(b.shard, b.relation);
  });
  if (hits.size() > limit) hits.resize(limit);
  return hits;
}

Result<std::vector<ShownFact>> ShowFacts(const Pool& pool, std::vector<FactRef> facts,
                                         HistoryMode history, PeriodFilter filter,
                                         Switch disclosure) {
  std::sort(facts.begin(), facts.end());
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  const std::map<FactRef, Timestamp> ends = CrossScopeEnds(pool, facts);
  std::vector<ShownFact> shown;
  for (const FactRef& fact : facts) {
    const shard::Relation& relation = pool.shards()[fact.shard]->relations[fact.relation];
    Timestamp invalid_at = relation.invalid_at;
    if (const auto end = ends.find(fact); end != ends.end()) invalid_at = end->second;
    const Timestamp as_of = pool.when().as_of;
    const bool believed = relation.expired_at == kEndOfTime && invalid_at > relation.valid_at;
    const bool holds = believed && relation.valid_at <= as_of && as_of < invalid_at;
    if (history == HistoryMode::kCurrent) {
      if (!believed) continue;
      if (filter == PeriodFilter::kAtMoment && !holds) continue;
    }
    if (disclosure == Switch::kOn && !MayBeTold(pool, fact)) continue;
    auto hit = ShowRelation(pool, fact.shard, fact.relation);
    if (!hit) return Fail(hit.error());
    if (invalid_at != kEndOfTime) hit->invalid_at = invalid_at;
    hit->current = holds;
    shown.push_back({fact, std::move(*hit)});
  }
  return shown;
}

}  // namespace souvenance::recall
