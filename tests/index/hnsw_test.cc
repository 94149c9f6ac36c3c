// HNSW against the exact scan, and damaged files: docs/formats/vectors.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <set>

#include "index/hnsw_file.h"
#include "index/vectors.h"
#include "tests/index/random.h"
#include "tests/index/temp_folder.h"

namespace souvenance::index {
namespace {

bool All(Ordinal) { return true; }

struct Data {
  std::uint32_t dimension = 0;
  std::vector<Ordinal> ordinals;
  std::vector<float> matrix;

  void Add(const std::vector<float>& vector) {
    const std::vector<float> unit = Normalise(vector).value();
    ordinals.push_back(static_cast<Ordinal>(ordinals.size() + 1));
    matrix.insert(matrix.end(), unit.begin(), unit.end());
  }
  std::span<const float> Row(std::size_t row) const {
    return std::span(matrix).subspan(row * dimension, dimension);
  }
};

Data Clustered(std::uint32_t dimension, std::uint32_t count, std::uint32_t clusters,
               std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<float>> centres;
  for (std::uint32_t i = 0; i < clusters; ++i) centres.push_back(random.Vector(dimension));
  Data data{dimension, {}, {}};
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<float> vector = centres[random.Below(clusters)];
    for (float& f : vector) f += static_cast<float>(0.6 * random.Normal());
    data.Add(vector);
  }
  return data;
}

std::unique_ptr<VectorSegment> Built(const TempFolder& folder, const Data& data,
                                     const HnswParams& params = {}) {
  const std::string file = (folder / "vectors").string();
  EXPECT_TRUE(WriteHnswVectors(file, data.dimension, data.ordinals, data.matrix, params, nullptr));
  return std::move(OpenHnswVectors(file).value());
}

double Overlap(const std::vector<VectorHit>& exact, const std::vector<VectorHit>& found) {
  std::set<Ordinal> wanted;
  for (const VectorHit& hit : exact) wanted.insert(hit.ordinal);
  double hits = 0;
  for (const VectorHit& hit : found) hits += wanted.contains(hit.ordinal) ? 1 : 0;
  return exact.empty() ? 1.0 : hits / static_cast<double>(exact.size());
}

TEST(Hnsw, FindsWhatTheScanFindsAmongTwentyThousand) {
  const Data data = Clustered(128, 20'000, 200, 5);
  const TempFolder folder;
  const auto hnsw = Built(folder, data);
  const auto flat = BuildFlatVectors(data.dimension, data.ordinals, data.matrix);
  const Data queries = Clustered(128, 100, 100, 5);
  // Plain, and with filters that leave a half and a fiftieth (which is scanned).
  const DocumentFilter filters[] = {All, [](Ordinal o) { return o % 2 == 0; },
                                    [](Ordinal o) { return o % 50 == 0; }};
  for (const DocumentFilter& accept : filters) {
    double recall = 0;
    for (std::size_t q = 0; q < 100; ++q) {
      const auto exact = flat->Search(queries.Row(q), 10, 0, accept).value();
      const auto found = hnsw->Search(queries.Row(q), 10, 128, accept).value();
      ASSERT_EQ(found.size(), 10u);
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_TRUE(accept(found[i].ordinal));
        // The similarity is the scan's, to the bit.
        ASSERT_EQ(found[i].similarity,
                  std::clamp(Dot(queries.Row(q), data.Row(found[i].ordinal - 1)), -1.0f, 1.0f));
        if (i > 0) {
          ASSERT_GE(found[i - 1].similarity, found[i].similarity);
        }
      }
      recall += Overlap(exact, found) / 100;
    }
    EXPECT_GE(recall, 0.98);
  }
  // The filter works inside the search: a list that is full of accepted documents needs no scan,
  // even when it has no room to spare.
  std::size_t asked = 0;
  const DocumentFilter counting = [&](Ordinal o) { return ++asked, o % 10 != 0; };
  for (std::size_t q = 0; q < 100; ++q) {
    ASSERT_EQ(hnsw->Search(queries.Row(q), 10, 10, counting).value().size(), 10u);
  }
  EXPECT_LT(asked, 100u * 5'000u);
}

TEST(Hnsw, DuplicatesHideNothing) {
  // D13: 1,000 times "ok" and 1,000 others, repeated so that the graph is used, not the scan.
  for (const std::uint32_t duplicates : {1'000u, 9'000u}) {
    Random random(9);
    Data data{32, {}, {}};
    const std::vector<float> ok = random.Vector(32);
    std::vector<std::size_t> distinct;
    for (std::uint32_t i = 0; i < duplicates + 1'000; ++i) {
      if (i % (duplicates / 1'000 + 1) == 0) {
        distinct.push_back(i);
        data.Add(random.Vector(32));
      } else {
        data.Add(ok);
      }
    }
    const TempFolder folder;
    const auto hnsw = Built(folder, data);
    const auto flat = BuildFlatVectors(data.dimension, data.ordinals, data.matrix);
    std::size_t own = 0;
    for (const std::size_t row : distinct) {
      const auto hits = hnsw->Search(data.Row(row), 10, 64, All).value();
      own += hits[0].ordinal == row + 1 ? 1 : 0;
    }
    EXPECT_EQ(own, distinct.size());
    // The duplicates tie: the lowest ordinals win, as in the scan.
    const auto unit = Normalise(ok).value();
    const auto exact = flat->Search(unit, 10, 0, All).value();
    const auto found = hnsw->Search(unit, 10, 64, All).value();
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(found[i].ordinal, exact[i].ordinal);
  }
}

TEST(Hnsw, AFilterOfOneDocumentFindsIt) {
  const Data data = Clustered(16, 10'000, 20, 3);
  const TempFolder folder;
  const auto hnsw = Built(folder, data, {8, 40, 1});
  for (const Ordinal only : {1u, 777u, 10'000u}) {
    const auto hits =
        hnsw->Search(data.Row(0), 5, 10, [&](Ordinal o) { return o == only; }).value();
    ASSERT_EQ(hits.size(), 1u);
    EXPECT_EQ(hits[0].ordinal, only);
  }
  EXPECT_TRUE(hnsw->Search(data.Row(0), 5, 10, [](Ordinal) { return false; }).value().empty());
  EXPECT_EQ(hnsw->Search(data.Row(0), 20'000, 10, All).value().size(), 10'000u);
  EXPECT_EQ(hnsw->Search(data.Row(0), 6'000, 10, All).value().size(), 6'000u);
}

TEST(Hnsw, IsTheSameFileForTheSameVectors) {
  const Data data = Clustered(16, 500, 5, 3);
  const TempFolder folder;
  std::string bytes[2];
  for (int i = 0; i < 2; ++i) {
    const std::string file = (folder / std::to_string(i)).string();
    ASSERT_TRUE(WriteHnswVectors(file, 16, data.ordinals, data.matrix, {}, nullptr));
    std::ifstream in(file, std::ios::binary);
    bytes[i].assign(std::istreambuf_iterator<char>(in), {});
  }
  EXPECT_EQ(bytes[0], bytes[1]);
  const HnswGraph graph = DecodeHnsw(bytes[0]).value();
  EXPECT_EQ(EncodeHnsw(graph), bytes[0]);
}

TEST(Hnsw, HoldsNothingAndOne) {
  for (std::uint32_t count : {0u, 1u}) {
    const Data data = Clustered(8, count, 1, 3);
    const TempFolder folder;
    const auto hnsw = Built(folder, data);
    EXPECT_EQ(hnsw->size(), count);
    const auto query = Normalise(std::vector<float>(8, 1.0f)).value();
    EXPECT_EQ(hnsw->Search(query, 3, 10, All).value().size(), count);
    EXPECT_EQ(hnsw->Vector(1).size(), count * 8);
    EXPECT_TRUE(hnsw->Vector(2).empty());
  }
}

TEST(Hnsw, RefusesAQueryOfAnotherDimension) {
  const TempFolder folder;
  const auto hnsw = Built(folder, Clustered(8, 10, 1, 3));
  const std::vector<float> query(7, 0.1f);
  EXPECT_EQ(hnsw->Search(query, 1, 10, All).error().code, ErrorCode::kInvalidArgument);
}

TEST(Hnsw, ReportsProgressAndUnwritableFiles) {
  const Data data = Clustered(8, 1'500, 3, 3);
  const TempFolder folder;
  std::vector<std::uint32_t> seen;
  ASSERT_TRUE(WriteHnswVectors((folder / "v").string(), 8, data.ordinals, data.matrix, {},
                               [&](std::uint32_t done) { seen.push_back(done); }));
  EXPECT_THAT(seen, testing::ElementsAre(1024, 1500));
  EXPECT_FALSE(
      WriteHnswVectors((folder / "no/v").string(), 8, data.ordinals, data.matrix, {}, nullptr));
  const auto full = WriteHnswVectors("/dev/full", 8, data.ordinals, data.matrix, {}, nullptr);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, ErrorCode::kNoSpace);
}

std::string SmallFile() {
  const Data data = Clustered(4, 60, 3, 3);
  const TempFolder folder;
  const std::string file = (folder / "v").string();
  EXPECT_TRUE(WriteHnswVectors(file, 4, data.ordinals, data.matrix, {2, 10, 1}, nullptr));
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

TEST(HnswFile, RefusesEveryTruncationAndExtension) {
  const std::string bytes = SmallFile();
  ASSERT_TRUE(DecodeHnsw(bytes));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto decoded = DecodeHnsw(std::string_view(bytes).substr(0, size));
    ASSERT_FALSE(decoded) << size;
    ASSERT_EQ(decoded.error().code, ErrorCode::kCorruption);
  }
  EXPECT_FALSE(DecodeHnsw(bytes + "x"));
}

TEST(HnswFile, RefusesAbsurdCountsBeforeAllocating) {
  // D12: 32-bit fields of the header, each set to the largest number and to zero.
  const std::string bytes = SmallFile();
  for (std::size_t field = 8; field < 64; field += 4) {
    for (const std::uint32_t value : {0xFFFFFFFFu, 0x7FFFFFFFu}) {
      std::string damaged = bytes;
      std::memcpy(damaged.data() + field, &value, 4);
      // ef and seed are records of how it was made; any value is as good.
      const bool free = field == 28 || field == 32;
      EXPECT_EQ(DecodeHnsw(damaged).has_value(), free) << field;
    }
  }
}

TEST(HnswFile, RefusesEachFieldThatDoesNotFit) {
  const HnswGraph good = DecodeHnsw(SmallFile()).value();
  ASSERT_GT(good.max_level, 0u);
  const auto low = static_cast<std::uint32_t>(
      std::find(good.levels.begin(), good.levels.end(), 0u) - good.levels.begin());
  ASSERT_LT(low, good.nodes());
  std::vector<HnswGraph> bad(12, good);
  bad[0].base_links[1] = good.nodes();
  bad[1].base_links[0] = 2 * good.m + 1;
  bad[2].upper_links[good.upper_start[good.entry]] = good.m + 1;
  bad[3].upper_links[good.upper_start[good.entry]] = 1;
  bad[3].upper_links[good.upper_start[good.entry] + 1] = low;
  bad[4].node_of[5] = good.nodes();
  std::swap(bad[5].ordinals[3], bad[5].ordinals[4]);
  bad[6].ordinals[4] = bad[6].ordinals[3];
  bad[7].node_of[5] = bad[7].node_of[6];  // node 5 is left without a document
  bad[8].vectors[2] = std::numeric_limits<float>::quiet_NaN();
  bad[9].vectors[2] += 1;
  bad[10].entry = low;
  bad[11].levels[low] = good.max_level;  // its upper links are missing
  ASSERT_TRUE(DecodeHnsw(EncodeHnsw(good)));
  for (std::size_t i = 0; i < bad.size(); ++i) {
    const auto decoded = DecodeHnsw(EncodeHnsw(bad[i]));
    ASSERT_FALSE(decoded) << i;
    EXPECT_EQ(decoded.error().code, ErrorCode::kCorruption);
  }
}

TEST(HnswFile, SurvivesEveryBitFlip) {
  const std::string bytes = SmallFile();
  std::size_t read = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 3) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    const auto decoded = DecodeHnsw(damaged);
    if (!decoded) continue;
    ++read;
    // Walk what was let through: under the address sanitizer every step is checked.
    std::uint64_t sum = 0;
    for (std::uint32_t node = 0; node < decoded->nodes(); ++node) {
      for (std::uint32_t level = 0; level <= decoded->levels[node]; ++level) {
        for (const std::uint32_t link : decoded->Links(node, level)) {
          ASSERT_LT(link, decoded->nodes());
          sum += decoded->levels[link];
        }
      }
    }
    (void)sum;
  }
  EXPECT_LT(read, bytes.size() * 8 / 3);
}

}  // namespace
}  // namespace souvenance::index
