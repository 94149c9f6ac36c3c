#include "graph/name_index.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace souvenance::graph {

// A trie over word numbers. Its edges lie in one hash map, which is only ever asked, never
// walked, so no order of hashing reaches an answer.
struct NameIndex::Impl {
  static std::uint64_t Step(std::uint32_t state, std::uint32_t word) {
    return (std::uint64_t{state} << 32) | word;
  }

  std::unordered_map<std::string, std::uint32_t> words;
  std::unordered_map<std::uint64_t, std::uint32_t> steps;
  std::vector<std::vector<std::uint32_t>> nodes{{}};  // by state, ascending; state 0 is the root
};

NameIndex::NameIndex() : impl_(std::make_unique<Impl>()) {}
NameIndex::~NameIndex() = default;
NameIndex::NameIndex(NameIndex&&) noexcept = default;
NameIndex& NameIndex::operator=(NameIndex&&) noexcept = default;

void NameIndex::Add(std::span<const std::string> words, std::uint32_t node) {
  if (words.empty()) return;
  std::uint32_t state = 0;
  for (const std::string& text : words) {
    const auto next_word = static_cast<std::uint32_t>(impl_->words.size());
    const std::uint32_t word = impl_->words.try_emplace(text, next_word).first->second;
    const auto next_state = static_cast<std::uint32_t>(impl_->nodes.size());
    const auto [step, fresh] = impl_->steps.try_emplace(Impl::Step(state, word), next_state);
    if (fresh) impl_->nodes.emplace_back();
    state = step->second;
  }
  std::vector<std::uint32_t>& named = impl_->nodes[state];
  const auto at = std::lower_bound(named.begin(), named.end(), node);
  if (at == named.end() || *at != node) named.insert(at, node);
}

std::vector<NameHit> NameIndex::Link(std::span<const std::string> words) const {
  constexpr std::uint32_t kUnknown = 0xffffffff;
  std::vector<std::uint32_t> numbers;
  numbers.reserve(words.size());
  for (const std::string& text : words) {
    const auto word = impl_->words.find(text);
    numbers.push_back(word == impl_->words.end() ? kUnknown : word->second);
  }

  std::vector<NameHit> hits;
  std::size_t first = 0;
  while (first < numbers.size()) {
    std::uint32_t state = 0;
    std::uint32_t best_state = 0;
    std::size_t past = first;
    for (std::size_t i = first; i < numbers.size() && numbers[i] != kUnknown; ++i) {
      const auto step = impl_->steps.find(Impl::Step(state, numbers[i]));
      if (step == impl_->steps.end()) break;
      state = step->second;
      if (!impl_->nodes[state].empty()) {
        best_state = state;
        past = i + 1;
      }
    }
    if (past == first) {
      ++first;
      continue;
    }
    for (const std::uint32_t node : impl_->nodes[best_state]) {
      hits.push_back({node, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(past)});
    }
    first = past;
  }
  return hits;
}

}  // namespace souvenance::graph
