// How an engine is opened, and what tunes a recall. Every number is a starting value with its
// evidence in docs/evaluation.md; a store does not depend on them.
#pragma once

#include <souvenance/time.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace souvenance {

enum class Access {
  kReadOnly,   // a read never creates anything; works on a read-only disk
  kReadWrite,  // the store must exist
  kCreate,     // makes the store when the directory is missing or empty
};

using Clock = std::function<Timestamp()>;

struct EngineOptions {
  std::filesystem::path store;
  Access access = Access::kReadOnly;
  Clock clock;  // read once a call; the system's by default
  std::chrono::milliseconds busy_timeout{10000};

  // A scope with more documents than this gets a sealed word base, one with more vectors a sealed
  // HNSW graph. Below, the in-memory snapshot is the whole index.
  std::uint32_t word_base_threshold = 5000;
  std::uint32_t vector_base_threshold = 12000;
  // Up to so many vectors of a sealed graph are scanned exactly instead of searched.
  std::size_t exact_scan_limit = 8000;
  // Scopes kept in memory, least recently used first out; those of the running call are kept.
  std::size_t cached_scopes = 64;

  // Told, a line each, what was noticed and mended: an index that was dropped, and why. Answers are
  // never worse for it, only slower until `maintain`. Called from any thread that reads.
  std::function<void(std::string_view)> note;

  // For tests: salts by the scope's name and a count, so that two stores can be compared.
  std::function<std::array<std::uint8_t, 16>(std::string_view, std::uint64_t)> salt;
};

enum class Preset {
  kHybrid,  // the default: relevance with context, the gate asked once a cue
  kSeed,    // the table of docs/formulas/recall_score.md exactly
  kRrf,     // reciprocal rank fusion of the three legs, for comparison
};

enum class Switch { kOn, kOff };

enum class ActivationKind {
  kPush,       // personalised PageRank by local push
  kSpreading,  // decay per hop
};

// Which sources of candidates take part.
struct Legs {
  Switch bm25 = Switch::kOn;
  Switch vector = Switch::kOn;
  Switch graph = Switch::kOn;
};

struct RecallOptions {
  Preset preset = Preset::kHybrid;
  Legs legs;
  ActivationKind activation = ActivationKind::kPush;
  Switch gate = Switch::kOn;
  Switch disclosure = Switch::kOn;   // evaluation ranks without it
  Switch exploration = Switch::kOn;  // never in evaluation

  double k1 = 1.0;  // BM25, >= 0
  double b = 0.5;   // BM25, [0, 1]

  // How many candidates each leg may bring, and the breadth of an HNSW search.
  std::size_t word_pool = 400;
  std::size_t vector_pool = 100;
  std::size_t graph_pool = 100;
  std::size_t ef = 128;

  // The gate: share of the cue's idf that the best window covers; then the cut below the top.
  double gate_coverage = 0.265;
  double gate_ratio = 0.3;
  double gate_minimum = 0.5;  // of the seed preset

  // Relevance of the hybrid preset. 0 switches a part off (1 for the two factors).
  double previous = 0.3;
  double previous_question = 0.4;
  double before_previous = 0.2;
  double next = 0.3;
  double after_next = 0.15;
  double session = 0.2;
  double speaker = 1.3;
  double when = 1.3;
  double semantic = 0.1;
  double date_window = 0.4;
  double date_exact = 1.0;
  double link = 0.3;
  double link_decay = 0.8;
  double activation_weight = 2.0;
  double age = 0.1;
  double recent = 0.2;

  // Activation.
  double restart = 0.3;
  double hub_exponent = 0.5;
  double fact_seeds = 5;       // facts that match the cue, at most
  double passage_seed = 0.05;  // strength of the best passages as seeds; 0: none
};

}  // namespace souvenance
