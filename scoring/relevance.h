// Relevance of the hybrid preset: what an item's word score takes in from its surroundings.
// docs/formulas/relevance.md.
#pragma once

#include <souvenance/time.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace souvenance::scoring {

// A weight that is negative or no number counts as 0, a factor below 1 as 1.
struct RelevanceWeights {
  double previous = 0.3;  // S₋₁, plus previous_question when that turn asks
  double previous_question = 0.4;
  double before_previous = 0.2;  // S₋₂
  double next = 0.3;             // S₊₁
  double after_next = 0.15;      // S₊₂
  double session = 0.2;          // the session's own score as one document
  double speaker = 1.3;          // factor: the cue names the item's speaker
  double when = 1.3;             // factor: the cue asks when, the item has a time expression
  double semantic = 0.2;
  double date_window = 0.4;  // the item's time lies in the cue's window or within 7 days
  double date_exact = 1.0;   // the very day that the cue names
  double link = 0.3;         // an entity linked in the cue that the item is about
  double link_decay = 0.8;   // a turn back in the session
  double activation = 2.0;   // times the cube root of the activation
  double tag = 2.0 / 3;      // as in the table, relative to its literal weight of 3
  double emotion = 0.5;
};

// What is known of one candidate before the pool is looked at. Scores are ≥ 0. What is not a
// number or below its range counts as 0, what is above it (1, or 1e9 for a score) as its end.
struct RelevanceInput {
  double bm25 = 0;      // S₀: its own BM25 score
  double previous = 0;  // S₋₁ … of its neighbours in the session; 0 where there is none
  double before_previous = 0;
  double next = 0;
  double after_next = 0;
  bool previous_asks = false;  // the previous turn ends in a question
  double session = 0;          // BM25 of its session as one document
  bool speaker_named = false;
  bool when_matches = false;
  double semantic = 0;    // [0, 1]
  double date = 0;        // [0, 1], by DateTerm; enters the sum as it is
  double link = 0;        // [0, 1], by LinkTerm: the strongest linked entity of the item
  double activation = 0;  // [0, 1]
  double tag = 0;         // [0, 1]
  double emotion = 0;     // [0, 1]
};

// What each part brought to an item's relevance, all on one scale (divided by the best sum of the
// pool; the parts of the word score by the best word score as well). Each is in [0, 1], and the
// parts from `literal` to `emotion` add up to `relevance`.
struct RelevanceParts {
  double literal = 0;  // its own words. Not the share of a perfect match, which is Literal() of
                       // recall_score.h and is shown beside it
  double context = 0;  // what the neighbours added
  double session = 0;
  double speaker = 0;  // what the factor added
  double when = 0;
  double semantic = 0;
  double date = 0;
  double link = 0;
  double activation = 0;
  double tag = 0;
  double emotion = 0;
  double relevance = 0;  // [0, 1]
};

// The word score of one candidate: (S₀ + neighbours + session part) × speaker × when; ≥ 0.
//   neighbours = (previous + previous_question if it asks) × S₋₁ + before_previous × S₋₂
//                + next × S₊₁ + after_next × S₊₂
double ContextWordScore(const RelevanceInput& in, const RelevanceWeights& w);

// Relevance of all candidates, in their order:
//   sum = word / best word of the pool + semantic weight × semantic + date + link weight × link
//         + activation weight × ∛activation + tag weight × tag + emotion weight × emotion
//   relevance = sum / best sum of the pool
// A pool without any evidence is all zeros. An item's relevance does not depend on its place among
// the candidates, to the last bit.
std::vector<RelevanceParts> HybridRelevance(std::span<const RelevanceInput> candidates,
                                            const RelevanceWeights& w);

// ---- terms ----

// How well an item's time fits the time that the cue names: date_exact on the very day (the window
// is a day or shorter and holds the time), date_window in a longer window or less than seven days
// after any, else 0.
double DateTerm(Timestamp time, const TimeSpan& window, const RelevanceWeights& w);

// An entity linked in the cue itself (0 turns back) counts 1, one linked in an earlier turn of the
// session link_decay for each turn back, none after four.
inline constexpr unsigned kLinkTurns = 4;
double LinkTerm(unsigned turns_back, const RelevanceWeights& w);

// ---- score ----

// Age and use are added to relevance, never multiplied into it; the top relevance is 1, so that
// weight and freshness together move a score by at most a tenth of it, and recent by a fifth:
//   relevance + age × (weight_share × weight + (1 − weight_share) × freshness) − recent × recent
// In [−0.2, 1.1] with the default weights.
struct HybridAgeWeights {
  double age = 0.1;
  double weight_share = 2.0 / 3;  // the rest is freshness
  double recent = 0.2;
};
double HybridScore(double relevance, double weight, double freshness, double recent,
                   const HybridAgeWeights& w);

}  // namespace souvenance::scoring
