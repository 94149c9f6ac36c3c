// What turns text into terms, words and vectors, for one open engine: the analyzer, the embedder
// of the store's active space, and the numbers derived from them once.
#pragma once

#include <souvenance/error.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/analyzer.h"
#include "index/embed/embedder.h"

namespace souvenance::shard {

// What is derived from one revision's text and kept in the table analysed_terms.
struct TextNotes {
  index::AnalysedText text;
  bool says_when = false;
  bool asks = false;
};

// Thread-safety: thread-safe.
class Linguist {
 public:
  // Errors: kUnavailable (ICU's data), and the embedder's.
  static Result<std::unique_ptr<Linguist>> Create();

  const index::Analyzer& analyzer() const { return *analyzer_; }
  const index::Embedder& embedder() const { return *embedder_; }
  const std::string& embedder_fingerprint() const { return embedder_fingerprint_; }
  // The cosine that unrelated texts reach.
  double unrelated_similarity() const { return unrelated_similarity_; }

  Result<TextNotes> Analyse(std::string_view text) const;

  // The vector of a text; empty when the text has no feature.
  // Errors: kUnavailable.
  Result<std::vector<float>> Embed(std::string_view text, index::EmbedRole role) const;
  Result<std::vector<std::vector<float>>> EmbedAll(std::span<const std::string_view> texts,
                                                   index::EmbedRole role) const;

  // Texts of the words of a text, for linking.
  std::vector<std::string> WordTexts(std::string_view text) const;

 private:
  std::unique_ptr<index::Analyzer> analyzer_;
  std::unique_ptr<index::Embedder> embedder_;
  std::string embedder_fingerprint_;
  double unrelated_similarity_ = 0;
};

// The stored form: one byte of flags, then index::EncodeTerms.
std::string EncodeNotes(const TextNotes& notes);
Result<TextNotes> DecodeNotes(std::string_view blob);

// Adds the terms of `extra` to `text`.
void MergeTerms(const index::AnalysedText& extra, index::AnalysedText* text);

// The terms of many texts as those of one: a session's.
class TermSum {
 public:
  void Add(const index::AnalysedText& text);
  // Sorted, each term once. Leaves nothing behind.
  index::AnalysedText Take();

 private:
  index::AnalysedText sum_;  // unsorted until taken
};

}  // namespace souvenance::shard
