// What turns a text into a vector. Implementations differ; one wrapper checks what they return.
#pragma once

#include <souvenance/error.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/analyzer.h"

namespace souvenance::index {

enum class EmbedRole { kDocument, kQuery };

// Everything that decides what vector a text gets.
struct EmbedderIdentity {
  std::string provider;  // "builtin", ...
  std::string model;     // "hash-512"
  std::string revision;  // "1"
  std::uint32_t dimension = 0;
  std::string document_prefix;
  std::string query_prefix;
  std::string tokenizer;  // the analyzer's fingerprint, for the built-in one
};

// A row of a batch: a unit vector, or why there is none. A text without a single feature has
// none, and that is no failure of the batch.
struct EmbeddedRow {
  std::vector<float> vector;  // empty when there is none
  Error error;                // set when there is none
};

// Thread-safety: thread-safe.
class Embedder {
 public:
  virtual ~Embedder() = default;
  virtual const EmbedderIdentity& identity() const = 0;
  // One row a text, in order. Fails as a whole only when nothing could be asked.
  // Errors: kUnavailable  the provider is away or late; kInvalidData.
  virtual Result<std::vector<EmbeddedRow>> Embed(std::span<const std::string_view> texts,
                                                 EmbedRole role,
                                                 std::chrono::milliseconds deadline) const = 0;
};

// SHA-256 of the identity's length-prefixed fields, as 64 hexadecimal digits.
std::string Fingerprint(const EmbedderIdentity& identity);
// JSON of the identity, keys in a fixed order: for the table embedding_spaces.
std::string IdentityJson(const EmbedderIdentity& identity);

// Checks each row's count, dimension, finiteness and norm, and makes unit vectors of what passes.
// All uses of an embedder go through it.
std::unique_ptr<Embedder> Checked(std::unique_ptr<Embedder> embedder);

// Signed feature hashing: word terms and character 3- to 5-grams (bigrams of Han are words
// already), hashed with SipHash or another fixed 64-bit hash into 512 dimensions with a sign bit,
// sublinear counts, unit length. Frozen: its golden vectors are in the tests, and another
// behaviour needs another revision. `analyzer` must outlive it.
std::unique_ptr<Embedder> BuiltinEmbedder(const Analyzer& analyzer);

// Vectors of the built-in probe texts (English and Chinese), row by row: a store keeps them to
// recognise another model under the same name.
Result<std::vector<float>> ProbeVectors(const Embedder& embedder);

// The cosine that unrelated texts reach (95th percentile over unrelated pairs of the probe set);
// above it lies meaning. docs/formulas/semantic.md.
Result<double> UnrelatedSimilarity(const Embedder& embedder);

}  // namespace souvenance::index
