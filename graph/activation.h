// What does a cue wake up by association? Personalised PageRank by local push, and spreading
// activation with decay per hop as the alternative. docs/formulas/activation.md.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graph/temporal_graph.h"

namespace souvenance::graph {

struct Seed {
  ViewNode node;
  double strength = 0;  // (0, 1]; how well the cue names it, before any division
  double mass = 0;      // > 0; what it puts in: strength divided by the entity's passages
};

struct ActivationParams {
  double restart = 0.3;              // alpha, (0, 1)
  double epsilon = 1e-5;             // push while residual > epsilon × degree
  std::uint32_t max_pushes = 20000;  // edges touched at most: the bound on work
  std::uint32_t max_degree = 2000;   // of a node's edges, the first this many are followed
  double hub_exponent = 0.5;         // an edge's weight is divided by degree(other)^this
  // Weight by kind; 0 closes the kind.
  double relation_weight = 1.0;
  double mention_weight = 1.0;
  double lineage_weight = 0.5;
  double succession_weight = 0.0;
  double evidence_weight = 1.0;
  // For spreading only.
  double decay = 0.5;  // per hop, (0, 1)
  std::uint32_t hops = 2;
};

struct Activated {
  ViewNode node;    // canonical
  double mass = 0;  // > 0
  bool seed = false;
};

// Whether a document node may be visited (visible and alive for the query). Entities always may,
// within the view's shards.
using NodeFilter = std::function<bool(ViewNode)>;

// Mass of every node reached, by descending mass then node. Seeds with the same canonical node
// add up; masses of all seeds are normalised to 1; a seed that `accept` rejects, or whose mass is
// not positive and finite, counts as not given. Only edges alive at `at` are followed. The same
// arguments give the same bytes, whatever else this process has built or asked.
std::vector<Activated> PersonalisedPageRank(const GraphView& view, std::span<const Seed> seeds,
                                            const AsOf& at, const ActivationParams& params,
                                            const NodeFilter& accept);
std::vector<Activated> SpreadingActivation(const GraphView& view, std::span<const Seed> seeds,
                                           const AsOf& at, const ActivationParams& params,
                                           const NodeFilter& accept);

// The activation factor of each activated document: mass over the largest mass of a non-seed,
// capped at 1, times the strength of the strongest seed. In [0, 1]. 0 for no mass; where seeds
// alone have mass, their share is 1.
double ActivationFactor(double mass, double largest_non_seed_mass, double strongest_seed);

// The part of the graph within `hops` of the centres, alive at `at` (or all of it, with
// `history`), at most `max_nodes` nodes, nearest first: what a lookup shows. Succession says what
// was said next, which is no association: it is not followed.
struct Subgraph {
  std::vector<ViewNode> nodes;  // canonical, in order of discovery (breadth first)
  struct Link {
    std::uint32_t shard = 0;
    std::uint32_t edge = 0;  // index in the shard's graph
  };
  std::vector<Link> relations;  // of EdgeKind::kRelation, both ends among `nodes`
  bool truncated = false;
};
enum class History { kExclude, kInclude };
Subgraph Neighbourhood(const GraphView& view, std::span<const ViewNode> centres, const AsOf& at,
                       std::uint32_t hops, std::uint32_t max_nodes, History history,
                       const NodeFilter& accept);

}  // namespace souvenance::graph
