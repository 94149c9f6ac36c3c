#include "index/words.h"

#include "index/terms.h"

namespace souvenance::index {
namespace {

class WordCollector {
 public:
  WordCollector(std::string_view text, std::span<const Piece> pieces, const WordBreaker& breaker)
      : text_(text), pieces_(pieces), breaker_(breaker) {}

  std::vector<Word> Run() {
    for (std::size_t i = 0; i < pieces_.size();) {
      const Piece& piece = pieces_[i];
      switch (piece.kind) {
        case PieceKind::kAlnum:
          i = TakeWord(i);
          continue;
        case PieceKind::kCjk:
          TakeCharacters(piece);
          break;
        case PieceKind::kComplex:
          TakeComplex(piece);
          break;
        case PieceKind::kEmoji:
          words_.push_back(
              {BoundedTerm(PlainEmoji(Slice(piece.begin, piece.end))), piece.begin, piece.end});
          break;
        case PieceKind::kSign:
          break;
      }
      ++i;
    }
    return std::move(words_);
  }

 private:
  bool IsSign(std::size_t i, char32_t sign) const {
    return Continues(i) && pieces_[i].kind == PieceKind::kSign && pieces_[i].sign == sign;
  }
  bool Continues(std::size_t i) const {
    return i > 0 && i < pieces_.size() && Touches(pieces_[i - 1], pieces_[i]);
  }
  bool IsWord(std::size_t i) const { return Continues(i) && pieces_[i].kind == PieceKind::kAlnum; }

  std::string_view Slice(std::uint32_t begin, std::uint32_t end) const {
    return text_.substr(begin, end - begin);
  }
  void Add(std::uint32_t begin, std::uint32_t end) {
    words_.push_back({BoundedTerm(WithoutJoiners(Slice(begin, end))), begin, end});
  }

  // A word with the signs that belong to its name. Returns the piece after it.
  std::size_t TakeWord(std::size_t i) {
    std::uint32_t begin = pieces_[i].begin;
    // .NET, at the start of a word only
    if (i > 0 && Continues(i) && pieces_[i - 1].kind == PieceKind::kSign &&
        pieces_[i - 1].sign == U'.' && !Continues(i - 1) && pieces_[i].has_letter) {
      begin = pieces_[i - 1].begin;
    }
    // AT&T
    while (pieces_[i].has_letter && IsSign(i + 1, U'&') && IsWord(i + 2) &&
           pieces_[i + 2].has_letter) {
      i += 2;
    }
    std::uint32_t end = pieces_[i].end;
    std::size_t next = i + 1;
    // C++, C#, F#
    if (pieces_[i].has_letter) {
      if (IsSign(next, U'#') && end - begin <= 2) {
        ++next;
      } else {
        while (next < i + 3 && IsSign(next, U'+')) ++next;
      }
      if (next > i + 1 && !(IsWord(next) && pieces_[next].has_letter)) {
        end = pieces_[next - 1].end;
      }
    }
    Add(begin, end);
    return next;
  }

  void TakeCharacters(const Piece& piece) {
    for (std::size_t at = piece.begin; at < piece.end;) {
      const std::size_t begin = at;
      NextCharacter(text_.substr(0, piece.end), &at);
      Add(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at));
    }
  }

  void TakeComplex(const Piece& piece) {
    for (const auto& [begin, end] : breaker_.Split(Slice(piece.begin, piece.end))) {
      Add(piece.begin + begin, piece.begin + end);
    }
  }

  std::string_view text_;
  std::span<const Piece> pieces_;
  const WordBreaker& breaker_;
  std::vector<Word> words_;
};

// Whether the word is one character of a script that writes no spaces between words.
bool IsCharacter(const Word& word) {
  const std::vector<Piece> pieces = SplitPieces(word.text);
  return !pieces.empty() && pieces[0].kind == PieceKind::kCjk;
}

}  // namespace

std::vector<Word> CollectWords(std::string_view text, std::span<const Piece> pieces,
                               const WordBreaker& breaker) {
  return WordCollector(text, pieces, breaker).Run();
}

std::string JoinName(std::span<const Word> words) {
  std::string key;
  bool character_before = true;
  for (const Word& word : words) {
    const bool character = IsCharacter(word);
    if (!key.empty() && !(character && character_before)) key += ' ';
    key += word.text;
    character_before = character;
  }
  return key;
}

}  // namespace souvenance::index
