// The short lists behind the rules. Internal to engine/perceive.
#pragma once

#include <cstddef>
#include <string_view>

namespace souvenance::perceive {

// English. `word` is lower-case, without a possessive ending.
bool IsOpener(std::string_view word);     // capitalised at a sentence's start for that alone
bool IsNeverName(std::string_view word);  // capitalised anywhere and still no name: I, Monday
bool IsMonth(std::string_view word);      // also "jan", "sept"
bool IsPersonTitle(std::string_view word);
bool IsParticle(std::string_view word);  // inside names: of, de, van
bool IsOrganisationWord(std::string_view word);
bool IsPlaceWord(std::string_view word);
bool IsLabel(std::string_view word);  // before a colon and no speaker: note, warning
bool IsSpeechVerb(std::string_view word);

// Chinese.
bool IsSurname(char32_t c);
bool IsCompoundSurname(char32_t a, char32_t b);
bool IsFunctionCharacter(char32_t c);              // in no given name, and a border of longer names
bool IsCommonWord(std::u32string_view word);       // begins with a surname and is no name
bool IsBorderWord(std::u32string_view word);       // two characters that end before a longer name
bool IsPlainModifier(std::u32string_view word);    // before 公司, 大学, ...: a kind, not a name
bool IsCommonPlaceWord(std::u32string_view word);  // 城市, 小区, ...: ends like a place
// The length of what stands at the head of `rest`; 0 when none does.
std::size_t HonorificAt(std::u32string_view rest);  // 先生, 老师, ...
std::size_t SpeechAt(std::u32string_view rest);     // 说, 告诉, ...

}  // namespace souvenance::perceive
