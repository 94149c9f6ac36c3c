// docs/formulas/bm25.md.
#include "index/lexical.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "tests/index/random.h"
#include "tests/index/temp_folder.h"

namespace souvenance::index {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

AnalysedText Text(std::vector<TermCount> terms) {
  AnalysedText text;
  for (const TermCount& term : terms) text.length += term.count;
  text.terms = std::move(terms);
  return text;
}

bool All(Ordinal) { return true; }

TEST(Bm25, IdfIsThatOfTheFormula) {
  // N = 3, df = 1: ln(1 + 2.5 / 1.5) = ln(8/3).
  EXPECT_DOUBLE_EQ(Bm25Idf(3, 1), std::log(8.0 / 3.0));
  EXPECT_DOUBLE_EQ(Bm25Idf(3, 0), std::log(8.0));
  EXPECT_GT(Bm25Idf(3, 3), 0);                     // ln(1 + 0.5 / 3.5)
  EXPECT_DOUBLE_EQ(Bm25Idf(3, 9), Bm25Idf(3, 3));  // df is clamped
  EXPECT_GE(Bm25Idf(0, 0), 0);
}

TEST(Bm25, TermWeightIsThatOfTheFormula) {
  // k1 = 1, b = 0.5, average 4, length 2: norm = 1 - 0.5 + 0.5 * 0.5 = 0.75; tf 1: 2 / 1.75.
  EXPECT_DOUBLE_EQ(Bm25TermWeight(1, 2, 4, {1.0, 0.5}), 8.0 / 7.0);
  // Length 6: norm = 0.5 + 0.75 = 1.25; tf 2: 4 / 3.25.
  EXPECT_DOUBLE_EQ(Bm25TermWeight(2, 6, 4, {1.0, 0.5}), 16.0 / 13.0);
  EXPECT_EQ(Bm25TermWeight(0, 2, 4, {1.0, 0.5}), 0);
  EXPECT_EQ(Bm25TermWeight(0, 0, 0, {0.0, 0.0}), 0);
  EXPECT_DOUBLE_EQ(Bm25TermWeight(1, 1, 0, {1.0, 0.5}), 1.0);  // average counts as 1
  EXPECT_LT(Bm25TermWeight(1e9, 1, 1, {1.0, 0.5}), 2.0);
}

// A segment of each kind over the same documents.
struct Both {
  explicit Both(const std::vector<LexicalDocument>& documents)
      : memory(BuildMemoryLexical(documents)) {
    const std::string file = (folder / "words").string();
    EXPECT_TRUE(WriteXapianLexical(file, documents));
    xapian = std::move(OpenXapianLexical(file).value());
  }
  std::vector<const LexicalSegment*> segments() const { return {memory.get(), xapian.get()}; }
  TempFolder folder;
  std::unique_ptr<LexicalSegment> memory;
  std::unique_ptr<LexicalSegment> xapian;
};

const std::vector<LexicalDocument>& Three() {
  static const std::vector<LexicalDocument> documents = {
      {9, Text({{"milk", 1}, {"tea", 1}})},
      {2, Text({{"tea", 3}})},
      {5, Text({{"water", 1}})},
      {7, Text({})},
  };
  return documents;
}

TEST(LexicalSegment, KnowsItsSums) {
  const Both both(Three());
  for (const LexicalSegment* segment : both.segments()) {
    EXPECT_EQ(segment->documents(), 4u);
    EXPECT_EQ(segment->total_length(), 6u);
    EXPECT_EQ(segment->DocumentFrequency("tea"), 2u);
    EXPECT_EQ(segment->DocumentFrequency("coffee"), 0u);
    EXPECT_EQ(segment->DocumentFrequency(""), 0u);
    EXPECT_EQ(segment->DocumentFrequency(std::string(300, 'x')), 0u);
  }
}

TEST(LexicalSegment, GivesFrequenciesAndLengthsOfAnyDocuments) {
  const Both both(Three());
  const std::vector<Ordinal> asked = {0, 1, 2, 3, 5, 7, 9, 4'000'000'000};
  for (const LexicalSegment* segment : both.segments()) {
    std::vector<std::uint32_t> out(asked.size(), 99);
    ASSERT_TRUE(segment->TermFrequencies("tea", asked, out));
    EXPECT_THAT(out, ElementsAre(0, 0, 3, 0, 0, 0, 1, 0));
    ASSERT_TRUE(segment->Lengths(asked, out));
    EXPECT_THAT(out, ElementsAre(0, 0, 3, 0, 1, 0, 2, 0));
    ASSERT_TRUE(segment->TermFrequencies("coffee", asked, out));
    EXPECT_THAT(out, testing::Each(0u));
    for (const std::string& term : {std::string(), std::string(300, 'x')}) {
      ASSERT_TRUE(segment->TermFrequencies(term, asked, out));
      EXPECT_THAT(out, testing::Each(0u));
      const std::vector<WeightedTerm> terms = {{term, 1.0}};
      EXPECT_THAT(segment->Candidates(terms, 1, {}, 5, All).value(), IsEmpty());
    }
  }
}

TEST(LexicalSegment, CandidatesAreFilteredAndAscending) {
  const Both both(Three());
  const std::vector<WeightedTerm> terms = {{"tea", 1.0}, {"water", 5.0}, {"coffee", 9.0}};
  for (const LexicalSegment* segment : both.segments()) {
    EXPECT_THAT(segment->Candidates(terms, 2, {}, 10, All).value(), ElementsAre(2, 5, 9));
    EXPECT_THAT(segment->Candidates(terms, 2, {}, 1, All).value(), ElementsAre(5));
    EXPECT_THAT(segment->Candidates(terms, 2, {}, 1, [](Ordinal o) { return o != 5; }).value(),
                ElementsAre(2));
    EXPECT_THAT(segment->Candidates(terms, 2, {}, 0, All).value(), IsEmpty());
    EXPECT_THAT(segment->Candidates({}, 2, {}, 5, All).value(), IsEmpty());
    EXPECT_THAT(segment->Candidates(terms, 2, {}, 5, [](Ordinal) { return false; }).value(),
                IsEmpty());
  }
}

TEST(LexicalSegment, TiesAtTheCutAreAllIn) {
  std::vector<LexicalDocument> documents;
  for (Ordinal o = 1; o <= 500; ++o) {
    documents.push_back({o, Text({{o <= 3 ? "rare" : "same", 1}})});
  }
  const Both both(documents);
  const std::vector<WeightedTerm> terms = {{"rare", 2.0}, {"same", 1.0}};
  for (const LexicalSegment* segment : both.segments()) {
    EXPECT_EQ(segment->Candidates(terms, 1, {}, 4, All).value().size(), 500u);
    EXPECT_THAT(segment->Candidates(terms, 1, {}, 3, All).value(), ElementsAre(1, 2, 3));
  }
}

TEST(LexicalSegment, AnEmptyOneAnswers) {
  const Both both({});
  for (const LexicalSegment* segment : both.segments()) {
    EXPECT_EQ(segment->documents(), 0u);
    const std::vector<WeightedTerm> terms = {{"tea", 1.0}};
    EXPECT_THAT(segment->Candidates(terms, 1, {}, 4, All).value(), IsEmpty());
  }
}

TEST(XapianLexical, TakesEveryTermThatTheAnalyzerGives) {
  const std::string longest(245, 'x');
  std::string odd = "\x01\x7F\xC2\x80";
  const Both both({{1, Text({{odd, 2}, {longest, 1}, {"👍", 1}})}});
  std::uint32_t tf = 0;
  const Ordinal one = 1;
  ASSERT_TRUE(both.xapian->TermFrequencies(longest, {&one, 1}, {&tf, 1}));
  EXPECT_EQ(tf, 1u);
  ASSERT_TRUE(both.xapian->TermFrequencies(odd, {&one, 1}, {&tf, 1}));
  EXPECT_EQ(tf, 2u);
}

TEST(XapianLexical, NeverReplacesAFileAndLeavesNothingBehind) {
  const TempFolder folder;
  const std::string file = (folder / "words").string();
  ASSERT_TRUE(WriteXapianLexical(file, Three()));
  const auto second = WriteXapianLexical(file, Three());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kAlreadyExists);
  int entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    ++entries;
  }
  EXPECT_EQ(entries, 1);
  EXPECT_EQ(WriteXapianLexical((folder / "no/such/words").string(), Three()).error().code,
            ErrorCode::kIo);
}

TEST(XapianLexical, RefusesWhatIsNoIndex) {
  const TempFolder folder;
  EXPECT_FALSE(OpenXapianLexical((folder / "none").string()));
  std::ofstream(folder / "garbage") << std::string(100'000, 'g');
  std::ofstream(folder / "empty");
  for (const char* name : {"garbage", "empty"}) {
    const auto opened = OpenXapianLexical((folder / name).string());
    ASSERT_FALSE(opened) << name;
    EXPECT_EQ(opened.error().code, ErrorCode::kCorruption) << opened.error().message;
  }
  EXPECT_FALSE(OpenXapianLexical(folder.path().string()));
}

TEST(XapianLexical, OutlivesTheRemovalOfItsFileAndServesManyThreads) {
  Both both(Three());
  std::filesystem::remove(both.folder / "words");
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      const std::vector<WeightedTerm> terms = {{"tea", 1.0}};
      for (int i = 0; i < 100; ++i) {
        const auto found = both.xapian->Candidates(terms, 2, {}, 5, All);
        wrong[t] += found && *found == std::vector<Ordinal>{2, 9} ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, ElementsAre(0, 0, 0, 0));
}

// The random worlds of the property tests: Zipf-like terms, lengths from 0 to 40.
std::vector<LexicalDocument> RandomDocuments(Random& random, std::uint32_t count) {
  std::vector<LexicalDocument> documents;
  Ordinal ordinal = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    ordinal += 1 + random.Below(3);
    std::map<std::string, std::uint32_t> counts;
    const std::uint32_t length = random.Below(40);
    for (std::uint32_t j = 0; j < length; ++j) {
      const double u = random.Unit();
      ++counts["t" + std::to_string(static_cast<int>(200 * u * u * u))];
    }
    std::vector<TermCount> terms;
    for (const auto& [term, n] : counts) terms.push_back({term, n});
    documents.push_back({ordinal, Text(std::move(terms))});
  }
  return documents;
}

std::vector<WeightedTerm> RandomCue(Random& random, const LexicalSegment& whole) {
  std::set<std::string> names;
  const std::uint32_t count = 1 + random.Below(8);
  while (names.size() < count) names.insert("t" + std::to_string(random.Below(220)));
  std::vector<WeightedTerm> terms;
  for (const std::string& name : names) {
    const std::uint32_t df = whole.DocumentFrequency(name).value();
    terms.push_back({name, Bm25Idf(whole.documents(), df) * (1 + random.Below(2))});
  }
  return terms;
}

using Segments = std::vector<const LexicalSegment*>;

// What the engine does: sums over the segments, then one kernel in the order of the terms.
std::map<Ordinal, double> Rescored(const Segments& segments, std::span<const WeightedTerm> terms,
                                   double average, const Bm25Params& params, std::size_t k,
                                   const DocumentFilter& accept) {
  std::vector<Ordinal> pool;
  for (const LexicalSegment* segment : segments) {
    const auto found = segment->Candidates(terms, average, params, k, accept).value();
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    pool.insert(pool.end(), found.begin(), found.end());
  }
  std::sort(pool.begin(), pool.end());
  std::map<Ordinal, double> scores;
  std::vector<std::uint32_t> length(pool.size(), 0);
  std::vector<std::uint32_t> part(pool.size());
  for (const LexicalSegment* segment : segments) {
    EXPECT_TRUE(segment->Lengths(pool, part));
    for (std::size_t i = 0; i < pool.size(); ++i) length[i] += part[i];
  }
  for (const WeightedTerm& term : terms) {
    std::vector<std::uint32_t> tf(pool.size(), 0);
    for (const LexicalSegment* segment : segments) {
      EXPECT_TRUE(segment->TermFrequencies(term.term, pool, part));
      for (std::size_t i = 0; i < pool.size(); ++i) tf[i] += part[i];
    }
    for (std::size_t i = 0; i < pool.size(); ++i) {
      scores[pool[i]] += term.weight * Bm25TermWeight(tf[i], length[i], average, params);
    }
  }
  return scores;
}

// The k best with their ties, from every document's own counts: no index at all.
std::map<Ordinal, double> Naive(const std::vector<LexicalDocument>& documents,
                                std::span<const WeightedTerm> terms, double average,
                                const Bm25Params& params, std::size_t k,
                                const DocumentFilter& accept) {
  std::vector<std::pair<double, Ordinal>> scored;
  for (const LexicalDocument& document : documents) {
    double score = 0;
    for (const WeightedTerm& term : terms) {
      for (const TermCount& entry : document.text.terms) {
        if (entry.term != term.term) continue;
        score += term.weight * Bm25TermWeight(entry.count, document.text.length, average, params);
      }
    }
    if (score > 0 && accept(document.ordinal)) scored.emplace_back(score, document.ordinal);
  }
  std::sort(scored.rbegin(), scored.rend());
  const double cut = scored.size() > k ? scored[k - 1].first : 0;
  std::map<Ordinal, double> best;
  for (const auto& [score, ordinal] : scored) {
    if (score >= cut) best[ordinal] = score;
  }
  return best;
}

TEST(LexicalSegments, AnySplitGivesTheSameBitsAsNone) {
  Random random(7);
  for (int world = 0; world < 12; ++world) {
    const std::vector<LexicalDocument> documents = RandomDocuments(random, 50 + random.Below(800));
    const auto whole = BuildMemoryLexical(documents);
    const TempFolder folder;
    std::vector<std::vector<LexicalDocument>> parts(1 + random.Below(4));
    for (const LexicalDocument& document : documents) {
      parts[random.Below(static_cast<std::uint32_t>(parts.size()))].push_back(document);
    }
    std::vector<std::unique_ptr<LexicalSegment>> owned;
    Segments split;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string file = (folder / std::to_string(i)).string();
      if ((i + static_cast<std::size_t>(world)) % 2 == 0) {
        ASSERT_TRUE(WriteXapianLexical(file, parts[i]));
        owned.push_back(std::move(OpenXapianLexical(file).value()));
      } else {
        owned.push_back(BuildMemoryLexical(parts[i]));
      }
      split.push_back(owned.back().get());
    }
    std::uint64_t total = 0;
    for (const LexicalSegment* segment : split) total += segment->total_length();
    ASSERT_EQ(total, whole->total_length());
    const double average = static_cast<double>(total) / whole->documents();
    for (int query = 0; query < 25; ++query) {
      const std::vector<WeightedTerm> terms = RandomCue(random, *whole);
      for (const WeightedTerm& term : terms) {
        std::uint32_t df = 0;
        for (const LexicalSegment* segment : split) df += *segment->DocumentFrequency(term.term);
        ASSERT_EQ(df, *whole->DocumentFrequency(term.term));
      }
      const Bm25Params params = query % 3 == 0 ? Bm25Params{1.2, 0.75} : Bm25Params{};
      const std::size_t k = 1 + random.Below(30);
      const std::uint32_t modulus = 1 + random.Below(3);
      const DocumentFilter accept = [&](Ordinal o) { return o % modulus == 0; };
      const auto naive = Naive(documents, terms, average, params, k, accept);
      const auto one = Rescored({whole.get()}, terms, average, params, k, accept);
      const auto many = Rescored(split, terms, average, params, k, accept);
      for (const auto& [ordinal, score] : naive) {
        ASSERT_TRUE(one.contains(ordinal)) << ordinal;
        ASSERT_TRUE(many.contains(ordinal)) << ordinal;
        ASSERT_EQ(one.at(ordinal), score);  // bits, not nearness
        ASSERT_EQ(many.at(ordinal), score);
      }
      for (const auto& [ordinal, score] : many) ASSERT_TRUE(accept(ordinal));
    }
  }
}

}  // namespace
}  // namespace souvenance::index
