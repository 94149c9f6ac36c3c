// Searching the graph is our own: a filter must be asked inside the search, which hnswlib 0.6.2
// cannot, and the arrays are used as they were verified.
#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numeric>
#include <queue>
#include <unordered_map>
#include <utility>

#include "index/file_bytes.h"
#include "index/hnsw_build.h"
#include "index/hnsw_file.h"
#include "index/siphash.h"
#include "index/vector_hits.h"

namespace souvenance::index {
namespace {

// How many documents are asked for an estimate of what a filter leaves.
constexpr std::size_t kSample = 512;

struct Near {
  float similarity = 0;
  std::uint32_t node = 0;
};
// A total order, so that the search takes the same path everywhere.
bool Better(const Near& a, const Near& b) {
  return a.similarity != b.similarity ? a.similarity > b.similarity : a.node < b.node;
}
struct BestOnTop {
  bool operator()(const Near& a, const Near& b) const { return Better(b, a); }
};
struct WorstOnTop {
  bool operator()(const Near& a, const Near& b) const { return Better(a, b); }
};

// The marks of one search; clearing costs nothing but every 2^32nd time.
struct Visited {
  explicit Visited(std::size_t nodes) : marks(nodes, 0) {}
  void Reset() {
    if (++tag == 0) {
      std::fill(marks.begin(), marks.end(), 0);
      tag = 1;
    }
  }
  // False when it was marked before.
  bool Mark(std::uint32_t node) {
    if (marks[node] == tag) return false;
    marks[node] = tag;
    return true;
  }
  std::vector<std::uint32_t> marks;
  std::uint32_t tag = 0;
};

class HnswVectors final : public VectorSegment {
 public:
  HnswVectors(HnswGraph graph, std::size_t scan_limit)
      : graph_(std::move(graph)), scan_limit_(scan_limit) {
    first_row_.assign(std::size_t{graph_.nodes()} + 1, 0);
    for (const std::uint32_t node : graph_.node_of) ++first_row_[node + 1];
    std::partial_sum(first_row_.begin(), first_row_.end(), first_row_.begin());
    rows_.resize(graph_.node_of.size());
    std::vector<std::uint32_t> next(first_row_.begin(), first_row_.end() - 1);
    for (std::uint32_t row = 0; row < graph_.node_of.size(); ++row) {
      rows_[next[graph_.node_of[row]]++] = row;
    }
  }

  std::uint32_t size() const override { return static_cast<std::uint32_t>(graph_.ordinals.size()); }
  std::uint32_t dimension() const override { return graph_.dimension; }

  Result<std::vector<VectorHit>> Search(std::span<const float> query, std::size_t k, std::size_t ef,
                                        const DocumentFilter& accept) const override {
    if (auto checked = CheckQuery(query, graph_.dimension); !checked) return Fail(checked.error());
    if (k == 0 || graph_.ordinals.empty()) return std::vector<VectorHit>();
    if (IsScanCheaper(k, accept)) return Scan(query, k, accept);
    std::vector<VectorHit> hits;
    if (!Walk(query, k, std::max(ef, k), accept, &hits)) return Scan(query, k, accept);
    return hits;
  }

  std::span<const float> Vector(Ordinal ordinal) const override {
    const auto found = std::lower_bound(graph_.ordinals.begin(), graph_.ordinals.end(), ordinal);
    if (found == graph_.ordinals.end() || *found != ordinal) return {};
    return graph_.Vector(graph_.node_of[static_cast<std::size_t>(found - graph_.ordinals.begin())]);
  }

 private:
  float Similar(std::span<const float> query, std::uint32_t node) const {
    return Similarity(query.data(), graph_.Vector(node).data(), graph_.dimension);
  }

  bool IsScanCheaper(std::size_t k, const DocumentFilter& accept) const {
    const std::size_t documents = graph_.ordinals.size();
    if (documents <= scan_limit_ || k >= documents / 2) return true;
    if (!accept) return false;
    const std::size_t step = std::max<std::size_t>(documents / kSample, 1);
    std::size_t asked = 0;
    std::size_t accepted = 0;
    for (std::size_t row = step / 2; row < documents; row += step, ++asked) {
      accepted += accept(graph_.ordinals[row]) ? 1 : 0;
    }
    // Well above the bound the estimate decides; near it or below, counting does.
    if (accepted * documents > 2 * scan_limit_ * asked) return false;
    std::size_t count = 0;
    for (const Ordinal ordinal : graph_.ordinals) {
      if (accept(ordinal) && ++count > scan_limit_) return false;
    }
    return true;
  }

  bool AcceptsAny(std::uint32_t node, const DocumentFilter& accept) const {
    if (!accept) return true;
    for (std::uint32_t i = first_row_[node]; i < first_row_[node + 1]; ++i) {
      if (accept(graph_.ordinals[rows_[i]])) return true;
    }
    return false;
  }

  // The accepted documents of a node, at most k: they tie, and the lowest ordinals win.
  void AddDocuments(const Near& near, std::size_t k, const DocumentFilter& accept,
                    std::vector<VectorHit>* hits) const {
    std::size_t added = 0;
    for (std::uint32_t i = first_row_[near.node]; i < first_row_[near.node + 1] && added < k; ++i) {
      const Ordinal ordinal = graph_.ordinals[rows_[i]];
      if (accept && !accept(ordinal)) continue;
      hits->push_back({ordinal, near.similarity});
      ++added;
    }
  }

  std::vector<VectorHit> Scan(std::span<const float> query, std::size_t k,
                              const DocumentFilter& accept) const {
    std::vector<VectorHit> hits;
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node) {
      const std::size_t before = hits.size();
      AddDocuments({0, node}, k, accept, &hits);
      if (hits.size() == before) continue;
      const float similarity = Similar(query, node);
      for (std::size_t i = before; i < hits.size(); ++i) hits[i].similarity = similarity;
    }
    KeepNearest(k, &hits);
    return hits;
  }

  // Down the upper levels by the steepest way.
  Near Descend(std::span<const float> query) const {
    Near at{Similar(query, graph_.entry), graph_.entry};
    for (std::uint32_t level = graph_.max_level; level > 0; --level) {
      for (bool moved = true; moved;) {
        moved = false;
        for (const std::uint32_t node : graph_.Links(at.node, level)) {
          const Near next{Similar(query, node), node};
          if (Better(next, at)) {
            at = next;
            moved = true;
          }
        }
      }
    }
    return at;
  }

  // Best first over level 0. Every node is a way onward, an accepted one is a result too: so a
  // filter never thins out a finished list. False when fewer than k documents were found or the
  // work came near to that of a scan.
  bool Walk(std::span<const float> query, std::size_t k, std::size_t ef,
            const DocumentFilter& accept, std::vector<VectorHit>* hits) const {
    std::unique_ptr<Visited> visited = BorrowVisited();
    std::priority_queue<Near, std::vector<Near>, BestOnTop> open;
    std::priority_queue<Near, std::vector<Near>, WorstOnTop> found;
    std::size_t work = graph_.nodes() / 2;
    const auto reach = [&](const Near& near) {
      if (found.size() >= ef && !Better(near, found.top())) return;
      open.push(near);
      if (!AcceptsAny(near.node, accept)) return;
      found.push(near);
      if (found.size() > ef) found.pop();
    };
    const Near start = Descend(query);
    visited->Mark(start.node);
    reach(start);
    while (!open.empty() && work > 0) {
      const Near at = open.top();
      if (found.size() >= ef && !Better(at, found.top())) break;
      open.pop();
      for (const std::uint32_t node : graph_.Links(at.node, 0)) {
        if (!visited->Mark(node)) continue;
        if (work > 0) --work;
        reach({Similar(query, node), node});
      }
    }
    ReturnVisited(std::move(visited));
    for (; !found.empty(); found.pop()) AddDocuments(found.top(), k, accept, hits);
    KeepNearest(k, hits);
    return work > 0 && hits->size() == k;
  }

  std::unique_ptr<Visited> BorrowVisited() const {
    std::unique_ptr<Visited> visited;
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        visited = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    if (visited == nullptr) visited = std::make_unique<Visited>(graph_.nodes());
    visited->Reset();
    return visited;
  }
  void ReturnVisited(std::unique_ptr<Visited> visited) const {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(visited));
  }

  HnswGraph graph_;
  // Up to here a scan is as quick as the graph, and exact.
  const std::size_t scan_limit_;
  std::vector<std::uint32_t> first_row_;  // of each node in rows_, and the end
  std::vector<std::uint32_t> rows_;       // documents by node, ascending within one
  mutable std::mutex mutex_;              // guards idle_
  mutable std::vector<std::unique_ptr<Visited>> idle_;
};

// Gives each distinct vector a node, in order of first appearance.
void ShareNodes(std::span<const float> matrix, HnswGraph* graph) {
  const std::size_t bytes = graph->dimension * sizeof(float);
  std::unordered_multimap<std::uint64_t, std::uint32_t> nodes;
  for (std::size_t row = 0; row < graph->ordinals.size(); ++row) {
    const float* vector = matrix.data() + row * graph->dimension;
    const std::uint64_t hash = SipHash({reinterpret_cast<const char*>(vector), bytes});
    std::uint32_t node = static_cast<std::uint32_t>(graph->vectors.size() / graph->dimension);
    const auto [begin, end] = nodes.equal_range(hash);
    const auto same = std::find_if(begin, end, [&](const auto& entry) {
      return std::memcmp(&graph->vectors[std::size_t{entry.second} * graph->dimension], vector,
                         bytes) == 0;
    });
    if (same != end) {
      node = same->second;
    } else {
      nodes.emplace(hash, node);
      graph->vectors.insert(graph->vectors.end(), vector, vector + graph->dimension);
    }
    graph->node_of.push_back(node);
  }
}

}  // namespace

Result<void> WriteHnswVectors(const std::string& file, std::uint32_t dimension,
                              std::span<const Ordinal> ordinals, std::span<const float> matrix,
                              const HnswParams& params,
                              const std::function<void(std::uint32_t done)>& progress) {
  if (dimension == 0 || params.m < 2 || matrix.size() != ordinals.size() * dimension ||
      !std::is_sorted(ordinals.begin(), ordinals.end())) {
    return Fail(ErrorCode::kInvalidArgument, "write an HNSW file: the arrays do not fit together");
  }
  HnswGraph graph;
  graph.dimension = dimension;
  graph.m = params.m;
  graph.ef_construction = params.ef_construction;
  graph.seed = params.seed;
  graph.ordinals.assign(ordinals.begin(), ordinals.end());
  ShareNodes(matrix, &graph);
  if (auto built = BuildHnswLinks(&graph, progress); !built) return built;
  return WriteFileBytes(file, EncodeHnsw(graph));
}

Result<std::unique_ptr<VectorSegment>> OpenHnswVectors(const std::string& file,
                                                       std::size_t scan_limit) {
  auto bytes = ReadFileBytes(file);
  if (!bytes) return Fail(bytes.error());
  auto graph = DecodeHnsw(*bytes);
  if (!graph) return Fail(graph.error());
  return std::unique_ptr<VectorSegment>(
      std::make_unique<HnswVectors>(std::move(*graph), scan_limit));
}

}  // namespace souvenance::index
