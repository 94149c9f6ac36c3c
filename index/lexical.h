// Which texts share words with a cue? BM25 over one scope's documents, as segments that never
// change: a sealed Xapian base and in-memory tails. They bring candidates and term frequencies;
// what counts is one scorer, fed with the statistics of the viewer's visible pool, so that the
// same items get the same bits however they are split.
#pragma once

#include <souvenance/error.h>
#include <souvenance/ids.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/analyzer.h"

namespace souvenance::index {

// BM25 as in Robertson and Zaragoza (2009): docs/formulas/bm25.md.
struct Bm25Params {
  double k1 = 1.0;  // >= 0
  double b = 0.5;   // [0, 1]
};

// ln(1 + (N - df + 0.5) / (df + 0.5)), never negative; df is clamped to [0, N].
double Bm25Idf(std::uint64_t documents, std::uint64_t document_frequency);

// The term's share: tf (k1 + 1) / (tf + k1 (1 - b + b length / average_length)), in
// [0, k1 + 1). 0 when tf is 0. average_length <= 0 counts as 1.
double Bm25TermWeight(double tf, double length, double average_length, const Bm25Params& params);

struct WeightedTerm {
  std::string term;
  double weight = 0;  // idf of the pool times the term's count in the cue; > 0
};

// Accepts a document. Called often: keep it to a test on columns.
using DocumentFilter = std::function<bool(Ordinal)>;

// One immutable segment. Documents are numbered by their ordinal within the scope; a segment
// holds any set of them.
//
// Thread-safety: thread-safe (the Xapian one keeps a reader per thread).
class LexicalSegment {
 public:
  virtual ~LexicalSegment() = default;

  virtual std::uint32_t documents() const = 0;
  virtual std::uint64_t total_length() const = 0;
  virtual Result<std::uint32_t> DocumentFrequency(std::string_view term) const = 0;

  // How often `term` stands in each of `documents` (ascending); 0 where it does not or where the
  // segment lacks the document. `out` has the size of `documents`.
  virtual Result<void> TermFrequencies(std::string_view term, std::span<const Ordinal> documents,
                                       std::span<std::uint32_t> out) const = 0;
  // Length of each document; 0 where the segment lacks it.
  virtual Result<void> Lengths(std::span<const Ordinal> documents,
                               std::span<std::uint32_t> out) const = 0;

  // A superset of this segment's `k` best accepted documents by
  //   sum over terms of weight × Bm25TermWeight(tf, length, average_length, params),
  // ties at the k-th place included, in ascending order of ordinal. Documents without any of the
  // terms never count.
  virtual Result<std::vector<Ordinal>> Candidates(std::span<const WeightedTerm> terms,
                                                  double average_length, const Bm25Params& params,
                                                  std::size_t k,
                                                  const DocumentFilter& accept) const = 0;
};

struct LexicalDocument {
  Ordinal ordinal = 0;
  AnalysedText text;
};

// An in-memory inverted index. Ordinals may come in any order; each at most once.
std::unique_ptr<LexicalSegment> BuildMemoryLexical(std::span<const LexicalDocument> documents);

// Writes a Xapian database as one compacted file, without positions, docid = ordinal.
// Errors: kAlreadyExists, kIo, kNoSpace.
Result<void> WriteXapianLexical(const std::string& file,
                                std::span<const LexicalDocument> documents);

// Opens such a file read-only. The caller has verified the file's digest before: Xapian has no
// checksums and trusts what it reads.
// Errors: kCorruption, kIo.
Result<std::unique_ptr<LexicalSegment>> OpenXapianLexical(const std::string& file);

}  // namespace souvenance::index
