// Expected periods are worked by hand from docs/graph.md.
#include "graph/supersession.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace souvenance::graph {
namespace {

Timestamp Day(int day) { return Timestamp{std::chrono::days{day}}; }

constexpr std::uint64_t kA = 100;
constexpr std::uint64_t kB = 200;
constexpr std::uint64_t kC = 300;

Assertion Fact(std::uint64_t id, std::uint64_t object, int from,
               std::optional<int> until = std::nullopt, std::uint64_t sequence = 0) {
  return {id, object, Day(from), until ? Day(*until) : kEndOfTime, sequence == 0 ? id : sequence};
}

struct Expected {
  int from;
  std::optional<int> until;
  bool closed;
};

void ExpectPeriods(const std::vector<Assertion>& facts,
                   const std::map<std::uint64_t, Expected>& expected) {
  const std::vector<Period> periods = ResolveSingleValued(facts);
  ASSERT_EQ(periods.size(), facts.size());
  for (std::size_t i = 0; i < periods.size(); ++i) {
    SCOPED_TRACE("id " + std::to_string(facts[i].id));
    EXPECT_EQ(periods[i].id, facts[i].id);
    const Expected& want = expected.at(facts[i].id);
    EXPECT_EQ(periods[i].valid_at, Day(want.from));
    EXPECT_EQ(periods[i].invalid_at, want.until ? Day(*want.until) : kEndOfTime);
    EXPECT_EQ(periods[i].closed_by_rule, want.closed);
  }
}

std::vector<std::uint64_t> HoldsOn(const std::vector<Assertion>& facts, int day) {
  std::vector<std::uint64_t> ids;
  for (const Period& p : ResolveSingleValued(facts)) {
    if (p.valid_at <= Day(day) && Day(day) < p.invalid_at) ids.push_back(p.id);
  }
  return ids;
}

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Supersession, OfNothingIsNothing) { EXPECT_THAT(ResolveSingleValued({}), IsEmpty()); }

TEST(Supersession, ALaterValueClosesTheEarlierAtItsOwnStart) {
  ExpectPeriods({Fact(1, kA, 10), Fact(2, kB, 20)}, {{1, {10, 20, true}}, {2, {20, {}, false}}});
}

TEST(Supersession, ALateArrivalOfAnEarlierValueIsClosedToo) {
  ExpectPeriods({Fact(1, kB, 20), Fact(2, kA, 10)}, {{1, {20, {}, false}}, {2, {10, 20, true}}});
}

TEST(Supersession, AValueThatEndedBeforeStaysAsAsserted) {
  ExpectPeriods({Fact(1, kA, 10, 15), Fact(2, kB, 20)},
                {{1, {10, 15, false}}, {2, {20, {}, false}}});
}

TEST(Supersession, AnEndThatTouchesIsNotClosedByTheRule) {
  ExpectPeriods({Fact(1, kA, 10, 20), Fact(2, kB, 20)},
                {{1, {10, 20, false}}, {2, {20, {}, false}}});
}

TEST(Supersession, AtEqualTimesTheLaterSequenceWinsAndNothingIsLeftOfTheOther) {
  ExpectPeriods({Fact(1, kA, 10, {}, 8), Fact(2, kB, 10, {}, 7)},
                {{1, {10, {}, false}}, {2, {10, 10, true}}});
}

TEST(Supersession, TheSameObjectDoesNotCloseItsEqual) {
  ExpectPeriods({Fact(1, kA, 10), Fact(2, kA, 20)}, {{1, {10, {}, false}}, {2, {20, {}, false}}});
}

TEST(Supersession, AnEqualBetweenDoesNotShieldFromTheNextOtherValue) {
  ExpectPeriods({Fact(1, kA, 10), Fact(2, kA, 20), Fact(3, kB, 30)},
                {{1, {10, 30, true}}, {2, {20, 30, true}}, {3, {30, {}, false}}});
}

// RELIABILITY D01.
TEST(Supersession, TwoPeriodsOfOneFactStayTwo) {
  const std::vector<Assertion> facts = {Fact(1, kA, 0, 31), Fact(2, kA, 151)};
  ExpectPeriods(facts, {{1, {0, 31, false}}, {2, {151, {}, false}}});
  EXPECT_THAT(HoldsOn(facts, 14), ElementsAre(1));
  EXPECT_THAT(HoldsOn(facts, 59), IsEmpty());
  EXPECT_THAT(HoldsOn(facts, 165), ElementsAre(2));
}

// RELIABILITY D27.
TEST(Supersession, ACorrectionIsAllThatHoldsFromItsTimeOn) {
  const std::vector<Assertion> facts = {Fact(1, kA, 0), Fact(2, kB, 50)};
  EXPECT_THAT(HoldsOn(facts, 49), ElementsAre(1));
  EXPECT_THAT(HoldsOn(facts, 50), ElementsAre(2));
  EXPECT_THAT(HoldsOn(facts, 900), ElementsAre(2));
  EXPECT_EQ(ResolveSingleValued(facts).size(), 2u);  // history lists both
}

TEST(Supersession, AnyOrderOfArrivalOfSixFactsGivesTheSamePeriods) {
  // Disjoint, overlapping, open-ended, the same object twice; no two start together.
  std::vector<Assertion> facts = {
      Fact(1, kA, 0, 5),    // disjoint: ended before anything else began
      Fact(2, kB, 10),      // open-ended: closed by 3
      Fact(3, kA, 20, 60),  // overlaps 4: closed by it
      Fact(4, kC, 30, 35),  // inside 3: ends by itself, and 3 does not come back
      Fact(5, kA, 50),      // the same object as 6: only 6 ends nothing of it
      Fact(6, kA, 70, 80),
  };
  const std::map<std::uint64_t, Expected> expected = {
      {1, {0, 5, false}},   {2, {10, 20, true}},  {3, {20, 30, true}},
      {4, {30, 35, false}}, {5, {50, {}, false}}, {6, {70, 80, false}},
  };
  std::sort(facts.begin(), facts.end(), [](auto& x, auto& y) { return x.id < y.id; });
  std::vector<std::size_t> order(facts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  int permutations = 0;
  do {
    std::vector<Assertion> arrived;
    for (std::size_t i = 0; i < order.size(); ++i) {
      arrived.push_back(facts[order[i]]);
      arrived.back().sequence = i + 1;
    }
    ExpectPeriods(arrived, expected);
    ++permutations;
  } while (std::next_permutation(order.begin(), order.end()) && !HasFailure());
  EXPECT_EQ(permutations, 720);
}

TEST(Supersession, SequenceDecidesOnlyAmongFactsThatStartTogether) {
  // 2, 3 and 4 start together; whichever comes last holds until 5, nothing is left of the others
  // (3 and 4 have one object, so neither closes the other). 1 and 5 and 6 never depend on order.
  const std::vector<Assertion> facts = {Fact(1, kC, 0),  Fact(2, kA, 10), Fact(3, kB, 10),
                                        Fact(4, kB, 10), Fact(5, kC, 20), Fact(6, kC, 30, 40)};
  std::vector<std::size_t> order(facts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    std::vector<Assertion> arrived;
    std::map<std::uint64_t, std::uint64_t> at;
    for (std::size_t i = 0; i < order.size(); ++i) {
      arrived.push_back(facts[order[i]]);
      arrived.back().sequence = i + 1;
      at[arrived.back().id] = i + 1;
    }
    const Expected holds{10, 20, true};
    const Expected nothing{10, 10, true};
    ExpectPeriods(arrived, {{1, {0, 10, true}},
                            {2, at[2] > at[3] && at[2] > at[4] ? holds : nothing},
                            {3, at[3] > at[2] ? holds : nothing},
                            {4, at[4] > at[2] ? holds : nothing},
                            {5, {20, {}, false}},
                            {6, {30, 40, false}}});
  } while (std::next_permutation(order.begin(), order.end()) && !HasFailure());
}

}  // namespace
}  // namespace souvenance::graph
