// The temporal knowledge graph of one scope, and the view of several that one viewer has.
//
// Nodes are entities and documents (artifacts' revisions are not nodes: an artifact is, once).
// Edges are relations between entities, mentions between artifact and entity, lineage and
// succession between artifacts. An edge is alive at (valid time, record time) inside its two half
// open intervals. docs/graph.md, docs/formulas/activation.md.
#pragma once

#include <souvenance/ids.h>
#include <souvenance/time.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace souvenance::graph {

enum class EdgeKind : std::uint8_t {
  kRelation = 0,    // entity, entity: a fact
  kMention = 1,     // document, entity: it speaks of it
  kLineage = 2,     // document, document: one rests on what the other says
  kSuccession = 3,  // document, document: one came next in its session
  kEvidence = 4,    // document, entity: it proves a fact about it
};
inline constexpr std::size_t kEdgeKinds = 5;

// Local numbers: within one shard graph, from 0.
using Node = std::uint32_t;

struct NodeInfo {
  bool is_entity = false;
  Ordinal ordinal = 0;  // of the entity or artifact within its scope
  std::string key;      // of an entity: what joins it with the same entity of another scope
};

struct Edge {
  Node from = 0;
  Node to = 0;
  EdgeKind kind = EdgeKind::kRelation;
  float weight = 1;  // > 0
  Timestamp valid_from = kBeginningOfTime;
  Timestamp valid_to = kEndOfTime;
  Timestamp created = kBeginningOfTime;
  Timestamp expired = kEndOfTime;
  Ordinal relation = 0;  // the relation's ordinal, 0 for other kinds
};

// The moment asked for, on both clocks.
struct AsOf {
  Timestamp valid;
  Timestamp known;
};

constexpr bool Alive(const Edge& e, const AsOf& at) {
  return e.valid_from <= at.valid && at.valid < e.valid_to && e.created <= at.known &&
         at.known < e.expired;
}

// Immutable compressed sparse rows (Boost.Graph's), traversable both ways: each edge is found
// from either end.
//
// Thread-safety: immutable.
class ShardGraph {
 public:
  // Edges whose ends are not nodes are a bug of the caller's (assert).
  static std::unique_ptr<ShardGraph> Build(std::vector<NodeInfo> nodes, std::vector<Edge> edges);
  ~ShardGraph();

  std::uint32_t node_count() const;
  std::uint32_t edge_count() const;
  const NodeInfo& node(Node n) const;
  Edge edge(std::uint32_t index) const;  // in the order given to Build; kept packed, so by value
  // Indexes of the edges at a node, either direction, in ascending order of (other end, index).
  // A self loop is listed once.
  std::span<const std::uint32_t> EdgesAt(Node n) const;
  // The node of an entity key, the first if several have it; nullopt-like -1 when there is none.
  // The empty key names nothing.
  std::int64_t FindEntity(std::string_view key) const;
  // How many edges of the kinds in `kinds` (bit 1 << EdgeKind) a node has that have not expired,
  // valid now or not, self loops apart. Constant time.
  std::uint32_t Degree(Node n, std::uint32_t kinds) const;
  // The nodes of distinct, non-empty entity keys, by ascending key.
  std::span<const Node> EntitiesByKey() const;
  // Bytes held by rows, packed edges and clocks; names apart.
  std::size_t traversal_bytes() const;

 private:
  struct Impl;
  explicit ShardGraph(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// A node as a viewer of several shards sees it. Entities with the same key are one node: its
// canonical form is (the first shard that has the key, its node there).
struct ViewNode {
  std::uint32_t shard = 0;  // index into the view's shards
  Node node = 0;
  auto operator<=>(const ViewNode&) const = default;
};

// The union of shard graphs, joined by entity keys. Built per pool (set of shards), cheap when
// all but one shard are small: only the keys of the smaller shards are looked up in the others.
//
// Thread-safety: immutable. Shards must outlive it (shared ownership).
class GraphView {
 public:
  explicit GraphView(std::vector<std::shared_ptr<const ShardGraph>> shards);
  ~GraphView();
  GraphView(GraphView&&) noexcept;

  const std::vector<std::shared_ptr<const ShardGraph>>& shards() const;
  ViewNode Canonical(ViewNode n) const;
  // All forms of a node, the canonical first.
  std::vector<ViewNode> Forms(ViewNode n) const;
  // The same without the canonical one, and without an allocation. Valid as long as the view.
  std::span<const ViewNode> OtherForms(ViewNode n) const;
  // The entity with a key, canonical. False when no shard has it.
  bool FindEntity(std::string_view key, ViewNode* out) const;
  // Dense numbering of canonical nodes, for scratch arrays: [0, dense_count). Numbers of other
  // forms stay unused.
  std::uint32_t Dense(ViewNode n) const;
  std::uint32_t dense_count() const;
  ViewNode FromDense(std::uint32_t dense) const;
  // How many edges of the kinds in `kinds` (bit 1 << EdgeKind) a node has on the record clock's
  // latest state, whatever the time asked: what damps hubs.
  std::uint32_t Degree(ViewNode n, std::uint32_t kinds) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace souvenance::graph
