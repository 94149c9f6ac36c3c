// The assembled block for a prompt.
#pragma once

#include <souvenance/error.h>
#include <souvenance/hit.h>
#include <souvenance/query.h>

#include "engine/core.h"

namespace souvenance::recall {

Result<ContextAnswer> Context(const Core& core, const ContextQuery& query);

// Stored text as one escaped line: it can neither close its frame nor pose as a line of its own.
// Line breaks become "\n"; control, bidi and tag characters become \u{XXXX}; "<" and ">" become
// "‹" and "›", so that no tag can be opened or closed.
std::string EscapeForContext(std::string_view text);

// At most `tokens` of the text around `words` (the first place that holds one), cut at grapheme
// boundaries, with "…" where something was left out. The whole text when it fits.
struct Excerpt {
  std::string text;
  bool truncated = false;
};
Excerpt ExcerptAround(std::string_view text, const std::vector<std::string>& words,
                      std::size_t tokens);

}  // namespace souvenance::recall
