#include "index/vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "index/dot.h"
#include "tests/index/random.h"

namespace souvenance::index {
namespace {

using testing::IsEmpty;

bool All(Ordinal) { return true; }

TEST(Dot, AddsSixteenLanesThenATree) {
  // 17 ones: lane 0 gets two of them. Sums of small whole numbers are exact in any order.
  const std::vector<float> ones(17, 1.0f);
  EXPECT_EQ(Dot(ones, ones), 17.0f);
  // In lane order 2^24 + 1 + 1 would stay 2^24 (1 is half a unit there); the tree adds lanes 8
  // and 9 to lanes 0 and 1 first, and 1 + 1 = 2 counts: lane 0 = 2^24, lane 1 = 1 + 1.
  std::vector<float> a(16, 0.0f);
  const std::vector<float> b(16, 1.0f);
  a[0] = 16'777'216.0f;
  a[1] = 1;
  a[9] = 1;
  EXPECT_EQ(Dot(a, b), 16'777'218.0f);
  a[9] = 0;
  a[8] = 1;  // now 2^24 + 1 = 2^24, then + 1 = 2^24
  EXPECT_EQ(Dot(a, b), 16'777'216.0f);
  EXPECT_EQ(Dot({}, {}), 0.0f);
}

TEST(Dot, GivesTheSameBitsInEveryForm) {
  if (!HasAvx2()) GTEST_SKIP() << "no AVX2";
  Random random(3);
  for (std::size_t size = 0; size < 600; ++size) {
    std::vector<float> a = random.Vector(size);
    const std::vector<float> b = random.Vector(size);
    for (float& f : a) f *= static_cast<float>(std::pow(10.0, random.Below(8)));
    const float scalar = DotScalar(a.data(), b.data(), size);
    ASSERT_EQ(std::bit_cast<std::uint32_t>(scalar),
              std::bit_cast<std::uint32_t>(DotAvx2(a.data(), b.data(), size)))
        << size;
    ASSERT_EQ(scalar, Dot(a, b));
  }
}

TEST(Normalise, MakesUnitVectors) {
  const std::vector<float> three_four = {3, 4};
  EXPECT_THAT(Normalise(three_four).value(), testing::ElementsAre(0.6f, 0.8f));
  const std::vector<float> tiny = {3e-30f, 4e-30f};
  EXPECT_THAT(Normalise(tiny).value(), testing::ElementsAre(0.6f, 0.8f));
  const std::vector<float> huge = {3e38f, 0};
  EXPECT_THAT(Normalise(huge).value(), testing::ElementsAre(1.0f, 0.0f));
}

TEST(Normalise, RefusesWhatHasNoDirection) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::vector<float>& vector :
       std::vector<std::vector<float>>{{0, 0}, {}, {nan, 1}, {1, inf}, {-inf, 0}, {1e-45f, 0}}) {
    const auto unit = Normalise(vector);
    ASSERT_FALSE(unit);
    EXPECT_EQ(unit.error().code, ErrorCode::kInvalidData);
  }
}

TEST(FlatVectors, FindsTheNearestWithTiesByOrdinal) {
  const auto flat = BuildFlatVectors(2, {3, 5, 8, 9}, {1, 0, 0.6f, 0.8f, 1, 0, -1, 0});
  const std::vector<float> query = {1, 0};
  const auto hits = flat->Search(query, 3, 0, All).value();
  ASSERT_EQ(hits.size(), 3u);
  EXPECT_EQ(hits[0].ordinal, 3u);
  EXPECT_EQ(hits[0].similarity, 1.0f);
  EXPECT_EQ(hits[1].ordinal, 8u);
  EXPECT_EQ(hits[2].ordinal, 5u);
  EXPECT_EQ(hits[2].similarity, 0.6f);
  EXPECT_EQ(flat->Search(query, 10, 0, All).value().size(), 4u);
  EXPECT_EQ(flat->Search(query, 1, 0, [](Ordinal o) { return o == 9; }).value()[0].ordinal, 9u);
  EXPECT_THAT(flat->Search(query, 0, 0, All).value(), IsEmpty());
  EXPECT_EQ(flat->Vector(5)[1], 0.8f);
  EXPECT_THAT(flat->Vector(4), IsEmpty());
  EXPECT_EQ(flat->size(), 4u);
  EXPECT_EQ(flat->dimension(), 2u);
}

TEST(FlatVectors, RefusesAQueryOfAnotherDimension) {
  // D15
  const auto flat = BuildFlatVectors(2, {1}, {1, 0});
  const std::vector<float> query = {1, 0, 0};
  const auto hits = flat->Search(query, 1, 0, All);
  ASSERT_FALSE(hits);
  EXPECT_EQ(hits.error().code, ErrorCode::kInvalidArgument);
  const std::vector<float> nan = {std::numeric_limits<float>::quiet_NaN(), 0};
  EXPECT_FALSE(flat->Search(nan, 1, 0, All));
}

TEST(FlatVectors, AgreesWithASortOfEverything) {
  Random random(11);
  constexpr std::uint32_t kDimension = 24;
  std::vector<float> matrix;
  std::vector<Ordinal> ordinals;
  for (Ordinal o = 1; o <= 700; ++o) {
    const auto unit = Normalise(random.Vector(kDimension)).value();
    matrix.insert(matrix.end(), unit.begin(), unit.end());
    ordinals.push_back(o * 2);
  }
  const auto flat = BuildFlatVectors(kDimension, ordinals, matrix);
  for (int q = 0; q < 20; ++q) {
    const auto query = Normalise(random.Vector(kDimension)).value();
    std::vector<std::pair<double, Ordinal>> all;
    for (std::size_t row = 0; row < ordinals.size(); ++row) {
      double sum = 0;
      for (std::size_t i = 0; i < kDimension; ++i) {
        sum += static_cast<double>(query[i]) * static_cast<double>(matrix[row * kDimension + i]);
      }
      all.emplace_back(sum, ordinals[row]);
    }
    std::sort(all.rbegin(), all.rend());
    const auto hits = flat->Search(query, 25, 0, All).value();
    ASSERT_EQ(hits.size(), 25u);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      EXPECT_EQ(hits[i].ordinal, all[i].second);
      EXPECT_NEAR(hits[i].similarity, all[i].first, 1e-6);
    }
  }
}

}  // namespace
}  // namespace souvenance::index
