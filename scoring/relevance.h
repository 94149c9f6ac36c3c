// Relevance of the hybrid preset: what an item's word score takes in from its surroundings.
// docs/formulas/relevance.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace souvenance::scoring {

struct RelevanceWeights {
  double previous = 0.3;           // S₋₁, plus previous_question when that turn asks
  double previous_question = 0.4;
  double before_previous = 0.2;    // S₋₂
  double next = 0.3;               // S₊₁
  double after_next = 0.15;        // S₊₂
  double session = 0.2;            // the session's own score as one document
  double speaker = 1.3;            // factor: the cue names the item's speaker
  double when = 1.3;               // factor: the cue asks when, the item has a time expression
  double semantic = 0.2;
  double date_window = 0.4;        // the item's time lies in the cue's window or within 7 days
  double date_exact = 1.0;         // the very day that the cue names
  double link = 0.3;               // an entity linked in the cue that the item is about
  double link_decay = 0.8;         // a turn back in the session
  double activation = 2.0;         // times the cube root of the activation
  double tag = 2.0 / 3;            // as in the table, relative to its literal weight of 3
  double emotion = 0.5;
};

// What is known of one candidate before the pool is looked at.
struct RelevanceInput {
  double bm25 = 0;             // S₀: its own BM25 score
  double previous = 0;         // S₋₁ … of its neighbours in the session; 0 where there is none
  double before_previous = 0;
  double next = 0;
  double after_next = 0;
  bool previous_asks = false;  // the previous turn ends in a question
  double session = 0;          // BM25 of its session as one document
  bool speaker_named = false;
  bool when_matches = false;
  double semantic = 0;         // [0, 1]
  double date = 0;             // 0, date_window or date_exact's condition: 0, 0.4, 1 by DateTerm
  double link = 0;             // [0, 1]: 1 for an entity of the cue, link_decay^turns for older
  double activation = 0;       // [0, 1]
  double tag = 0;              // [0, 1]
  double emotion = 0;          // [0, 1]
};

// The parts as they enter the sum, and the sum scaled by the best of the pool. All in [0, 1]
// after scaling by the same constant, except that parts add up to more than 1 never.
struct RelevanceParts {
  double literal = 0;   // share of the perfect match, for people to read
  double context = 0;   // what the neighbours added
  double session = 0;
  double speaker = 0;   // what the factor added
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
double ContextWordScore(const RelevanceInput& in, const RelevanceWeights& w);

// Relevance of all candidates: word scores scaled by the best in the pool, plus the other terms,
// scaled by the best sum. A pool without any evidence is all zeros.
std::vector<RelevanceParts> HybridRelevance(std::span<const RelevanceInput> candidates,
                                            const RelevanceWeights& w);

// score = relevance × (1 − …): weight and freshness together move a score by at most a tenth of
// the top relevance, recent by a fifth:
//   relevance + 0.1 × (2 × weight + freshness) / 3 − 0.2 × recent
// (top relevance is 1).
struct HybridAgeWeights {
  double age = 0.1;
  double weight_share = 2.0 / 3;  // the rest is freshness
  double recent = 0.2;
};
double HybridScore(double relevance, double weight, double freshness, double recent,
                   const HybridAgeWeights& w);

}  // namespace souvenance::scoring
