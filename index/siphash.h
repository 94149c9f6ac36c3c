// SipHash-2-4 (Aumasson and Bernstein, 2012): a fixed 64-bit hash, the same on every machine.
// Here for hashed features and long terms; no secrets are involved.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace souvenance::index {

// The key of the published test vectors: the bytes 00 01 02 ... 0f.
inline constexpr std::uint64_t kSipKey0 = 0x0706050403020100ULL;
inline constexpr std::uint64_t kSipKey1 = 0x0f0e0d0c0b0a0908ULL;

inline std::uint64_t SipHash(std::string_view data, std::uint64_t k0 = kSipKey0,
                             std::uint64_t k1 = kSipKey1) {
  std::uint64_t v0 = 0x736f6d6570736575ULL ^ k0;
  std::uint64_t v1 = 0x646f72616e646f6dULL ^ k1;
  std::uint64_t v2 = 0x6c7967656e657261ULL ^ k0;
  std::uint64_t v3 = 0x7465646279746573ULL ^ k1;
  const auto round = [&] {
    v0 += v1, v1 = std::rotl(v1, 13) ^ v0, v0 = std::rotl(v0, 32);
    v2 += v3, v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3, v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1, v1 = std::rotl(v1, 17) ^ v2, v2 = std::rotl(v2, 32);
  };
  // Bytes are put together one by one: the word order of the machine does not matter.
  const auto word = [&](std::size_t at, std::size_t count) {
    std::uint64_t m = 0;
    for (std::size_t i = 0; i < count; ++i) {
      m |= static_cast<std::uint64_t>(static_cast<unsigned char>(data[at + i])) << (8 * i);
    }
    return m;
  };
  const std::size_t whole = data.size() / 8 * 8;
  for (std::size_t at = 0; at < whole; at += 8) {
    const std::uint64_t m = word(at, 8);
    v3 ^= m;
    round();
    round();
    v0 ^= m;
  }
  const std::uint64_t last =
      word(whole, data.size() - whole) | static_cast<std::uint64_t>(data.size() & 0xFF) << 56;
  v3 ^= last;
  round();
  round();
  v0 ^= last;
  v2 ^= 0xFF;
  for (int i = 0; i < 4; ++i) round();
  return v0 ^ v1 ^ v2 ^ v3;
}

}  // namespace souvenance::index
