// "Did you mean --scope?"
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace souvenance::program {

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`, by bytes.
std::size_t EditDistance(std::string_view a, std::string_view b);

// The known word that `word` was probably meant to be: the nearest within a third of its length
// (at least one edit), or one that it begins; empty when there is none. Among equally near ones
// the first.
std::string Closest(std::string_view word, const std::vector<std::string>& known);

// "did you mean --scope?", or empty.
std::string DidYouMean(std::string_view word, const std::vector<std::string>& known);

}  // namespace souvenance::program
