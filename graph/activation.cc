#include "graph/activation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

namespace souvenance::graph {
namespace {

// What one query knows of one node. Cells outlive a query and are told apart by epoch, so that
// starting a query costs nothing, however large the view.
struct Cell {
  double mass = 0;
  double residual = 0;  // of spreading: what arrives in the hop under way
  double damping = 1;
  std::uint32_t epoch = 0;
  bool accepted = false;
  bool seed = false;
  bool queued = false;
};

struct Step {
  std::uint32_t to = 0;
  double weight = 0;
};

struct Scratch {
  std::vector<Cell> cells;
  std::uint32_t epoch = 0;
  std::vector<std::uint32_t> seen;  // cells of this epoch, in the order of first sight
  std::vector<std::uint32_t> queue;
  std::vector<Step> steps;
};

Scratch& FreshScratch(std::uint32_t size) {
  thread_local Scratch scratch;
  if (scratch.cells.size() < size) scratch.cells.resize(size);
  if (++scratch.epoch == 0) {
    for (Cell& cell : scratch.cells) cell.epoch = 0;
    scratch.epoch = 1;
  }
  scratch.seen.clear();
  scratch.queue.clear();
  scratch.steps.clear();
  return scratch;
}

class Walk {
 public:
  Walk(const GraphView& view, const AsOf& at, const ActivationParams& params,
       const NodeFilter& accept)
      : view_(view),
        at_(at),
        params_(params),
        accept_(accept),
        scratch_(FreshScratch(view.dense_count())),
        kind_weights_{params.relation_weight, params.mention_weight, params.lineage_weight,
                      params.succession_weight, params.evidence_weight} {
    for (std::uint32_t kind = 0; kind < kEdgeKinds; ++kind) {
      if (kind_weights_[kind] > 0) open_kinds_ |= 1u << kind;
    }
  }

  // Puts the seeds' masses, normalised to 1, into residuals. The seeds' dense numbers, ascending.
  std::vector<std::uint32_t> Sow(std::span<const Seed> seeds);

  // Finds the steps out of a node. False when the bound on work was reached before the last of
  // them; of the very first node, the steps up to the bound count as all.
  bool Gather(std::uint32_t dense);

  // What the residual must exceed for the node to pass it on.
  double Threshold(std::uint32_t dense) const {
    const std::uint32_t degree = view_.Degree(view_.FromDense(dense), open_kinds_);
    return params_.epsilon * std::clamp(degree, 1u, std::max(params_.max_degree, 1u));
  }

  // Every node with mass, by descending mass then node.
  std::vector<Activated> Harvest() const;

  Cell& At(std::uint32_t dense) { return CellOf(dense, view_.FromDense(dense)); }
  const std::vector<Step>& steps() const { return scratch_.steps; }
  double steps_total() const { return steps_total_; }
  std::vector<std::uint32_t>& queue() { return scratch_.queue; }
  const std::vector<std::uint32_t>& seen() const { return scratch_.seen; }

 private:
  enum class Outcome { kAll, kBound };

  Cell& CellOf(std::uint32_t dense, ViewNode canonical);
  Outcome GatherForm(ViewNode form, std::uint32_t self);
  double Damping(ViewNode canonical) const;

  const GraphView& view_;
  const AsOf& at_;
  const ActivationParams& params_;
  const NodeFilter& accept_;
  Scratch& scratch_;
  double kind_weights_[kEdgeKinds];
  std::uint32_t open_kinds_ = 0;
  std::uint32_t touched_ = 0;
  std::uint32_t gathered_nodes_ = 0;
  double steps_total_ = 0;
};

double Walk::Damping(ViewNode canonical) const {
  const double degree = std::max(1u, view_.Degree(canonical, open_kinds_));
  // The square root is correctly rounded everywhere; pow is not.
  if (params_.hub_exponent == 0.5) return 1.0 / std::sqrt(degree);
  return 1.0 / std::pow(degree, params_.hub_exponent);
}

Cell& Walk::CellOf(std::uint32_t dense, ViewNode canonical) {
  Cell& cell = scratch_.cells[dense];
  if (cell.epoch == scratch_.epoch) return cell;
  cell = Cell{};
  cell.epoch = scratch_.epoch;
  const bool is_entity = view_.shards()[canonical.shard]->node(canonical.node).is_entity;
  cell.accepted = is_entity || !accept_ || accept_(canonical);
  if (cell.accepted) cell.damping = Damping(canonical);
  scratch_.seen.push_back(dense);
  return cell;
}

std::vector<std::uint32_t> Walk::Sow(std::span<const Seed> seeds) {
  std::vector<std::uint32_t> sown;
  double total = 0;
  for (const Seed& seed : seeds) {
    if (!(seed.mass > 0) || !std::isfinite(seed.mass)) continue;
    const std::uint32_t dense = view_.Dense(seed.node);
    Cell& cell = At(dense);
    if (!cell.accepted) continue;
    if (!cell.seed) sown.push_back(dense);
    cell.seed = true;
    cell.residual += seed.mass;
    total += seed.mass;
  }
  std::sort(sown.begin(), sown.end());
  for (const std::uint32_t dense : sown) At(dense).residual /= total;
  return sown;
}

Walk::Outcome Walk::GatherForm(ViewNode form, std::uint32_t self) {
  const ShardGraph& shard = *view_.shards()[form.shard];
  for (const std::uint32_t index : shard.EdgesAt(form.node)) {
    if (scratch_.steps.size() >= params_.max_degree) return Outcome::kAll;
    if (touched_ >= params_.max_pushes) return Outcome::kBound;
    ++touched_;
    const Edge edge = shard.edge(index);
    const double kind_weight = kind_weights_[static_cast<std::size_t>(edge.kind)];
    if (!(kind_weight > 0) || !Alive(edge, at_)) continue;
    const ViewNode other =
        view_.Canonical({form.shard, edge.from == form.node ? edge.to : edge.from});
    const std::uint32_t dense = view_.Dense(other);
    if (dense == self) continue;  // a loop feeds nothing
    const Cell& cell = CellOf(dense, other);
    if (!cell.accepted) continue;
    const double weight = static_cast<double>(edge.weight) * kind_weight * cell.damping;
    scratch_.steps.push_back({dense, weight});
    steps_total_ += weight;
  }
  return Outcome::kAll;
}

bool Walk::Gather(std::uint32_t dense) {
  scratch_.steps.clear();
  steps_total_ = 0;
  const bool first = gathered_nodes_++ == 0;
  const ViewNode node = view_.FromDense(dense);
  Outcome outcome = GatherForm(node, dense);
  for (const ViewNode form : view_.OtherForms(node)) {
    if (outcome == Outcome::kBound) break;
    outcome = GatherForm(form, dense);
  }
  return first || outcome == Outcome::kAll;
}

std::vector<Activated> Walk::Harvest() const {
  std::vector<Activated> found;
  for (const std::uint32_t dense : scratch_.seen) {
    const Cell& cell = scratch_.cells[dense];
    if (cell.mass > 0) found.push_back({view_.FromDense(dense), cell.mass, cell.seed});
  }
  std::sort(found.begin(), found.end(), [](const Activated& a, const Activated& b) {
    if (a.mass != b.mass) return a.mass > b.mass;
    return a.node < b.node;
  });
  return found;
}

}  // namespace

std::vector<Activated> PersonalisedPageRank(const GraphView& view, std::span<const Seed> seeds,
                                            const AsOf& at, const ActivationParams& params,
                                            const NodeFilter& accept) {
  assert(params.restart > 0 && params.restart < 1);
  Walk walk(view, at, params, accept);
  std::vector<std::uint32_t>& queue = walk.queue();
  queue = walk.Sow(seeds);
  for (const std::uint32_t dense : queue) walk.At(dense).queued = true;

  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::uint32_t dense = queue[head];
    Cell& cell = walk.At(dense);
    cell.queued = false;
    if (cell.residual <= walk.Threshold(dense)) continue;
    if (!walk.Gather(dense)) break;
    const double residual = cell.residual;
    cell.residual = 0;
    if (walk.steps().empty()) {
      cell.mass += residual;  // nowhere to go: the walk stays
      continue;
    }
    cell.mass += params.restart * residual;
    const double share = (1 - params.restart) * residual / walk.steps_total();
    for (const Step& step : walk.steps()) {
      Cell& next = walk.At(step.to);
      next.residual += share * step.weight;
      if (!next.queued) {
        next.queued = true;
        queue.push_back(step.to);
      }
    }
  }
  // A walk that has arrived ends where it is with the probability of a restart: without this
  // share, a node whose residual stayed below the threshold would count as never reached.
  for (const std::uint32_t dense : walk.seen()) {
    Cell& cell = walk.At(dense);
    cell.mass += params.restart * cell.residual;
  }
  return walk.Harvest();
}

std::vector<Activated> SpreadingActivation(const GraphView& view, std::span<const Seed> seeds,
                                           const AsOf& at, const ActivationParams& params,
                                           const NodeFilter& accept) {
  Walk walk(view, at, params, accept);
  struct Arrived {
    std::uint32_t dense = 0;
    double mass = 0;
  };
  std::vector<Arrived> frontier;
  const auto arrive = [&](const std::vector<std::uint32_t>& nodes) {
    frontier.clear();
    for (const std::uint32_t dense : nodes) {
      Cell& cell = walk.At(dense);
      frontier.push_back({dense, cell.residual});
      cell.mass += cell.residual;
      cell.residual = 0;
      cell.queued = false;
    }
  };
  arrive(walk.Sow(seeds));

  bool bound_reached = false;
  for (std::uint32_t hop = 0; hop < params.hops && !bound_reached && !frontier.empty(); ++hop) {
    std::vector<std::uint32_t>& next = walk.queue();
    next.clear();
    for (const Arrived& from : frontier) {
      if (from.mass <= walk.Threshold(from.dense)) continue;
      if (!walk.Gather(from.dense)) {
        bound_reached = true;
        break;
      }
      const double share = params.decay * from.mass / walk.steps_total();
      for (const Step& step : walk.steps()) {
        Cell& cell = walk.At(step.to);
        cell.residual += share * step.weight;
        if (!cell.queued) next.push_back(step.to);
        cell.queued = true;
      }
    }
    arrive(next);
  }
  return walk.Harvest();
}

double ActivationFactor(double mass, double largest_non_seed_mass, double strongest_seed) {
  if (!(mass > 0) || !(strongest_seed > 0)) return 0;
  const double share = mass >= largest_non_seed_mass ? 1.0 : mass / largest_non_seed_mass;
  return share * std::min(strongest_seed, 1.0);
}

}  // namespace souvenance::graph
