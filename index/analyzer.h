// How a text becomes terms. One analyzer serves indexing, cues, entity names and the built-in
// embedder, so that they can never disagree.
//
// ICU does NFKC, case folding and word boundaries (with its Chinese dictionary); runs of Han,
// Kana and Hangul become character bigrams; ASCII-Latin words are stemmed (Snowball English);
// identifiers such as `v2.3.1`, `ORD-1042` or an e-mail address stay findable whole and by their
// parts; emoji are terms. docs/formulas/analysis.md states each rule.
#pragma once

#include <souvenance/error.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace souvenance::index {

struct TermCount {
  std::string term;  // 1 to 245 bytes, no NUL
  std::uint32_t count = 0;
};

// What is ranked of a document. `terms` is sorted by term and holds each once; `length` is the
// sum of the counts.
struct AnalysedText {
  std::vector<TermCount> terms;
  std::uint32_t length = 0;
};

// What a cue asks for. Stop words are dropped, question words among them.
struct AnalysedCue {
  std::vector<TermCount> terms;  // sorted, each once; empty when nothing is searchable
  bool asks_when = false;        // "when", "what date", 什么时候, 哪天, 几号, ...
};

// The unit of names: NFKC, case-folded, not stemmed. A Latin or numeric word is one; a Han, Kana
// or Hangul character is one, so that names are found in any script whatever the segmentation.
// Signs that belong to a name stay with its word (C++, C#, .NET, AT&T).
struct Word {
  std::string text;
  std::uint32_t begin = 0;  // bytes of the original text, half open
  std::uint32_t end = 0;
};

// Thread-safety: thread-safe; each thread has its own break iterators.
class Analyzer {
 public:
  // Errors: kUnavailable when ICU's data is missing.
  static Result<std::unique_ptr<Analyzer>> Create();
  ~Analyzer();

  // Changes whenever the same text could give other terms: the rules' version, ICU's version,
  // the stemmer. Stored beside everything derived from terms.
  const std::string& fingerprint() const;

  // Errors of all of these: kInvalidData when the text is not valid UTF-8.
  Result<AnalysedText> Document(std::string_view text) const;
  Result<AnalysedCue> Cue(std::string_view text) const;
  Result<std::vector<Word>> Words(std::string_view text) const;

  // The key under which a name is looked up: its words, joined by a space between Latin words and
  // by nothing between characters. `OpenAI`, `ＯｐｅｎＡＩ` and `openai ` are one key. Empty when
  // the name has no word.
  Result<std::string> NameKey(std::string_view name) const;

  // Whether the text says when something happens: a date, a clock time, a weekday, a month, or a
  // relative expression ("yesterday", "last week", 上周, 昨天, 去年).
  Result<bool> HasTimeExpression(std::string_view text) const;

 private:
  struct Impl;
  explicit Analyzer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// True when the text is valid UTF-8 (no surrogates, no overlong forms) and holds no NUL byte.
bool IsValidText(std::string_view text);

// The stored form of analysed terms (docs/formats/terms.md): for `analysed_terms` in truth.db.
std::string EncodeTerms(const AnalysedText& text);
// Errors: kCorruption on anything EncodeTerms cannot have written.
Result<AnalysedText> DecodeTerms(std::string_view blob);

}  // namespace souvenance::index
