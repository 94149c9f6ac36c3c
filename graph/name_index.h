// Which entities does a text name? Exact longest match over the analyzer's words, in any script.
// The engine tokenises and hands the words in; nothing here knows about scripts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace souvenance::graph {

struct NameHit {
  std::uint32_t node = 0;        // as given to Add
  std::uint32_t first_word = 0;  // of the text, half open: [first_word, past_word)
  std::uint32_t past_word = 0;
};

// Thread-safety: thread-compatible.
class NameIndex {
 public:
  NameIndex();
  ~NameIndex();
  NameIndex(NameIndex&&) noexcept;
  NameIndex& operator=(NameIndex&&) noexcept;

  // The same name may be given to several nodes; the same pair twice counts once. An empty name
  // is ignored.
  void Add(std::span<const std::string> words, std::uint32_t node);

  // From the left, the longest name at each word; words inside a match start no other match.
  // Every node of a matched name is returned, by ascending node.
  std::vector<NameHit> Link(std::span<const std::string> words) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace souvenance::graph
