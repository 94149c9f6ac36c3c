// NFKC with case folding, and the way back to the original bytes.
#pragma once

#include <souvenance/error.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace souvenance::index {

// Thread-safety: immutable.
class Normaliser {
 public:
  // Errors: kUnavailable when ICU's data is missing.
  static Result<std::unique_ptr<Normaliser>> Create();
  ~Normaliser();

  // `text` is valid UTF-8. Zero width joiners stay, for emoji are made with them; all else that
  // is invisible by default goes.
  Result<std::string> Normalise(std::string_view text) const;

  // As above; `changes` receives what moves an offset of the result back to the original.
  struct Change {
    std::uint32_t source = 0;  // begin and length in the original
    std::uint32_t source_length = 0;
    std::uint32_t target = 0;  // begin and length in the result
    std::uint32_t target_length = 0;
  };
  Result<std::string> Normalise(std::string_view text, std::vector<Change>* changes) const;

 private:
  struct Impl;
  explicit Normaliser(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Moves ranges of the result, given in ascending order, back to the original. A range that begins
// or ends inside a changed stretch takes the whole stretch.
class OffsetMap {
 public:
  explicit OffsetMap(const std::vector<Normaliser::Change>& changes) : changes_(changes) {}
  std::uint32_t Begin(std::uint32_t target);
  std::uint32_t End(std::uint32_t target);

 private:
  const Normaliser::Change* Last(std::uint32_t target);
  const std::vector<Normaliser::Change>& changes_;
  std::size_t next_ = 0;
};

}  // namespace souvenance::index
