#include "index/time_words.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace souvenance::index {
namespace {

using Words = std::vector<std::string_view>;

template <std::size_t kSize>
bool In(const std::string_view (&sorted)[kSize], std::string_view word) {
  return std::binary_search(std::begin(sorted), std::end(sorted), word);
}

template <std::size_t kSize>
bool HoldsAny(std::string_view text, const std::string_view (&phrases)[kSize]) {
  return std::any_of(std::begin(phrases), std::end(phrases), [&](std::string_view phrase) {
    return text.find(phrase) != std::string_view::npos;
  });
}

// What follows "what", "which" or "on what" when a date is asked for.
constexpr std::string_view kAskedUnits[] = {
    "date",   "dates", "day",  "days",    "hour",    "month", "months",
    "season", "time",  "week", "weekday", "weekend", "year",  "years",
};
static_assert(std::is_sorted(std::begin(kAskedUnits), std::end(kAskedUnits)));

// "when" asks at the beginning or behind one of these; elsewhere it mostly joins clauses.
constexpr std::string_view kBeforeWhen[] = {
    "about",  "and",      "by",  "exactly", "from", "know", "me",    "or",
    "recall", "remember", "say", "since",   "so",   "till", "until",
};
static_assert(std::is_sorted(std::begin(kBeforeWhen), std::end(kBeforeWhen)));

constexpr std::string_view kAskedZh[] = {
    "什么时候", "什么时间", "什么日期", "什么日子", "什么年份", "啥时候",   "何时",
    "几时",     "哪天",     "哪一天",   "哪年",     "哪一年",   "哪个月",   "哪一个月",
    "哪月",     "哪日",     "哪个星期", "哪一周",   "哪周",     "几号",     "几月",
    "几点",     "几年几月", "星期几",   "周几",     "礼拜几",   "多久以前", "多久之前",
    "多久前",   "什麼時候", "何時",     "幾號",     "幾月",     "幾點",     "哪個月",
};

constexpr std::string_view kMonths[] = {
    "april", "aug", "august",   "dec", "december", "feb",  "february",  "jan", "january", "july",
    "june",  "nov", "november", "oct", "october",  "sept", "september",
};
static_assert(std::is_sorted(std::begin(kMonths), std::end(kMonths)));

// Months that are other words too: they need a number or a preposition beside them.
constexpr std::string_view kDoubtfulMonths[] = {"apr", "jul", "jun", "mar", "march", "may", "sep"};
static_assert(std::is_sorted(std::begin(kDoubtfulMonths), std::end(kDoubtfulMonths)));

constexpr std::string_view kBeforeMonth[] = {
    "early", "in", "last", "late", "mid", "next", "of", "since", "this", "until",
};
static_assert(std::is_sorted(std::begin(kBeforeMonth), std::end(kBeforeMonth)));

constexpr std::string_view kMoments[] = {
    "ago",          "christmas", "easter",     "friday",    "fridays",   "halloween", "midnight",
    "monday",       "mondays",   "noon",       "saturday",  "saturdays", "sunday",    "sundays",
    "thanksgiving", "thursday",  "thursdays",  "today",     "tomorrow",  "tonight",   "tuesday",
    "tuesdays",     "wednesday", "wednesdays", "yesterday",
};
static_assert(std::is_sorted(std::begin(kMoments), std::end(kMoments)));

constexpr std::string_view kBeforeUnit[] = {
    "coming", "following", "last", "next", "past", "previous", "this",
};
static_assert(std::is_sorted(std::begin(kBeforeUnit), std::end(kBeforeUnit)));

constexpr std::string_view kUnits[] = {
    "afternoon", "autumn",   "century",  "day",    "days",   "decade", "evening", "fall",
    "fri",       "hour",     "hours",    "mon",    "month",  "months", "morning", "night",
    "sat",       "semester", "spring",   "summer", "sun",    "thu",    "tue",     "wed",
    "week",      "weekend",  "weekends", "weeks",  "winter", "year",   "years",
};
static_assert(std::is_sorted(std::begin(kUnits), std::end(kUnits)));

constexpr std::string_view kSaidZh[] = {
    "昨天",   "今天",   "明天",   "前天",     "后天",     "昨日",   "今日",   "明日",   "昨晚",
    "今晚",   "明晚",   "今早",   "明早",     "今晨",     "上周",   "下周",   "本周",   "这周",
    "上星期", "下星期", "这星期", "上个星期", "下个星期", "上礼拜", "下礼拜", "周末",   "上月",
    "下月",   "本月",   "这个月", "上个月",   "下个月",   "去年",   "今年",   "明年",   "前年",
    "后年",   "年初",   "年底",   "月初",     "月底",     "星期一", "星期二", "星期三", "星期四",
    "星期五", "星期六", "星期日", "星期天",   "礼拜一",   "礼拜二", "礼拜三", "礼拜四", "礼拜五",
    "礼拜六", "礼拜天", "礼拜日", "周一",     "周二",     "周三",   "周四",   "周五",   "周六",
    "周日",   "天前",   "周前",   "个月前",   "年前",     "小时前", "分钟前", "凌晨",   "早上",
    "上午",   "中午",   "下午",   "傍晚",     "晚上",     "半夜",   "春节",   "中秋",   "国庆",
    "元旦",   "上週",   "下週",   "後天",     "星期幾",
};

// A number right before one of these is a date or a clock time. 分 and 天 are durations.
constexpr std::string_view kAfterNumberZh[] = {"年", "月", "日", "号", "號", "点", "點", "世纪"};

constexpr std::string_view kNumeralsZh[] = {
    "零", "〇", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "两", "廿", "初",
};

bool IsNumber(std::string_view word) {
  return !word.empty() &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool IsYear(std::string_view word) {
  return word.size() == 4 && IsNumber(word) && (word.starts_with("19") || word.starts_with("20"));
}

// 7, 7th, 21st
bool IsDayOfMonth(std::string_view word) {
  for (const std::string_view suffix : {"st", "nd", "rd", "th"}) {
    if (word.ends_with(suffix)) word.remove_suffix(suffix.size());
  }
  return word.size() <= 2 && IsNumber(word);
}

// 7am, 10pm
bool IsClock(std::string_view word) {
  if (!word.ends_with("am") && !word.ends_with("pm")) return false;
  word.remove_suffix(2);
  return word.size() <= 2 && IsNumber(word);
}

Words LatinWords(std::string_view text, std::span<const Piece> pieces) {
  Words words;
  for (const Piece& piece : pieces) {
    if (piece.kind == PieceKind::kAlnum) {
      words.push_back(text.substr(piece.begin, piece.end - piece.begin));
    }
  }
  return words;
}

// 13:56, 8/5/2023, 2023-05-08
bool HasNumericDate(std::string_view text, std::span<const Piece> pieces) {
  const auto number = [&](std::size_t i) {
    return pieces[i].kind == PieceKind::kAlnum && pieces[i].end - pieces[i].begin <= 4 &&
           IsNumber(text.substr(pieces[i].begin, pieces[i].end - pieces[i].begin));
  };
  const auto sign = [&](std::size_t i, char32_t wanted) {
    return pieces[i].kind == PieceKind::kSign && pieces[i].sign == wanted &&
           Touches(pieces[i - 1], pieces[i]) && Touches(pieces[i], pieces[i + 1]);
  };
  for (std::size_t i = 0; i + 2 < pieces.size(); ++i) {
    if (!number(i) || !number(i + 2)) continue;
    if (sign(i + 1, U':') && pieces[i].end - pieces[i].begin <= 2 &&
        pieces[i + 2].end - pieces[i + 2].begin == 2) {
      return true;
    }
    if (i + 4 >= pieces.size() || !number(i + 4)) continue;
    for (const char32_t between : {U'-', U'/', U'.'}) {
      const bool year =
          pieces[i].end - pieces[i].begin == 4 || pieces[i + 4].end - pieces[i + 4].begin == 4;
      if (year && sign(i + 1, between) && sign(i + 3, between)) return true;
    }
  }
  return false;
}

bool SaysWhenEnglish(const Words& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::string_view before = i > 0 ? words[i - 1] : std::string_view();
    const std::string_view after = i + 1 < words.size() ? words[i + 1] : std::string_view();
    if (In(kMoments, word) || In(kMonths, word) || IsYear(word) || IsClock(word)) return true;
    if (In(kDoubtfulMonths, word) &&
        (IsDayOfMonth(before) || IsDayOfMonth(after) || IsYear(after) ||
         (word != "mar" && In(kBeforeMonth, before)))) {
      return true;
    }
    if (In(kUnits, word) && In(kBeforeUnit, before)) return true;
    if (word == "day" && before == "other") return true;
    if ((word == "am" || word == "pm") && IsNumber(before)) return true;
    if (word == "clock" && before == "o") return true;
    if (In(kUnits, word) && (after == "later" || after == "earlier")) return true;
  }
  return false;
}

bool SaysWhenChinese(std::string_view text) {
  if (HoldsAny(text, kSaidZh)) return true;
  for (const std::string_view unit : kAfterNumberZh) {
    for (std::size_t at = text.find(unit); at != std::string_view::npos;
         at = text.find(unit, at + unit.size())) {
      const std::string_view before = text.substr(0, at);
      if (!before.empty() && before.back() >= '0' && before.back() <= '9') return true;
      // 一点 and 一年 are rarely dates: a numeral in characters needs a second one, or 月 or 号.
      const bool any = std::any_of(
          std::begin(kNumeralsZh), std::end(kNumeralsZh), [&](std::string_view numeral) {
            return before.ends_with(numeral) &&
                   (unit == "月" || unit == "号" || unit == "號" ||
                    (before.size() >= 6 &&
                     std::any_of(
                         std::begin(kNumeralsZh), std::end(kNumeralsZh),
                         [&](std::string_view first) {
                           return before.substr(0, before.size() - numeral.size()).ends_with(first);
                         })));
          });
      if (any) return true;
    }
  }
  return false;
}

}  // namespace

bool AsksWhen(std::string_view text, std::span<const Piece> pieces) {
  const Words words = LatinWords(text, pieces);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view after = i + 1 < words.size() ? words[i + 1] : std::string_view();
    if (words[i] == "when" && (i == 0 || In(kBeforeWhen, words[i - 1]))) return true;
    if ((words[i] == "what" || words[i] == "which") && In(kAskedUnits, after)) {
      // "what time" and "which day" ask; "what days of hers were happiest" too, rightly.
      return true;
    }
    if (words[i] == "how" && after == "long" && i + 2 < words.size() &&
        std::find(words.begin() + static_cast<std::ptrdiff_t>(i), words.end(), "ago") !=
            words.end()) {
      return true;
    }
    if (words[i] == "date" && i >= 2 && (words[0] == "what" || words[0] == "which") && i <= 5) {
      return true;
    }
  }
  return HoldsAny(text, kAskedZh);
}

bool SaysWhen(std::string_view text, std::span<const Piece> pieces) {
  return HasNumericDate(text, pieces) || SaysWhenEnglish(LatinWords(text, pieces)) ||
         SaysWhenChinese(text);
}

}  // namespace souvenance::index
