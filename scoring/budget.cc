#include "scoring/budget.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "scoring/finite.h"

namespace souvenance::scoring {
namespace {

constexpr std::size_t kSectionMemories = static_cast<std::size_t>(Section::kMemories);

// What may still be given away.
struct Room {
  std::size_t tokens = 0;
  std::size_t items = 0;
};

// The tokens of the shortest form in which an item can be shown.
std::size_t Shortest(const PackItem& item) {
  return std::min(item.tokens, std::max<std::size_t>(item.min_tokens, 1));
}

// Rounded down. 0.29 × 100 is 28.999…; the small addition makes it the 29 that was meant.
std::size_t ShareOf(double share, std::size_t whole) {
  const double part = std::floor(Unit(share) * static_cast<double>(whole) + 1e-9);
  return part >= static_cast<double>(whole) ? whole : static_cast<std::size_t>(part);
}

class Packer {
 public:
  Packer(std::span<const PackItem> items, Room whole)
      : items_(items), results_(items.size()), left_(whole) {}

  // Sets the shortest excerpt of an item aside until ReleaseReserve().
  void Reserve(std::size_t index) {
    reserved_ = index;
    left_.tokens -= Shortest(items_[index]);
    left_.items -= 1;
  }
  void ReleaseReserve() {
    if (!reserved_) return;
    left_.tokens += Shortest(items_[*reserved_]);
    left_.items += 1;
    reserved_.reset();
  }

  // Packs what it can of one section, and lengthens what is cut short in it, within `share` and
  // within what is left of the whole.
  void PackSection(std::size_t section, Room share) {
    Room room{std::min(share.tokens, left_.tokens), std::min(share.items, left_.items)};
    // Those cut short by an earlier, narrower room come first: they ranked first.
    Lengthen(section, &room);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (Is(i, section) && !IsPacked(i)) Admit(i, &room);
    }
    Lengthen(section, &room);
  }

  std::vector<PackResult> Finish() && {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (IsPacked(i)) continue;
      const bool would_fit = Shortest(items_[i]) <= left_.tokens;
      results_[i].reason =
          left_.items == 0 && would_fit ? PackReason::kItemLimit : PackReason::kBudget;
    }
    return std::move(results_);
  }

  const Room& left() const { return left_; }

 private:
  bool Is(std::size_t i, std::size_t section) const {
    return static_cast<std::size_t>(items_[i].section) == section;
  }
  bool IsPacked(std::size_t i) const { return results_[i].reason == PackReason::kPacked; }

  void Grant(std::size_t i, std::size_t tokens, Room* room) {
    results_[i].tokens += tokens;
    room->tokens -= tokens;
    left_.tokens -= tokens;
  }

  void Admit(std::size_t i, Room* room) {
    const PackItem& item = items_[i];
    if (room->items == 0 || Shortest(item) > room->tokens) return;
    // Half of the room, so that one long item does not take every other's place.
    const std::size_t excerpt = std::max(Shortest(item), room->tokens - room->tokens / 2);
    results_[i].reason = PackReason::kPacked;
    --room->items;
    --left_.items;
    Grant(i, item.tokens <= room->tokens ? item.tokens : excerpt, room);
  }

  void Lengthen(std::size_t section, Room* room) {
    for (std::size_t i = 0; i < items_.size() && room->tokens > 0; ++i) {
      if (!Is(i, section) || !IsPacked(i)) continue;
      Grant(i, std::min(items_[i].tokens - results_[i].tokens, room->tokens), room);
    }
  }

  std::span<const PackItem> items_;
  std::vector<PackResult> results_;
  Room left_;
  std::optional<std::size_t> reserved_;
};

}  // namespace

std::vector<PackResult> Pack(std::span<const PackItem> items, std::size_t budget,
                             std::size_t max_items, const BudgetShares& shares) {
  Packer packer(items, {budget, max_items});
  if (budget == 0 || max_items == 0) return std::move(packer).Finish();

  const auto best = std::find_if(items.begin(), items.end(), [](const PackItem& item) {
    return item.section == Section::kMemories;
  });
  if (best != items.end() && Shortest(*best) <= budget) {
    packer.Reserve(static_cast<std::size_t>(best - items.begin()));
  }
  for (std::size_t section = 0; section < kSections; ++section) {
    if (section == kSectionMemories) continue;
    packer.PackSection(section, {ShareOf(shares.share[section], budget),
                                 ShareOf(shares.share[section], max_items)});
  }
  packer.ReleaseReserve();
  packer.PackSection(kSectionMemories, packer.left());
  for (std::size_t section = 0; section < kSections; ++section) {
    if (section != kSectionMemories) packer.PackSection(section, packer.left());
  }
  return std::move(packer).Finish();
}

}  // namespace souvenance::scoring
