// The two language tools that hold state: the stemmer and the dictionary of scripts that write no
// spaces. One thread at a time uses an object.
#pragma once

#include <souvenance/error.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace souvenance::index {

// Snowball's English stemmer.
class Stemmer {
 public:
  Stemmer();
  ~Stemmer();
  // `word` is lower-case ASCII letters.
  std::string Stem(const std::string& word) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// ICU's word boundaries.
class WordBreaker {
 public:
  // Errors: kUnavailable when ICU's data is missing.
  static Result<std::unique_ptr<WordBreaker>> Create();
  ~WordBreaker();
  // Byte ranges of the words of `run`, in order.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> Split(std::string_view run) const;

 private:
  struct Impl;
  explicit WordBreaker(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// "icu 72.1; snowball english (xapian 1.4.22)"
std::string LanguageVersions();

}  // namespace souvenance::index
