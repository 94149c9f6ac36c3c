#include "tools/souvenance/terminal.h"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace souvenance::program {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// East Asian Width W and F of Unicode 14; small unassigned gaps within a block are taken in.
constexpr std::array kWide = std::to_array<Range>({
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
    {0x23F0, 0x23F0},   {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},
    {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},
    {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},
    {0x2728, 0x2728},   {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27B0, 0x27B0},   {0x27BF, 0x27BF},
    {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x3247},   {0x3250, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97C},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6B},
    {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x18D08}, {0x1AFF0, 0x1B2FB},
    {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A},
    {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393},
    {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4},
    {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D},
    {0x1F54B, 0x1F54E}, {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596},
    {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC},
    {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6DF}, {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC},
    {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF},
    {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
});

// Combining marks and joiners that people meet; a terminal draws them onto their neighbour.
constexpr std::array kZeroWidth = std::to_array<Range>({
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},   {0x064B, 0x065F},
    {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF},   {0x1DC0, 0x1DFF},
    {0x200B, 0x200F}, {0x2060, 0x2064}, {0x20D0, 0x20FF}, {0x302A, 0x302F},   {0x3099, 0x309A},
    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF},
});

template <std::size_t N>
bool In(const std::array<Range, N>& ranges, char32_t c) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), c,
                                      [](char32_t v, const Range& r) { return v < r.first; });
  return after != ranges.begin() && c <= std::prev(after)->last;
}

std::size_t CharWidth(char32_t c) {
  if (c < 0x300) return 1;
  if (In(kZeroWidth, c)) return 0;
  return In(kWide, c) ? 2 : 1;
}

struct Char {
  char32_t code = 0;
  std::size_t bytes = 0;
  bool valid = false;  // else: one byte that belongs to no character
};

Char Decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  std::size_t size = 0;
  char32_t code = 0;
  char32_t least = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    size = 2, code = lead & 0x1F, least = 0x80;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    size = 3, code = lead & 0x0F, least = 0x800;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    size = 4, code = lead & 0x07, least = 0x10000;
  }
  if (size == 0 || at + size > text.size()) return {0xFFFD, 1, false};
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0xFFFD, 1, false};
    code = (code << 6) | (byte(i) & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least || code > 0x10FFFF || surrogate) return {0xFFFD, 1, false};
  return {code, size, true};
}

// What may act on a terminal or hide text from a reader, beside C0.
bool IsHarmful(char32_t c) {
  return c == 0x7F || (c >= 0x80 && c <= 0x9F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F || c == 0x061C ||
         (c >= 0xE0000 && c <= 0xE007F);
}

std::string Escaped(char32_t c) {
  const auto code = static_cast<std::uint32_t>(c);
  if (code < 0x10000) return fmt::format("\\u{:04x}", code);
  const std::uint32_t rest = code - 0x10000;  // as JSON has it: a surrogate pair
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF));
}

// Chinese and Japanese typesetting: these begin no line, those end none.
bool IsClosing(char32_t c) {
  constexpr std::u32string_view kClosing = U"，。、！？；：）」』】》〉”’…～·,.!?;:)]}％";
  return kClosing.find(c) != std::u32string_view::npos;
}
bool IsOpening(char32_t c) {
  constexpr std::u32string_view kOpening = U"（「『【《〈“‘([{";
  return kOpening.find(c) != std::u32string_view::npos;
}

std::string Painted(const Style& style, std::string_view code, std::string_view text) {
  if (!style.color || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::size_t ColumnsOf(int descriptor) {
  winsize size{};
  if (isatty(descriptor) != 0 && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return size.ws_col;
  }
  const char* columns = std::getenv("COLUMNS");
  if (columns == nullptr) return isatty(descriptor) != 0 ? 80 : 0;
  const long value = std::strtol(columns, nullptr, 10);
  return value >= 20 && value <= 1000 ? static_cast<std::size_t>(value) : 0;
}

// Lines being filled by Wrap.
class Filler {
 public:
  Filler(std::size_t width, std::size_t indent) : width_(width), indent_(indent) {}

  void Add(const Char& c, std::string_view bytes) {
    const std::size_t columns = CharWidth(c.code);
    const bool space = c.code == ' ';
    if (last_ != 0 && !space) {
      const bool wide = columns == 2 || CharWidth(last_) == 2;
      if (last_ == ' ' || (wide && !IsClosing(c.code) && !IsOpening(last_))) break_ = line_.size();
    }
    if (width_ != 0 && columns != 0 && used_ + columns > width_) {
      if (space) {
        Flush(line_.size());
        return;
      }
      Flush(break_ == 0 ? line_.size() : break_);
    }
    if (space && line_.empty() && flushed_) return;  // the space that a line was broken at
    line_.append(bytes);
    used_ += columns;
    last_ = columns == 0 ? last_ : c.code;
  }

  void EndLine() {
    Flush(line_.size());
    flushed_ = false;
  }

  std::string Take() {
    if (!line_.empty()) EndLine();
    return std::move(out_);
  }

 private:
  void Flush(std::size_t count) {
    std::string_view line = std::string_view(line_).substr(0, count);
    while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
    if (!line.empty()) out_.append(indent_, ' ');
    out_.append(line);
    out_.push_back('\n');
    line_.erase(0, count);
    used_ = DisplayWidth(line_);
    break_ = 0;
    flushed_ = true;
    if (line_.empty()) last_ = 0;
  }

  std::size_t width_;
  std::size_t indent_;
  std::string out_;
  std::string line_;
  std::size_t used_ = 0;
  std::size_t break_ = 0;  // bytes of line_ that may stand alone; 0: none
  char32_t last_ = 0;
  bool flushed_ = false;
};

spdlog::logger& Log() {
  static spdlog::logger* logger = [] {
    auto sink = std::make_shared<spdlog::sinks::stderr_sink_st>();
    auto* made = new spdlog::logger("souvenance", sink);  // lives as long as the process
    made->set_pattern("%v");
    made->flush_on(spdlog::level::info);
    return made;
  }();
  return *logger;
}

}  // namespace

Style StdoutStyle() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool wanted = no_color == nullptr || *no_color == '\0';
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  return {.color = wanted && !dumb && isatty(STDOUT_FILENO) != 0,
          .width = ColumnsOf(STDOUT_FILENO)};
}

std::string Bold(const Style& style, std::string_view text) { return Painted(style, "1", text); }
std::string Dim(const Style& style, std::string_view text) { return Painted(style, "2", text); }
std::string Accent(const Style& style, std::string_view text) { return Painted(style, "36", text); }

bool IsCleanUtf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Char c = Decode(text, at);
    if (!c.valid || c.code == 0) return false;
    at += c.bytes;
  }
  return true;
}

std::string Sanitize(std::string_view text, Lines lines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Char c = Decode(text, at);
    const bool line_end = c.code == '\n' || c.code == '\r' || c.code == 0x2028 || c.code == 0x2029;
    const bool windows_end = c.code == '\r' && at + 1 < text.size() && text[at + 1] == '\n';
    if (!c.valid) {
      out += "\xEF\xBF\xBD";
    } else if (line_end) {
      if (!windows_end) out += lines == Lines::kKeep ? '\n' : ' ';
    } else if (c.code == '\t') {
      out += ' ';
    } else if (c.code < 0x20 || IsHarmful(c.code)) {
      out += Escaped(c.code);
    } else {
      out.append(text.substr(at, c.bytes));
    }
    at += c.bytes;
  }
  return out;
}

std::string EscapeForJson(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const Char c = Decode(json, at);
    if (!c.valid) {
      out += "\xEF\xBF\xBD";
    } else if (IsHarmful(c.code)) {
      out += Escaped(c.code);
    } else {
      out.append(json.substr(at, c.bytes));
    }
    at += c.bytes;
  }
  return out;
}

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Char c = Decode(text, at);
    width += CharWidth(c.code);
    at += c.bytes;
  }
  return width;
}

std::string Wrap(std::string_view text, std::size_t width, std::size_t indent) {
  const std::string clean = Sanitize(text, Lines::kKeep);
  // A terminal too narrow for the indent still gets ten columns of text.
  const std::size_t room =
      width == 0 ? 0 : std::max<std::size_t>(width - std::min(width, indent), 10);
  Filler filler(room, indent);
  for (std::size_t at = 0; at < clean.size();) {
    const Char c = Decode(clean, at);
    if (c.code == '\n') {
      filler.EndLine();
    } else {
      filler.Add(c, std::string_view(clean).substr(at, c.bytes));
    }
    at += c.bytes;
  }
  return filler.Take();
}

std::string Pad(std::string_view text, std::size_t width) {
  std::string out(text);
  const std::size_t used = DisplayWidth(text);
  if (used < width) out.append(width - used, ' ');
  return out;
}

Progress::Progress(std::string label) : label_(std::move(label)), on_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void Progress::Update(std::uint64_t done, std::uint64_t total, std::string_view note) {
  if (!on_) return;
  const auto now = std::chrono::steady_clock::now();
  if (drawn_ && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  std::string bar;
  if (total != 0) {
    constexpr std::size_t kCells = 24;
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    const auto full = static_cast<std::size_t>(share * kCells);
    bar = fmt::format(" [{}{}] {:3.0f}%", std::string(full, '#'), std::string(kCells - full, ' '),
                      share * 100);
  }
  const std::string line = fmt::format("\r{}{} {}\x1b[K", label_, bar, Sanitize(note));
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

void Notice(std::string_view text) { NoticeLine(fmt::format("souvenance: {}", text)); }

void NoticeLine(std::string_view text) { Log().info("{}", Sanitize(text)); }

}  // namespace souvenance::program
