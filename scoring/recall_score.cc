#include "scoring/recall_score.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "scoring/finite.h"

namespace souvenance::scoring {

double SeedEvidence(const SeedFactors& f, const SeedWeights& w) {
  return NotNegative(w.literal) * Unit(f.literal) + NotNegative(w.tag) * Unit(f.tag) +
         NotNegative(w.emotion) * Unit(f.emotion);
}

double SeedScore(const SeedFactors& f, const SeedWeights& w) {
  return SeedEvidence(f, w) + NotNegative(w.weight) * Unit(f.weight) +
         NotNegative(w.freshness) * Unit(f.freshness) +
         NotNegative(w.activation) * Unit(f.activation) - NotNegative(w.recent) * Unit(f.recent);
}

double Literal(double bm25, double best_possible) {
  if (!(best_possible > 0)) return 0;
  return Unit(NotNegative(bm25) / best_possible);
}

double TagShare(std::span<const std::string_view> cue_tags,
                std::span<const std::string_view> item_tags) {
  std::size_t distinct = 0;
  std::size_t shared = 0;
  for (std::size_t i = 0; i < cue_tags.size(); ++i) {
    const auto end = cue_tags.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(cue_tags.begin(), end, cue_tags[i]) != end) continue;
    ++distinct;
    if (std::find(item_tags.begin(), item_tags.end(), cue_tags[i]) != item_tags.end()) ++shared;
  }
  return distinct == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(distinct);
}

double EmotionMatch(std::string_view cue_label, double cue_intensity, std::string_view item_label,
                    double item_intensity) {
  if (cue_label.empty() || cue_label != item_label) return 0;
  return 1 - std::abs(Unit(cue_intensity) - Unit(item_intensity));
}

double Semantic(double cosine, double unrelated) {
  const double floor = Clamped(unrelated, -1, 1, 0);
  if (floor >= 1) return 0;
  return Unit((Clamped(cosine, -1, 1, -1) - floor) / (1 - floor));
}

double ReciprocalRankFusion(std::span<const std::uint32_t> ranks, double k) {
  const double smoothing = Clamped(k, 0, kMost, 60);
  double sum = 0;
  for (const std::uint32_t rank : ranks) {
    if (rank > 0) sum += 1 / (smoothing + rank);
  }
  return sum;
}

}  // namespace souvenance::scoring
