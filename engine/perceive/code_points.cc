#include "engine/perceive/rules.h"

namespace souvenance::perceive {
namespace {

bool In(char32_t c, char32_t first, char32_t last) { return first <= c && c <= last; }

void Append(char32_t c, std::string& out) {
  const auto byte = [&](char32_t b) { out.push_back(static_cast<char>(b)); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xc0 | (c >> 6));
    byte(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    byte(0xe0 | (c >> 12));
    byte(0x80 | ((c >> 6) & 0x3f));
    byte(0x80 | (c & 0x3f));
  } else {
    byte(0xf0 | (c >> 18));
    byte(0x80 | ((c >> 12) & 0x3f));
    byte(0x80 | ((c >> 6) & 0x3f));
    byte(0x80 | (c & 0x3f));
  }
}

char32_t ToLower(char32_t c) {
  if (!IsUpper(c)) return c;
  if (In(c, 'A', 'Z') || In(c, 0xc0, 0xde) || In(c, 0x391, 0x3a9) || In(c, 0x410, 0x42f)) {
    return c + 32;
  }
  if (In(c, 0x400, 0x40f)) return c + 80;
  if (c == 0x178) return 0xff;
  return c + 1;  // the rest alternate
}

}  // namespace

CodePoints::CodePoints(std::string_view text) : text_(text) {
  points_.reserve(text.size());
  starts_.reserve(text.size() + 1);
  for (std::size_t i = 0; i < text.size();) {
    starts_.push_back(static_cast<std::uint32_t>(i));
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    char32_t c = length == 1 ? lead : lead & (0xffu >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k) {
      c = (c << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3fu);
    }
    points_.push_back(c);
    i += length;
  }
  starts_.push_back(static_cast<std::uint32_t>(text.size()));
}

bool IsHan(char32_t c) {
  return In(c, 0x4e00, 0x9fff) || In(c, 0x3400, 0x4dbf) || In(c, 0xf900, 0xfaff) ||
         In(c, 0x20000, 0x3134f);
}

bool IsCasedLetter(char32_t c) {
  return In(c, 'a', 'z') || In(c, 'A', 'Z') || (In(c, 0xc0, 0x24f) && c != 0xd7 && c != 0xf7) ||
         In(c, 0x370, 0x373) || In(c, 0x386, 0x3ff) || In(c, 0x400, 0x52f) || In(c, 0x1e00, 0x1eff);
}

bool IsUpper(char32_t c) {
  if (In(c, 'A', 'Z')) return true;
  if (In(c, 0xc0, 0xde)) return c != 0xd7;
  if (In(c, 0x139, 0x148)) return c % 2 == 1;
  if (In(c, 0x100, 0x137) || In(c, 0x14a, 0x177) || In(c, 0x1e00, 0x1eff)) return c % 2 == 0;
  if (c == 0x178 || c == 0x179 || c == 0x17b || c == 0x17d) return true;
  return In(c, 0x391, 0x3a9) || In(c, 0x400, 0x42f);
}

bool IsDigit(char32_t c) { return In(c, '0', '9'); }

bool IsSpace(char32_t c) {
  return c == ' ' || In(c, '\t', '\r') || c == 0xa0 || c == 0x3000 || In(c, 0x2000, 0x200a);
}

std::string LowerCase(std::string_view text) {
  const CodePoints points(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < points.size(); ++i) Append(ToLower(points[i]), out);
  return out;
}

}  // namespace souvenance::perceive
