// Which texts are near this cue by meaning? Cosine similarity over unit vectors of one scope, as
// segments that never change: flat matrices searched exactly, and an HNSW graph for large bases.
// Every candidate is re-scored exactly by one kernel with a fixed summation order, so the same
// pair of vectors gives the same bits on every machine.
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

#include "index/lexical.h"

namespace souvenance::index {

struct VectorHit {
  Ordinal ordinal = 0;
  float similarity = 0;  // cosine, [-1, 1]
};

// The dot product with a fixed order of summation: the same bits from the scalar and from each
// SIMD form, chosen at run time for the CPU. Sizes must be equal.
float Dot(std::span<const float> a, std::span<const float> b);

// Scales to unit length.
// Errors: kInvalidData  a component is not finite, or the norm is zero or not representable.
Result<std::vector<float>> Normalise(std::span<const float> vector);

// Thread-safety: immutable.
class VectorSegment {
 public:
  virtual ~VectorSegment() = default;
  virtual std::uint32_t size() const = 0;
  virtual std::uint32_t dimension() const = 0;

  // The k nearest accepted documents, nearest first, ties by ordinal; fewer when fewer pass.
  // `ef` bounds the breadth of an HNSW search (>= k); a flat segment ignores it and is exact.
  // Errors: kInvalidArgument  query.size() differs from the dimension.
  virtual Result<std::vector<VectorHit>> Search(std::span<const float> query, std::size_t k,
                                                std::size_t ef,
                                                const DocumentFilter& accept) const = 0;
  // The vector of a document; empty when the segment lacks it. Valid as long as the segment.
  virtual std::span<const float> Vector(Ordinal ordinal) const = 0;
};

// `matrix` is row-major, one unit vector a row, `ordinals` names the rows (ascending).
std::unique_ptr<VectorSegment> BuildFlatVectors(std::uint32_t dimension,
                                                std::vector<Ordinal> ordinals,
                                                std::vector<float> matrix);

struct HnswParams {
  std::uint32_t m = 16;
  std::uint32_t ef_construction = 200;
  std::uint32_t seed = 100;
};

// Builds an HNSW graph (equal vectors share one node) and writes it in our own container
// (docs/formats/vectors.md): magic, version, dimension, counts, parameters, arrays.
// Errors: kIo, kNoSpace.
Result<void> WriteHnswVectors(const std::string& file, std::uint32_t dimension,
                              std::span<const Ordinal> ordinals, std::span<const float> matrix,
                              const HnswParams& params,
                              const std::function<void(std::uint32_t done)>& progress);

// Opens such a file. Every count, link and level is checked against the file's size before it is
// used; hnswlib's own loader is never given a byte.
// Errors: kCorruption, kIo.
//
// Up to `scan_limit` documents (all of them, or those that pass a filter) are scanned exactly
// instead of searched by the graph.
inline constexpr std::size_t kScanLimit = 8000;
Result<std::unique_ptr<VectorSegment>> OpenHnswVectors(const std::string& file,
                                                       std::size_t scan_limit = kScanLimit);

}  // namespace souvenance::index
