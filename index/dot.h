// The forms of the dot product; each gives the same bits.
#pragma once

#include <cstddef>

namespace souvenance::index {

float DotScalar(const float* a, const float* b, std::size_t size);
// False on another CPU; then DotAvx2 must not be called.
bool HasAvx2();
float DotAvx2(const float* a, const float* b, std::size_t size);

// The best of them for this CPU.
float DotProduct(const float* a, const float* b, std::size_t size);

}  // namespace souvenance::index
