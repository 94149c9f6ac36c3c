#include "engine/eval/ranking.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace souvenance::eval {
namespace {

constexpr int kDigits = 9;

// The next smaller number that prints differently.
double PrintedBelow(double score) {
  if (score == 0) return -1e-9;
  const double exponent = std::floor(std::log10(std::abs(score)));
  double unit = std::pow(10.0, exponent - (kDigits - 1));
  // 1.00000000 minus a unit of its own is 0.99999999, which has a finer ninth digit; both print.
  double below = AsPrinted(score - unit);
  while (!(below < score)) {
    unit *= 2;
    below = AsPrinted(score - unit);
  }
  return below;
}

}  // namespace

void Rank(std::vector<RunLine>* lines) {
  std::sort(lines->begin(), lines->end(), [](const RunLine& a, const RunLine& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.document > b.document;
  });
}

std::string PrintScore(double score) {
  char buffer[64];
  const auto printed =
      std::to_chars(buffer, buffer + sizeof buffer, score, std::chars_format::general, kDigits);
  return {buffer, printed.ptr};
}

double AsPrinted(double score) {
  const std::string text = PrintScore(score);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void SeparateTies(std::vector<RunLine>* lines) {
  for (std::size_t i = 0; i < lines->size(); ++i) {
    double& score = (*lines)[i].score;
    score = AsPrinted(score);
    if (i == 0) continue;
    const double before = (*lines)[i - 1].score;
    if (!(score < before)) score = PrintedBelow(before);
  }
}

}  // namespace souvenance::eval
