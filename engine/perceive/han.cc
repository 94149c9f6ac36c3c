// Chinese names, by surname and position; organisations and places, by their endings; dates in
// figures. Every rule asks for a border on its left: a name is not cut out of a longer word.
#include <algorithm>
#include <array>
#include <string>

#include "engine/perceive/lexicon.h"
#include "engine/perceive/rules.h"

namespace souvenance::perceive {
namespace {

constexpr std::size_t kLongestPrefix = 10;  // of an organisation, before its ending
constexpr std::size_t kKnownNames = 16;     // names followed through the text

bool OneOf(char32_t c, std::u32string_view set) {
  return c != 0 && set.find(c) != std::u32string_view::npos;
}

bool EndsClause(char32_t c) { return !IsHan(c); }

class People {
 public:
  People(const CodePoints& text, std::vector<Candidate>& out) : text_(text), out_(out) {}
  void FindAll();

 private:
  bool BorderBefore(std::size_t i) const;
  std::size_t SurnameAt(std::size_t i) const;
  std::size_t NicknameAt(std::size_t i) const;
  bool IsGiven(std::size_t first, std::size_t past) const;
  bool Speaks(std::size_t i) const;
  bool Confirms(std::size_t first, std::size_t past) const;
  // The end of the person's name that begins at `i`; `i` when none does.
  std::size_t NameAt(std::size_t i) const;

  const CodePoints& text_;
  std::vector<Candidate>& out_;
};

bool People::BorderBefore(std::size_t i) const {
  if (i == 0 || !IsHan(text_[i - 1])) return true;
  // 由于老师, 这张图: the surname belongs to the word before, or counts things.
  if (IsBorderWord(text_.Points(i - 1, i + 1))) return false;
  if (OneOf(text_[i - 1], U"这那一二两三几每某本该各此")) return false;
  if (IsFunctionCharacter(text_[i - 1])) return true;
  if (i < 2) return false;
  const std::u32string_view before = text_.Points(i - 2, i);
  return IsBorderWord(before) || HonorificAt(before) == 2;
}

std::size_t People::SurnameAt(std::size_t i) const {
  if (IsCompoundSurname(text_[i], text_[i + 1])) return 2;
  return IsSurname(text_[i]) && !IsCommonWord(text_.Points(i, i + 2)) ? 1 : 0;
}

// 小王, 老李, 阿芳, 小明: two characters, or 0.
std::size_t People::NicknameAt(std::size_t i) const {
  if (!OneOf(text_[i], U"小老阿") || !IsHan(text_[i + 1])) return 0;
  if (IsFunctionCharacter(text_[i + 1])) return 0;
  if (text_[i] == U'老') return IsSurname(text_[i + 1]) ? 2 : 0;
  return OneOf(text_[i + 1], U"声心时孩学区姐姨型费路事组偷狗猫鸟鱼贩费结节数吃店屋胖朋") ? 0 : 2;
}

bool People::IsGiven(std::size_t first, std::size_t past) const {
  for (std::size_t i = first; i < past; ++i) {
    if (!IsHan(text_[i]) || IsFunctionCharacter(text_[i])) return false;
  }
  return true;
}

bool People::Speaks(std::size_t i) const {
  const std::size_t length = SpeechAt(text_.Points(i, i + 3));
  if (length == 0) return false;
  // 说明, 问题, 道路 say nothing of a speaker.
  return length > 1 || !OneOf(text_[i + 1], U"明法题路理座究德具服");
}

// Whether what stands around [first, past) shows that it is a whole name.
bool People::Confirms(std::size_t first, std::size_t past) const {
  if (HonorificAt(text_.Points(past, past + 3)) > 0 || Speaks(past)) return true;
  const std::u32string_view before = text_.Points(first < 2 ? 0 : first - 2, first);
  constexpr std::array<std::u32string_view, 5> kNaming = {U"我叫", U"名叫", U"叫做", U"我是",
                                                          U"叫作"};
  const bool named = std::find(kNaming.begin(), kNaming.end(), before) != kNaming.end();
  if ((named || HonorificAt(before) == 2) && EndsClause(text_[past])) return true;
  if (first == 0 && (text_[past] == U'：' || text_[past] == ':')) return true;
  constexpr std::array<std::u32string_view, 6> kTogether = {U"一起", U"见面", U"聊天",
                                                            U"吃饭", U"商量", U"讨论"};
  return first > 0 && OneOf(text_[first - 1], U"和跟与同找约陪见") &&
         std::find(kTogether.begin(), kTogether.end(), text_.Points(past, past + 2)) !=
             kTogether.end();
}

std::size_t People::NameAt(std::size_t i) const {
  if (!IsHan(text_[i]) || !BorderBefore(i)) return i;
  if (const std::size_t nickname = NicknameAt(i); nickname > 0) {
    if (Confirms(i, i + nickname)) return i + nickname;
  }
  const std::size_t surname = SurnameAt(i);
  if (surname == 0) return i;
  const std::size_t given = i + surname;
  if (const std::size_t honorific = HonorificAt(text_.Points(given, given + 3)); honorific > 0) {
    return given + honorific;
  }
  for (const std::size_t length : {std::size_t{2}, std::size_t{1}}) {
    if (IsGiven(given, given + length) && Confirms(i, given + length)) return given + length;
  }
  return i;
}

void People::FindAll() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < text_.size();) {
    const std::size_t past = NameAt(i);
    if (past == i) {
      ++i;
      continue;
    }
    out_.push_back(Whole(i, past, "person"));
    const std::string_view name = text_.Slice(i, past);
    if (names.size() < kKnownNames && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
    i = past;
  }
  for (const std::string_view name : names) FindKnown(text_, name, out_);
}

// Whether a name of an organisation or a place cannot reach over the character at `i`.
bool IsBorder(const CodePoints& text, std::size_t i) {
  const char32_t c = text[i];
  if (!IsHan(c)) return true;
  if (c == U'上') return text[i + 1] != U'海';
  if (c == U'有') return text[i + 1] != U'限';
  if (c == U'和') return i == 0 || !OneOf(text[i - 1], U"协共平呼");
  return OneOf(
      c,
      U"的了是在不我你他她它这那哪谁与跟及或但就都也还又再很把被让给对从到去来往将要会能可该没"
      U"着过说问叫请找见想看听吃住读考进出离个于逛");
}

// The first character of what may be a name that ends before `past`; `past` when nothing is left,
// npos when no border is near enough.
std::size_t BackToBorder(const CodePoints& text, std::size_t past, std::size_t floor,
                         std::size_t longest) {
  std::size_t first = past;
  while (first > floor && !IsBorder(text, first - 1)) {
    if (first >= 2 && IsBorderWord(text.Points(first - 2, first))) return first;
    if (past - first == longest) return std::u32string_view::npos;
    --first;
  }
  return first;
}

struct Ending {
  std::u32string_view text;
  std::string_view type;
};
constexpr std::array<Ending, 9> kEndings = {{{U"图书馆", "place"},
                                             {U"博物馆", "place"},
                                             {U"公园", "place"},
                                             {U"大学", "organisation"},
                                             {U"公司", "organisation"},
                                             {U"医院", "organisation"},
                                             {U"银行", "organisation"},
                                             {U"集团", "organisation"},
                                             {U"学院", "organisation"}}};

void FindOrganisations(const CodePoints& text, std::vector<Candidate>& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const Ending& ending : kEndings) {
      const std::size_t past = i + ending.text.size();
      if (text.Points(i, past) != ending.text) continue;
      if (ending.text == U"大学" && OneOf(text[past], U"生")) continue;
      const std::size_t first = BackToBorder(text, i, 0, kLongestPrefix);
      if (first == std::u32string_view::npos || i - first < 2) continue;
      if (IsPlainModifier(text.Points(first, i))) continue;
      out.push_back(Whole(first, past, ending.type));
    }
  }
}

// 市场, 区别, 省钱: the ending begins another word.
bool GoesOn(char32_t ending, char32_t next) {
  switch (ending) {
    case U'市':
      return OneOf(next, U"场民长区政面值价集");
    case U'区':
      return OneOf(next, U"别域块分间");
    case U'省':
      return OneOf(next, U"钱得心时略份力事下");
    default:
      return false;
  }
}

void FindPlaces(const CodePoints& text, std::vector<Candidate>& out) {
  std::size_t floor = 0;  // 浙江省杭州市: a place ends where the one before it ended
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!OneOf(text[i], U"市省县区") || GoesOn(text[i], text[i + 1])) continue;
    if (i == 0 || IsCommonPlaceWord(text.Points(i - 1, i + 1))) continue;
    const std::size_t first = BackToBorder(text, i, floor, 3);
    if (first == std::u32string_view::npos || i - first < 2) continue;
    if (IsPlainModifier(text.Points(first, i))) continue;
    out.push_back(Whole(first, i + 1, "place"));
    floor = i + 1;
  }
}

std::size_t PastDigits(const CodePoints& text, std::size_t i) {
  while (IsDigit(text[i])) ++i;
  return i;
}

// The end of the date that begins with the digits at `i`; `i` when none does.
std::size_t PastDate(const CodePoints& text, std::size_t i) {
  const std::size_t year = PastDigits(text, i);
  std::size_t month_first = i;
  std::size_t past = i;
  if (year - i == 4 && text[year] == U'年') {
    past = month_first = year + 1;
  } else if (year - i == 4 && text[year] == '-') {
    const std::size_t month = PastDigits(text, year + 1);
    const std::size_t day = PastDigits(text, month + 1);
    const bool whole = month - year == 3 && text[month] == '-' && day - month == 3;
    return whole && text[day] != '-' ? day : i;
  }
  const std::size_t month = PastDigits(text, month_first);
  if (month == month_first || month - month_first > 2 || text[month] != U'月') return past;
  const std::size_t day = PastDigits(text, month + 1);
  if (day > month + 1 && day - month <= 3 && (text[day] == U'日' || text[day] == U'号')) {
    return day + 1;
  }
  return past == i ? i : month + 1;  // a month without year or day is no date
}

void FindFigureDates(const CodePoints& text, std::vector<Candidate>& out) {
  for (std::size_t i = 0; i < text.size();) {
    if (!IsDigit(text[i])) {
      ++i;
      continue;
    }
    const bool inside = i > 0 && (IsCasedLetter(text[i - 1]) || text[i - 1] == '-');
    const std::size_t past = inside ? i : PastDate(text, i);
    if (past > i) out.push_back(Whole(i, past, "date"));
    i = std::max(past, PastDigits(text, i));
  }
}

}  // namespace

void FindHan(const CodePoints& text, std::vector<Candidate>& out) {
  FindFigureDates(text, out);
  People(text, out).FindAll();
  FindOrganisations(text, out);
  FindPlaces(text, out);
}

}  // namespace souvenance::perceive
