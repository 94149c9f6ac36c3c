#include "graph/name_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace souvenance::graph {
namespace {

using Words = std::vector<std::string>;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::vector<std::uint32_t>> Link(const NameIndex& index, const Words& words) {
  std::vector<std::vector<std::uint32_t>> out;
  for (const NameHit& hit : index.Link(words)) {
    out.push_back({hit.node, hit.first_word, hit.past_word});
  }
  return out;
}

TEST(NameIndex, FindsNothingWhenItHoldsNothing) {
  const NameIndex index;
  EXPECT_THAT(index.Link(Words{"alice"}), IsEmpty());
  EXPECT_THAT(index.Link(Words{}), IsEmpty());
}

TEST(NameIndex, TakesTheLongestName) {
  NameIndex index;
  index.Add(Words{"new"}, 1);
  index.Add(Words{"new", "york"}, 2);
  index.Add(Words{"new", "york", "times"}, 3);
  EXPECT_THAT(Link(index, {"the", "new", "york", "times", "of", "new", "york"}),
              ElementsAre(ElementsAre(3, 1, 4), ElementsAre(2, 5, 7)));
}

TEST(NameIndex, FallsBackToTheLongestThatIsWhole) {
  NameIndex index;
  index.Add(Words{"a"}, 1);
  index.Add(Words{"a", "b", "c", "d"}, 2);
  index.Add(Words{"b", "c"}, 3);
  // "a b c d" breaks off at x: "a" is taken, and what follows starts its own match.
  EXPECT_THAT(Link(index, {"a", "b", "c", "x"}),
              ElementsAre(ElementsAre(1, 0, 1), ElementsAre(3, 1, 3)));
}

TEST(NameIndex, WordsInsideAMatchStartNoOther) {
  NameIndex index;
  index.Add(Words{"a", "b"}, 1);
  index.Add(Words{"b", "c"}, 2);
  EXPECT_THAT(Link(index, {"a", "b", "c"}), ElementsAre(ElementsAre(1, 0, 2)));
}

TEST(NameIndex, ReturnsEveryNodeOfANameOnceAndAscending) {
  NameIndex index;
  index.Add(Words{"王", "芳"}, 9);
  index.Add(Words{"王", "芳"}, 4);
  index.Add(Words{"王", "芳"}, 9);
  EXPECT_THAT(Link(index, {"我", "见", "王", "芳", "了"}),
              ElementsAre(ElementsAre(4, 2, 4), ElementsAre(9, 2, 4)));
}

TEST(NameIndex, IgnoresAnEmptyName) {
  NameIndex index;
  index.Add(Words{}, 1);
  EXPECT_THAT(index.Link(Words{"", "a"}), IsEmpty());
}

TEST(NameIndex, HoldsANameOfTenThousandWords) {
  NameIndex index;
  const Words words(10000, "la");
  index.Add(words, 5);
  EXPECT_THAT(Link(index, words), ElementsAre(ElementsAre(5, 0, 10000)));
}

}  // namespace
}  // namespace souvenance::graph
