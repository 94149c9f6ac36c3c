// How strongly an item comes to mind. docs/formulas/recall_score.md.
//
// Every result is finite: a factor that is no number counts as 0, one outside [0, 1] as the nearest
// end; a weight that is negative or no number counts as 0, one above 1e9 as 1e9.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace souvenance::scoring {

// Every factor is in [0, 1].
struct SeedFactors {
  double literal = 0;
  double tag = 0;
  double emotion = 0;
  double weight = 0;
  double freshness = 0;
  double activation = 0;
  double recent = 0;
};

struct SeedWeights {
  double literal = 3.0;
  double tag = 2.0;
  double emotion = 1.5;
  double weight = 1.0;
  double freshness = 0.5;
  double activation = 1.5;
  double recent = 2.0;  // subtracted
};

// The weighted sum, recent subtracted. In [−2, 9.5] with the default weights.
double SeedScore(const SeedFactors& f, const SeedWeights& w);
// The relevance part only: literal, tag, emotion. In [0, 6.5] with the default weights.
double SeedEvidence(const SeedFactors& f, const SeedWeights& w);

// BM25 as a share of what a perfect match of the cue could reach: score / best_possible, in
// [0, 1]; 0 when best_possible <= 0. `best_possible` = (k1 + 1) × sum of idf × count over all
// terms of the cue, unknown ones at the highest idf of the pool.
double Literal(double bm25, double best_possible);

// |cue tags ∩ item tags| / |cue tags|; 0 without cue tags. Tags are compared as given (the caller
// normalises); duplicates in the cue count once.
double TagShare(std::span<const std::string_view> cue_tags,
                std::span<const std::string_view> item_tags);

// 1 for the same label, times 1 − |Δ intensity|; 0 when either has no label.
double EmotionMatch(std::string_view cue_label, double cue_intensity, std::string_view item_label,
                    double item_intensity);

// Cosine above the similarity of unrelated texts, rescaled to [0, 1]:
// (cosine − unrelated) / (1 − unrelated). A cosine that is no number counts as −1.
double Semantic(double cosine, double unrelated);

// Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): sum over lists of 1 / (k + rank),
// rank from 1; rank 0 means the list lacks the item. k below 0 counts as 0, NaN as 60.
double ReciprocalRankFusion(std::span<const std::uint32_t> ranks, double k = 60);

}  // namespace souvenance::scoring
