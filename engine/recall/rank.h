// From cue to ranked candidates: legs, union, factors, score, gate, exploration. What follows
// (disclosure, texts, budget) no longer changes the order.
#pragma once

#include <souvenance/error.h>
#include <souvenance/hit.h>
#include <souvenance/query.h>

#include <cstdint>
#include <string>
#include <vector>

#include "engine/recall/cue.h"
#include "engine/recall/legs.h"
#include "engine/recall/pool.h"

namespace souvenance::recall {

enum class Fate : std::uint8_t {
  kAdmitted,
  kCueGate,   // no evidence in the pool at all
  kItemGate,  // below the cut
  kExplored,  // below the cut, let in
};

struct Candidate {
  ItemRef item;
  LegRanks ranks;
  double score = 0;
  double evidence = 0;
  Factors factors;
  Fate fate = Fate::kAdmitted;
};

struct Ranking {
  Cue cue;
  std::vector<Candidate> candidates;  // admitted first, each group by score, ties by item
  std::size_t admitted = 0;           // explored ones included
  LegStatus legs;
  GateReport gate;
  std::string reason;  // why nothing was admitted; empty otherwise
};

Result<Ranking> Rank(const Pool& pool, const RecallQuery& query);

}  // namespace souvenance::recall
