// Time: UTC microseconds since 1970. Every interval is half open, [from, to).
#pragma once

#include <souvenance/error.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace souvenance {

using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;  // UTC
using Duration = std::chrono::microseconds;

inline constexpr Timestamp kBeginningOfTime{Duration{std::numeric_limits<std::int64_t>::min()}};
inline constexpr Timestamp kEndOfTime{Duration{std::numeric_limits<std::int64_t>::max()}};

constexpr std::int64_t Micros(Timestamp time) { return time.time_since_epoch().count(); }
constexpr Timestamp FromMicros(std::int64_t us) { return Timestamp{Duration{us}}; }

// The whole of what a text names: an instant is one microsecond long, a date a day, a bare year a
// year. As a start it means `first`, as an end `past_last` ("1964" as an end holds through 1964).
struct TimeSpan {
  Timestamp first;
  Timestamp past_last;
};

namespace time_internal {
inline bool Digits(std::string_view text, std::size_t at, std::size_t count, int* out) {
  if (at + count > text.size()) return false;
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    value = value * 10 + (text[i] - '0');
  }
  *out = value;
  return true;
}
}  // namespace time_internal

// Reads RFC 3339 ("2023-05-08T13:56:00Z", offsets and fractions allowed, "T" or a space between,
// seconds optional), a date ("2023-05-08"), a month ("2023-05") or a year ("360", "1964",
// "-44"). Without an offset the time is UTC. A leap second reads as the second after it.
//
// Errors: kInvalidArgument  the text is none of these, or names no day of the calendar.
inline Result<TimeSpan> ParseTime(std::string_view text) {
  namespace chr = std::chrono;
  const std::string_view whole = text;
  const auto fail = [&]() -> Result<TimeSpan> {
    return Fail(ErrorCode::kInvalidArgument,
                "time: \"" + std::string(whole.substr(0, 64)) + "\" is no time",
                "use RFC 3339 (2023-05-08T13:56:00Z), a date (2023-05-08) or a year (2023)");
  };
  bool negative = false;
  if (!text.empty() && text[0] == '-') {
    negative = true;
    text.remove_prefix(1);
  }
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  if (digits == 0 || digits > 5) return fail();
  int year_number = 0;
  time_internal::Digits(text, 0, digits, &year_number);
  if (negative) year_number = -year_number;
  if (year_number < -32000 || year_number > 32000) return fail();
  const chr::year year{year_number};
  if (digits == text.size()) {
    return TimeSpan{Timestamp{chr::sys_days{year / chr::January / 1}},
                    Timestamp{chr::sys_days{(year + chr::years{1}) / chr::January / 1}}};
  }
  text.remove_prefix(digits);
  int month = 0;
  if (text[0] != '-' || !time_internal::Digits(text, 1, 2, &month) || month < 1 || month > 12) {
    return fail();
  }
  text.remove_prefix(3);
  const chr::year_month year_month = year / chr::month{static_cast<unsigned>(month)};
  if (text.empty()) {
    return TimeSpan{Timestamp{chr::sys_days{year_month / 1}},
                    Timestamp{chr::sys_days{(year_month + chr::months{1}) / 1}}};
  }
  int day = 0;
  if (text[0] != '-' || !time_internal::Digits(text, 1, 2, &day)) return fail();
  const chr::year_month_day date = year_month / chr::day{static_cast<unsigned>(day)};
  if (!date.ok()) return fail();
  text.remove_prefix(3);
  const Timestamp midnight{chr::sys_days{date}};
  if (text.empty()) return TimeSpan{midnight, midnight + chr::days{1}};
  if (text[0] != 'T' && text[0] != 't' && text[0] != ' ') return fail();
  text.remove_prefix(1);
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!time_internal::Digits(text, 0, 2, &hour) || text.size() < 5 || text[2] != ':' ||
      !time_internal::Digits(text, 3, 2, &minute) || hour > 23 || minute > 59) {
    return fail();
  }
  text.remove_prefix(5);
  std::int64_t fraction_us = 0;
  if (!text.empty() && text[0] == ':') {
    if (!time_internal::Digits(text, 1, 2, &second) || second > 60) return fail();
    text.remove_prefix(3);
    if (!text.empty() && text[0] == '.') {
      text.remove_prefix(1);
      std::int64_t unit = 100000;
      std::size_t count = 0;
      while (count < text.size() && text[count] >= '0' && text[count] <= '9') {
        fraction_us += unit * (text[count] - '0');
        unit /= 10;
        ++count;
      }
      if (count == 0) return fail();
      text.remove_prefix(count);
    }
  }
  chr::minutes offset{0};
  if (!text.empty() && (text[0] == 'Z' || text[0] == 'z')) {
    text.remove_prefix(1);
  } else if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    int offset_hour = 0;
    int offset_minute = 0;
    const bool colon = text.size() > 3 && text[3] == ':';
    if (!time_internal::Digits(text, 1, 2, &offset_hour) ||
        !time_internal::Digits(text, colon ? 4 : 3, 2, &offset_minute) || offset_hour > 23 ||
        offset_minute > 59) {
      return fail();
    }
    offset = chr::hours{offset_hour} + chr::minutes{offset_minute};
    if (text[0] == '-') offset = -offset;
    text.remove_prefix(colon ? 6 : 5);
  }
  if (!text.empty()) return fail();
  const Timestamp instant = midnight + chr::hours{hour} + chr::minutes{minute} +
                            chr::seconds{second} + Duration{fraction_us} - offset;
  return TimeSpan{instant, instant + Duration{1}};
}

// RFC 3339 in UTC, "2023-05-08T13:56:00Z", with as many of six fraction digits as are needed.
inline std::string FormatTime(Timestamp time) {
  namespace chr = std::chrono;
  // The calendar of <chrono> ends at year 32767; what lies beyond is shown as its bound.
  constexpr Timestamp kFirst{chr::sys_days{chr::year{-32000} / chr::January / 1}};
  constexpr Timestamp kLast{chr::sys_days{chr::year{32000} / chr::January / 1}};
  time = time < kFirst ? kFirst : (time > kLast ? kLast : time);
  const auto day = chr::floor<chr::days>(time);
  const chr::year_month_day date{day};
  const chr::hh_mm_ss<Duration> clock{time - day};
  const int year = static_cast<int>(date.year());
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%s%04d-%02u-%02uT%02d:%02d:%02d", year < 0 ? "-" : "",
                year < 0 ? -year : year, static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  std::string text = buffer;
  const auto us = clock.subseconds().count();
  if (us != 0) {
    std::snprintf(buffer, sizeof buffer, ".%06lld", static_cast<long long>(us));
    text += buffer;
    while (text.back() == '0') text.pop_back();
  }
  return text + "Z";
}

}  // namespace souvenance
