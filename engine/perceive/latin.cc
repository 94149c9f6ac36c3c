// Names in scripts with capitals, and English dates.
#include <string>
#include <unordered_set>

#include "engine/perceive/lexicon.h"
#include "engine/perceive/rules.h"

namespace souvenance::perceive {
namespace {

struct Token {
  std::size_t first = 0, past = 0;  // `past` is before a possessive ending
  std::size_t whole_past = 0;       // and this is behind it
  std::string lower;                // without what follows an apostrophe
  bool number = false;
  bool upper = false;
  bool all_caps = false;       // two letters or more, all capitals
  bool inner_capital = false;  // OpenAI, iPhone; and C++
  bool sentence_start = false;

  bool possessive() const { return whole_past != past; }
};

bool IsApostrophe(char32_t c) { return c == '\'' || c == U'’'; }

// Whether the character at `i` holds a word together: O'Brien, Jean-Luc, AT&T, U.S, Node.js.
bool IsConnector(const CodePoints& text, std::size_t i) {
  if (!IsWordPart(text[i + 1])) return false;
  const char32_t c = text[i];
  if (IsApostrophe(c) || c == '-' || c == '&') return true;
  if (c != '.') return false;
  // "the end.Then" is two words: a full stop joins only initials and what goes on small.
  const bool initial = i < 2 || !IsWordPart(text[i - 2]);
  return initial || !IsUpper(text[i + 1]);
}

Token ReadToken(const CodePoints& text, std::size_t first) {
  Token t;
  t.first = first;
  std::size_t past = first;
  while (IsWordPart(text[past]) || IsConnector(text, past)) ++past;
  if (text[past] == '+' && text[past + 1] == '+') {
    past += 2;
    t.inner_capital = IsUpper(text[first]);
  } else if (text[past] == '#' && past - first == 1 && !IsWordPart(text[past + 1])) {
    past += 1;
    t.inner_capital = IsUpper(text[first]);
  }
  t.past = t.whole_past = past;
  if (past - first > 2 && IsApostrophe(text[past - 2]) && text[past - 1] == 's') t.past -= 2;
  t.number = IsDigit(text[first]);
  t.upper = IsUpper(text[first]);

  std::size_t letters = 0;
  std::size_t capitals = 0;
  std::size_t stem = t.past;
  for (std::size_t i = first; i < t.past; ++i) {
    if (IsApostrophe(text[i]) && stem == t.past && i > first + 1) stem = i;
    if (!IsCasedLetter(text[i])) continue;
    ++letters;
    if (!IsUpper(text[i])) continue;
    ++capitals;
    if (i > first && IsCasedLetter(text[i - 1]) && !IsUpper(text[i - 1])) t.inner_capital = true;
  }
  if (first + 1 < t.past && IsApostrophe(text[first + 1]) && text[first] == 'I') stem = first + 1;
  t.all_caps = letters >= 2 && letters == capitals;
  t.lower = LowerCase(text.Slice(first, stem));
  return t;
}

bool EndsSentence(const CodePoints& text, std::size_t i, const Token* before) {
  constexpr std::u32string_view kEnds = U"!?:;\n\"“”「『《…。！？：；•*";
  const char32_t c = text[i];
  if (c == '.') {
    if (before == nullptr || before->whole_past != i) return true;
    const bool initial = before->past - before->first == 1 && before->upper;
    return !initial && !IsPersonTitle(before->lower);
  }
  return c >= 0x1f000 || kEnds.find(c) != std::u32string_view::npos;
}

std::vector<Token> Tokens(const CodePoints& text) {
  std::vector<Token> tokens;
  bool start = true;
  for (std::size_t i = 0; i < text.size();) {
    if (IsWordPart(text[i])) {
      Token t = ReadToken(text, i);
      t.sentence_start = start;
      start = false;
      i = t.whole_past;
      tokens.push_back(std::move(t));
      continue;
    }
    if (EndsSentence(text, i, tokens.empty() ? nullptr : &tokens.back())) start = true;
    if (IsHan(text[i])) start = false;
    ++i;
  }
  return tokens;
}

class Names {
 public:
  Names(const CodePoints& text, std::vector<Candidate>& out)
      : text_(text), out_(out), tokens_(Tokens(text)) {
    std::size_t words = 0;
    std::size_t shouted = 0;
    for (const Token& t : tokens_) {
      if (t.number || t.past - t.first < 2) continue;
      ++words;
      if (t.all_caps) ++shouted;
    }
    shouting_ = words >= 3 && shouted * 2 > words;
    for (const Token& t : tokens_) {
      if (IsCapital(t) && !t.sentence_start) inside_.insert(text.Slice(t.first, t.past));
    }
  }

  void FindAll();
  void FindDates();

 private:
  bool IsCapital(const Token& t) const {
    if (t.number || !(t.upper || t.inner_capital) || IsNeverName(t.lower)) return false;
    return !(shouting_ && t.all_caps);
  }
  // Whether only spaces lie between two tokens; after a title also its full stop.
  bool Adjacent(std::size_t a, std::size_t b, char32_t allowed = ' ') const {
    if (b >= tokens_.size()) return false;
    std::size_t i = tokens_[a].whole_past;
    if (text_[i] == allowed) ++i;
    while (text_[i] == ' ' || text_[i] == 0xa0) ++i;
    return i == tokens_[b].first && i > tokens_[a].whole_past;
  }
  std::size_t LastOfRun(std::size_t first) const;
  bool Propose(std::size_t first, std::size_t last, bool titled);
  bool StandsAlone(const Token& t) const;
  std::string_view TypeOf(std::size_t first, std::size_t last, bool titled) const;
  bool LeadsWithColon(std::size_t first, std::size_t last) const;
  int Number(std::size_t i, int low, int high) const;

  const CodePoints& text_;
  std::vector<Candidate>& out_;
  std::vector<Token> tokens_;
  bool shouting_ = false;
  std::unordered_set<std::string_view> inside_;  // words seen capitalised within a sentence
};

std::size_t Names::LastOfRun(std::size_t first) const {
  std::size_t last = first;
  while (!tokens_[last].possessive()) {
    std::size_t next = last + 1;
    if (!Adjacent(last, next)) {
      // "J. K. Rowling": an initial keeps its full stop.
      const Token& t = tokens_[last];
      if (t.past - t.first > 1 || !Adjacent(last, next, '.')) break;
    }
    if (IsParticle(tokens_[next].lower) && !tokens_[next].upper) {
      const bool of = tokens_[next].lower == "of";
      if (!Adjacent(next, next + 1)) break;
      ++next;
      if (of && tokens_[next].lower == "the" && Adjacent(next, next + 1)) ++next;
    }
    if (!IsCapital(tokens_[next]) || tokens_[next].sentence_start) break;
    last = next;
  }
  return last;
}

bool Names::StandsAlone(const Token& t) const {
  if (t.inner_capital) return true;
  if (t.past - t.first < 2) return false;
  if (!t.sentence_start) return true;
  if (IsOpener(t.lower)) return false;
  if (t.all_caps || inside_.find(text_.Slice(t.first, t.past)) != inside_.end()) return true;
  std::size_t i = t.whole_past;
  while (text_[i] == ' ') ++i;
  return IsHan(text_[i]);  // in a Chinese sentence a capital is no matter of position
}

bool Names::LeadsWithColon(std::size_t first, std::size_t last) const {
  if (first != 0 || last > 2 || tokens_[0].first != 0 || IsLabel(tokens_[0].lower)) return false;
  if (IsLabel(tokens_[last].lower)) return false;
  const std::size_t past = tokens_[last].whole_past;
  if (text_[past] != ':' && text_[past] != U'：') return false;
  return text_[past + 1] != '/' && !IsDigit(text_[past + 1]) && past + 1 < text_.size();
}

std::string_view Names::TypeOf(std::size_t first, std::size_t last, bool titled) const {
  if (titled) return "person";
  if (first == last) return "";
  for (const std::size_t i : {last, first}) {
    if (IsOrganisationWord(tokens_[i].lower)) return "organisation";
    if (IsPlaceWord(tokens_[i].lower)) return "place";
  }
  return "";
}

bool Names::Propose(std::size_t first, std::size_t last, bool titled) {
  if (LeadsWithColon(first, last)) {
    out_.push_back(Whole(tokens_[first].first, tokens_[last].past, "person"));
    return true;
  }
  const auto is_article = [&](std::size_t i) {
    const std::string& w = tokens_[i].lower;
    return w == "the" || w == "a" || w == "an" || w == "my" || w == "our" || w == "your";
  };
  if (tokens_[first].sentence_start && IsOpener(tokens_[first].lower)) {
    if (first++ == last) return false;
  }
  while (is_article(first) || IsParticle(tokens_[first].lower)) {
    if (first++ == last) return false;
  }
  const bool alone = first == last;
  if (alone && !titled && !StandsAlone(tokens_[first])) return false;
  out_.push_back(Whole(tokens_[first].first, tokens_[last].past, TypeOf(first, last, titled)));
  return true;
}

void Names::FindAll() {
  for (std::size_t i = 0; i < tokens_.size();) {
    const bool title = tokens_[i].upper && IsPersonTitle(tokens_[i].lower) &&
                       (Adjacent(i, i + 1) || Adjacent(i, i + 1, '.')) && IsCapital(tokens_[i + 1]);
    if (title) ++i;
    if (!IsCapital(tokens_[i])) {
      ++i;
      continue;
    }
    const std::size_t last = LastOfRun(i);
    Propose(i, last, title);
    i = last + 1;
  }
}

// The number a token begins with, when it is in range; -1 otherwise. "8th" is 8.
int Names::Number(std::size_t i, int low, int high) const {
  if (i >= tokens_.size() || !tokens_[i].number) return -1;
  const std::string& text = tokens_[i].lower;
  int value = 0;
  std::size_t at = 0;
  while (at < text.size() && at < 4 && text[at] >= '0' && text[at] <= '9') {
    value = value * 10 + (text[at++] - '0');
  }
  const std::string rest = text.substr(at);
  if (!rest.empty() && rest != "st" && rest != "nd" && rest != "rd" && rest != "th") return -1;
  return value >= low && value <= high ? value : -1;
}

void Names::FindDates() {
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (!tokens_[i].upper || !IsMonth(tokens_[i].lower)) continue;
    std::size_t first = i;
    std::size_t last = i;
    if (i > 0 && Adjacent(i - 1, i) && Number(i - 1, 1, 31) > 0) {
      first = i - 1;
    } else if (Adjacent(i, i + 1) && Number(i + 1, 1, 31) > 0) {
      last = i + 1;
    }
    if (Adjacent(last, last + 1, ',') && Number(last + 1, 1000, 2999) > 0) ++last;
    if (first != last) {
      out_.push_back(Whole(tokens_[first].first, tokens_[last].whole_past, "date"));
    }
  }
}

}  // namespace

void FindCapitalised(const CodePoints& text, std::vector<Candidate>& out) {
  Names names(text, out);
  names.FindDates();
  names.FindAll();
}

}  // namespace souvenance::perceive
