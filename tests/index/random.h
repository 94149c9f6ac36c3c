// Random numbers that are the same with every standard library.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace souvenance::index {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next() {  // splitmix64
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::uint32_t Below(std::uint32_t limit) { return static_cast<std::uint32_t>(Next() % limit); }
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }
  double Normal() {
    return std::sqrt(-2 * std::log(1 - Unit())) * std::cos(6.283185307179586 * Unit());
  }
  std::vector<float> Vector(std::size_t dimension) {
    std::vector<float> vector(dimension);
    for (float& f : vector) f = static_cast<float>(Normal());
    return vector;
  }

 private:
  std::uint64_t state_;
};

}  // namespace souvenance::index
