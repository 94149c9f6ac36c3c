#include "scoring/budget.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace souvenance::scoring {
namespace {

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();

std::vector<std::size_t> Granted(const std::vector<PackResult>& results) {
  std::vector<std::size_t> tokens;
  for (const PackResult& r : results) tokens.push_back(r.tokens);
  return tokens;
}

// Worked by hand from docs/formulas/budget.md, "Tokens".
struct TokenCase {
  const char* name;
  const char* text;
  std::size_t expected;
};
const TokenCase kTokenCases[] = {
    {"Empty", "", 0},
    {"White", " \t\n\xe3\x80\x80", 0},  // with an ideographic space
    {"AFourLetterWord", "cats", 1},
    {"AFiveLetterWord", "Alice", 2},                    // 5 / 4, rounded up
    {"EnglishSentence", "Alice likes tea, a lot.", 9},  // 2 + 2 + 1 + , + 1 + 1 + .
    {"AnApostrophe", "don't", 3},                       // don ' t
    {"AYear", "2023", 2},
    {"AVersion", "v2.3.1", 6},
    {"ChineseSentence", "我喜欢爬山。", 6},
    {"Mixed", "Alice 喜欢 Bob", 5},  // 2 + 2 + 1
    {"Glued", "我爱OpenAI", 4},      // 2 + 6 / 4, rounded up
    {"Kana", "カタカナ", 4},
    {"Hangul", "한국어", 3},
    {"Cyrillic", "привет", 2},
    {"CombiningAccentStaysInTheWord", "cafe\xcc\x81s", 2},  // 6 / 4: e and its accent are two
    {"AnEmoji", "😀", 1},
    {"AFamilyJoinedByZeroWidthJoiners", "👨‍👩‍👧", 5},
    {"FullWidth", "ＡＢＣＤ１２３", 2},
};
TEST(EstimateTokens, CountsPerScript) {
  for (const TokenCase& c : kTokenCases) EXPECT_EQ(EstimateTokens(c.text), c.expected) << c.name;
}

TEST(EstimateTokens, CountsEachInvalidByteOnce) {
  EXPECT_EQ(EstimateTokens("\xff"), 1u);
  EXPECT_EQ(EstimateTokens("ab\xff"
                           "cd"),
            3u);                                      // the byte parts two words
  EXPECT_EQ(EstimateTokens("\xe6\x88"), 2u);          // a character cut short
  EXPECT_EQ(EstimateTokens("\xc0\xaf"), 2u);          // overlong
  EXPECT_EQ(EstimateTokens("\xe0\x80\xaf"), 3u);      // overlong
  EXPECT_EQ(EstimateTokens("\xed\xa0\x80"), 3u);      // a surrogate
  EXPECT_EQ(EstimateTokens("\xf4\x90\x80\x80"), 4u);  // beyond U+10FFFF
  EXPECT_EQ(EstimateTokens("\xf0\x9f\x98"), 3u);      // an emoji cut short
  EXPECT_EQ(EstimateTokens("\xe6"
                           "ab"),
            2u);                                               // a lead byte before letters
  EXPECT_EQ(EstimateTokens("\xe6我"), 2u);                     // the next character is not eaten
  EXPECT_EQ(EstimateTokens(std::string_view("a\0b", 3)), 3u);  // NUL is a sign
}

TEST(EstimateTokens, NeverFallsWhenAWholeWordIsAdded) {
  std::string text;
  std::size_t last = 0;
  for (const char* word : {"one ", "我 ", "42 ", "😀 ", "\xff ", "x ", "été "}) {
    text += word;
    EXPECT_GT(EstimateTokens(text), last);
    last = EstimateTokens(text);
  }
}

// Worked by hand in docs/formulas/budget.md, "Worked example".
TEST(Pack, MatchesTheWorkedExample) {
  const PackItem items[] = {
      {Section::kMemories, 40, 40}, {Section::kMemories, 120, 20}, {Section::kMemories, 30, 30},
      {Section::kIdentity, 15, 15}, {Section::kRecent, 12, 12},    {Section::kRecent, 12, 12},
      {Section::kEvidence, 10, 10},
  };
  // Of 100: identity 10 (15 does not fit), recent 20 (12 does, the second not), facts none,
  // evidence 5 (10 does not). Memories have the 88 left: 40, then half of 48 for the long one (24),
  // the next (30) does not fit into 24; the 24 go back to the long one.
  const auto results = Pack(items, 100, 10, {});
  EXPECT_EQ(Granted(results), (std::vector<std::size_t>{40, 48, 0, 0, 12, 0, 0}));
  EXPECT_EQ(results[2].reason, PackReason::kBudget);
  EXPECT_EQ(results[0].reason, PackReason::kPacked);
}

TEST(Pack, SkipsWhatIsTooLongAndGoesOn) {
  const PackItem items[] = {
      {Section::kMemories, 30, 30}, {Section::kMemories, 80, 80}, {Section::kMemories, 20, 20}};
  EXPECT_EQ(Granted(Pack(items, 50, 10, {})), (std::vector<std::size_t>{30, 0, 20}));
}

TEST(Pack, GivesWhatASectionLeavesToTheMemoriesFirstAndThenInOrder) {
  const PackItem memories_first[] = {{Section::kRecent, 60, 60}, {Section::kMemories, 90, 90}};
  EXPECT_EQ(Granted(Pack(memories_first, 100, 10, {})), (std::vector<std::size_t>{0, 90}));
  const PackItem in_order[] = {
      {Section::kFacts, 60, 60}, {Section::kRecent, 60, 60}, {Section::kMemories, 30, 30}};
  EXPECT_EQ(Granted(Pack(in_order, 100, 10, {})), (std::vector<std::size_t>{0, 60, 30}));
}

TEST(Pack, ExcerptsTheBestMemoryRatherThanLosingIt) {
  // Identity and recent turns would take everything but 5.
  const PackItem items[] = {
      {Section::kIdentity, 50, 50}, {Section::kRecent, 45, 45}, {Section::kMemories, 500, 20}};
  const BudgetShares shares = {{0.5, 0.45, 0, 0, 0.05}};
  const auto results = Pack(items, 100, 10, shares);
  EXPECT_EQ(results[2].reason, PackReason::kPacked);
  EXPECT_GE(results[2].tokens, 20u);
  // One slot: it is the memory's.
  EXPECT_EQ(Granted(Pack(items, 100, 1, shares)), (std::vector<std::size_t>{0, 0, 100}));
}

TEST(Pack, SaysWhyAnItemIsOut) {
  const PackItem items[] = {
      {Section::kMemories, 10, 10}, {Section::kMemories, 10, 10}, {Section::kMemories, 500, 500}};
  const auto results = Pack(items, 100, 1, {});
  EXPECT_EQ(results[0].reason, PackReason::kPacked);
  EXPECT_EQ(results[1].reason, PackReason::kItemLimit);
  EXPECT_EQ(results[2].reason, PackReason::kBudget);
}

TEST(Pack, PacksNothingIntoNothing) {
  const PackItem items[] = {{Section::kMemories, 10, 1}, {Section::kFacts, 0, 0}};
  for (const PackResult& r : Pack(items, 0, 10, {})) {
    EXPECT_EQ(r.reason, PackReason::kBudget);
    EXPECT_EQ(r.tokens, 0u);
  }
  for (const PackResult& r : Pack(items, 10, 0, {})) {
    EXPECT_EQ(r.reason, PackReason::kItemLimit);
    EXPECT_EQ(r.tokens, 0u);
  }
  EXPECT_TRUE(Pack({}, 100, 10, {}).empty());
}

TEST(Pack, RoundsASharePercentAsMeant) {
  // 0.29 × 100 is a hair under 29 in binary.
  const PackItem items[] = {{Section::kFacts, 29, 29}, {Section::kMemories, 72, 1}};
  EXPECT_EQ(Granted(Pack(items, 100, 10, {{0, 0, 0.5, 0.29, 0}})),
            (std::vector<std::size_t>{29, 71}));
}

TEST(Pack, SurvivesHugeNumbers) {
  const PackItem items[] = {
      {Section::kMemories, kHuge, 1}, {Section::kFacts, kHuge, kHuge}, {Section::kRecent, 7, 9}};
  const BudgetShares all = {{1, 1, 1, 1, 1}};
  const auto results = Pack(items, kHuge, kHuge, all);
  EXPECT_EQ(results[2].tokens, 7u);  // min_tokens above tokens means the whole
  EXPECT_EQ(results[0].tokens, kHuge - 7);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Pack(items, 50, 5, {{nan, nan, nan, nan, nan}})[0].reason, PackReason::kPacked);
}

class RandomPool {
 public:
  explicit RandomPool(std::uint64_t seed) : random_(seed) {
    items.resize(random_() % 30);
    for (PackItem& item : items) {
      item.section = static_cast<Section>(random_() % kSections);
      item.tokens = random_() % (random_() % 4 == 0 ? 2000 : 120);
      item.min_tokens = random_() % 2 == 0 ? item.tokens : random_() % (item.tokens + 1);
    }
    budget = random_() % 1500;
    max_items = random_() % 20;
    double left = 1;
    for (double& share : shares.share) {
      share = left * static_cast<double>(random_() % 101) / 100;
      left -= share;
    }
  }

  std::vector<PackItem> items;
  std::size_t budget = 0;
  std::size_t max_items = 0;
  BudgetShares shares;

 private:
  std::mt19937_64 random_;
};

TEST(Pack, KeepsItsPromisesOnTenThousandRandomPools) {
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    const RandomPool pool(seed);
    const auto results = Pack(pool.items, pool.budget, pool.max_items, pool.shares);
    ASSERT_EQ(results.size(), pool.items.size());
    std::size_t tokens = 0;
    std::size_t packed = 0;
    bool best_seen = false;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const PackItem& item = pool.items[i];
      const PackResult& r = results[i];
      tokens += r.tokens;
      if (r.reason == PackReason::kPacked) {
        ++packed;
        ASSERT_LE(r.tokens, item.tokens) << seed;
        ASSERT_GE(r.tokens, std::min(item.min_tokens, item.tokens)) << seed;
      } else {
        ASSERT_EQ(r.tokens, 0u) << seed;
      }
      if (item.section == Section::kMemories && !best_seen) {
        best_seen = true;
        if (pool.max_items > 0 && pool.budget > 0 && item.min_tokens <= pool.budget &&
            item.min_tokens > 0) {
          ASSERT_EQ(r.reason, PackReason::kPacked) << seed;
        }
      }
    }
    ASSERT_LE(tokens, pool.budget) << seed;
    ASSERT_LE(packed, pool.max_items) << seed;
    // What is left fits nobody who was turned away for the budget, and no excerpt is cut shorter
    // than it need be.
    for (std::size_t i = 0; i < results.size() && pool.max_items > packed; ++i) {
      const PackItem& item = pool.items[i];
      if (pool.budget == 0) break;
      if (results[i].reason != PackReason::kPacked) {
        ASSERT_GT(std::max<std::size_t>(item.min_tokens, 1), pool.budget - tokens) << seed;
      } else if (results[i].tokens < item.tokens) {
        ASSERT_EQ(tokens, pool.budget) << seed;
      }
    }
    const auto again = Pack(pool.items, pool.budget, pool.max_items, pool.shares);
    ASSERT_EQ(Granted(again), Granted(results)) << seed;
  }
}

TEST(Pack, GrowsTheBestMemoryNeverLessWithALargerBudget) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const PackItem items[] = {{Section::kMemories, 50 + seed % 200, 10}};
    const std::size_t small = Pack(items, 10 + seed % 90, 3, {})[0].tokens;
    const std::size_t large = Pack(items, 11 + seed % 90, 3, {})[0].tokens;
    EXPECT_LE(small, large);
  }
}

}  // namespace
}  // namespace souvenance::scoring
