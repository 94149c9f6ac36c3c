// What one leg costs, without the rest of a recall: words, vectors, graph.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/load.h"
#include "bench/run.h"
#include "graph/activation.h"
#include "graph/temporal_graph.h"
#include "index/analyzer.h"
#include "index/lexical.h"
#include "index/vectors.h"

namespace souvenance::bench {
namespace {

constexpr std::size_t kQueries = 200;
constexpr std::uint32_t kDimension = 512;  // the built-in embedder's
constexpr std::size_t kEf = 128;           // as RecallOptions

bool AcceptAll(Ordinal) { return true; }

// Made once for a size, when the first bench of that size runs.
template <typename T>
const T& Loaded(std::int64_t n) {
  static std::map<std::int64_t, std::unique_ptr<T>> made;
  std::unique_ptr<T>& slot = made[n];
  if (slot == nullptr) slot = std::make_unique<T>(static_cast<std::size_t>(n));
  return *slot;
}

// ---- words ----

struct Words {
  explicit Words(std::size_t n) {
    const auto analyzer = Must(index::Analyzer::Create());
    const std::vector<Turn> turns = Conversations(n);
    for (std::size_t i = 0; i < n; ++i) {
      documents.push_back({static_cast<Ordinal>(i + 1), Must(analyzer->Document(turns[i].text))});
    }
    for (const Question& question : Questions(turns, kQueries)) {
      cues.push_back(Must(analyzer->Cue(question.cue)));
    }
    memory = index::BuildMemoryLexical(documents);
    const std::string file = folder.path() / "words";
    Must(index::WriteXapianLexical(file, documents));
    xapian = Must(index::OpenXapianLexical(file));
  }

  ScratchFolder folder;  // goes last
  std::vector<index::LexicalDocument> documents;
  std::vector<index::AnalysedCue> cues;
  std::unique_ptr<index::LexicalSegment> memory;
  std::unique_ptr<index::LexicalSegment> xapian;
};

// From an analysed cue to candidates: document frequencies, weights, the k best and their ties.
std::vector<Ordinal> AskWords(const index::LexicalSegment& segment, const index::AnalysedCue& cue,
                              std::size_t k) {
  std::vector<index::WeightedTerm> terms;
  for (const index::TermCount& term : cue.terms) {
    const std::uint32_t frequency = Must(segment.DocumentFrequency(term.term));
    if (frequency == 0) continue;
    terms.push_back({term.term, index::Bm25Idf(segment.documents(), frequency) * term.count});
  }
  const double average =
      static_cast<double>(segment.total_length()) / static_cast<double>(segment.documents());
  return Must(segment.Candidates(terms, average, {}, k, AcceptAll));
}

enum class WordIndex { kMemory, kXapian };

void BM_WordLeg(benchmark::State& state, WordIndex kind, std::int64_t n, std::size_t k) {
  const Words& words = Loaded<Words>(n);
  const index::LexicalSegment& segment = kind == WordIndex::kMemory ? *words.memory : *words.xapian;
  for (const index::AnalysedCue& cue : words.cues) AskWords(segment, cue, k);  // caches
  std::size_t at = 0;
  std::size_t candidates = 0;
  for (auto _ : state) {
    candidates += AskWords(segment, words.cues[at++ % kQueries], k).size();
  }
  state.counters["candidates"] =
      benchmark::Counter(static_cast<double>(candidates), benchmark::Counter::kAvgIterations);
}

void BM_WordBuild(benchmark::State& state, std::int64_t n) {
  const Words& words = Loaded<Words>(n);
  for (auto _ : state) benchmark::DoNotOptimize(index::BuildMemoryLexical(words.documents));
}

// ---- vectors ----

struct Vectors {
  explicit Vectors(std::size_t n) : load(ClusteredVectors(n, kDimension, kQueries)) {
    std::vector<Ordinal> ordinals;
    for (std::size_t i = 0; i < n; ++i) ordinals.push_back(static_cast<Ordinal>(i + 1));
    const std::string file = folder.path() / "vectors";
    Must(index::WriteHnswVectors(file, kDimension, ordinals, load.rows, {}, {}));
    hnsw = Must(index::OpenHnswVectors(file));
    flat = index::BuildFlatVectors(kDimension, ordinals, load.rows);
    for (std::size_t q = 0; q < kQueries; ++q) {
      std::vector<double> exact(n);
      for (std::size_t i = 0; i < n; ++i) exact[i] = Similarity(q, i);
      std::nth_element(exact.begin(), exact.begin() + 9, exact.end(), std::greater<>());
      tenth.push_back(exact[9]);
    }
  }
  std::span<const float> Query(std::size_t i) const {
    return std::span(load.queries).subspan(i * kDimension, kDimension);
  }
  double Similarity(std::size_t query, std::size_t row) const {
    double dot = 0;
    for (std::uint32_t d = 0; d < kDimension; ++d) {
      dot += static_cast<double>(load.queries[query * kDimension + d]) *
             load.rows[row * kDimension + d];
    }
    return dot;
  }

  ScratchFolder folder;  // goes last
  VectorLoad load;
  std::unique_ptr<index::VectorSegment> flat;
  std::unique_ptr<index::VectorSegment> hnsw;
  std::vector<double> tenth;  // by query, the similarity of its tenth nearest
};

// The share of the ten nearest, found by a naive scan in double, that the leg finds as well.
double RecallAt10(const Vectors& vectors, const index::VectorSegment& segment, std::size_t k) {
  std::size_t found = 0;
  for (std::size_t q = 0; q < kQueries; ++q) {
    const auto hits = Must(segment.Search(vectors.Query(q), k, std::max(k, kEf), AcceptAll));
    for (std::size_t i = 0; i < std::min<std::size_t>(10, hits.size()); ++i) {
      // Neighbours closer together than single precision tells apart are equally good, and equal
      // vectors stand for each other.
      if (vectors.Similarity(q, hits[i].ordinal - 1) >= vectors.tenth[q] - 1e-6) ++found;
    }
  }
  return static_cast<double>(found) / (10 * kQueries);
}

enum class VectorIndex { kFlat, kHnsw };

void BM_VectorLeg(benchmark::State& state, VectorIndex kind, std::int64_t n, std::size_t k) {
  const Vectors& vectors = Loaded<Vectors>(n);
  const index::VectorSegment& segment = kind == VectorIndex::kFlat ? *vectors.flat : *vectors.hnsw;
  const double recall = RecallAt10(vectors, segment, k);
  std::size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        Must(segment.Search(vectors.Query(at++ % kQueries), k, std::max(k, kEf), AcceptAll)));
  }
  state.counters["recall@10"] = recall;
}

// ---- graph ----

Timestamp Day(std::int32_t day) { return Timestamp{std::chrono::hours(24 * day)}; }

struct Graph {
  explicit Graph(std::size_t n) {
    const GraphLoad load = PowerLawGraph(static_cast<std::uint32_t>(n));
    std::vector<graph::NodeInfo> nodes;
    for (std::uint32_t i = 0; i < load.documents; ++i) nodes.push_back({false, i + 1, {}});
    for (std::uint32_t i = 0; i < load.entities; ++i) {
      nodes.push_back({true, i + 1, "entity " + std::to_string(i)});
    }
    std::vector<graph::Edge> edges;
    for (const auto& [document, entity] : load.mentions) {
      edges.push_back({document, load.documents + entity, graph::EdgeKind::kMention});
      named.push_back({0, load.documents + entity});
    }
    Ordinal ordinal = 0;
    for (const GraphLoad::Relation& relation : load.relations) {
      graph::Edge edge{load.documents + relation.subject, load.documents + relation.object};
      edge.valid_from = Day(relation.first_day);
      if (relation.past_day >= 0) edge.valid_to = Day(relation.past_day);
      edge.relation = ++ordinal;
      edges.push_back(edge);
    }
    edge_count = edges.size();
    std::vector<std::shared_ptr<const graph::ShardGraph>> shards;
    shards.push_back(graph::ShardGraph::Build(std::move(nodes), std::move(edges)));
    view = std::make_unique<graph::GraphView>(std::move(shards));
  }

  std::size_t edge_count = 0;
  std::vector<graph::ViewNode> named;  // once for each mention, so that a draw prefers hubs
  std::unique_ptr<graph::GraphView> view;
};

void BM_GraphLeg(benchmark::State& state, std::int64_t n, std::size_t seeds) {
  const Graph& graph = Loaded<Graph>(n);
  Random random(kSeed + 4);
  std::vector<std::vector<graph::Seed>> queries(kQueries);
  for (std::vector<graph::Seed>& query : queries) {
    for (std::size_t i = 0; i < seeds; ++i) {
      query.push_back({graph.named[random.Below(graph.named.size())], 1, 1});
    }
  }
  const graph::AsOf at{Day(310), Day(310)};
  const auto accept = [](graph::ViewNode) { return true; };
  std::size_t next = 0;
  std::size_t reached = 0;
  for (auto _ : state) {
    reached +=
        graph::PersonalisedPageRank(*graph.view, queries[next++ % kQueries], at, {}, accept).size();
  }
  state.counters["reached"] =
      benchmark::Counter(static_cast<double>(reached), benchmark::Counter::kAvgIterations);
  state.counters["edges"] = static_cast<double>(graph.edge_count);
}

void Register() {
  const auto in_us = [](benchmark::internal::Benchmark* bench) {
    bench->Unit(benchmark::kMicrosecond);
  };
  for (const std::int64_t n : {1000, 10000, 100000}) {
    const std::string size = "/n:" + std::to_string(n);
    for (const std::size_t k : {10, 100}) {
      const std::string tail = size + "/k:" + std::to_string(k);
      in_us(benchmark::RegisterBenchmark(("BM_WordLeg/memory" + tail).c_str(), BM_WordLeg,
                                         WordIndex::kMemory, n, k));
      in_us(benchmark::RegisterBenchmark(("BM_WordLeg/xapian" + tail).c_str(), BM_WordLeg,
                                         WordIndex::kXapian, n, k));
    }
    in_us(benchmark::RegisterBenchmark(("BM_WordBuild/memory" + size).c_str(), BM_WordBuild, n));
  }
  for (const std::int64_t n : {1000, 10000}) {
    for (const std::size_t k : {10, 100}) {
      const std::string tail = "/n:" + std::to_string(n) + "/k:" + std::to_string(k);
      in_us(benchmark::RegisterBenchmark(("BM_VectorLeg/flat" + tail).c_str(), BM_VectorLeg,
                                         VectorIndex::kFlat, n, k));
      in_us(benchmark::RegisterBenchmark(("BM_VectorLeg/hnsw" + tail).c_str(), BM_VectorLeg,
                                         VectorIndex::kHnsw, n, k));
    }
  }
  for (const std::int64_t n : {1000, 10000, 100000}) {
    for (const std::size_t seeds : {1, 10}) {
      const std::string name =
          "BM_GraphLeg/push/n:" + std::to_string(n) + "/seeds:" + std::to_string(seeds);
      in_us(benchmark::RegisterBenchmark(name.c_str(), BM_GraphLeg, n, seeds));
    }
  }
}

}  // namespace
}  // namespace souvenance::bench

int main(int argc, char** argv) {
  souvenance::bench::Register();
  return souvenance::bench::RunBenches(argc, argv);
}
