#include <algorithm>
#include <cassert>
#include <utility>

#include "index/vector_hits.h"
#include "index/vectors.h"

namespace souvenance::index {
namespace {

class FlatVectors final : public VectorSegment {
 public:
  FlatVectors(std::uint32_t dimension, std::vector<Ordinal> ordinals, std::vector<float> matrix)
      : dimension_(dimension), ordinals_(std::move(ordinals)), matrix_(std::move(matrix)) {
    assert(matrix_.size() == ordinals_.size() * dimension_);
    assert(std::is_sorted(ordinals_.begin(), ordinals_.end()));
  }

  std::uint32_t size() const override { return static_cast<std::uint32_t>(ordinals_.size()); }
  std::uint32_t dimension() const override { return dimension_; }

  Result<std::vector<VectorHit>> Search(std::span<const float> query, std::size_t k, std::size_t,
                                        const DocumentFilter& accept) const override {
    if (auto checked = CheckQuery(query, dimension_); !checked) return Fail(checked.error());
    std::vector<VectorHit> hits;
    if (k == 0) return hits;
    for (std::size_t row = 0; row < ordinals_.size(); ++row) {
      if (accept && !accept(ordinals_[row])) continue;
      hits.push_back({ordinals_[row],
                      Similarity(query.data(), matrix_.data() + row * dimension_, dimension_)});
    }
    KeepNearest(k, &hits);
    return hits;
  }

  std::span<const float> Vector(Ordinal ordinal) const override {
    const auto found = std::lower_bound(ordinals_.begin(), ordinals_.end(), ordinal);
    if (found == ordinals_.end() || *found != ordinal) return {};
    const auto row = static_cast<std::size_t>(found - ordinals_.begin());
    return std::span(matrix_).subspan(row * dimension_, dimension_);
  }

 private:
  std::uint32_t dimension_;
  std::vector<Ordinal> ordinals_;
  std::vector<float> matrix_;
};

}  // namespace

std::unique_ptr<VectorSegment> BuildFlatVectors(std::uint32_t dimension,
                                                std::vector<Ordinal> ordinals,
                                                std::vector<float> matrix) {
  return std::make_unique<FlatVectors>(dimension, std::move(ordinals), std::move(matrix));
}

}  // namespace souvenance::index
