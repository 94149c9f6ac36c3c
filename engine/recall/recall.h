// The answer to a cue: rank, disclose, show.
#pragma once

#include <souvenance/error.h>
#include <souvenance/hit.h>
#include <souvenance/query.h>

#include <string>
#include <vector>

#include "engine/core.h"
#include "engine/recall/pool.h"
#include "engine/recall/rank.h"
#include "engine/recall/show.h"

namespace souvenance::recall {

// The admitted candidates as far as they may be said, best first.
struct Shown {
  struct Entry {
    const Candidate* candidate = nullptr;
    Disclosed disclosed;
  };
  std::vector<Entry> entries;      // full or gist
  std::vector<std::string> hints;  // subjects, each once, sorted
  std::vector<const Candidate*> withheld;
};
Shown DiscloseRanking(const Pool& pool, const Ranking& ranking, const RecallOptions& options,
                      std::size_t k);

// Errors: see Engine.
Result<void> CheckRecall(const RecallQuery& query);
Result<RecallAnswer> Recall(const Core& core, const RecallQuery& query);

}  // namespace souvenance::recall
