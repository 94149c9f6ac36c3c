// docs/formulas/embedder.md and semantic.md. golden_vectors.txt was computed by hash_embedder.py.
#include "index/embed/embedder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>

#include "index/embed/probe.h"
#include "index/siphash.h"
#include "index/vectors.h"
#include "tests/index/test_analyzer.h"

namespace souvenance::index {
namespace {

constexpr std::chrono::milliseconds kDeadline{1000};
const std::string kFolder = std::string(SOUVENANCE_SOURCE_DIR) + "/tests/index/";

std::unique_ptr<Embedder> Builtin() { return Checked(BuiltinEmbedder(TestAnalyzer())); }

EmbeddedRow Row(const Embedder& embedder, std::string_view text) {
  return embedder.Embed({&text, 1}, EmbedRole::kDocument, kDeadline).value().at(0);
}

double Cosine(std::string_view a, std::string_view b) {
  const auto embedder = Builtin();
  return Dot(Row(*embedder, a).vector, Row(*embedder, b).vector);
}

TEST(SipHash, GivesThePublishedVectors) {
  // From the reference implementation's test: the input 00 01 02 ... of each length.
  const std::pair<std::size_t, std::uint64_t> cases[] = {
      {0, 0x726fdb47dd0e0e31u}, {1, 0x74f839c593dc67fdu}, {15, 0xa129ca6149be45e5u}};
  for (const auto& [length, expected] : cases) {
    std::string input;
    for (std::size_t i = 0; i < length; ++i) input += static_cast<char>(i);
    EXPECT_EQ(SipHash(input), expected);
  }
}

TEST(BuiltinEmbedder, GivesTheGoldenVectors) {
  const auto embedder = Builtin();
  std::ifstream texts(kFolder + "golden_texts.txt");
  std::ifstream vectors(kFolder + "golden_vectors.txt");
  std::string text;
  std::string line;
  int count = 0;
  while (std::getline(texts, text) && std::getline(vectors, line)) {
    const std::vector<float> vector = Row(*embedder, text).vector;
    ASSERT_EQ(vector.size(), 512u) << text;
    std::istringstream golden(line);
    for (const float component : vector) {
      double expected = 0;
      golden >> expected;
      ASSERT_NEAR(component, expected, 1e-6) << text;
    }
    ++count;
  }
  EXPECT_EQ(count, 7);
}

TEST(BuiltinEmbedder, PutsLikeTextsNearerThanUnlikeOnes) {
  EXPECT_GT(Cosine("I love drinking green tea", "green tea is what I love"), 0.5);
  EXPECT_GT(Cosine("memories of summer", "a summer memory"), 0.3);
  EXPECT_LT(std::abs(Cosine("I love drinking green tea", "the court postponed a hearing")), 0.2);
  EXPECT_GT(Cosine("我喜欢喝绿茶", "她喜欢绿茶"), 0.5);
  EXPECT_FLOAT_EQ(static_cast<float>(Cosine("ＯｐｅｎＡＩ", "openai")), 1.0f);
}

TEST(BuiltinEmbedder, ATextWithoutAWordHasNoVector) {
  const auto embedder = Builtin();
  const std::string_view texts[] = {"!!!", "tea", "", "\xFF"};
  const auto rows = embedder->Embed(texts, EmbedRole::kQuery, kDeadline).value();
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_FALSE(rows[1].vector.empty());
  for (const std::size_t i : {0u, 2u, 3u}) {
    EXPECT_TRUE(rows[i].vector.empty());
    EXPECT_EQ(rows[i].error.code, ErrorCode::kInvalidData);
    EXPECT_FALSE(rows[i].error.message.empty());
  }
  // Stop words are better than nothing.
  EXPECT_FALSE(Row(*embedder, "who are you").vector.empty());
  EXPECT_FALSE(Row(*embedder, "你是谁").vector.empty());
}

TEST(BuiltinEmbedder, SaysWhatItIs) {
  const auto embedder = Builtin();
  EXPECT_EQ(embedder->identity().provider, "builtin");
  EXPECT_EQ(embedder->identity().model, "hash-512");
  EXPECT_EQ(embedder->identity().dimension, 512u);
  EXPECT_EQ(embedder->identity().tokenizer, TestAnalyzer().fingerprint());
}

TEST(Identity, FingerprintIsTheDigestOfLengthPrefixedFields) {
  // Python: hashlib.sha256(b"".join(len(f).to_bytes(8, "little") + f for f in
  //   [b"p", b"m", b"1", b"3", b"", b"query: ", b"t"])).hexdigest()
  const EmbedderIdentity identity{"p", "m", "1", 3, "", "query: ", "t"};
  EXPECT_EQ(Fingerprint(identity),
            "96121a205aa7f11ee6c881452d59a07425ffd74976cfd4d1e095afb9b25635bc");
}

TEST(Identity, EveryFieldChangesTheFingerprint) {
  const EmbedderIdentity base{"p", "m", "1", 3, "d", "q", "t"};
  const EmbedderIdentity others[] = {
      {"x", "m", "1", 3, "d", "q", "t"}, {"p", "x", "1", 3, "d", "q", "t"},
      {"p", "m", "2", 3, "d", "q", "t"}, {"p", "m", "1", 4, "d", "q", "t"},
      {"p", "m", "1", 3, "x", "q", "t"}, {"p", "m", "1", 3, "d", "x", "t"},
      {"p", "m", "1", 3, "d", "q", "x"}, {"pm", "", "1", 3, "d", "q", "t"},
  };
  std::set<std::string> seen = {Fingerprint(base)};
  for (const EmbedderIdentity& other : others) {
    EXPECT_TRUE(seen.insert(Fingerprint(other)).second);
  }
}

TEST(Identity, JsonKeepsItsOrder) {
  EXPECT_EQ(IdentityJson({"p", "m", "1", 3, "d", "q\"", "t"}),
            "{\"provider\":\"p\",\"model\":\"m\",\"revision\":\"1\",\"dimension\":3,"
            "\"document_prefix\":\"d\",\"query_prefix\":\"q\\\"\",\"tokenizer\":\"t\"}");
}

// Answers with what it is told.
class Scripted final : public Embedder {
 public:
  explicit Scripted(std::vector<std::vector<float>> rows, bool throws = false)
      : rows_(std::move(rows)), throws_(throws) {
    identity_.dimension = 2;
  }
  const EmbedderIdentity& identity() const override { return identity_; }
  Result<std::vector<EmbeddedRow>> Embed(std::span<const std::string_view>, EmbedRole,
                                         std::chrono::milliseconds) const override {
    if (throws_) throw std::runtime_error("lost the thread");
    std::vector<EmbeddedRow> rows;
    for (const auto& vector : rows_) rows.push_back({vector, {}});
    return rows;
  }

 private:
  std::vector<std::vector<float>> rows_;
  bool throws_;
  EmbedderIdentity identity_;
};

TEST(Checked, NormalisesWhatPassesAndSaysWhyARestDoesNot) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const auto embedder = Checked(std::make_unique<Scripted>(
      std::vector<std::vector<float>>{{3, 4}, {nan, 1}, {0, 0}, {1, 0, 0}, {inf, 0}, {}}));
  const std::vector<std::string_view> texts(6, "x");
  const auto rows = embedder->Embed(texts, EmbedRole::kQuery, kDeadline).value();
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_THAT(rows[0].vector, testing::ElementsAre(0.6f, 0.8f));
  for (std::size_t i = 1; i < 6; ++i) {
    EXPECT_TRUE(rows[i].vector.empty()) << i;
    EXPECT_EQ(rows[i].error.code, ErrorCode::kInvalidData) << i;
    EXPECT_FALSE(rows[i].error.message.empty()) << i;
  }
}

TEST(Checked, RefusesAnotherNumberOfRowsAndCatchesExceptions) {
  const std::vector<std::string_view> texts(2, "x");
  const auto few = Checked(std::make_unique<Scripted>(std::vector<std::vector<float>>{{1, 0}}));
  EXPECT_EQ(few->Embed(texts, EmbedRole::kQuery, kDeadline).error().code, ErrorCode::kInvalidData);
  const auto thrower = Checked(std::make_unique<Scripted>(std::vector<std::vector<float>>{}, true));
  EXPECT_EQ(thrower->Embed(texts, EmbedRole::kQuery, kDeadline).error().code, ErrorCode::kInternal);
  EXPECT_TRUE(thrower->Embed({}, EmbedRole::kQuery, kDeadline).value().empty());
}

TEST(Probe, HoldsFortyDistinctTextsOfEachLanguage) {
  std::set<std::string_view> all;
  for (const auto texts : {EnglishProbes(), ChineseProbes()}) {
    EXPECT_EQ(texts.size(), 40u);
    for (const std::string_view text : texts) {
      EXPECT_TRUE(IsValidText(text));
      all.insert(text);
    }
  }
  EXPECT_EQ(all.size(), 80u);
}

TEST(Probe, VectorsComeRowByRow) {
  const auto embedder = Builtin();
  const std::vector<float> vectors = ProbeVectors(*embedder).value();
  ASSERT_EQ(vectors.size(), 80u * 512u);
  const std::vector<float> last = Row(*embedder, ChineseProbes()[39]).vector;
  EXPECT_TRUE(std::equal(last.begin(), last.end(), vectors.end() - 512));
}

TEST(UnrelatedSimilarity, IsTheNinetyFifthPercentileOfPairsWithinALanguage) {
  const auto embedder = Builtin();
  std::vector<double> all;
  for (const auto texts : {EnglishProbes(), ChineseProbes()}) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      for (std::size_t j = 0; j < texts.size(); ++j) {
        if (i != j) {
          all.push_back(Dot(Row(*embedder, texts[i]).vector, Row(*embedder, texts[j]).vector));
        }
      }
    }
  }
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), 3120u);
  // Nearest rank: the 2,964th of 3,120.
  EXPECT_DOUBLE_EQ(UnrelatedSimilarity(*embedder).value(), all[2963]);
  const auto broken = Checked(std::make_unique<Scripted>(std::vector<std::vector<float>>{{1, 0}}));
  EXPECT_FALSE(UnrelatedSimilarity(*broken));
  EXPECT_FALSE(ProbeVectors(*broken));
}

}  // namespace
}  // namespace souvenance::index
