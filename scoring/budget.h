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

// Estimates how many tokens a model's tokenizer would make of a text: letters (of Latin and of
// every other alphabet or syllabary, with their combining marks) 1 per 4 characters of a word,
// digits 1 per 3 of a run, both rounded up; each Han, Kana or Hangul character 1, each other sign
// 1, white space 0. Deterministic; each byte that is not part of valid UTF-8 counts 1.
std::size_t EstimateTokens(std::string_view utf8);

enum class Section : std::uint8_t { kIdentity = 0, kRecent, kMemories, kFacts, kEvidence };
inline constexpr std::size_t kSections = 5;

// Shares of the budget, in the order of Section, of tokens and of items alike; what one leaves
// unused, and what none was given, goes to the memories, then to the others in order. Must sum to
// at most 1; each counts within [0, 1], one that is no number as 0.
struct BudgetShares {
  double share[kSections] = {0.10, 0.20, 0.50, 0.15, 0.05};
};

struct PackItem {
  Section section = Section::kMemories;
  std::size_t tokens = 0;      // of the whole item
  std::size_t min_tokens = 0;  // of its shortest excerpt; equal to tokens when it has none
};

// kBudget: not even its shortest excerpt fitted. kItemLimit: it would have fitted, but as many
// items as allowed were in.
enum class PackReason : std::uint8_t { kPacked, kBudget, kItemLimit };

struct PackResult {
  PackReason reason = PackReason::kBudget;
  std::size_t tokens = 0;  // granted; less than the item's when it must be excerpted
};

// Packs in the given order (best first within a section): skip and continue. An item too long for
// the room left is granted half of it, but no less than its shortest excerpt; what the section's
// later items leave of the room goes back to such items, best first. The best memory (the first of
// the section) is never dropped while its shortest excerpt fits into the whole budget. The sum of
// granted tokens is never over `budget`, nor are more than `max_items` packed; budget 0 packs
// nothing. The results are parallel to `items`.
std::vector<PackResult> Pack(std::span<const PackItem> items, std::size_t budget,
                             std::size_t max_items, const BudgetShares& shares);

}  // namespace souvenance::scoring
