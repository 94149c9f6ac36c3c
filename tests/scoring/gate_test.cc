#include "scoring/gate.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

namespace souvenance::scoring {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
using Present = std::vector<std::uint8_t>;

// docs/formulas/gate.md, "Item gate".
TEST(Gate, AsksAnItemForThreeTenthsOfTheTopButNoLessThanTheMinimum) {
  EXPECT_DOUBLE_EQ(ItemGateThreshold(4, {}), 1.2);
  EXPECT_EQ(ItemGateThreshold(1, {}), 0.5);
  EXPECT_EQ(ItemGateThreshold(0, {}), 0.5);
  EXPECT_DOUBLE_EQ(ItemGateThreshold(2, {.minimum = 0.1, .ratio = 0.5}), 1.0);
}

// Worked by hand in docs/formulas/gate.md, "Worked example".
TEST(Gate, MatchesTheWorkedExampleOfCoverage) {
  const std::vector<double> idf = {2.0, 1.0, 5.0};  // the last is unknown to the pool
  EXPECT_DOUBLE_EQ(CueCoverage(idf, Present{1, 1, 0}), 0.375);
  EXPECT_TRUE(CueGateOpens(0.375, {}));
  EXPECT_DOUBLE_EQ(CueCoverage(idf, Present{1, 0, 0}), 0.25);
  EXPECT_FALSE(CueGateOpens(0.25, {}));
  EXPECT_TRUE(CueGateOpens(0.265, {}));
}

TEST(Gate, CoversNothingOfACueWithoutTerms) {
  EXPECT_EQ(CueCoverage({}, {}), 0);
  EXPECT_EQ(CueCoverage(std::vector{0.0, 0.0}, Present{1, 1}), 0);
  EXPECT_FALSE(CueGateOpens(0, {}));
}

TEST(Gate, CountsAMissingFlagAsAbsent) {
  EXPECT_DOUBLE_EQ(CueCoverage(std::vector{1.0, 3.0}, Present{1}), 0.25);
  EXPECT_DOUBLE_EQ(CueCoverage(std::vector{1.0}, Present{1, 1, 1}), 1);
}

TEST(Gate, CoverageIsInRangeAndNeverFallsWithOneMoreTerm) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> weight(0, 9);
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> idf(1 + random() % 12);
    Present present(idf.size());
    for (std::size_t i = 0; i < idf.size(); ++i) {
      idf[i] = weight(random);
      present[i] = static_cast<std::uint8_t>(random() % 2);
    }
    const double before = CueCoverage(idf, present);
    EXPECT_GE(before, 0);
    EXPECT_LE(before, 1);
    present[random() % present.size()] = 1;
    EXPECT_GE(CueCoverage(idf, present), before);
  }
}

TEST(Gate, StaysInRangeForWhatIsNoNumber) {
  for (const double odd : {kNan, kInf, -kInf, -1.0, 1e308, -1e308}) {
    EXPECT_GE(ItemGateThreshold(odd, {}), 0.5);
    EXPECT_LE(ItemGateThreshold(odd, {}), 3e8);
    const double coverage = CueCoverage(std::vector{odd, 1.0}, Present{1, 0});
    EXPECT_GE(coverage, 0);
    EXPECT_LE(coverage, 1);
  }
  EXPECT_FALSE(CueGateOpens(kNan, {}));
}

// docs/formulas/gate.md, "Exploration": the published FNV-1a vectors are
// "" cbf29ce484222325, "a" af63dc4c8601ec8c, "foobar" 85944171f73967e8; of their decimal forms the
// last digits are 7, 6 and 8, so none of the three explores.
TEST(Gate, ExploresByAStableHash) {
  EXPECT_FALSE(Explores(""));
  EXPECT_FALSE(Explores("a"));
  EXPECT_FALSE(Explores("foobar"));
}

TEST(Gate, ExploresForOneCueInTen) {
  int explored = 0;
  for (int i = 0; i < 20000; ++i) {
    explored += Explores("what did Alice say about item " + std::to_string(i)) ? 1 : 0;
  }
  // Five standard deviations of a binomial of 20,000 draws at one in ten: 5 × 42.4.
  EXPECT_NEAR(explored, 2000, 212);
}

}  // namespace
}  // namespace souvenance::scoring
