// The first cut of a normalised text: runs of one kind of character.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace souvenance::index {

enum class PieceKind : std::uint8_t {
  kAlnum,    // letters, digits and their marks, of scripts that write words apart
  kCjk,      // Han, Kana, Hangul, Bopomofo
  kComplex,  // Thai, Lao, Khmer, Burmese: words are found with a dictionary
  kEmoji,    // one emoji, with its modifiers and joined parts
  kSign,     // one other visible character
};

// Bytes [begin, end) of the text. White space, controls and marks without a base are in no piece,
// so two pieces touch exactly when the first's end is the second's begin.
struct Piece {
  PieceKind kind = PieceKind::kSign;
  bool has_letter = false;  // kAlnum
  bool has_digit = false;   // kAlnum
  char32_t sign = 0;        // kSign; hyphens are '-', apostrophes '\''
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// `text` is NFKC case-folded, valid UTF-8.
std::vector<Piece> SplitPieces(std::string_view text);

// Moves `*at` past a character of a kCjk piece with its marks; returns the character.
char32_t NextCharacter(std::string_view run, std::size_t* at);

inline bool Touches(const Piece& left, const Piece& right) { return left.end == right.begin; }

}  // namespace souvenance::index
