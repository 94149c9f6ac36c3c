// From pieces to the words of names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/analyzer.h"
#include "index/language.h"
#include "index/pieces.h"

namespace souvenance::index {

// The words of a normalised text; their offsets are those of the normalised text.
std::vector<Word> CollectWords(std::string_view text, std::span<const Piece> pieces,
                               const WordBreaker& breaker);

// See Analyzer::NameKey.
std::string JoinName(std::span<const Word> words);

}  // namespace souvenance::index
