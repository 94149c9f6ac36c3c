// Small graphs by hand, for the tests of this folder.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/temporal_graph.h"

namespace souvenance::graph::testing {

inline Timestamp Day(int day) { return Timestamp{std::chrono::days{day}}; }

inline AsOf Now() { return {Day(1000), Day(1000)}; }

class Builder {
 public:
  Node Entity(std::string key) {
    const auto ordinal = static_cast<Ordinal>(nodes_.size() + 1);
    nodes_.push_back({true, ordinal, std::move(key)});
    return static_cast<Node>(nodes_.size() - 1);
  }
  Node Document() {
    const auto ordinal = static_cast<Ordinal>(nodes_.size() + 1);
    nodes_.push_back({false, ordinal, ""});
    return static_cast<Node>(nodes_.size() - 1);
  }
  // The edge, to be changed in place before the next call.
  Edge& Link(Node from, Node to, EdgeKind kind = EdgeKind::kRelation, float weight = 1) {
    return edges_.emplace_back(Edge{.from = from, .to = to, .kind = kind, .weight = weight});
  }
  Edge& Mention(Node document, Node entity) { return Link(document, entity, EdgeKind::kMention); }

  std::shared_ptr<const ShardGraph> Build() const { return ShardGraph::Build(nodes_, edges_); }
  GraphView View() const { return ViewOf({Build()}); }
  static GraphView ViewOf(std::vector<std::shared_ptr<const ShardGraph>> shards) {
    return GraphView(std::move(shards));
  }

 private:
  std::vector<NodeInfo> nodes_;
  std::vector<Edge> edges_;
};

}  // namespace souvenance::graph::testing
