#include "scoring/forgetting.h"

#include <cmath>
#include <cstdint>

#include "scoring/finite.h"

namespace souvenance::scoring {
namespace {

constexpr double kBaseDays = 30;
constexpr double kHitGain = 0.5;
constexpr double kEmotionGain = 0.5;
constexpr double kFreshnessDays = 14;
constexpr double kLeastSalience = 0.01;

constexpr double kMicrosPerMinute = 60e6;
constexpr double kMicrosPerDay = 86400e6;

double Salience(double salience) { return Clamped(salience, kLeastSalience, 1, kDefaultSalience); }

// Microseconds from one time to a later one, exact; 0 when it is not later. The difference of two
// signed times can overflow (the two ends of time), that of the unsigned ones cannot.
std::uint64_t MicrosBetween(Timestamp from, Timestamp to) {
  if (to <= from) return 0;
  return static_cast<std::uint64_t>(Micros(to)) - static_cast<std::uint64_t>(Micros(from));
}

}  // namespace

double ShapeFactor(Shape shape) {
  switch (shape) {
    case Shape::kPoint:
      return 1.0;
    case Shape::kSpan:
      return 1.2;
    case Shape::kPattern:
      return 3.0;
    case Shape::kRule:
      return 999.0;
  }
  return 1.0;
}

double EmotionStability(double intensity) { return 1 + kEmotionGain * Unit(intensity); }

double StabilityDays(double salience, double hits, Shape shape, double emotion_intensity) {
  return kBaseDays * Salience(salience) * (1 + kHitGain * NotNegative(hits)) * ShapeFactor(shape) *
         EmotionStability(emotion_intensity);
}

double AgeDays(Timestamp from, Timestamp now) {
  return static_cast<double>(MicrosBetween(from, now)) / kMicrosPerDay;
}

double Retention(double age_days, double stability_days) {
  const double age = NotNegative(age_days);
  if (age == 0) return 1;
  if (!(stability_days > 0)) return 0;
  return std::exp(-age / stability_days);
}

double Freshness(double age_days) { return std::exp(-NotNegative(age_days) / kFreshnessDays); }

double Weight(double salience, double retention) { return Salience(salience) * Unit(retention); }

double ReinforcementAmount(ReinforcementKind kind) {
  switch (kind) {
    case ReinforcementKind::kRecalled:
      return 0.1;
    case ReinforcementKind::kSpoken:
      return 0.3;
    case ReinforcementKind::kConfirmed:
      return 0.2;
  }
  return 0;
}

double CountedAmount(ReinforcementKind kind, bool has_last, Timestamp last_counted, Timestamp at) {
  if (kind == ReinforcementKind::kRecalled && has_last) {
    const std::uint64_t apart_us =
        at < last_counted ? MicrosBetween(at, last_counted) : MicrosBetween(last_counted, at);
    if (apart_us < static_cast<std::uint64_t>(kRecallCooldown.count())) return 0;
  }
  return ReinforcementAmount(kind);
}

double RecentPenalty(bool has_last, Timestamp last_recall, Timestamp now) {
  if (!has_last) return 0;
  const double minutes = static_cast<double>(MicrosBetween(last_recall, now)) / kMicrosPerMinute;
  return Unit(1 - minutes / 30);
}

}  // namespace souvenance::scoring
