// The rules of the built-in perceiver, by what they look at. Internal to engine/perceive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace souvenance::perceive {

// A valid UTF-8 text as code points, each with its first byte.
class CodePoints {
 public:
  explicit CodePoints(std::string_view text);

  std::size_t size() const { return points_.size(); }
  // 0 outside the text, so that rules can look around without asking for its ends.
  char32_t operator[](std::size_t i) const { return i < points_.size() ? points_[i] : U'\0'; }
  std::uint32_t byte(std::size_t i) const { return starts_[i]; }  // i <= size()
  std::string_view Slice(std::size_t first, std::size_t past) const {
    return text_.substr(starts_[first], starts_[past] - starts_[first]);
  }
  // The code points of [first, past), cut at the end of the text.
  std::u32string_view Points(std::size_t first, std::size_t past) const {
    return std::u32string_view(points_.data(), points_.size())
        .substr(first < size() ? first : size(), past > first ? past - first : 0);
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  std::vector<char32_t> points_;
  std::vector<std::uint32_t> starts_;  // one more than points
};

bool IsHan(char32_t c);
bool IsCasedLetter(char32_t c);  // Latin, Greek, Cyrillic
bool IsUpper(char32_t c);
bool IsDigit(char32_t c);
bool IsSpace(char32_t c);
inline bool IsWordPart(char32_t c) { return IsCasedLetter(c) || IsDigit(c); }
std::string LowerCase(std::string_view text);

// A proposal, in code points. The name is [name_first, name_past), within [first, past).
struct Candidate {
  std::size_t first = 0, past = 0;
  std::size_t name_first = 0, name_past = 0;
  std::string_view type;  // of static storage
};

inline Candidate Whole(std::size_t first, std::size_t past, std::string_view type) {
  return {first, past, first, past, type};
}

// Signs: @handles, #tags, e-mail addresses. And addresses of pages, of type "url": they are
// never mentions, and nothing inside them is one.
void FindSigns(const CodePoints& text, std::vector<Candidate>& out);
void FindTags(const CodePoints& text, std::vector<Candidate>& out);
// Titles of works in quotes.
void FindQuoted(const CodePoints& text, std::vector<Candidate>& out);
// Capitalised names, a leading "Name:", English dates.
void FindCapitalised(const CodePoints& text, std::vector<Candidate>& out);
// Chinese names of people, organisations and places, a leading "姓名：", Chinese and ISO dates.
void FindHan(const CodePoints& text, std::vector<Candidate>& out);
// Every occurrence of a name that is known to be a person's.
void FindKnown(const CodePoints& text, std::string_view name, std::vector<Candidate>& out);

}  // namespace souvenance::perceive
