#include <gtest/gtest.h>
#include <souvenance/time.h>

namespace souvenance {
namespace {

constexpr std::int64_t kSecond = 1000000;
constexpr std::int64_t kDay = 86400 * kSecond;

struct TimeCase {
  const char* text;
  std::int64_t first_us;
  std::int64_t length_us;
};

// Computed with Python's datetime.
const TimeCase kTimes[] = {
    {"1970-01-01T00:00:00Z", 0, 1},
    {"2023-05-08T13:56:00Z", 1683554160000000, 1},
    {"2023-05-08T13:56Z", 1683554160000000, 1},
    {"2023-05-08 13:56:00", 1683554160000000, 1},
    {"2023-05-08t13:56:00z", 1683554160000000, 1},
    {"2023-05-08T15:56:00+02:00", 1683554160000000, 1},
    {"2023-05-08T15:56:00+0200", 1683554160000000, 1},
    {"2023-05-08T08:26:00-05:30", 1683554160000000, 1},
    {"2023-05-08T13:56:00.25Z", 1683554160250000, 1},
    {"2023-05-08T13:56:00.123456789Z", 1683554160123456, 1},
    {"2023-05-08T13:55:60Z", 1683554160000000, 1},
    {"2023-05-08", 1683504000000000, kDay},
    {"2024-02-29", 1709164800000000, kDay},
    {"2024-02", 1706745600000000, 29 * kDay},
    {"1964", -189388800000000, 366 * kDay},
    {"360", -50806742400000000, 366 * kDay},
};

TEST(Time, ReadsInstantsDatesMonthsAndYears) {
  for (const TimeCase& each : kTimes) {
    const auto span = ParseTime(each.text);
    ASSERT_TRUE(span) << each.text;
    EXPECT_EQ(Micros(span->first), each.first_us) << each.text;
    EXPECT_EQ(Micros(span->past_last) - each.first_us, each.length_us) << each.text;
  }
}

TEST(Time, RefusesWhatIsNoTime) {
  for (const char* text : {"",
                           " ",
                           "yesterday",
                           "2023-13",
                           "2023-00",
                           "2023-02-29",
                           "2023-04-31",
                           "2023-5-8",
                           "2023-05-08T",
                           "2023-05-08T24:00:00Z",
                           "2023-05-08T13:60Z",
                           "2023-05-08T13:56:61Z",
                           "2023-05-08T13:56:00.Z",
                           "2023-05-08T13:56:00+2",
                           "2023-05-08T13:56:00Zx",
                           "2023-05-08x",
                           "99999",
                           "123456",
                           "-",
                           "--1",
                           "20230508"}) {
    const auto span = ParseTime(text);
    ASSERT_FALSE(span) << text;
    EXPECT_EQ(span.error().code, ErrorCode::kInvalidArgument) << text;
  }
}

TEST(Time, WritesRfc3339InUtc) {
  EXPECT_EQ(FormatTime(FromMicros(0)), "1970-01-01T00:00:00Z");
  EXPECT_EQ(FormatTime(FromMicros(1683554160000000)), "2023-05-08T13:56:00Z");
  EXPECT_EQ(FormatTime(FromMicros(1683554160250000)), "2023-05-08T13:56:00.25Z");
  EXPECT_EQ(FormatTime(FromMicros(1683554160000001)), "2023-05-08T13:56:00.000001Z");
  EXPECT_EQ(FormatTime(FromMicros(-1)), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(FormatTime(FromMicros(-50806742400000000)), "0360-01-01T00:00:00Z");
}

TEST(Time, ReadsBackWhatItWrites) {
  for (std::int64_t us = -60000000000000000; us < 60000000000000000; us += 777777777777777) {
    const auto span = ParseTime(FormatTime(FromMicros(us)));
    ASSERT_TRUE(span) << us;
    EXPECT_EQ(Micros(span->first), us);
  }
}

TEST(Time, ShowsTheEndsOfTimeAsTheEndsOfTheCalendar) {
  EXPECT_EQ(FormatTime(kEndOfTime), "32000-01-01T00:00:00Z");
  EXPECT_EQ(FormatTime(kBeginningOfTime), "-32000-01-01T00:00:00Z");
}

}  // namespace
}  // namespace souvenance
