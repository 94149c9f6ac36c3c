#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "scoring/budget.h"

namespace souvenance::scoring {
namespace {

enum class Kind { kLetter, kDigit, kSpace, kSign };

struct Range {
  char32_t first;
  char32_t last;
};

// Blocks rather than the character database: an estimate needs no more, and scoring links no ICU.
// Han, Kana and Hangul stand in neither table: each character counts 1, as a sign does. Ascending.
constexpr Range kLetters[] = {
    {'A', 'Z'},         {'a', 'z'},         {0xaa, 0xaa},       {0xb5, 0xb5},
    {0xba, 0xba},       {0xc0, 0xd6},       {0xd8, 0xf6},       {0xf8, 0x2c1},
    {0x2c6, 0x2d1},     {0x2e0, 0x2e4},     {0x300, 0x374},     {0x376, 0x37d},
    {0x37f, 0x383},     {0x386, 0x386},     {0x388, 0x481},     {0x483, 0x559},
    {0x560, 0x588},     {0x591, 0x5bd},     {0x5bf, 0x5bf},     {0x5c1, 0x5c2},
    {0x5c4, 0x5c5},     {0x5c7, 0x5f2},     {0x610, 0x61a},     {0x620, 0x65f},
    {0x66e, 0x6d3},     {0x6d5, 0x6dc},     {0x6df, 0x6e8},     {0x6ea, 0x6ef},
    {0x6fa, 0x6fc},     {0x710, 0x7bf},     {0x7ca, 0x963},     {0x971, 0x9e5},
    {0x9f0, 0xa65},     {0xa70, 0xae5},     {0xaf0, 0xb65},     {0xb70, 0xbe5},
    {0xbf0, 0xc65},     {0xc70, 0xce5},     {0xcf0, 0xd65},     {0xd70, 0xe3e},
    {0xe40, 0xe4e},     {0xe81, 0xecf},     {0xedc, 0xf00},     {0xf40, 0xfbc},
    {0x1000, 0x103f},   {0x1050, 0x108f},   {0x109a, 0x10ff},   {0x1200, 0x135f},
    {0x1380, 0x167f},   {0x1681, 0x169a},   {0x16a0, 0x17d3},   {0x1810, 0x1fbc},
    {0x1fc2, 0x1fcc},   {0x1fd0, 0x1fdb},   {0x1fe0, 0x1fec},   {0x1ff2, 0x1ffc},
    {0x2c00, 0x2dff},   {0xa000, 0xa4cf},   {0xa4d0, 0xa4fd},   {0xa500, 0xa61f},
    {0xa640, 0xa6ef},   {0xa720, 0xa827},   {0xa840, 0xa8c5},   {0xa900, 0xa92d},
    {0xa930, 0xa953},   {0xa980, 0xabff},   {0xfb00, 0xfdff},   {0xfe20, 0xfe2f},
    {0xfe70, 0xfefc},   {0xff21, 0xff3a},   {0xff41, 0xff5a},   {0x10000, 0x12fff},
    {0x16800, 0x16fff}, {0x1d400, 0x1d7cb}, {0x1e000, 0x1e8ff}, {0x1e900, 0x1e943},
};
constexpr Range kDigits[] = {
    {'0', '9'},       {0x660, 0x669},   {0x6f0, 0x6f9},   {0x7c0, 0x7c9},     {0x966, 0x96f},
    {0x9e6, 0x9ef},   {0xa66, 0xa6f},   {0xae6, 0xaef},   {0xb66, 0xb6f},     {0xbe6, 0xbef},
    {0xc66, 0xc6f},   {0xce6, 0xcef},   {0xd66, 0xd6f},   {0xe50, 0xe59},     {0xed0, 0xed9},
    {0x1040, 0x1049}, {0x1090, 0x1099}, {0xff10, 0xff19}, {0x1d7ce, 0x1d7ff},
};
constexpr Range kSpaces[] = {
    {0x09, 0x0d},     {0x20, 0x20},     {0x85, 0x85},     {0xa0, 0xa0},     {0x1680, 0x1680},
    {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000},
};

template <std::size_t N>
bool In(const Range (&ranges)[N], char32_t c) {
  const Range* found =
      std::lower_bound(std::begin(ranges), std::end(ranges), c,
                       [](const Range& range, char32_t value) { return range.last < value; });
  return found != std::end(ranges) && found->first <= c;
}

Kind KindOf(char32_t c) {
  if (In(kSpaces, c)) return Kind::kSpace;
  if (In(kDigits, c)) return Kind::kDigit;
  if (In(kLetters, c)) return Kind::kLetter;
  return Kind::kSign;
}

bool IsTrail(unsigned char byte) { return (byte & 0xc0u) == 0x80u; }

// The length in bytes of the character at the front of `text`, 0 when it is not valid UTF-8
// (overlong, a surrogate, beyond U+10FFFF, or cut short). `text` is not empty.
std::size_t Decode(std::string_view text, char32_t* out) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    *out = lead;
    return 1;
  }
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  char32_t c = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!IsTrail(byte(i))) return 0;
    c = (c << 6) | (byte(i) & 0x3fu);
  }
  constexpr std::array<char32_t, 5> kShortest = {0, 0, 0x80, 0x800, 0x10000};
  if (c < kShortest[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) return 0;
  *out = c;
  return length;
}

std::size_t RoundedUp(std::size_t count, std::size_t per_token) {
  return (count + per_token - 1) / per_token;
}

}  // namespace

std::size_t EstimateTokens(std::string_view utf8) {
  std::size_t tokens = 0;
  std::size_t letters = 0;  // of the word that is being read
  std::size_t digits = 0;   // of the run that is being read
  const auto finish_word = [&] {
    tokens += RoundedUp(letters, 4);
    letters = 0;
  };
  const auto finish_number = [&] {
    tokens += RoundedUp(digits, 3);
    digits = 0;
  };
  while (!utf8.empty()) {
    char32_t c = 0;
    const std::size_t length = Decode(utf8, &c);
    const Kind kind = length == 0 ? Kind::kSign : KindOf(c);
    if (kind != Kind::kLetter) finish_word();
    if (kind != Kind::kDigit) finish_number();
    if (kind == Kind::kLetter) ++letters;
    if (kind == Kind::kDigit) ++digits;
    if (kind == Kind::kSign) ++tokens;
    utf8.remove_prefix(length == 0 ? 1 : length);
  }
  finish_word();
  finish_number();
  return tokens;
}

}  // namespace souvenance::scoring
