// What fits. Packs items into a token budget with shares per section, skipping what is too long
// and going on. docs/formulas/budget.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace souvenance::scoring {

// Estimates how many tokens a model's tokenizer would make of a text: Latin and other letters
// 1 per 4 characters of a word (rounded up), digits 1 per 3, each Han, Kana or Hangul character
// 1, each other sign 1, white space 0. Deterministic; invalid UTF-8 bytes count 1 each.
std::size_t EstimateTokens(std::string_view utf8);

enum class Section : std::uint8_t { kIdentity = 0, kRecent, kMemories, kFacts, kEvidence };
inline constexpr std::size_t kSections = 5;

// Shares of the budget, in the order of Section; what one leaves unused goes to the memories,
// then to the others in order. Must sum to at most 1.
struct BudgetShares {
  double share[kSections] = {0.10, 0.20, 0.50, 0.15, 0.05};
};

struct PackItem {
  Section section = Section::kMemories;
  std::size_t tokens = 0;      // of the whole item
  std::size_t min_tokens = 0;  // of its shortest excerpt; equal to tokens when it has none
};

enum class PackReason : std::uint8_t { kPacked, kBudget, kItemLimit };

struct PackResult {
  PackReason reason = PackReason::kBudget;
  std::size_t tokens = 0;  // granted; less than the item's when it must be excerpted
};

// Packs in the given order (best first within a section): skip and continue. The best memory is
// never dropped while its shortest excerpt fits into the whole budget. The sum of granted tokens
// is never over `budget`; budget 0 packs nothing.
std::vector<PackResult> Pack(std::span<const PackItem> items, std::size_t budget,
                             std::size_t max_items, const BudgetShares& shares);

}  // namespace souvenance::scoring
