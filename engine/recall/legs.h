// The three legs: each brings candidates of the visible pool, bounded, best first. And the one
// scorer of words, which gives the same item the same bits however it came in.
#pragma once

#include <souvenance/error.h>
#include <souvenance/options.h>

#include <bitset>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/recall/cue.h"
#include "engine/recall/pool.h"
#include "index/lexical.h"

namespace souvenance::recall {

struct LegHit {
  ItemRef item;  // a ranked document
  double score = 0;
};

// BM25 of one document, and which of the cue's terms it holds.
struct WordScore {
  double bm25 = 0;
  std::bitset<kMaxCueTerms> present;
};

// Scores documents by words on demand, each once.
class WordScorer {
 public:
  WordScorer(const Pool& pool, const Cue& cue, index::Bm25Params params);

  // Makes sure that these have been scored.
  Result<void> Score(const std::vector<ItemRef>& items);
  // Of a scored document; all zeros for one that is not live.
  const WordScore& Of(const ItemRef& item) const;
  // BM25 of a session as one document, with the pool's idf; each session scored once.
  Result<double> Session(std::uint32_t shard, std::uint32_t session_number);
  Result<void> ScoreSessions(std::uint32_t shard, std::vector<std::uint32_t> numbers);

 private:
  const Pool& pool_;
  const Cue& cue_;
  const index::Bm25Params params_;
  struct KeyHash {
    std::size_t operator()(const ItemRef& item) const {
      return (static_cast<std::size_t>(item.shard) << 32 | item.document) * 0x9E3779B97F4A7C15U;
    }
  };
  std::unordered_map<ItemRef, WordScore, KeyHash> scores_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> sessions_;
};

// Words. At most `limit` hits by BM25, ties by item.
Result<std::vector<LegHit>> WordLeg(const Pool& pool, const Cue& cue,
                                    const index::Bm25Params& params, std::size_t limit,
                                    WordScorer* scorer);

// Meaning. At most `limit` hits by cosine; an item counts by the best of its own and its facts'.
Result<std::vector<LegHit>> VectorLeg(const Pool& pool, const Cue& cue, std::size_t limit,
                                      std::size_t ef);

// Association. Seeds are the cue's entities, facts that match it and the best hits of the other
// legs; scores are activation factors in (0, 1].
Result<std::vector<LegHit>> GraphLeg(const Pool& pool, const Cue& cue, const RecallOptions& options,
                                     const std::vector<LegHit>& words,
                                     const std::vector<LegHit>& vectors);

// The cosine of an item's vector (or its facts') with the cue's; 0 when there is none.
double Cosine(const Pool& pool, const Cue& cue, const ItemRef& item);

}  // namespace souvenance::recall
