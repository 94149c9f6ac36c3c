// What a cue asks for, read once per call against the visible pool.
#pragma once

#include <souvenance/error.h>
#include <souvenance/query.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "engine/recall/date_cue.h"
#include "engine/recall/pool.h"

namespace souvenance::recall {

// Terms beyond this are left out, the rarest kept: the bound on work for a very long cue.
inline constexpr std::size_t kMaxCueTerms = 256;

struct CueTerm {
  std::string term;
  double idf = 0;     // of the pool; the highest for a term that the pool does not know
  double weight = 0;  // idf × count in the cue
  bool known = false;
};

struct LinkedEntity {
  graph::ViewNode node;  // canonical
  double strength = 1;   // 1 from the cue, decayed from the session's last turns
};

struct Cue {
  std::string_view text;
  std::vector<CueTerm> terms;  // sorted by term
  double best_possible = 0;    // (k1 + 1) × sum of weights, unknown terms included
  double idf_sum = 0;          // each term once
  bool asks_when = false;
  std::vector<DateCue> dates;
  std::vector<std::string> tags;
  // Speakers that the cue names, by shard: a set of shard::Name.
  std::vector<std::unordered_set<shard::Name>> speakers;
  bool names_viewer = false;  // "I", "my", 我
  std::vector<LinkedEntity> linked;
  std::vector<float> vector;  // empty: none
};

// Errors: kInvalidArgument (blank), kInvalidData (not valid UTF-8, NUL).
Result<void> CheckCue(std::string_view cue);

// `needs_graph` is false when nothing of the graph is asked for.
Result<Cue> ReadCue(const Pool& pool, const RecallQuery& query, bool needs_graph);

}  // namespace souvenance::recall
