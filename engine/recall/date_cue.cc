#include "engine/recall/date_cue.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace souvenance::recall {
namespace {

namespace chr = std::chrono;

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};
constexpr int kFirstYear = 1000;
constexpr int kLastYear = 2999;

struct Piece {
  enum class Kind { kNumber, kMonth, kYearSign, kMonthSign, kDaySign, kDash, kOther };
  Kind kind = Kind::kOther;
  int number = 0;
  int digits = 0;
};

// English months in full, or by their first three letters ("sept" too).
int MonthNumber(const std::string& word) {
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (word == kMonths[i] || word == kMonths[i].substr(0, 3)) return static_cast<int>(i) + 1;
  }
  return word == "sept" ? 9 : 0;
}

bool IsOrdinalSuffix(const std::string& word) {
  return word == "st" || word == "nd" || word == "rd" || word == "th";
}

std::vector<Piece> Split(std::string_view text) {
  std::vector<Piece> pieces;
  const auto at = [&](std::size_t i, std::string_view sign) {
    return text.substr(i, sign.size()) == sign;
  };
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (std::isdigit(c)) {
      Piece piece{Piece::Kind::kNumber, 0, 0};
      while (i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]))) {
        if (piece.digits < 8) piece.number = piece.number * 10 + (text[i] - '0');
        ++piece.digits;
        ++i;
      }
      pieces.push_back(piece);
    } else if (std::isalpha(c)) {
      std::string word;
      while (i < text.size() && std::isalpha(static_cast<unsigned char>(text[i]))) {
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i++])));
      }
      if (word == "of" || IsOrdinalSuffix(word)) continue;  // "7th of May"
      const int month = MonthNumber(word);
      pieces.push_back(month != 0 ? Piece{Piece::Kind::kMonth, month, 0} : Piece{});
    } else if (at(i, "年")) {
      pieces.push_back({Piece::Kind::kYearSign, 0, 0});
      i += 3;
    } else if (at(i, "月")) {
      pieces.push_back({Piece::Kind::kMonthSign, 0, 0});
      i += 3;
    } else if (at(i, "日") || at(i, "号") || at(i, "號")) {
      pieces.push_back({Piece::Kind::kDaySign, 0, 0});
      i += 3;
    } else if (text[i] == '-' || text[i] == '/') {
      pieces.push_back({Piece::Kind::kDash, 0, 0});
      ++i;
    } else {
      if (text[i] != ' ' && text[i] != ',' && text[i] != '\n' && text[i] != '\t') {
        pieces.push_back({});
      }
      ++i;
    }
  }
  return pieces;
}

class Parser {
 public:
  explicit Parser(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {}

  std::vector<DateCue> All() {
    std::vector<DateCue> dates;
    while (at_ < pieces_.size()) {
      DateCue date;
      if (Iso(&date) || Chinese(&date) || English(&date) || Year(&date)) {
        if (std::find(dates.begin(), dates.end(), date) == dates.end()) dates.push_back(date);
      } else {
        ++at_;
      }
    }
    return dates;
  }

 private:
  using Kind = Piece::Kind;

  const Piece* Peek(std::size_t ahead) const {
    return at_ + ahead < pieces_.size() ? &pieces_[at_ + ahead] : nullptr;
  }
  bool Is(std::size_t ahead, Kind kind) const {
    return Peek(ahead) != nullptr && Peek(ahead)->kind == kind;
  }
  bool IsYear(std::size_t ahead) const {
    return Is(ahead, Kind::kNumber) && Peek(ahead)->digits == 4 &&
           Peek(ahead)->number >= kFirstYear && Peek(ahead)->number <= kLastYear;
  }
  bool IsIn(std::size_t ahead, int low, int high) const {
    return Is(ahead, Kind::kNumber) && Peek(ahead)->digits <= 2 && Peek(ahead)->number >= low &&
           Peek(ahead)->number <= high;
  }
  unsigned Number(std::size_t ahead) const { return static_cast<unsigned>(Peek(ahead)->number); }

  bool Iso(DateCue* date) {
    if (!IsYear(0) || !Is(1, Kind::kDash) || !IsIn(2, 1, 12)) return false;
    date->year = Peek(0)->number;
    date->month = Number(2);
    std::size_t used = 3;
    if (Is(3, Kind::kDash) && IsIn(4, 1, 31)) {
      date->day = Number(4);
      used = 5;
    }
    at_ += used;
    return true;
  }

  bool Chinese(DateCue* date) {
    std::size_t used = 0;
    if (IsYear(0) && Is(1, Kind::kYearSign)) {
      date->year = Peek(0)->number;
      used = 2;
    }
    if (IsIn(used, 1, 12) && Is(used + 1, Kind::kMonthSign)) {
      date->month = Number(used);
      used += 2;
      if (IsIn(used, 1, 31)) {
        date->day = Number(used);
        ++used;
        if (Is(used, Kind::kDaySign)) ++used;
      }
    }
    at_ += used;
    return used > 0;
  }

  bool English(DateCue* date) {
    std::size_t used = 0;
    if (IsIn(0, 1, 31) && Is(1, Kind::kMonth)) {
      date->day = Number(0);
      date->month = Number(1);
      used = 2;
    } else if (Is(0, Kind::kMonth)) {
      date->month = Number(0);
      used = 1;
      if (IsIn(1, 1, 31)) {
        date->day = Number(1);
        used = 2;
      }
    } else {
      return false;
    }
    if (IsYear(used)) {
      date->year = Peek(used)->number;
      ++used;
    }
    // "may" alone is a verb as a rule, and "march" may be one: without a day or a year they name
    // no month.
    const bool bare = used == 1;
    const unsigned month = *date->month;
    at_ += used;
    return !(bare && (month == 5 || month == 3));
  }

  bool Year(DateCue* date) {
    if (!IsYear(0)) return false;
    date->year = Peek(0)->number;
    ++at_;
    return true;
  }

  std::vector<Piece> pieces_;
  std::size_t at_ = 0;
};

void AppendWindows(const DateCue& date, int item_year, std::vector<TimeSpan>* windows) {
  const int last = date.year.value_or(item_year);
  for (int y = date.year ? last : last - 1; y <= last; ++y) {
    const chr::year_month month = chr::year{y} / chr::month{date.month.value_or(1)};
    chr::sys_days first{month / 1};
    chr::sys_days past = date.month ? chr::sys_days{(month + chr::months{1}) / 1}
                                    : chr::sys_days{chr::year{y + 1} / chr::January / 1};
    if (date.day) {
      const chr::year_month_day named = month / chr::day{*date.day};
      if (!named.ok()) continue;
      first = chr::sys_days{named};
      past = first + chr::days{1};
    }
    windows->push_back({Timestamp{first}, Timestamp{past}});
  }
}

}  // namespace

std::vector<DateCue> FindDates(std::string_view text) { return Parser(Split(text)).All(); }

std::vector<TimeSpan> Windows(const std::vector<DateCue>& dates, Timestamp event_time) {
  std::vector<TimeSpan> windows;
  // The calendar of <chrono> does not reach as far as the clock does.
  constexpr Timestamp kFirst{chr::sys_days{chr::year{-30000} / chr::January / 1}};
  constexpr Timestamp kLast{chr::sys_days{chr::year{30000} / chr::January / 1}};
  if (event_time < kFirst || event_time > kLast) return windows;
  const chr::year_month_day item{chr::floor<chr::days>(event_time)};
  for (const DateCue& date : dates) {
    AppendWindows(date, static_cast<int>(item.year()), &windows);
  }
  return windows;
}

}  // namespace souvenance::recall
