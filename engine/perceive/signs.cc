// Signs that mark a mention: @, #, quotes. And every place where a known name stands.
#include <algorithm>

#include "engine/perceive/lexicon.h"
#include "engine/perceive/rules.h"

namespace souvenance::perceive {
namespace {

constexpr std::size_t kLongestTag = 40;
constexpr std::size_t kLongestHandle = 40;
constexpr std::size_t kLongestHanHandle = 6;  // longer runs are the sentence after the name
constexpr std::size_t kLongestTitle = 80;
constexpr std::size_t kLongestHanTitle = 12;

bool IsAsciiAlnum(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c);
}
bool IsLocalPart(char32_t c) {
  return IsAsciiAlnum(c) || c == '.' || c == '_' || c == '%' || c == '+' || c == '-';
}
bool IsDomainPart(char32_t c) { return IsAsciiAlnum(c) || c == '.' || c == '-'; }
bool IsTagPart(char32_t c) { return IsWordPart(c) || IsHan(c) || c == '_' || c == '-'; }

bool StartsWith(const CodePoints& text, std::size_t at, std::u32string_view what) {
  for (std::size_t i = 0; i < what.size(); ++i) {
    if (text[at + i] != what[i]) return false;
  }
  return true;
}

// Where an address of a page that starts here ends; `at` when none starts.
std::size_t PastUrl(const CodePoints& text, std::size_t at) {
  if (!StartsWith(text, at, U"http://") && !StartsWith(text, at, U"https://") &&
      !StartsWith(text, at, U"www.")) {
    return at;
  }
  std::size_t past = at;
  while (past < text.size() && text[past] > ' ' && text[past] < 0x7f && text[past] != '"') ++past;
  return past;
}

bool FindEmail(const CodePoints& text, std::size_t at, std::vector<Candidate>& out) {
  std::size_t first = at;
  while (first > 0 && IsLocalPart(text[first - 1])) --first;
  std::size_t past = at + 1;
  while (IsDomainPart(text[past])) ++past;
  while (past > at + 1 && !IsAsciiAlnum(text[past - 1])) --past;
  const std::string_view domain = text.Slice(at + 1, past);
  const std::size_t dot = domain.find('.');
  if (first == at || dot == std::string_view::npos || dot == 0) return false;
  out.push_back(Whole(first, past, "email"));
  return true;
}

void FindHandle(const CodePoints& text, std::size_t at, std::vector<Candidate>& out) {
  if (at > 0 && (IsWordPart(text[at - 1]) || text[at - 1] == '@')) return;
  std::size_t past = at + 1;
  std::size_t han = 0;
  while (IsTagPart(text[past]) || (text[past] == '.' && IsWordPart(text[past + 1]))) {
    if (IsHan(text[past])) ++han;
    ++past;
  }
  const std::size_t length = past - at - 1;
  if (length == 0 || length > kLongestHandle || han > kLongestHanHandle) return;
  out.push_back({at, past, at + 1, past, "handle"});
}

bool IsSentencePunctuation(char32_t c) {
  constexpr std::u32string_view kMarks = U".,!?;:。，！？；：、…\n";
  return kMarks.find(c) != std::u32string_view::npos;
}

char32_t Closing(char32_t opening) {
  switch (opening) {
    case U'"':
      return U'"';
    case U'“':
      return U'”';
    case U'「':
      return U'」';
    case U'『':
      return U'』';
    case U'《':
      return U'》';
    default:
      return 0;
  }
}

// Whether every word is capitalised but the small ones between: the form of an English title.
bool HasTitleCase(const CodePoints& text, std::size_t first, std::size_t past) {
  bool any = false;
  for (std::size_t i = first; i < past;) {
    if (!IsWordPart(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < past && (IsWordPart(text[end]) || text[end] == '\'' || text[end] == U'’')) ++end;
    if (IsUpper(text[i])) {
      any = true;
    } else if (!IsDigit(text[i]) && (!any || end - i > 4)) {
      return false;
    }
    i = end;
  }
  return any;
}

// Whether what stands before a quote makes it somebody's words.
bool AfterSpeech(const CodePoints& text, std::size_t quote) {
  std::size_t past = quote;
  while (past > 0 && IsSpace(text[past - 1])) --past;
  if (past == 0) return false;
  constexpr std::u32string_view kMarks = U",:，：说道问答喊叫";
  if (kMarks.find(text[past - 1]) != std::u32string_view::npos) return true;
  std::size_t first = past;
  while (first > 0 && past - first < 12 && IsCasedLetter(text[first - 1])) --first;
  return IsSpeechVerb(LowerCase(text.Slice(first, past)));
}

bool IsTitle(const CodePoints& text, std::size_t open, std::size_t close) {
  const std::size_t first = open + 1;
  if (close <= first || close - first > kLongestTitle) return false;
  if (text[open] == U'《') return true;
  std::size_t han = 0;
  for (std::size_t i = first; i < close; ++i) {
    if (IsHan(text[i])) ++han;
    if (IsSentencePunctuation(text[i])) return false;
  }
  if (AfterSpeech(text, open)) return false;
  if (han > 0) return close - first <= kLongestHanTitle && han * 2 >= close - first && han > 1;
  return HasTitleCase(text, first, close);
}

}  // namespace

void FindSigns(const CodePoints& text, std::vector<Candidate>& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '@') {
      if (!FindEmail(text, i, out)) FindHandle(text, i, out);
      continue;
    }
    const std::size_t past = PastUrl(text, i);
    if (past == i) continue;
    out.push_back(Whole(i, past, "url"));
    i = past - 1;
  }
}

void FindTags(const CodePoints& text, std::vector<Candidate>& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '#' || (i > 0 && IsWordPart(text[i - 1]))) continue;
    std::size_t past = i + 1;
    bool has_letter = false;
    while (IsTagPart(text[past])) {
      has_letter = has_letter || IsHan(text[past]) || IsCasedLetter(text[past]);
      ++past;
    }
    const std::size_t length = past - i - 1;
    if (!has_letter || length > kLongestTag) {
      i = past - 1;  // nothing inside the run starts a tag
      continue;
    }
    const bool closed = text[past] == '#' && IsHan(text[i + 1]);
    out.push_back({i, closed ? past + 1 : past, i + 1, past, "tag"});
    i = closed ? past : past - 1;
  }
}

void FindQuoted(const CodePoints& text, std::vector<Candidate>& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t closing = Closing(text[i]);
    if (closing == 0) continue;
    std::size_t close = i + 1;
    while (close < text.size() && text[close] != closing && text[close] != '\n' &&
           close - i <= kLongestTitle) {
      ++close;
    }
    if (text[close] != closing) continue;
    if (IsTitle(text, i, close)) out.push_back({i, close + 1, i + 1, close, "work"});
    i = close;  // a straight quote that closes must not open the next
  }
}

void FindKnown(const CodePoints& text, std::string_view name, std::vector<Candidate>& out) {
  const CodePoints points(name);
  if (points.size() < 2) return;
  std::size_t at_point = 0;
  for (std::size_t at = text.text().find(name); at != std::string_view::npos;
       at = text.text().find(name, at + name.size())) {
    while (text.byte(at_point) < at) ++at_point;
    const std::size_t first = at_point;
    const std::size_t past = first + points.size();
    const bool inside_left = first > 0 && IsWordPart(text[first - 1]) && IsWordPart(text[first]);
    const bool inside_right = IsWordPart(text[past - 1]) && IsWordPart(text[past]);
    if (!inside_left && !inside_right) out.push_back(Whole(first, past, "person"));
  }
}

}  // namespace souvenance::perceive
