// Sixteen lanes, then a fixed tree: the order of summation is part of the result. No fused
// multiply-add anywhere (the build turns contraction off), for it would round once less.
#include "index/dot.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "index/vectors.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define SOUVENANCE_HAS_AVX2 1
#include <immintrin.h>
#endif

namespace souvenance::index {
namespace {

constexpr std::size_t kLanes = 16;

// Adds the last size % 16 products to the lanes in order, then sums the lanes.
float Finish(const float* a, const float* b, std::size_t at, std::size_t size, float* lanes) {
  for (std::size_t lane = 0; at < size; ++at, ++lane) lanes[lane] += a[at] * b[at];
  for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
    for (std::size_t lane = 0; lane < width; ++lane) lanes[lane] += lanes[lane + width];
  }
  return lanes[0];
}

}  // namespace

float DotScalar(const float* a, const float* b, std::size_t size) {
  float lanes[kLanes] = {};
  std::size_t at = 0;
  for (; at + kLanes <= size; at += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += a[at + lane] * b[at + lane];
  }
  return Finish(a, b, at, size, lanes);
}

#ifdef SOUVENANCE_HAS_AVX2

bool HasAvx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

__attribute__((target("avx2"))) float DotAvx2(const float* a, const float* b, std::size_t size) {
  __m256 low = _mm256_setzero_ps();
  __m256 high = _mm256_setzero_ps();
  std::size_t at = 0;
  for (; at + kLanes <= size; at += kLanes) {
    low = _mm256_add_ps(low, _mm256_mul_ps(_mm256_loadu_ps(a + at), _mm256_loadu_ps(b + at)));
    high = _mm256_add_ps(high,
                         _mm256_mul_ps(_mm256_loadu_ps(a + at + 8), _mm256_loadu_ps(b + at + 8)));
  }
  if (at == size) {
    // The same tree, in registers.
    const __m256 eight = _mm256_add_ps(low, high);
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
  }
  float lanes[kLanes];
  _mm256_storeu_ps(lanes, low);
  _mm256_storeu_ps(lanes + 8, high);
  return Finish(a, b, at, size, lanes);
}

#else

bool HasAvx2() { return false; }
float DotAvx2(const float* a, const float* b, std::size_t size) { return DotScalar(a, b, size); }

#endif

float DotProduct(const float* a, const float* b, std::size_t size) {
  return HasAvx2() ? DotAvx2(a, b, size) : DotScalar(a, b, size);
}

float Dot(std::span<const float> a, std::span<const float> b) {
  assert(a.size() == b.size());
  return DotProduct(a.data(), b.data(), std::min(a.size(), b.size()));
}

Result<std::vector<float>> Normalise(std::span<const float> vector) {
  double squares = 0;
  for (const float component : vector) {
    if (!std::isfinite(component)) {
      return Fail(ErrorCode::kInvalidData, "normalise a vector: a component is not finite");
    }
    squares += static_cast<double>(component) * static_cast<double>(component);
  }
  const double norm = std::sqrt(squares);
  // Below the smallest normal float the direction is mostly rounding.
  if (!(norm >= 1.17549435e-38)) {
    return Fail(ErrorCode::kInvalidData, "normalise a vector: all components are zero");
  }
  std::vector<float> unit(vector.size());
  for (std::size_t i = 0; i < vector.size(); ++i) {
    unit[i] = static_cast<float>(static_cast<double>(vector[i]) / norm);
  }
  return unit;
}

}  // namespace souvenance::index
