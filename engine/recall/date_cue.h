// Dates that a cue names. docs/formulas/date.md.
#pragma once

#include <souvenance/time.h>

#include <optional>
#include <string_view>
#include <vector>

namespace souvenance::recall {

// A year, month and day, each known or not: "7 May 2023", "May 2023", "5月7日", "in 2022".
// A day without a year is any year's.
struct DateCue {
  std::optional<int> year;
  std::optional<unsigned> month;
  std::optional<unsigned> day;
  bool operator==(const DateCue&) const = default;
};

// Every date in an English or Chinese text, in order of appearance, each once.
std::vector<DateCue> FindDates(std::string_view text);

// The spans that the dates name as seen from an item's time: a date without a year is asked of
// the item's own year and of the one before it.
std::vector<TimeSpan> Windows(const std::vector<DateCue>& dates, Timestamp event_time);

}  // namespace souvenance::recall
