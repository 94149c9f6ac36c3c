// The ranking of vector hits, shared by the segments.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "index/dot.h"
#include "index/vectors.h"

namespace souvenance::index {

// Rounding may leave the range by a unit in the last place.
inline float Similarity(const float* a, const float* b, std::size_t dimension) {
  return std::clamp(DotProduct(a, b, dimension), -1.0f, 1.0f);
}

inline bool IsNearer(const VectorHit& a, const VectorHit& b) {
  return a.similarity != b.similarity ? a.similarity > b.similarity : a.ordinal < b.ordinal;
}

inline void KeepNearest(std::size_t k, std::vector<VectorHit>* hits) {
  if (hits->size() > k) {
    const auto kth = hits->begin() + static_cast<std::ptrdiff_t>(k);
    std::nth_element(hits->begin(), kth, hits->end(), IsNearer);
    hits->resize(k);
  }
  std::sort(hits->begin(), hits->end(), IsNearer);
}

inline Result<void> CheckQuery(std::span<const float> query, std::uint32_t dimension) {
  if (query.size() != dimension) {
    return Fail(ErrorCode::kInvalidArgument,
                "search vectors: the query has " + std::to_string(query.size()) +
                    " dimensions, the index " + std::to_string(dimension));
  }
  if (!std::all_of(query.begin(), query.end(), [](float f) { return std::isfinite(f); })) {
    return Fail(ErrorCode::kInvalidArgument, "search vectors: a component is not finite");
  }
  return {};
}

}  // namespace souvenance::index
