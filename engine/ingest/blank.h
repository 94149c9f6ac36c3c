// What counts as no text at all.
#pragma once

#include <string_view>

namespace souvenance::ingest {

// True for a text of spaces alone, in any of the forms that people type: ASCII white space,
// U+00A0, U+3000, U+200B, U+FEFF.
constexpr bool IsBlank(std::string_view text) {
  constexpr std::string_view kBlanks[] = {
      " ",  "\t",       "\n",           "\r",           "\v",
      "\f", "\xC2\xA0", "\xE3\x80\x80", "\xE2\x80\x8B", "\xEF\xBB\xBF"};
  while (!text.empty()) {
    bool skipped = false;
    for (const std::string_view blank : kBlanks) {
      if (!text.starts_with(blank)) continue;
      text.remove_prefix(blank.size());
      skipped = true;
      break;
    }
    if (!skipped) return false;
  }
  return true;
}

}  // namespace souvenance::ingest
