// SHA-256, the one digest of the formats.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace souvenance::storage {

using Digest = std::array<std::uint8_t, 32>;

// The digest of `bytes`.
Digest Sha256(std::string_view bytes);

// A digest over bytes that come in pieces.
//
// Thread-safety: thread-compatible.
class Sha256Stream {
 public:
  Sha256Stream();
  ~Sha256Stream();
  Sha256Stream(Sha256Stream&&) noexcept;
  Sha256Stream& operator=(Sha256Stream&&) noexcept;

  Sha256Stream& Update(std::string_view bytes);
  Sha256Stream& Update(std::span<const std::uint8_t> bytes);
  // The digest of all that was given; the stream starts again from nothing.
  Digest Finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Lower-case hexadecimal digits.
std::string Hex(std::span<const std::uint8_t> bytes);

// The bytes as the text that SQLite and the hash take.
inline std::string_view View(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace souvenance::storage
