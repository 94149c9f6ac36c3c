#include "scoring/relevance.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "scoring/finite.h"

namespace souvenance::scoring {
namespace {

// The word score of one candidate, taken apart. Each entry is what that step added.
struct WordParts {
  double own = 0;
  double context = 0;
  double session = 0;
  double speaker = 0;
  double when = 0;

  double Sum() const { return own + context + session + speaker + when; }
};

constexpr std::uint64_t kDayUs = 86'400'000'000;

double Factor(double factor) { return Clamped(factor, 1, kMost, 1); }

WordParts TakeWordsApart(const RelevanceInput& in, const RelevanceWeights& w) {
  WordParts parts;
  parts.own = NotNegative(in.bm25);
  const double previous =
      NotNegative(w.previous) + (in.previous_asks ? NotNegative(w.previous_question) : 0);
  parts.context = previous * NotNegative(in.previous) +
                  NotNegative(w.before_previous) * NotNegative(in.before_previous) +
                  NotNegative(w.next) * NotNegative(in.next) +
                  NotNegative(w.after_next) * NotNegative(in.after_next);
  parts.session = NotNegative(w.session) * NotNegative(in.session);
  const double words = parts.own + parts.context + parts.session;
  const double speaker = in.speaker_named ? Factor(w.speaker) : 1;
  const double when = in.when_matches ? Factor(w.when) : 1;
  parts.speaker = words * (speaker - 1);
  parts.when = words * speaker * (when - 1);
  return parts;
}

// One row a candidate, one column a part, in the order of RelevanceParts.
enum Column {
  kOwn,
  kContext,
  kSession,
  kSpeaker,
  kWhen,
  kSemantic,
  kDate,
  kLink,
  kActivation,
  kTag,
  kEmotion,
  kColumns,
  kWordColumns = kSemantic,
};
using Table = Eigen::Array<double, Eigen::Dynamic, kColumns>;
using Column1 = Eigen::Array<double, Eigen::Dynamic, 1>;

// Column by column: a product with a vector of ones may be summed in another order on another
// CPU, and in another order for the last rows than for the first. Element-wise sums cannot, so an
// item's relevance does not depend on its place in the pool.
Column1 SumOfColumns(const Table& table, int first, int last) {
  Column1 sum = table.col(first);
  for (int column = first + 1; column < last; ++column) sum += table.col(column);
  return sum;
}

Table Fill(std::span<const RelevanceInput> candidates, const RelevanceWeights& w) {
  Table table(static_cast<Eigen::Index>(candidates.size()), static_cast<Eigen::Index>(kColumns));
  Eigen::Index row = 0;
  for (const RelevanceInput& in : candidates) {
    const WordParts words = TakeWordsApart(in, w);
    table(row, kOwn) = words.own;
    table(row, kContext) = words.context;
    table(row, kSession) = words.session;
    table(row, kSpeaker) = words.speaker;
    table(row, kWhen) = words.when;
    table(row, kSemantic) = Unit(in.semantic);
    table(row, kDate) = Unit(in.date);
    table(row, kLink) = Unit(in.link);
    table(row, kActivation) = std::cbrt(Unit(in.activation));
    table(row, kTag) = Unit(in.tag);
    table(row, kEmotion) = Unit(in.emotion);
    ++row;
  }
  return table;
}

}  // namespace

double ContextWordScore(const RelevanceInput& in, const RelevanceWeights& w) {
  return TakeWordsApart(in, w).Sum();
}

std::vector<RelevanceParts> HybridRelevance(std::span<const RelevanceInput> candidates,
                                            const RelevanceWeights& w) {
  std::vector<RelevanceParts> result(candidates.size());
  if (candidates.empty()) return result;

  Table table = Fill(candidates, w);
  const double best_word = SumOfColumns(table, kOwn, kWordColumns).maxCoeff();
  if (best_word > 0) table.leftCols<kWordColumns>() /= best_word;

  Eigen::Array<double, 1, kColumns> weights;
  weights.leftCols<kWordColumns>().setOnes();
  weights(kSemantic) = NotNegative(w.semantic);
  weights(kDate) = 1;  // RelevanceInput::date is the weighted term already
  weights(kLink) = NotNegative(w.link);
  weights(kActivation) = NotNegative(w.activation);
  weights(kTag) = NotNegative(w.tag);
  weights(kEmotion) = NotNegative(w.emotion);
  table.rowwise() *= weights;

  const Column1 sum = SumOfColumns(table, kOwn, kColumns);
  const double best_sum = sum.maxCoeff();
  if (!(best_sum > 0)) return result;
  table /= best_sum;

  Eigen::Index row = 0;
  for (RelevanceParts& parts : result) {
    parts.literal = table(row, kOwn);
    parts.context = table(row, kContext);
    parts.session = table(row, kSession);
    parts.speaker = table(row, kSpeaker);
    parts.when = table(row, kWhen);
    parts.semantic = table(row, kSemantic);
    parts.date = table(row, kDate);
    parts.link = table(row, kLink);
    parts.activation = table(row, kActivation);
    parts.tag = table(row, kTag);
    parts.emotion = table(row, kEmotion);
    parts.relevance = sum(row) / best_sum;
    ++row;
  }
  return result;
}

double DateTerm(Timestamp time, const TimeSpan& window, const RelevanceWeights& w) {
  if (window.past_last <= window.first || time < window.first) return 0;
  // Unsigned, since a window may reach from one end of time to the other.
  const auto length_us = static_cast<std::uint64_t>(Micros(window.past_last)) -
                         static_cast<std::uint64_t>(Micros(window.first));
  if (time < window.past_last) return Unit(length_us <= kDayUs ? w.date_exact : w.date_window);
  const auto after_us = static_cast<std::uint64_t>(Micros(time)) -
                        static_cast<std::uint64_t>(Micros(window.past_last));
  return after_us < 7 * kDayUs ? Unit(w.date_window) : 0;
}

double LinkTerm(unsigned turns_back, const RelevanceWeights& w) {
  if (turns_back > kLinkTurns) return 0;
  double term = 1;
  for (unsigned turn = 0; turn < turns_back; ++turn) term *= Unit(w.link_decay);
  return term;
}

double HybridScore(double relevance, double weight, double freshness, double recent,
                   const HybridAgeWeights& w) {
  const double share = Unit(w.weight_share);
  const double age = share * Unit(weight) + (1 - share) * Unit(freshness);
  return Unit(relevance) + NotNegative(w.age) * age - NotNegative(w.recent) * Unit(recent);
}

}  // namespace souvenance::scoring
