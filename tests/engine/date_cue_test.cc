// Dates that cues name. Worked by hand from docs/formulas/date.md.
#include "engine/recall/date_cue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "scoring/relevance.h"

namespace souvenance::recall {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Timestamp At(std::string_view text) { return ParseTime(text).value().first; }

double Date(std::string_view cue, std::string_view item) {
  double best = 0;
  const scoring::RelevanceWeights weights;
  for (const TimeSpan& window : Windows(FindDates(cue), At(item))) {
    best = std::max(best, scoring::DateTerm(At(item), window, weights));
  }
  return best;
}

TEST(DateCue, ReadsDatesOfBothLanguages) {
  EXPECT_THAT(FindDates("on 7 May 2023"), ElementsAre(DateCue{2023, 5, 7}));
  EXPECT_THAT(FindDates("May 7th, 2023"), ElementsAre(DateCue{2023, 5, 7}));
  EXPECT_THAT(FindDates("the 7th of may"), ElementsAre(DateCue{{}, 5, 7}));
  EXPECT_THAT(FindDates("2023-05-07 and 2024-06"),
              ElementsAre(DateCue{2023, 5, 7}, DateCue{2024, 6, {}}));
  EXPECT_THAT(FindDates("in Sept 2021 or in 2022?"),
              ElementsAre(DateCue{2021, 9, {}}, DateCue{2022, {}, {}}));
  EXPECT_THAT(FindDates("2023年5月7日"), ElementsAre(DateCue{2023, 5, 7}));
  EXPECT_THAT(FindDates("我在5月2号提到"), ElementsAre(DateCue{{}, 5, 2}));
  EXPECT_THAT(FindDates("去了2019年的展览"), ElementsAre(DateCue{2019, {}, {}}));
}

TEST(DateCue, VerbsAndOtherNumbersAreNoDates) {
  for (const char* cue : {"you may go", "they march on", "room 101", "12345678", "3 apples", "",
                          "version 2.3.1", "99月", "十月"}) {
    EXPECT_THAT(FindDates(cue), IsEmpty()) << cue;
  }
}

TEST(DateCue, TheTableOfThePage) {
  EXPECT_EQ(Date("what happened on 7 May 2023?", "2023-05-07T18:00:00Z"), 1.0);
  EXPECT_EQ(Date("what happened on 7 May 2023?", "2023-05-10"), 0.4);
  EXPECT_EQ(Date("what happened on 7 May 2023?", "2023-05-15"), 0);
  EXPECT_EQ(Date("in May 2023", "2023-05-31"), 0.4);
  EXPECT_EQ(Date("5月7日做了什么", "2024-05-07"), 1.0);
  EXPECT_EQ(Date("12月30日", "2024-01-02"), 0.4);
}

TEST(DateCue, ImpossibleDaysAndTimesBeyondTheCalendarMatchNothing) {
  EXPECT_EQ(Date("31 February 2023", "2023-02-28"), 0);
  EXPECT_THAT(Windows(FindDates("in 2023"), kEndOfTime), IsEmpty());
  EXPECT_THAT(Windows(FindDates("in 2023"), kBeginningOfTime), IsEmpty());
}

}  // namespace
}  // namespace souvenance::recall
