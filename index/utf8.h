// Reading UTF-8 that is known to be valid, one code point at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace souvenance::index {

// The code point at `*at`, which moves past it. `text` is valid UTF-8 and `*at` a boundary in it.
inline char32_t NextCodePoint(std::string_view text, std::size_t* at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[i]));
  };
  const char32_t lead = byte(*at);
  if (lead < 0x80) {
    *at += 1;
    return lead;
  }
  if (lead < 0xE0) {
    const char32_t c = ((lead & 0x1F) << 6) | (byte(*at + 1) & 0x3F);
    *at += 2;
    return c;
  }
  if (lead < 0xF0) {
    const char32_t c =
        ((lead & 0x0F) << 12) | ((byte(*at + 1) & 0x3F) << 6) | (byte(*at + 2) & 0x3F);
    *at += 3;
    return c;
  }
  const char32_t c = ((lead & 0x07) << 18) | ((byte(*at + 1) & 0x3F) << 12) |
                     ((byte(*at + 2) & 0x3F) << 6) | (byte(*at + 3) & 0x3F);
  *at += 4;
  return c;
}

// Whether a code point starts at this byte.
inline bool IsBoundary(std::string_view text, std::size_t at) {
  return at >= text.size() || (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
}

}  // namespace souvenance::index
