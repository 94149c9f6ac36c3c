#include "scoring/recall_score.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace souvenance::scoring {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Worked by hand in docs/formulas/recall_score.md, "Worked example".
TEST(RecallScore, MatchesTheWorkedExample) {
  const SeedFactors f = {.literal = 0.6,
                         .tag = 0.5,
                         .emotion = 0.8,
                         .weight = 0.4,
                         .freshness = 0.2,
                         .activation = 0.3,
                         .recent = 0.25};
  // 1.8 + 1.0 + 1.2
  EXPECT_NEAR(SeedEvidence(f, {}), 4.0, 1e-12);
  // 4.0 + 0.4 + 0.1 + 0.45 − 0.5
  EXPECT_NEAR(SeedScore(f, {}), 4.45, 1e-12);
}

// docs/formulas/recall_score.md, "Literal".
TEST(RecallScore, ReadsLiteralAsAShareOfAPerfectMatch) {
  EXPECT_DOUBLE_EQ(Literal(3, 12), 0.25);
  EXPECT_EQ(Literal(12, 12), 1);
  EXPECT_EQ(Literal(13, 12), 1);
  EXPECT_EQ(Literal(0, 12), 0);
  EXPECT_EQ(Literal(3, 0), 0);
  EXPECT_EQ(Literal(3, -1), 0);
}

// docs/formulas/recall_score.md, "Tag".
struct TagCase {
  const char* name;
  std::vector<std::string_view> cue;
  std::vector<std::string_view> item;
  double expected;
};
const TagCase kTagCases[] = {
    {"NoTagsInTheCue", {}, {"work"}, 0},
    {"NoTagsInTheItem", {"work"}, {}, 0},
    {"Both", {"work", "旅行"}, {"旅行", "work", "x"}, 1},
    {"OneOfTwo", {"work", "旅行"}, {"旅行"}, 0.5},
    {"TwiceInTheCueCountsOnce", {"work", "work", "旅行"}, {"work"}, 0.5},
    {"TwiceInTheItemCountsOnce", {"work", "旅行"}, {"work", "work"}, 0.5},
    {"ComparedAsGiven", {"Work"}, {"work"}, 0},
};
TEST(RecallScore, SharesTheCuesTags) {
  for (const TagCase& c : kTagCases) {
    EXPECT_EQ(TagShare(c.cue, c.item), c.expected) << c.name;
    const std::vector<std::string_view> cue(c.cue.rbegin(), c.cue.rend());
    const std::vector<std::string_view> item(c.item.rbegin(), c.item.rend());
    EXPECT_EQ(TagShare(cue, item), c.expected) << c.name << ", in the other order";
  }
}

// docs/formulas/recall_score.md, "Emotion".
TEST(RecallScore, MatchesEmotionsOfOneLabelByIntensity) {
  EXPECT_EQ(EmotionMatch("joy", 0.5, "joy", 0.5), 1);
  EXPECT_DOUBLE_EQ(EmotionMatch("joy", 0.9, "joy", 0.4), 0.5);
  EXPECT_DOUBLE_EQ(EmotionMatch("joy", 0.4, "joy", 0.9), 0.5);
  EXPECT_EQ(EmotionMatch("joy", 0, "joy", 1), 0);
  EXPECT_EQ(EmotionMatch("joy", 0.5, "fear", 0.5), 0);
  EXPECT_EQ(EmotionMatch("", 0.5, "joy", 0.5), 0);
  EXPECT_EQ(EmotionMatch("", 0.5, "", 0.5), 0);
}

// docs/formulas/recall_score.md, "Semantic".
TEST(RecallScore, RescalesTheCosineAboveTheUnrelated) {
  EXPECT_DOUBLE_EQ(Semantic(0.6, 0.2), 0.5);
  EXPECT_EQ(Semantic(0.2, 0.2), 0);
  EXPECT_EQ(Semantic(-0.7, 0.2), 0);
  EXPECT_EQ(Semantic(1, 0.2), 1);
  EXPECT_EQ(Semantic(1, 1), 0);
}

// Worked by hand from docs/formulas/fusion.md, k = 60.
struct RrfCase {
  const char* name;
  std::vector<std::uint32_t> ranks;
  double expected;
};
const RrfCase kRrfCases[] = {
    {"FirstInBoth", {1, 1}, 2.0 / 61},
    {"FirstAndTenth", {1, 10}, 1.0 / 61 + 1.0 / 70},
    {"InOneListOfTwo", {0, 3}, 1.0 / 63},
    {"InNoList", {0, 0}, 0.0},
    {"NoLists", {}, 0.0},
};
TEST(RecallScore, FusesRanksReciprocally) {
  for (const RrfCase& c : kRrfCases) {
    EXPECT_NEAR(ReciprocalRankFusion(c.ranks), c.expected, 1e-15) << c.name;
  }
}

TEST(RecallScore, NeverFallsWhenARankImproves) {
  for (std::uint32_t rank = 2; rank < 2000; ++rank) {
    EXPECT_GT(ReciprocalRankFusion(std::vector{rank - 1, 5u}),
              ReciprocalRankFusion(std::vector{rank, 5u}));
  }
  EXPECT_GT(ReciprocalRankFusion(std::vector{4'000'000'000u}), 0);
}

TEST(RecallScore, StaysFiniteForWhatIsNoNumber) {
  const double odd[] = {kNan, kInf, -kInf, -1, 0, 2, 1e308, -1e308, 5e-324};
  for (const double a : odd) {
    const SeedFactors f = {a, a, a, a, a, a, a};
    const SeedWeights w = {a, a, a, a, a, a, a};
    EXPECT_GE(SeedScore(f, {}), -2);
    EXPECT_LE(SeedScore(f, {}), 9.5);
    EXPECT_GE(SeedEvidence(f, {}), 0);
    EXPECT_LE(SeedEvidence(f, {}), 6.5);
    EXPECT_TRUE(std::isfinite(SeedScore({1, 1, 1, 1, 1, 1, 1}, w)));
    EXPECT_TRUE(std::isfinite(ReciprocalRankFusion(std::vector{1u}, a)));
    for (const double b : odd) {
      for (const double value : {Literal(a, b), Semantic(a, b), EmotionMatch("x", a, "x", b)}) {
        EXPECT_GE(value, 0) << a << ", " << b;
        EXPECT_LE(value, 1) << a << ", " << b;
      }
    }
  }
}

TEST(RecallScore, RisesWithEveryFactorAndFallsWithRecent) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> unit(0, 1);
  constexpr double SeedFactors::*kRising[] = {&SeedFactors::literal,   &SeedFactors::tag,
                                              &SeedFactors::emotion,   &SeedFactors::weight,
                                              &SeedFactors::freshness, &SeedFactors::activation};
  for (int round = 0; round < 2000; ++round) {
    SeedFactors f = {unit(random), unit(random), unit(random), unit(random),
                     unit(random), unit(random), unit(random)};
    for (const auto factor : kRising) {
      SeedFactors more = f;
      more.*factor = std::min(1.0, f.*factor + unit(random));
      EXPECT_GE(SeedScore(more, {}), SeedScore(f, {}));
      EXPECT_GE(SeedEvidence(more, {}), SeedEvidence(f, {}));
    }
    SeedFactors more = f;
    more.recent = 1;
    EXPECT_LE(SeedScore(more, {}), SeedScore(f, {}));
    EXPECT_EQ(SeedEvidence(more, {}), SeedEvidence(f, {}));
  }
}

}  // namespace
}  // namespace souvenance::scoring
