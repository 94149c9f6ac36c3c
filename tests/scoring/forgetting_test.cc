#include "scoring/forgetting.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace souvenance::scoring {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Timestamp kNoon = FromMicros(1'700'000'000'000'000);
using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;

// Worked by hand in docs/formulas/forgetting.md, "Worked example".
TEST(Forgetting, MatchesTheWorkedExample) {
  // A pattern of salience 0.8, joy of 0.5, recalled twice (hours apart) and spoken once.
  const double hits = ReinforcementAmount(ReinforcementKind::kRecalled) * 2 +
                      ReinforcementAmount(ReinforcementKind::kSpoken);
  EXPECT_NEAR(hits, 0.5, 1e-12);
  // 30 × 0.8 × 1.25 × 3 × 1.25 = 112.5 days.
  const double stability = StabilityDays(0.8, hits, Shape::kPattern, 0.5);
  EXPECT_NEAR(stability, 112.5, 1e-12);
  // 45 days later: exp(−0.4) = 0.670320046…; weight 0.8 × that.
  const double age = AgeDays(kNoon, kNoon + days{45});
  EXPECT_DOUBLE_EQ(age, 45);
  EXPECT_NEAR(Retention(age, stability), 0.6703200460356393, 1e-12);
  EXPECT_NEAR(Weight(0.8, Retention(age, stability)), 0.5362560368285114, 1e-12);
  // exp(−45 / 14).
  EXPECT_NEAR(Freshness(age), 0.0401840, 1e-7);
}

// docs/formulas/forgetting.md, "Shape".
TEST(Forgetting, GivesEachShapeItsFactor) {
  EXPECT_EQ(ShapeFactor(Shape::kPoint), 1.0);
  EXPECT_EQ(ShapeFactor(Shape::kSpan), 1.2);
  EXPECT_EQ(ShapeFactor(Shape::kPattern), 3.0);
  EXPECT_EQ(ShapeFactor(Shape::kRule), 999.0);
}

// docs/formulas/forgetting.md, "Hits".
struct CountedCase {
  const char* name;
  ReinforcementKind kind;
  bool has_last;
  Duration after_last;
  double expected;
};
const CountedCase kCountedCases[] = {
    {"TheFirstRecall", ReinforcementKind::kRecalled, false, minutes{0}, 0.1},
    {"ARecallAtOnce", ReinforcementKind::kRecalled, true, minutes{0}, 0},
    {"JustWithinTheCooldown", ReinforcementKind::kRecalled, true,
     minutes{30} - std::chrono::microseconds{1}, 0},
    {"AtTheEndOfTheCooldown", ReinforcementKind::kRecalled, true, minutes{30}, 0.1},
    {"ArrivedLateWithinIt", ReinforcementKind::kRecalled, true, -minutes{29}, 0},
    {"ArrivedLateOutsideIt", ReinforcementKind::kRecalled, true, -minutes{30}, 0.1},
    {"SpokenAtOnce", ReinforcementKind::kSpoken, true, minutes{0}, 0.3},
    {"ConfirmedAtOnce", ReinforcementKind::kConfirmed, true, minutes{0}, 0.2},
};
TEST(Forgetting, CountsRecallsOnceInTheCooldownAndTheRestAlways) {
  for (const CountedCase& c : kCountedCases) {
    EXPECT_EQ(CountedAmount(c.kind, c.has_last, kNoon, kNoon + c.after_last), c.expected) << c.name;
  }
}

// docs/formulas/forgetting.md, "Recent".
TEST(Forgetting, TakesThePenaltyBackOverHalfAnHour) {
  EXPECT_EQ(RecentPenalty(false, kNoon, kNoon), 0);
  EXPECT_EQ(RecentPenalty(true, kNoon, kNoon), 1);
  EXPECT_DOUBLE_EQ(RecentPenalty(true, kNoon, kNoon + minutes{12}), 0.6);
  EXPECT_EQ(RecentPenalty(true, kNoon, kNoon + minutes{30}), 0);
  EXPECT_EQ(RecentPenalty(true, kNoon, kNoon + hours{90}), 0);
  EXPECT_EQ(RecentPenalty(true, kNoon, kNoon - hours{1}), 1);
}

TEST(Forgetting, NeverGivesANegativeAgeAndSurvivesTheEndsOfTime) {
  EXPECT_EQ(AgeDays(kNoon, kNoon - days{3}), 0);
  EXPECT_EQ(AgeDays(kEndOfTime, kBeginningOfTime), 0);
  // 2^64 − 1 microseconds.
  EXPECT_NEAR(AgeDays(kBeginningOfTime, kEndOfTime), 18446744073709551615.0 / 86400e6, 1);
  EXPECT_EQ(RecentPenalty(true, kBeginningOfTime, kEndOfTime), 0);
  EXPECT_EQ(CountedAmount(ReinforcementKind::kRecalled, true, kEndOfTime, kBeginningOfTime), 0.1);
}

TEST(Forgetting, StaysInRangeForWhatIsNoNumber) {
  const double odd[] = {kNan, kInf, -kInf, -1, 0, 2, 1e308, -1e308, 5e-324};
  for (const double a : odd) {
    EXPECT_GE(EmotionStability(a), 1);
    EXPECT_LE(EmotionStability(a), 1.5);
    EXPECT_GE(Freshness(a), 0);
    EXPECT_LE(Freshness(a), 1);
    for (const double b : odd) {
      EXPECT_GE(Retention(a, b), 0);
      EXPECT_LE(Retention(a, b), 1);
      EXPECT_GE(Weight(a, b), 0);
      EXPECT_LE(Weight(a, b), 1);
      for (const double c : odd) {
        const double stability = StabilityDays(a, b, Shape::kRule, c);
        EXPECT_TRUE(std::isfinite(stability));
        EXPECT_GE(stability, 0.3);
      }
    }
  }
  EXPECT_EQ(StabilityDays(kNan, 0, Shape::kPoint, 0), 15);  // the default salience
}

TEST(Forgetting, NeverRisesWithAgeNorFallsWithUse) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int round = 0; round < 5000; ++round) {
    const double salience = unit(random);
    const double hits = 10 * unit(random);
    const double intensity = unit(random);
    const double age = 2000 * unit(random);
    const double older = age + 100 * unit(random);
    const auto shape = static_cast<Shape>(round % 4);
    const double stability = StabilityDays(salience, hits, shape, intensity);
    EXPECT_GE(Retention(age, stability), Retention(older, stability));
    EXPECT_GE(Freshness(age), Freshness(older));
    EXPECT_LE(stability, StabilityDays(salience, hits + unit(random), shape, intensity));
    EXPECT_LE(stability, StabilityDays(salience + 0.1, hits, shape, intensity));
    EXPECT_LE(stability, StabilityDays(salience, hits, shape, intensity + 0.1));
  }
}

}  // namespace
}  // namespace souvenance::scoring
