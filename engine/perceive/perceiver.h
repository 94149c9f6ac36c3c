// Which things does a text mention? The built-in perceiver: rules and short lists, no model. It
// would rather miss a name than make one up; callers with better triples hand them in.
#pragma once

#include <souvenance/error.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace souvenance::index {
class Analyzer;
}

namespace souvenance::perceive {

struct Perceived {
  std::string name;  // without quotes, title, "@" or "#"; a tag is lower-cased
  // Bytes of the text, half open, with the quotes or the sign. Both 0 for a speaker or an
  // addressee who is given and not named in the text.
  std::uint32_t begin = 0, end = 0;
  std::string type;  // person, place, organisation, work, handle, email, tag, date, or empty
};

struct PerceiverInput {
  std::string_view text;
  std::string_view speaker;    // may be empty
  std::string_view addressee;  // may be empty
};

// Thread-safety: thread-safe, as the analyzer is. `analyzer` must outlive this object.
class BuiltinPerceiver {
 public:
  explicit BuiltinPerceiver(const index::Analyzer& analyzer) : analyzer_(analyzer) {}

  // Every mention, by ascending begin; no two overlap, the longest wins. Linear in the text.
  // Errors: kInvalidData  the text, the speaker or the addressee is not valid UTF-8.
  Result<std::vector<Perceived>> Entities(const PerceiverInput& input) const;

  // Hashtags (`#Travel`, `#话题#`), lower-cased, each once, in order of appearance. None for a
  // text that is not valid UTF-8.
  std::vector<std::string> Tags(std::string_view text) const;

 private:
  const index::Analyzer& analyzer_;
};

}  // namespace souvenance::perceive
