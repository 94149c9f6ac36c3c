#include <algorithm>
#include <array>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cassert>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <utility>

#include "graph/temporal_graph.h"

namespace souvenance::graph {
namespace {

// Each edge lies in the rows of both its ends; an entry's property is the edge's index.
using Rows = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, std::uint32_t,
                                                boost::no_property, std::uint32_t, std::uint32_t>;

// Few combinations of the four times occur (all mentions of one artifact share theirs), so an
// edge names its combination in 4 bytes instead of holding it in 32.
struct Clocks {
  Timestamp valid_from, valid_to, created, expired;
  bool operator==(const Clocks&) const = default;
};

struct ClocksHash {
  std::size_t operator()(const Clocks& c) const {
    std::uint64_t h = 0;
    for (const Timestamp t : {c.valid_from, c.valid_to, c.created, c.expired}) {
      h = (h ^ static_cast<std::uint64_t>(Micros(t))) * 0x9e3779b97f4a7c15u;
      h ^= h >> 29;
    }
    return static_cast<std::size_t>(h);
  }
};

constexpr std::uint32_t kClockBits = 29;

struct PackedEdge {
  std::uint32_t from;
  std::uint32_t to;
  float weight;
  std::uint32_t relation;
  std::uint32_t kind_and_clocks;  // kind in the three highest bits
};
static_assert(sizeof(PackedEdge) == 20);

using Degrees = std::array<std::uint32_t, kEdgeKinds>;

struct Entry {
  std::uint32_t row;
  std::uint32_t column;
  std::uint32_t edge;
};

// Stable counting sort by `key`.
template <std::uint32_t Entry::*key>
void CountingSort(std::vector<Entry>& entries, std::vector<Entry>& scratch,
                  std::size_t node_count) {
  std::vector<std::uint32_t> start(node_count + 1, 0);
  for (const Entry& e : entries) ++start[e.*key + 1];
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  scratch.resize(entries.size());
  for (const Entry& e : entries) scratch[start[e.*key]++] = e;
  entries.swap(scratch);
}

// Entries of both directions, ascending by (row, column, edge).
std::vector<Entry> SortedEntries(const std::vector<Edge>& edges, std::size_t node_count) {
  std::vector<Entry> entries;
  entries.reserve(edges.size() * 2);
  for (std::uint32_t i = 0; i < edges.size(); ++i) {
    entries.push_back({edges[i].from, edges[i].to, i});
    if (edges[i].from != edges[i].to) entries.push_back({edges[i].to, edges[i].from, i});
  }
  std::vector<Entry> scratch;
  CountingSort<&Entry::column>(entries, scratch, node_count);
  CountingSort<&Entry::row>(entries, scratch, node_count);
  return entries;
}

Rows BuildRows(const std::vector<Edge>& edges, std::size_t node_count) {
  const std::vector<Entry> entries = SortedEntries(edges, node_count);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  std::vector<std::uint32_t> indexes;
  ends.reserve(entries.size());
  indexes.reserve(entries.size());
  for (const Entry& e : entries) {
    ends.emplace_back(e.row, e.column);
    indexes.push_back(e.edge);
  }
  return Rows(boost::edges_are_sorted, ends.begin(), ends.end(), indexes.begin(),
              static_cast<std::uint32_t>(node_count), static_cast<std::uint32_t>(ends.size()));
}

}  // namespace

struct ShardGraph::Impl {
  std::vector<NodeInfo> nodes;
  std::vector<PackedEdge> edges;
  std::vector<Clocks> clocks;
  std::vector<Degrees> degrees;
  std::vector<Node> by_key;
  Rows rows;

  void Pack(const std::vector<Edge>& given);
  void IndexKeys();
};

void ShardGraph::Impl::Pack(const std::vector<Edge>& given) {
  std::unordered_map<Clocks, std::uint32_t, ClocksHash> known;
  edges.reserve(given.size());
  degrees.resize(nodes.size(), Degrees{});
  std::uint32_t number = 0;
  for (const Edge& e : given) {
    assert(e.from < nodes.size() && e.to < nodes.size() && e.weight > 0);
    const Clocks times{e.valid_from, e.valid_to, e.created, e.expired};
    if (clocks.empty() || clocks[number] != times) {
      number = known.try_emplace(times, static_cast<std::uint32_t>(clocks.size())).first->second;
      if (number == clocks.size()) clocks.push_back(times);
    }
    assert(number < (1u << kClockBits));
    const auto kind = static_cast<std::uint32_t>(e.kind);
    edges.push_back({e.from, e.to, e.weight, e.relation, (kind << kClockBits) | number});
    if (e.from != e.to && e.expired == kEndOfTime) {
      ++degrees[e.from][kind];
      ++degrees[e.to][kind];
    }
  }
  clocks.shrink_to_fit();
}

void ShardGraph::Impl::IndexKeys() {
  for (Node n = 0; n < nodes.size(); ++n) {
    if (nodes[n].is_entity && !nodes[n].key.empty()) by_key.push_back(n);
  }
  std::stable_sort(by_key.begin(), by_key.end(),
                   [&](Node a, Node b) { return nodes[a].key < nodes[b].key; });
  by_key.erase(std::unique(by_key.begin(), by_key.end(),
                           [&](Node a, Node b) { return nodes[a].key == nodes[b].key; }),
               by_key.end());
  by_key.shrink_to_fit();
}

ShardGraph::ShardGraph(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ShardGraph::~ShardGraph() = default;

std::unique_ptr<ShardGraph> ShardGraph::Build(std::vector<NodeInfo> nodes,
                                              std::vector<Edge> edges) {
  assert(nodes.size() < std::numeric_limits<std::uint32_t>::max());
  assert(edges.size() < std::numeric_limits<std::uint32_t>::max() / 2);
  auto impl = std::make_unique<Impl>();
  impl->nodes = std::move(nodes);
  impl->Pack(edges);
  impl->IndexKeys();
  impl->rows = BuildRows(edges, impl->nodes.size());
  return std::unique_ptr<ShardGraph>(new ShardGraph(std::move(impl)));
}

std::uint32_t ShardGraph::node_count() const {
  return static_cast<std::uint32_t>(impl_->nodes.size());
}

std::uint32_t ShardGraph::edge_count() const {
  return static_cast<std::uint32_t>(impl_->edges.size());
}

const NodeInfo& ShardGraph::node(Node n) const {
  assert(n < impl_->nodes.size());
  return impl_->nodes[n];
}

Edge ShardGraph::edge(std::uint32_t index) const {
  assert(index < impl_->edges.size());
  const PackedEdge& e = impl_->edges[index];
  const Clocks& times = impl_->clocks[e.kind_and_clocks & ((1u << kClockBits) - 1)];
  return {.from = e.from,
          .to = e.to,
          .kind = static_cast<EdgeKind>(e.kind_and_clocks >> kClockBits),
          .weight = e.weight,
          .valid_from = times.valid_from,
          .valid_to = times.valid_to,
          .created = times.created,
          .expired = times.expired,
          .relation = e.relation};
}

std::span<const std::uint32_t> ShardGraph::EdgesAt(Node n) const {
  assert(n < impl_->nodes.size());
  const auto [first, last] = boost::out_edges(n, impl_->rows);
  if (first == last) return {};
  // Properties lie contiguous in the order of the rows.
  return {&impl_->rows[*first], boost::out_degree(n, impl_->rows)};
}

std::int64_t ShardGraph::FindEntity(std::string_view key) const {
  const auto at = std::lower_bound(
      impl_->by_key.begin(), impl_->by_key.end(), key,
      [&](Node n, std::string_view wanted) { return impl_->nodes[n].key < wanted; });
  if (at == impl_->by_key.end() || impl_->nodes[*at].key != key) return -1;
  return *at;
}

std::uint32_t ShardGraph::Degree(Node n, std::uint32_t kinds) const {
  assert(n < impl_->nodes.size());
  std::uint32_t degree = 0;
  for (std::uint32_t kind = 0; kind < kEdgeKinds; ++kind) {
    if ((kinds >> kind) & 1u) degree += impl_->degrees[n][kind];
  }
  return degree;
}

std::span<const Node> ShardGraph::EntitiesByKey() const { return impl_->by_key; }

std::size_t ShardGraph::traversal_bytes() const {
  const std::size_t entries = boost::num_edges(impl_->rows);
  return impl_->edges.size() * sizeof(PackedEdge) + impl_->clocks.size() * sizeof(Clocks) +
         entries * 2 * sizeof(std::uint32_t) + (impl_->nodes.size() + 1) * sizeof(std::uint32_t) +
         impl_->degrees.size() * sizeof(Degrees);
}

}  // namespace souvenance::graph
