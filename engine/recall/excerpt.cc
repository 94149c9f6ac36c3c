#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "engine/recall/context.h"
#include "scoring/budget.h"

namespace souvenance::recall {
namespace {

// One code point of valid UTF-8; its length in bytes. A stray byte is a code point of its own.
std::size_t Decode(std::string_view text, std::size_t at, std::uint32_t* code) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) {
    *code = lead;
    return 1;
  }
  if (lead >= 0xC0 && lead < 0xE0 && at + 1 < text.size()) {
    *code = ((lead & 0x1F) << 6) | (byte(1) & 0x3F);
    return 2;
  }
  if (lead >= 0xE0 && lead < 0xF0 && at + 2 < text.size()) {
    *code = ((lead & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F);
    return 3;
  }
  if (lead >= 0xF0 && at + 3 < text.size()) {
    *code = ((lead & 0x07) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) |
            (byte(3) & 0x3F);
    return 4;
  }
  *code = 0xFFFD;
  return 1;
}

bool IsHidden(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x200B || c == 0x200E || c == 0x200F ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF ||
         c == 0x2028 || c == 0x2029 || (c >= 0xE0000 && c <= 0xE007F);
}

// What stays with the character before it: combining marks, joiners, variation selectors, skin
// tones, and whatever follows a joiner. Enough that no emoji and no accent is cut in two.
bool Extends(std::uint32_t c, std::uint32_t before) {
  return c == 0x200D || before == 0x200D || (c >= 0x0300 && c <= 0x036F) ||
         (c >= 0x1AB0 && c <= 0x1AFF) || (c >= 0x20D0 && c <= 0x20FF) ||
         (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xFE20 && c <= 0xFE2F) ||
         (c >= 0x1F3FB && c <= 0x1F3FF) || (c >= 0xE0100 && c <= 0xE01EF) ||
         (c >= 0x1F1E6 && c <= 0x1F1FF && before >= 0x1F1E6 && before <= 0x1F1FF);
}

// Byte offsets at which the text may be cut: the beginnings of its graphemes, and its end.
std::vector<std::size_t> Cuts(std::string_view text) {
  std::vector<std::size_t> cuts;
  std::uint32_t before = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t code = 0;
    const std::size_t length = Decode(text, at, &code);
    if (at == 0 || !Extends(code, before)) cuts.push_back(at);
    before = code;
    at += length;
  }
  cuts.push_back(text.size());
  return cuts;
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::size_t FindWord(std::string_view text, std::string_view word) {
  const auto found = std::search(text.begin(), text.end(), word.begin(), word.end(),
                                 [](char a, char b) { return Lower(a) == Lower(b); });
  return found == text.end() ? std::string_view::npos
                             : static_cast<std::size_t>(found - text.begin());
}

}  // namespace

std::string EscapeForContext(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t code = 0;
    const std::size_t length = Decode(text, at, &code);
    if (code == '\n') {
      out += "\\n";
    } else if (code == '\t') {
      out += ' ';
    } else if (code == '<') {
      out += "‹";
    } else if (code == '>') {
      out += "›";
    } else if (IsHidden(code)) {
      char escaped[16];
      std::snprintf(escaped, sizeof escaped, "\\u{%X}", code);
      out += escaped;
    } else {
      out += text.substr(at, length);
    }
    at += length;
  }
  return out;
}

Excerpt ExcerptAround(std::string_view text, const std::vector<std::string>& words,
                      std::size_t tokens) {
  if (scoring::EstimateTokens(text) <= tokens) return {std::string(text), false};
  std::size_t match = std::string_view::npos;
  for (const std::string& word : words) {
    if (!word.empty()) match = std::min(match, FindWord(text, word));
  }
  if (match == std::string_view::npos) match = 0;
  const std::vector<std::size_t> cuts = Cuts(text);
  std::size_t first = static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), match) -
                                               cuts.begin() - 1);
  std::size_t past = first;
  // The two signs of omission count too. Grow by halves, a third before the match and the rest
  // after it, as long as the estimate allows.
  const auto fits = [&](std::size_t from, std::size_t to) {
    const std::string candidate = (from > 0 ? "…" : "") +
                                  std::string(text.substr(cuts[from], cuts[to] - cuts[from])) +
                                  (cuts[to] < text.size() ? "…" : "");
    return scoring::EstimateTokens(candidate) <= tokens;
  };
  if (!fits(first, past)) return {std::string(), true};
  for (std::size_t step = cuts.size(); step > 0; step /= 2) {
    bool grew = true;
    while (grew) {
      grew = false;
      const std::size_t further = std::min(past + step, cuts.size() - 1);
      if (further > past && fits(first, further)) {
        past = further;
        grew = true;
      }
      const std::size_t earlier = first > step / 2 ? first - step / 2 : 0;
      if (earlier < first && step > 1 && fits(earlier, past)) {
        first = earlier;
        grew = true;
      }
    }
  }
  Excerpt excerpt;
  excerpt.truncated = true;
  if (past == first) return excerpt;
  excerpt.text = (first > 0 ? "…" : "") +
                 std::string(text.substr(cuts[first], cuts[past] - cuts[first])) +
                 (cuts[past] < text.size() ? "…" : "");
  return excerpt;
}

}  // namespace souvenance::recall
