#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "graph/activation.h"

namespace souvenance::graph {
namespace {

// Which nodes belong to the subgraph, as stamps that outlive a call: a call costs nothing to
// start, however large the view.
class Members {
 public:
  explicit Members(std::uint32_t size) {
    if (stamps().size() < size) stamps().resize(size, 0);
    if (++epoch() == 0) {
      std::fill(stamps().begin(), stamps().end(), 0u);
      epoch() = 1;
    }
  }
  bool Has(std::uint32_t dense) const { return stamps()[dense] == epoch(); }
  void Add(std::uint32_t dense) { stamps()[dense] = epoch(); }

 private:
  static std::vector<std::uint32_t>& stamps() {
    thread_local std::vector<std::uint32_t> stamps;
    return stamps;
  }
  static std::uint32_t& epoch() {
    thread_local std::uint32_t epoch = 0;
    return epoch;
  }
};

class Search {
 public:
  Search(const GraphView& view, const AsOf& at, std::uint32_t max_nodes, History history,
         const NodeFilter& accept)
      : view_(view),
        at_(at),
        max_nodes_(max_nodes),
        history_(history),
        accept_(accept),
        members_(view.dense_count()) {}

  Subgraph Run(std::span<const ViewNode> centres, std::uint32_t hops);

 private:
  bool Counts(const Edge& edge) const { return history_ == History::kInclude || Alive(edge, at_); }
  // Calls `visit(form, index, edge)` for the edges of a node that count, in all its shards.
  template <typename Visit>
  void ForEachEdge(ViewNode node, Visit visit) const;
  void Discover(ViewNode canonical);
  void CollectRelations();

  const GraphView& view_;
  const AsOf& at_;
  const std::uint32_t max_nodes_;
  const History history_;
  const NodeFilter& accept_;
  Members members_;
  Subgraph found_;
};

template <typename Visit>
void Search::ForEachEdge(ViewNode node, Visit visit) const {
  const auto visit_form = [&](ViewNode form) {
    const ShardGraph& shard = *view_.shards()[form.shard];
    for (const std::uint32_t index : shard.EdgesAt(form.node)) {
      const Edge edge = shard.edge(index);
      if (Counts(edge)) visit(form, index, edge);
    }
  };
  visit_form(node);
  for (const ViewNode form : view_.OtherForms(node)) visit_form(form);
}

void Search::Discover(ViewNode canonical) {
  const std::uint32_t dense = view_.Dense(canonical);
  if (members_.Has(dense)) return;
  const bool is_entity = view_.shards()[canonical.shard]->node(canonical.node).is_entity;
  if (!is_entity && accept_ && !accept_(canonical)) return;
  if (found_.nodes.size() >= max_nodes_) {
    found_.truncated = true;
    return;
  }
  members_.Add(dense);
  found_.nodes.push_back(canonical);
}

void Search::CollectRelations() {
  for (const ViewNode node : found_.nodes) {
    ForEachEdge(node, [&](ViewNode form, std::uint32_t index, const Edge& edge) {
      if (edge.kind != EdgeKind::kRelation) return;
      // Each relation is seen from both its ends; it is taken at its subject.
      if (edge.from != form.node) return;
      if (!members_.Has(view_.Dense({form.shard, edge.to}))) return;
      found_.relations.push_back({form.shard, index});
    });
  }
  std::sort(found_.relations.begin(), found_.relations.end(),
            [](const Subgraph::Link& a, const Subgraph::Link& b) {
              return std::tie(a.shard, a.edge) < std::tie(b.shard, b.edge);
            });
}

Subgraph Search::Run(std::span<const ViewNode> centres, std::uint32_t hops) {
  for (const ViewNode centre : centres) Discover(view_.Canonical(centre));
  std::size_t first = 0;
  for (std::uint32_t hop = 0; hop < hops && !found_.truncated; ++hop) {
    const std::size_t past = found_.nodes.size();
    for (std::size_t i = first; i < past && !found_.truncated; ++i) {
      ForEachEdge(found_.nodes[i], [&](ViewNode form, std::uint32_t, const Edge& edge) {
        if (edge.kind == EdgeKind::kSuccession) return;
        Discover(view_.Canonical({form.shard, edge.from == form.node ? edge.to : edge.from}));
      });
    }
    first = past;
  }
  CollectRelations();
  return std::move(found_);
}

}  // namespace

Subgraph Neighbourhood(const GraphView& view, std::span<const ViewNode> centres, const AsOf& at,
                       std::uint32_t hops, std::uint32_t max_nodes, History history,
                       const NodeFilter& accept) {
  return Search(view, at, max_nodes, history, accept).Run(centres, hops);
}

}  // namespace souvenance::graph
