// From pieces to the terms that are ranked. docs/formulas/analysis.md states each rule.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/language.h"
#include "index/pieces.h"

namespace souvenance::index {

inline constexpr std::size_t kMaxTermBytes = 245;  // Xapian's limit

enum class TermUse { kDocument, kCue };

// Appends the terms of a normalised text, in order, with repetitions.
void CollectTerms(std::string_view text, std::span<const Piece> pieces, TermUse use,
                  const Stemmer& stemmer, const WordBreaker& breaker,
                  std::vector<std::string>* terms);

// Without zero width joiners, which mean nothing inside words.
std::string WithoutJoiners(std::string_view text);

// An emoji without its skin tones, which vary while the meaning stays.
std::string PlainEmoji(std::string_view emoji);

// `term` itself when it is at most `limit` bytes, else its beginning, '~' and its hash as 16
// hexadecimal digits.
std::string BoundedTerm(std::string term, std::size_t limit = kMaxTermBytes);

}  // namespace souvenance::index
