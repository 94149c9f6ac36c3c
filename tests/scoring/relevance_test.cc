#include "scoring/relevance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace souvenance::scoring {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Timestamp kDay = FromMicros(1'683'504'000'000'000);  // 2023-05-08
using std::chrono::days;
using std::chrono::hours;

double SumOfParts(const RelevanceParts& p) {
  return p.literal + p.context + p.session + p.speaker + p.when + p.semantic + p.date + p.link +
         p.activation + p.tag + p.emotion;
}

// Three turns: "where did you move to?" (a question that has the cue's words), its answer, which
// has none, by the speaker that the cue names, and a remark from another session.
std::vector<RelevanceInput> WorkedPool() {
  std::vector<RelevanceInput> pool(3);
  pool[0] = {.bm25 = 4, .session = 5};
  pool[1] = {.previous = 4,
             .previous_asks = true,
             .session = 5,
             .speaker_named = true,
             .link = 1,
             .activation = 0.125};
  pool[2] = {.bm25 = 1, .semantic = 0.5, .tag = 0.5};
  return pool;
}

// Worked by hand in docs/formulas/relevance.md, "Worked example".
TEST(Relevance, ScoresWordsAsInTheWorkedExample) {
  const auto pool = WorkedPool();
  EXPECT_NEAR(ContextWordScore(pool[0], {}), 5.0, 1e-12);   // 4 + 0.2 × 5
  EXPECT_NEAR(ContextWordScore(pool[1], {}), 4.94, 1e-12);  // (0.7 × 4 + 1) × 1.3
  EXPECT_NEAR(ContextWordScore(pool[2], {}), 1.0, 1e-12);
}

TEST(Relevance, MatchesTheWorkedExample) {
  const auto parts = HybridRelevance(WorkedPool(), {});
  ASSERT_EQ(parts.size(), 3u);
  // Sums: 5/5 = 1; 4.94/5 + 0.3 × 1 + 2 × 0.5 = 2.288; 1/5 + 0.2 × 0.5 + 2/3 × 0.5 = 0.6333…
  EXPECT_NEAR(parts[0].relevance, 1 / 2.288, 1e-12);
  EXPECT_EQ(parts[1].relevance, 1);
  EXPECT_NEAR(parts[2].relevance, (19.0 / 30) / 2.288, 1e-12);
  EXPECT_NEAR(parts[0].literal, 0.8 / 2.288, 1e-12);
  EXPECT_NEAR(parts[0].session, 0.2 / 2.288, 1e-12);
  EXPECT_EQ(parts[1].literal, 0);
  EXPECT_NEAR(parts[1].context, 0.56 / 2.288, 1e-12);   // 2.8 / 5
  EXPECT_NEAR(parts[1].session, 0.2 / 2.288, 1e-12);    // 1 / 5
  EXPECT_NEAR(parts[1].speaker, 0.228 / 2.288, 1e-12);  // 0.3 × 3.8 / 5
  EXPECT_NEAR(parts[1].link, 0.3 / 2.288, 1e-12);
  EXPECT_NEAR(parts[1].activation, 1 / 2.288, 1e-12);
  EXPECT_NEAR(parts[2].semantic, 0.1 / 2.288, 1e-12);
  EXPECT_NEAR(parts[2].tag, (1.0 / 3) / 2.288, 1e-12);
}

// docs/formulas/relevance.md, "Neighbours": each weight in its own place.
TEST(Relevance, GivesEachNeighbourItsWeight) {
  EXPECT_NEAR(ContextWordScore({.previous = 10}, {}), 3, 1e-12);
  EXPECT_NEAR(ContextWordScore({.previous = 10, .previous_asks = true}, {}), 7, 1e-12);
  EXPECT_NEAR(ContextWordScore({.before_previous = 10}, {}), 2, 1e-12);
  EXPECT_NEAR(ContextWordScore({.next = 10}, {}), 3, 1e-12);
  EXPECT_NEAR(ContextWordScore({.after_next = 10}, {}), 1.5, 1e-12);
  EXPECT_NEAR(ContextWordScore({.session = 10}, {}), 2, 1e-12);
  EXPECT_NEAR(ContextWordScore({.bm25 = 10, .speaker_named = true, .when_matches = true}, {}), 16.9,
              1e-12);
}

TEST(Relevance, IsZeroWithoutEvidenceAndEmptyWithoutCandidates) {
  EXPECT_TRUE(HybridRelevance({}, {}).empty());
  for (const RelevanceParts& p : HybridRelevance(std::vector<RelevanceInput>(5), {})) {
    EXPECT_EQ(p.relevance, 0);
    EXPECT_EQ(SumOfParts(p), 0);
  }
}

// docs/formulas/relevance.md, "Date": added, since a multiplier could not lift this item.
TEST(Relevance, LiftsAnItemWithoutASharedWordByItsDate) {
  const std::vector<RelevanceInput> pool = {{.bm25 = 3}, {.date = 1.0}, {.bm25 = 1, .date = 0.4}};
  const auto parts = HybridRelevance(pool, {});
  EXPECT_NEAR(parts[1].relevance, 1, 1e-12);
  EXPECT_NEAR(parts[2].relevance, 1.0 / 3 + 0.4, 1e-12);
}

// docs/formulas/relevance.md, "Date".
struct DateCase {
  const char* name;
  Timestamp time;
  TimeSpan window;
  double expected;
};
const DateCase kDateCases[] = {
    {"OnTheDay", kDay + hours{13}, {kDay, kDay + days{1}}, 1.0},
    {"AtItsFirstInstant", kDay, {kDay, kDay + days{1}}, 1.0},
    {"AtItsEnd", kDay + days{1}, {kDay, kDay + days{1}}, 0.4},
    {"JustBefore", kDay - Duration{1}, {kDay, kDay + days{1}}, 0},
    {"InTheMonth", kDay + days{20}, {kDay, kDay + days{31}}, 0.4},
    {"SixDaysAfterTheMonth", kDay + days{37}, {kDay, kDay + days{31}}, 0.4},
    {"SevenDaysAfterTheMonth", kDay + days{38}, {kDay, kDay + days{31}}, 0},
    {"AnEmptyWindow", kDay, {kDay, kDay}, 0},
    {"AllOfTime", kDay, {kBeginningOfTime, kEndOfTime}, 0.4},
    {"AfterAWindowAtTheEndOfTime", kEndOfTime, {kDay, kEndOfTime}, 0.4},
};
TEST(Relevance, ReadsADateAgainstTheCuesWindow) {
  for (const DateCase& c : kDateCases) {
    EXPECT_EQ(DateTerm(c.time, c.window, {}), c.expected) << c.name;
  }
}

// docs/formulas/relevance.md, "Link".
TEST(Relevance, LetsALinkFadeOverFourTurns) {
  EXPECT_EQ(LinkTerm(0, {}), 1);
  EXPECT_DOUBLE_EQ(LinkTerm(1, {}), 0.8);
  EXPECT_DOUBLE_EQ(LinkTerm(4, {}), 0.4096);
  EXPECT_EQ(LinkTerm(5, {}), 0);
}

// docs/formulas/relevance.md, "Score".
TEST(Relevance, LetsAgeMoveAScoreByATenthAndUseByAFifth) {
  EXPECT_DOUBLE_EQ(HybridScore(0.5, 1, 1, 0, {}), 0.6);
  EXPECT_DOUBLE_EQ(HybridScore(0.5, 0, 0, 1, {}), 0.3);
  EXPECT_NEAR(HybridScore(0.5, 0.6, 0.3, 0.5, {}), 0.5 + 0.05 - 0.1, 1e-12);
  EXPECT_EQ(HybridScore(1, 0, 0, 0, {}), 1);
}

class RandomPool {
 public:
  RelevanceInput Next() {
    RelevanceInput in;
    for (double* score :
         {&in.bm25, &in.previous, &in.before_previous, &in.next, &in.after_next, &in.session}) {
      *score = Flip() ? 0 : 12 * unit_(random_);
    }
    in.previous_asks = Flip();
    in.speaker_named = Flip();
    in.when_matches = Flip();
    for (double* term : {&in.semantic, &in.date, &in.link, &in.activation, &in.tag, &in.emotion}) {
      *term = Flip() ? 0 : unit_(random_);
    }
    return in;
  }
  std::vector<RelevanceInput> Pool() {
    std::vector<RelevanceInput> pool(1 + random_() % 20);
    for (RelevanceInput& in : pool) in = Next();
    return pool;
  }
  double Unit() { return unit_(random_); }
  std::mt19937_64& random() { return random_; }

 private:
  bool Flip() { return random_() % 2 == 0; }
  std::mt19937_64 random_{3};
  std::uniform_real_distribution<double> unit_{0, 1};
};

TEST(Relevance, PartsAreInRangeAndAddUpAndTheBestIsOne) {
  RandomPool pools;
  for (int round = 0; round < 2000; ++round) {
    const auto parts = HybridRelevance(pools.Pool(), {});
    double best = 0;
    for (const RelevanceParts& p : parts) {
      EXPECT_NEAR(SumOfParts(p), p.relevance, 1e-12);
      for (const double part : {p.literal, p.context, p.session, p.speaker, p.when, p.semantic,
                                p.date, p.link, p.activation, p.tag, p.emotion, p.relevance}) {
        EXPECT_GE(part, 0);
        EXPECT_LE(part, 1);
      }
      best = std::max(best, p.relevance);
    }
    EXPECT_TRUE(best == 1 || best == 0);
  }
}

TEST(Relevance, NeverFallsForAnItemWhoseEvidenceGrows) {
  RandomPool pools;
  constexpr double RelevanceInput::*kEvidence[] = {
      &RelevanceInput::bm25,    &RelevanceInput::previous,   &RelevanceInput::next,
      &RelevanceInput::session, &RelevanceInput::semantic,   &RelevanceInput::date,
      &RelevanceInput::link,    &RelevanceInput::activation, &RelevanceInput::tag};
  for (int round = 0; round < 3000; ++round) {
    auto pool = pools.Pool();
    const std::size_t item = pools.random()() % pool.size();
    const double before = HybridRelevance(pool, {})[item].relevance;
    const auto member = kEvidence[static_cast<std::size_t>(round) % std::size(kEvidence)];
    pool[item].*member += pools.Unit() * (round % 9 == 0 ? 20 : 0.5);
    EXPECT_GE(HybridRelevance(pool, {})[item].relevance, before - 1e-12);
  }
}

TEST(Relevance, GivesTheSameBitsWhateverThePlaceInThePool) {
  RandomPool pools;
  for (int round = 0; round < 500; ++round) {
    const auto pool = pools.Pool();
    std::vector<std::size_t> order(pool.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), pools.random());
    std::vector<RelevanceInput> shuffled;
    for (const std::size_t i : order) shuffled.push_back(pool[i]);
    const auto parts = HybridRelevance(pool, {});
    const auto moved = HybridRelevance(shuffled, {});
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(moved[i].relevance),
                std::bit_cast<std::uint64_t>(parts[order[i]].relevance));
    }
  }
}

TEST(Relevance, StaysInRangeForWhatIsNoNumber) {
  for (const double odd : {kNan, kInf, -kInf, -1.0, 1e308, -1e308, 5e-324}) {
    RelevanceInput in = {odd,  odd, odd, odd, odd, true, odd, true,
                         true, odd, odd, odd, odd, odd,  odd};
    const std::vector<RelevanceInput> pool = {in, {.bm25 = 1}, {}};
    RelevanceWeights w;
    for (const bool odd_weights : {false, true}) {
      if (odd_weights) {
        w = {odd, odd, odd, odd, odd, odd, odd, odd, odd, odd, odd, odd, odd, odd, odd, odd};
      }
      EXPECT_TRUE(std::isfinite(ContextWordScore(in, w)));
      for (const RelevanceParts& p : HybridRelevance(pool, w)) {
        EXPECT_GE(p.relevance, 0) << odd;
        EXPECT_LE(p.relevance, 1) << odd;
        EXPECT_TRUE(std::isfinite(SumOfParts(p))) << odd;
      }
    }
    EXPECT_GE(HybridScore(odd, odd, odd, odd, {}), -0.2);
    EXPECT_LE(HybridScore(odd, odd, odd, odd, {}), 1.1 + 1e-12);
    EXPECT_TRUE(std::isfinite(HybridScore(1, 1, 1, 1, {odd, odd, odd})));
  }
}

}  // namespace
}  // namespace souvenance::scoring
