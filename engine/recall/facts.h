// Facts of the visible pool: which match a cue, and how they are shown.
#pragma once

#include <souvenance/error.h>
#include <souvenance/hit.h>
#include <souvenance/query.h>

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/recall/cue.h"
#include "engine/recall/pool.h"

namespace souvenance::recall {

struct FactRef {
  std::uint32_t shard = 0;
  Ordinal relation = 0;
  auto operator<=>(const FactRef&) const = default;
};

struct FactHit {
  std::uint32_t shard = 0;
  Ordinal relation = 0;
  double score = 0;  // BM25 over the visible facts
};

// The facts alive at the pool's moment that share words with the cue, best first.
Result<std::vector<FactHit>> MatchFacts(const Pool& pool, const Cue& cue, std::size_t limit);

struct ShownFact {
  FactRef ref;
  RelationHit hit;
};

enum class PeriodFilter {
  kAtMoment,  // what holds at the pool's moment
  kAll,       // every period that is believed
};

// Facts as they are shown, by scope and ordinal, each once. Single-valued predicates are resolved
// over all that the viewer sees: a value of one scope ends an earlier one of another. With
// HistoryMode::kAll, what is no longer believed or valid is in too, marked as not current. With
// disclosure on, a fact is told only as far as a memory that it rests on may be said in full.
Result<std::vector<ShownFact>> ShowFacts(const Pool& pool, std::vector<FactRef> facts,
                                         HistoryMode history, PeriodFilter filter,
                                         Switch disclosure);

}  // namespace souvenance::recall
