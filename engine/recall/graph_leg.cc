// The graph leg: which entities, facts and passages a cue starts from, and what they wake up.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "engine/recall/facts.h"
#include "engine/recall/legs.h"
#include "graph/activation.h"

namespace souvenance::recall {
namespace {

constexpr std::size_t kPassageSeeds = 5;

// Seeds of one call, by node, so that a node named twice is one seed.
class SeedSet {
 public:
  explicit SeedSet(const Pool& pool) : pool_(pool) {}

  // `mass` is the strength, divided by how many passages speak of the entity.
  void Entity(graph::ViewNode node, double strength) {
    double passages = 0;
    for (const graph::ViewNode form : pool_.View().Forms(node)) {
      const shard::GraphPart& part = pool_.shards()[form.shard]->Graph();
      if (form.node < part.passages.size()) passages += part.passages[form.node];
    }
    Add(node, strength, strength / std::max(1.0, passages));
  }
  void Passage(graph::ViewNode node, double strength) { Add(node, strength, strength); }

  std::vector<graph::Seed> Take() const {
    std::vector<graph::Seed> seeds;
    for (const auto& [node, seed] : seeds_) seeds.push_back(seed);
    return seeds;
  }

 private:
  void Add(graph::ViewNode node, double strength, double mass) {
    if (strength <= 0 || mass <= 0) return;
    const graph::ViewNode canonical = pool_.View().Canonical(node);
    graph::Seed& seed = seeds_[canonical];
    seed.node = canonical;
    seed.strength = std::max(seed.strength, std::min(strength, 1.0));
    seed.mass += mass;
  }

  const Pool& pool_;
  std::map<graph::ViewNode, graph::Seed> seeds_;
};

void SeedPassages(const Pool& pool, const std::vector<LegHit>& hits, double strength,
                  SeedSet* seeds) {
  if (hits.empty() || strength <= 0) return;
  const double top = hits.front().score;
  for (std::size_t i = 0; i < hits.size() && i < kPassageSeeds; ++i) {
    const shard::GraphPart& part = pool.shard(hits[i].item).Graph();
    const auto node = part.document_nodes.find(hits[i].item.document);
    if (node == part.document_nodes.end()) continue;
    seeds->Passage({hits[i].item.shard, node->second}, strength * hits[i].score / top);
  }
}

}  // namespace

Result<std::vector<LegHit>> GraphLeg(const Pool& pool, const Cue& cue, const RecallOptions& options,
                                     const std::vector<LegHit>& words,
                                     const std::vector<LegHit>& vectors) {
  SeedSet set(pool);
  for (const LinkedEntity& linked : cue.linked) set.Entity(linked.node, linked.strength);
  auto facts = MatchFacts(pool, cue, static_cast<std::size_t>(std::max(options.fact_seeds, 0.0)));
  if (!facts) return Fail(facts.error());
  for (const FactHit& fact : *facts) {
    const shard::Relation& relation = pool.shards()[fact.shard]->relations[fact.relation];
    const double strength = fact.score / facts->front().score;
    set.Entity({fact.shard, relation.subject}, strength);
    if (relation.object != relation.subject) {
      set.Entity({fact.shard, relation.object}, strength);
    }
  }
  SeedPassages(pool, words, options.passage_seed, &set);
  SeedPassages(pool, vectors, options.passage_seed, &set);
  const std::vector<graph::Seed> seeds = set.Take();
  std::vector<LegHit> hits;
  if (seeds.empty()) return hits;

  graph::ActivationParams params;
  params.restart = options.restart;
  params.hub_exponent = options.hub_exponent;
  // Co-mentions and neighbours are no evidence; the table's own preset takes mentions in.
  params.mention_weight = options.preset == Preset::kSeed ? 1.0 : 0.0;
  params.lineage_weight = options.preset == Preset::kSeed ? 0.5 : 0.0;
  params.evidence_weight = 1.0;
  params.succession_weight = 0.0;
  const graph::NodeFilter accept = [&](graph::ViewNode node) {
    const Ordinal document = pool.shards()[node.shard]->Graph().node_documents[node.node];
    return document == 0 || pool.Accepts(node.shard, document);
  };
  const auto activated =
      options.activation == ActivationKind::kPush
          ? graph::PersonalisedPageRank(pool.View(), seeds, pool.AsOf(), params, accept)
          : graph::SpreadingActivation(pool.View(), seeds, pool.AsOf(), params, accept);
  double strongest = 0;
  for (const graph::Seed& seed : seeds) strongest = std::max(strongest, seed.strength);
  const auto document_of = [&](graph::ViewNode node) {
    return pool.shards()[node.shard]->Graph().node_documents[node.node];
  };
  // What a passage put in itself is no association: it was a hit of another leg already.
  double put_in = 0;
  for (const graph::Seed& seed : seeds) put_in += seed.mass;
  std::map<graph::ViewNode, double> own;
  for (const graph::Seed& seed : seeds) own[seed.node] = seed.mass / put_in;
  // Passages alone are ranked, so the largest mass of a passage is what the factor is scaled by:
  // an entity's mass says nothing about which text comes to mind.
  double largest = 0;
  std::vector<std::pair<ItemRef, double>> passages;
  for (const graph::Activated& node : activated) {
    const Ordinal document = document_of(node.node);
    if (document == 0) continue;
    const auto seed = own.find(node.node);
    const double mass = node.mass - (seed == own.end() ? 0 : seed->second);
    if (mass <= 0) continue;
    largest = std::max(largest, mass);
    passages.emplace_back(ItemRef{node.node.shard, document}, mass);
  }
  for (const auto& [item, mass] : passages) {
    const double factor = graph::ActivationFactor(mass, largest, strongest);
    if (factor > 0) hits.push_back({item, factor});
  }
  std::sort(hits.begin(), hits.end(), [](const LegHit& a, const LegHit& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.item < b.item;
  });
  if (hits.size() > options.graph_pool) hits.resize(options.graph_pool);
  return hits;
}

}  // namespace souvenance::recall
