// The border of the formulas: every number that enters one passes through here, so that no NaN and
// no infinity comes out of one. Internal to scoring.
#pragma once

#include <algorithm>
#include <cmath>

namespace souvenance::scoring {

// The largest score, weight or count that is told apart; more counts as this much. Far above what
// BM25 and idf reach (about 1e4), and small enough that no product of a few overflows.
inline constexpr double kMost = 1e9;

// Clamped to [low, high]; NaN counts as `when_nan`.
inline double Clamped(double value, double low, double high, double when_nan) {
  return std::isnan(value) ? when_nan : std::clamp(value, low, high);
}

// A factor: [0, 1], NaN counts as 0.
inline double Unit(double value) { return Clamped(value, 0, 1, 0); }

// A score, a count or a weight that is added: [0, 1e9], NaN counts as 0.
inline double NotNegative(double value) { return Clamped(value, 0, kMost, 0); }

}  // namespace souvenance::scoring
