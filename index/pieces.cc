#include "index/pieces.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <array>
#include <cstddef>
#include <utility>

#include "index/utf8.h"

namespace souvenance::index {
namespace {

enum class CharClass : std::uint8_t {
  kNone,
  kLetter,
  kDigit,
  kMark,
  kCjk,
  kComplex,
  kEmoji,
  kFlag,      // regional indicator
  kModifier,  // skin tone, variation selector, keycap, tag: extends an emoji
  kJoiner,    // zero width joiner
  kSign,
};

constexpr char32_t kProlongedSound = 0x30FC;  // of the script Common, although Kana alone has it

constexpr std::array<CharClass, 128> MakeAsciiClasses() {
  std::array<CharClass, 128> classes{};
  for (std::size_t c = 0x21; c < 0x7F; ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool digit = c >= '0' && c <= '9';
    classes[c] = letter ? CharClass::kLetter : digit ? CharClass::kDigit : CharClass::kSign;
  }
  return classes;
}
constexpr std::array<CharClass, 128> kAsciiClasses = MakeAsciiClasses();

bool IsCjkScript(UScriptCode script) {
  return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA ||
         script == USCRIPT_HANGUL || script == USCRIPT_BOPOMOFO;
}

CharClass ClassifyLetter(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &status);
  if (IsCjkScript(script) || c == static_cast<UChar32>(kProlongedSound)) return CharClass::kCjk;
  if (u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT) {
    return CharClass::kComplex;
  }
  return CharClass::kLetter;
}

CharClass ClassifySymbol(UChar32 c) {
  if (c >= 0x1F1E6 && c <= 0x1F1FF) return CharClass::kFlag;
  if (c >= 0x1F3FB && c <= 0x1F3FF) return CharClass::kModifier;
  // The copyright signs are pictographs too, by the letter of the property only.
  if (c > 0xFF && u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC)) return CharClass::kEmoji;
  return CharClass::kSign;
}

CharClass Classify(char32_t code_point) {
  if (code_point < 0x80) return kAsciiClasses[code_point];
  // The commonest case, settled without a look-up.
  if (code_point >= 0x4E00 && code_point <= 0x9FFF) return CharClass::kCjk;
  if (code_point == 0x200D) return CharClass::kJoiner;
  if (code_point == 0x20E3 || (code_point >= 0xE0020 && code_point <= 0xE007F)) {
    return CharClass::kModifier;
  }
  const auto c = static_cast<UChar32>(code_point);
  switch (u_charType(c)) {
    case U_UPPERCASE_LETTER:
    case U_LOWERCASE_LETTER:
    case U_TITLECASE_LETTER:
    case U_MODIFIER_LETTER:
    case U_OTHER_LETTER:
      return ClassifyLetter(c);
    case U_LETTER_NUMBER:
    case U_DECIMAL_DIGIT_NUMBER:
    case U_OTHER_NUMBER: {
      const CharClass letter = ClassifyLetter(c);
      return letter == CharClass::kLetter ? CharClass::kDigit : letter;
    }
    case U_NON_SPACING_MARK:
    case U_ENCLOSING_MARK:
    case U_COMBINING_SPACING_MARK:
      return CharClass::kMark;
    case U_UNASSIGNED:
      // Planes 2 and 3 are set aside for Han: a newer standard's characters are still characters.
      if (code_point >= 0x20000 && code_point <= 0x3FFFD) return CharClass::kCjk;
      return u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) ? CharClass::kEmoji
                                                                 : CharClass::kNone;
    case U_SPACE_SEPARATOR:
    case U_LINE_SEPARATOR:
    case U_PARAGRAPH_SEPARATOR:
    case U_CONTROL_CHAR:
    case U_FORMAT_CHAR:
    case U_PRIVATE_USE_CHAR:
    case U_SURROGATE:
      return CharClass::kNone;
    default:
      return ClassifySymbol(c);
  }
}

char32_t PlainSign(char32_t c) {
  if (c == 0x2010 || c == 0x2011 || c == 0x2013) return U'-';
  if (c == 0x2019 || c == 0x2018) return U'\'';
  return c;
}

bool IsRun(PieceKind kind) {
  return kind == PieceKind::kAlnum || kind == PieceKind::kCjk || kind == PieceKind::kComplex;
}

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) { pieces_.reserve(text.size() / 4 + 4); }

  std::vector<Piece> Run() {
    while (at_ < text_.size()) {
      const std::size_t begin = at_;
      const char32_t c = NextCodePoint(text_, &at_);
      Take(Classify(c), c, begin);
    }
    return std::move(pieces_);
  }

 private:
  void Take(CharClass kind, char32_t c, std::size_t begin) {
    const bool joined = joiner_ && LastEndsAt(begin);
    joiner_ = false;
    switch (kind) {
      case CharClass::kNone:
        break;
      case CharClass::kLetter:
      case CharClass::kDigit: {
        Piece& piece = Extend(PieceKind::kAlnum, begin);
        (kind == CharClass::kLetter ? piece.has_letter : piece.has_digit) = true;
        break;
      }
      case CharClass::kCjk:
        Extend(PieceKind::kCjk, begin);
        break;
      case CharClass::kComplex:
        Extend(PieceKind::kComplex, begin);
        break;
      case CharClass::kMark:
        if (LastEndsAt(begin) && IsRun(pieces_.back().kind)) pieces_.back().end = End();
        break;
      case CharClass::kModifier:
        if (LastEndsAt(begin) && pieces_.back().kind == PieceKind::kEmoji) {
          pieces_.back().end = End();
        }
        break;
      case CharClass::kJoiner:
        if (LastEndsAt(begin) && pieces_.back().kind != PieceKind::kSign) {
          pieces_.back().end = End();
          joiner_ = true;
        }
        break;
      case CharClass::kEmoji:
        if (joined && pieces_.back().kind == PieceKind::kEmoji) {
          pieces_.back().end = End();
        } else {
          Add(PieceKind::kEmoji, begin);
        }
        break;
      case CharClass::kFlag:
        if (flag_open_ && LastEndsAt(begin)) {
          pieces_.back().end = End();
          flag_open_ = false;
          return;
        }
        Add(PieceKind::kEmoji, begin);
        flag_open_ = true;
        return;
      case CharClass::kSign:
        Add(PieceKind::kSign, begin).sign = PlainSign(c);
        break;
    }
    flag_open_ = false;
  }

  std::uint32_t End() const { return static_cast<std::uint32_t>(at_); }
  bool LastEndsAt(std::size_t begin) const {
    return !pieces_.empty() && pieces_.back().end == begin;
  }
  Piece& Add(PieceKind kind, std::size_t begin) {
    Piece piece;
    piece.kind = kind;
    piece.begin = static_cast<std::uint32_t>(begin);
    piece.end = End();
    pieces_.push_back(piece);
    return pieces_.back();
  }
  Piece& Extend(PieceKind kind, std::size_t begin) {
    if (!LastEndsAt(begin) || pieces_.back().kind != kind) return Add(kind, begin);
    pieces_.back().end = End();
    return pieces_.back();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool joiner_ = false;
  bool flag_open_ = false;
  std::vector<Piece> pieces_;
};

}  // namespace

std::vector<Piece> SplitPieces(std::string_view text) { return Splitter(text).Run(); }

char32_t NextCharacter(std::string_view run, std::size_t* at) {
  const char32_t c = NextCodePoint(run, at);
  while (*at < run.size()) {
    std::size_t next = *at;
    const CharClass kind = Classify(NextCodePoint(run, &next));
    if (kind != CharClass::kMark && kind != CharClass::kJoiner) break;
    *at = next;
  }
  return c;
}

}  // namespace souvenance::index
