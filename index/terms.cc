#include "index/terms.h"

#include <algorithm>
#include <cstdint>

#include "index/siphash.h"
#include "index/stop_words.h"
#include "index/utf8.h"

namespace souvenance::index {
namespace {

constexpr std::size_t kMaxStemmedBytes = 64;
constexpr std::size_t kMaxTagCharacters = 16;  // of a hashtag in a script without spaces
constexpr std::string_view kJoiner = "\xE2\x80\x8D";

bool IsAsciiWord(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

bool IsAsciiNumber(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class Collector {
 public:
  Collector(std::string_view text, std::span<const Piece> pieces, TermUse use,
            const Stemmer& stemmer, const WordBreaker& breaker, std::vector<std::string>* terms)
      : text_(text),
        pieces_(pieces),
        use_(use),
        stemmer_(stemmer),
        breaker_(breaker),
        terms_(*terms) {}

  void Run() {
    for (std::size_t i = 0; i < pieces_.size();) {
      switch (pieces_[i].kind) {
        case PieceKind::kAlnum:
          i = TakeChunk(i);
          break;
        case PieceKind::kCjk:
          TakeCjk(pieces_[i]);
          TakeTag(i, i);
          ++i;
          break;
        case PieceKind::kComplex:
          TakeComplex(pieces_[i]);
          ++i;
          break;
        case PieceKind::kEmoji:
          Emit(PlainEmoji(Text(pieces_[i])));
          ++i;
          break;
        case PieceKind::kSign:
          ++i;
          break;
      }
    }
  }

 private:
  std::string_view Text(const Piece& piece) const {
    return text_.substr(piece.begin, piece.end - piece.begin);
  }
  bool IsSign(std::size_t i, char32_t sign) const {
    return i < pieces_.size() && pieces_[i].kind == PieceKind::kSign && pieces_[i].sign == sign;
  }
  // Whether piece i exists and nothing lies between it and the piece before.
  bool Continues(std::size_t i) const {
    return i > 0 && i < pieces_.size() && Touches(pieces_[i - 1], pieces_[i]);
  }
  bool IsWordAfter(std::size_t i) const {
    return Continues(i) && pieces_[i].kind == PieceKind::kAlnum;
  }

  void Emit(std::string term) { terms_.push_back(BoundedTerm(std::move(term))); }

  void EmitWord(std::string_view word) {
    std::string plain =
        word.find(kJoiner) == std::string_view::npos ? std::string(word) : WithoutJoiners(word);
    if (use_ == TermUse::kCue && IsEnglishStopWord(plain)) return;
    if (plain.size() > 2 && plain.size() <= kMaxStemmedBytes && IsAsciiWord(plain)) {
      plain = stemmer_.Stem(plain);
    }
    Emit(std::move(plain));
  }

  // Words joined by single signs without a space, from piece `first` on. Returns the piece after.
  std::size_t TakeChunk(std::size_t first) {
    std::size_t last = first;
    while (IsConnector(last + 1) && IsWordAfter(last + 2)) last += 2;
    std::size_t after = last + 1;
    for (std::size_t i = first; i <= last; i += 2) {
      if (i > first && IsPossessive(i)) continue;
      i = TakeNumber(i, last);
    }
    TakeWholes(first, last);
    TakeTag(first, last);
    return after;
  }

  bool IsConnector(std::size_t i) const {
    if (!Continues(i) || pieces_[i].kind != PieceKind::kSign) return false;
    switch (pieces_[i].sign) {
      case U'.':
      case U'-':
      case U'_':
      case U'@':
      case U'&':
      case U':':
      case U',':
      case U'\'':
        return true;
      default:
        return false;
    }
  }

  bool IsPossessive(std::size_t i) const {
    return pieces_[i - 1].sign == U'\'' && Text(pieces_[i]) == "s";
  }

  bool IsGroup(std::size_t i, std::size_t last) const {
    return i + 2 <= last && pieces_[i + 1].sign == U',' && Text(pieces_[i + 2]).size() == 3 &&
           IsAsciiNumber(Text(pieces_[i + 2]));
  }

  // A word, or a number whose thousands are set apart by commas. Returns its last piece.
  std::size_t TakeNumber(std::size_t i, std::size_t last) {
    const std::string_view word = Text(pieces_[i]);
    if (word.size() > 3 || !IsAsciiNumber(word) || !IsGroup(i, last)) {
      EmitWord(word);
      return i;
    }
    std::string number(word);
    while (IsGroup(i, last)) {
      i += 2;
      number += Text(pieces_[i]);
    }
    Emit(std::move(number));
    return i;
  }

  // The identifiers in a chunk: maximal stretches over '.', '-', '_', '@', '&' and, between
  // digits, ':'.
  void TakeWholes(std::size_t first, std::size_t last) {
    std::size_t begin = first;
    for (std::size_t i = first; i <= last; i += 2) {
      const bool joined = i < last && JoinsWhole(i + 1);
      if (joined) continue;
      TakeWhole(begin, i);
      begin = i + 2;
    }
    TakeSigned(last);
  }

  bool JoinsWhole(std::size_t sign) const {
    switch (pieces_[sign].sign) {
      case U'.':
      case U'-':
      case U'_':
      case U'@':
      case U'&':
        return true;
      case U':':
        return pieces_[sign - 1].has_digit && pieces_[sign + 1].has_digit;
      default:
        return false;
    }
  }

  void TakeWhole(std::size_t first, std::size_t last) {
    if (first == last || !IsIdentifier(first, last)) return;
    std::string whole;
    for (std::size_t i = first; i <= last; ++i) {
      if (pieces_[i].kind == PieceKind::kSign) {
        whole += static_cast<char>(pieces_[i].sign);
      } else {
        whole += WithoutJoiners(Text(pieces_[i]));
      }
    }
    if (whole.starts_with("www.") && whole.size() > 4) Emit(whole.substr(4));
    Emit(std::move(whole));
  }

  // well-known is two words; 2-3, a.b, x_y, r&d and a@b are more than their parts.
  bool IsIdentifier(std::size_t first, std::size_t last) const {
    bool digit = false;
    bool dot = false;
    for (std::size_t i = first; i <= last; ++i) {
      const char32_t sign = pieces_[i].sign;
      if (sign == U'@' || sign == U'_' || sign == U'&') return true;
      digit |= pieces_[i].has_digit;
      dot |= sign == U'.';
    }
    return digit || dot;
  }

  // C++, C#, F#, A+: a sign behind a word, when no further letter follows.
  void TakeSigned(std::size_t word) {
    if (!pieces_[word].has_letter) return;
    std::string term(Text(pieces_[word]));
    std::size_t i = word + 1;
    if (Continues(i) && IsSign(i, U'#') && term.size() <= 2) {
      term += '#';
      ++i;
    } else {
      while (i < word + 3 && Continues(i) && IsSign(i, U'+')) {
        term += '+';
        ++i;
      }
    }
    if (i == word + 1 || (IsWordAfter(i) && pieces_[i].has_letter)) return;
    Emit(std::move(term));
  }

  // #topic, @name, .net: a sign before a word that begins there, with what '_' and '-' join to it.
  void TakeTag(std::size_t first, std::size_t last) {
    if (first == 0 || !Continues(first)) return;
    const char32_t sign = pieces_[first - 1].sign;
    if (sign != U'#' && sign != U'@' && sign != U'.') return;
    if (Continues(first - 1)) {
      // A CJK text has no spaces, so a tag may follow a character there.
      const PieceKind before = pieces_[first - 2].kind;
      if (sign == U'.' || before == PieceKind::kAlnum || before == PieceKind::kSign) return;
    }
    const bool cjk = pieces_[first].kind == PieceKind::kCjk;
    if (sign == U'.' && (cjk || !pieces_[first].has_letter)) return;
    std::size_t end = first;
    while (end < last && (IsSign(end + 1, U'_') || IsSign(end + 1, U'-'))) end += 2;
    const std::string_view body =
        text_.substr(pieces_[first].begin, pieces_[end].end - pieces_[first].begin);
    if (cjk && body.size() > kMaxTagCharacters * 3) return;
    std::string term(1, static_cast<char>(sign));
    term += WithoutJoiners(body);
    Emit(std::move(term));
  }

  struct Character {
    std::string_view text;
    bool function = false;
  };

  void TakeCjk(const Piece& piece) {
    const std::string_view run = Text(piece);
    characters_.clear();
    for (std::size_t at = 0; at < run.size();) {
      const std::size_t begin = at;
      const char32_t c = NextCharacter(run, &at);
      characters_.push_back(
          {run.substr(begin, at - begin), use_ == TermUse::kCue && IsFunctionCharacter(c)});
    }
    if (use_ == TermUse::kCue) MarkFunctionWords(run);
    for (const Character& c : characters_) {
      if (!c.function) Emit(WithoutJoiners(c.text));
    }
    for (std::size_t i = 0; i + 1 < characters_.size(); ++i) {
      // 是的 says nothing, but 的茶 still tells one text from another.
      if (characters_[i].function && characters_[i + 1].function) continue;
      const std::string_view second = characters_[i + 1].text;
      const char* begin = characters_[i].text.data();
      Emit(
          WithoutJoiners({begin, static_cast<std::size_t>(second.data() + second.size() - begin)}));
    }
  }

  void MarkFunctionWords(std::string_view run) {
    for (std::size_t i = 0; i < characters_.size();) {
      const auto at = static_cast<std::size_t>(characters_[i].text.data() - run.data());
      const std::size_t bytes = FunctionWordAt(run.substr(at));
      if (bytes == 0) {
        ++i;
        continue;
      }
      for (const std::size_t end = at + bytes;
           i < characters_.size() &&
           static_cast<std::size_t>(characters_[i].text.data() - run.data()) < end;
           ++i) {
        characters_[i].function = true;
      }
    }
  }

  void TakeComplex(const Piece& piece) {
    const std::string_view run = Text(piece);
    for (const auto& [begin, end] : breaker_.Split(run)) {
      EmitWord(run.substr(begin, end - begin));
    }
  }

  std::string_view text_;
  std::span<const Piece> pieces_;
  TermUse use_;
  const Stemmer& stemmer_;
  const WordBreaker& breaker_;
  std::vector<std::string>& terms_;
  std::vector<Character> characters_;
};

}  // namespace

void CollectTerms(std::string_view text, std::span<const Piece> pieces, TermUse use,
                  const Stemmer& stemmer, const WordBreaker& breaker,
                  std::vector<std::string>* terms) {
  Collector(text, pieces, use, stemmer, breaker, terms).Run();
}

std::string WithoutJoiners(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const std::size_t at = text.find(kJoiner);
    plain += text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + kJoiner.size());
  }
  return plain;
}

std::string PlainEmoji(std::string_view emoji) {
  std::string plain;
  for (std::size_t at = 0; at < emoji.size();) {
    const std::size_t begin = at;
    const char32_t c = NextCodePoint(emoji, &at);
    const bool tone = c >= 0x1F3FB && c <= 0x1F3FF && begin > 0;
    if (!tone) plain += emoji.substr(begin, at - begin);
  }
  while (plain.ends_with(kJoiner)) plain.resize(plain.size() - kJoiner.size());
  return plain;
}

std::string BoundedTerm(std::string term, std::size_t limit) {
  if (term.size() <= limit) return term;
  const std::uint64_t hash = SipHash(term);
  std::size_t prefix = limit - 17;
  while (!IsBoundary(term, prefix)) --prefix;
  std::string bounded = term.substr(0, prefix) + '~';
  for (int shift = 60; shift >= 0; shift -= 4) {
    bounded += "0123456789abcdef"[(hash >> shift) & 0xF];
  }
  return bounded;
}

}  // namespace souvenance::index
