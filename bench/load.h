// Load that looks like the real thing, and is the same for a seed with every standard library:
// conversations with a Zipf vocabulary, English with Chinese among it; vectors in clusters; a
// graph with a power law. About one in a hundred repeats an earlier one exactly, as "ok" does.
#pragma once

#include <souvenance/time.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace souvenance::bench {

inline constexpr std::uint64_t kSeed = 20231;

// Splitmix64 and what is drawn from it; the distributions of <random> differ between libraries.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::size_t Below(std::size_t limit) { return static_cast<std::size_t>(Next() % limit); }
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }  // [0, 1)
  bool Chance(double p) { return Unit() < p; }
  double Normal() {
    return std::sqrt(-2 * std::log(1 - Unit())) * std::cos(6.283185307179586 * Unit());
  }

 private:
  std::uint64_t state_;
};

struct Turn {
  std::string text;
  std::string speaker;
  std::string session;  // about twenty turns of one speaker pair on one topic
  Timestamp time;       // sessions are hours to days apart
  bool is_chinese = false;
  std::vector<std::string> topic_words;  // those of its words that carry meaning; may be empty
};

// One session in five is Chinese. Turns are in the order of time; the first `m` of a longer load
// are not the load of `m`.
std::vector<Turn> Conversations(std::size_t count, std::uint64_t seed = kSeed);

// A cue in words of one turn, which is its answer.
struct Question {
  std::string cue;
  std::size_t turn = 0;  // index into the turns
};
std::vector<Question> Questions(const std::vector<Turn>& turns, std::size_t count,
                                std::uint64_t seed = kSeed);

// Row-major unit vectors. Queries lie near a row, not on it.
struct VectorLoad {
  std::uint32_t dimension = 0;
  std::vector<float> rows;
  std::vector<float> queries;
};
VectorLoad ClusteredVectors(std::size_t rows, std::uint32_t dimension, std::size_t queries,
                            std::uint64_t seed = kSeed);

// Entities with a power law of degrees, by preferential attachment. Times count days from 0.
struct GraphLoad {
  std::uint32_t documents = 0;
  std::uint32_t entities = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> mentions;  // document, entity
  struct Relation {
    std::uint32_t subject = 0;
    std::uint32_t object = 0;
    std::int32_t first_day = 0;
    std::int32_t past_day = -1;  // -1: open
  };
  std::vector<Relation> relations;
};
GraphLoad PowerLawGraph(std::uint32_t documents, std::uint64_t seed = kSeed);

}  // namespace souvenance::bench
