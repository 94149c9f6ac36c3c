// Words that a cue does without. Documents keep them.
#pragma once

#include <string_view>

namespace souvenance::index {

// A lower-case English word or a contraction's part ("don", "ll").
bool IsEnglishStopWord(std::string_view word);

// A Chinese character that carries grammar rather than meaning (的, 了, 是, 吗, ...).
bool IsFunctionCharacter(char32_t c);

// The length in bytes of the longest function word (什么, 怎么, 为什么, ...) at the start of
// `run`; 0 when none stands there.
std::size_t FunctionWordAt(std::string_view run);

}  // namespace souvenance::index
