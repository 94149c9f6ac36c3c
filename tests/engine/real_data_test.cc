// The engine on real conversations, where the development data lies beside the checkout: what
// docs/evaluation.md measured, with room for noise below and none for a broken stage.
#include <souvenance/eval.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/engine/engine_fixture.h"

namespace souvenance {
namespace {

namespace fs = std::filesystem;
using testing::At;
using testing::Must;

fs::path Data(const char* set) {
  const char* root = std::getenv("SOUVENANCE_DATA");
  const fs::path base =
      root != nullptr ? fs::path(root) : fs::path(SOUVENANCE_SOURCE_DIR) / ".." / "shared" / "data";
  return base / set;
}

#define SKIP_WITHOUT(path) \
  if (!fs::exists(path))   \
  GTEST_SKIP() << "notice: the data set " << (path).filename() << " is not here"

RecallOptions WordsAlone() {
  RecallOptions o = EvalOptions();
  o.legs.vector = Switch::kOff;
  o.legs.graph = Switch::kOff;
  o.previous = o.previous_question = o.before_previous = o.next = o.after_next = 0;
  o.session = o.semantic = o.date_window = o.date_exact = o.link = o.activation_weight = 0;
  o.speaker = o.when = 1;
  o.age = o.recent = 0;
  return o;
}

// Judgements without those of queries whose metadata.category is `left_out`.
Qrels Judged(const fs::path& data, const std::string& left_out) {
  Qrels qrels = Must(ReadQrels(data / "qrels" / "test.tsv"));
  std::ifstream in(data / "queries.jsonl");
  for (std::string line; std::getline(in, line);) {
    const auto query = nlohmann::json::parse(line);
    if (query["metadata"].value("category", "") == left_out) qrels.erase(query["_id"]);
  }
  return qrels;
}

std::map<std::string, double> Measure(const fs::path& data, const RecallOptions& options,
                                      const Qrels& qrels, const fs::path& triples = {}) {
  EvalRunRequest request;
  request.data = data;
  request.options = options;
  request.triples = triples;
  request.depth = 20;
  request.now = At("2026-11-30");
  const EvalRunAnswer run = Must(EvalRun(request));
  std::map<std::string, double> means;
  for (const ScoreRow& row : Must(Score(qrels, run.run, {"R@2", "R@5", "R@10", "nDCG@10"})).rows) {
    means[row.measure] = row.mean;
  }
  return means;
}

TEST(RealData, LocomoWordsReachTheReferenceAndTheWholePipelineIsFarAbove) {
  const fs::path data = Data("locomo_dev");
  SKIP_WITHOUT(data);
  const Qrels qrels = Judged(data, "adversarial");
  auto words = Measure(data, WordsAlone(), qrels);
  EXPECT_GE(words["R@5"], 0.555 - 0.02);
  EXPECT_GE(words["R@10"], 0.627 - 0.02);
  EXPECT_GE(words["nDCG@10"], 0.499 - 0.02);
  auto whole = Measure(data, EvalOptions(), qrels);
  EXPECT_GE(whole["R@10"], words["R@10"] + 0.08);
  EXPECT_GE(whole["nDCG@10"], words["nDCG@10"] + 0.08);
}

TEST(RealData, MemorybankInChinese) {
  const fs::path data = Data("memorybank_zh");
  SKIP_WITHOUT(data);
  const Qrels qrels = Judged(data, "-");
  auto words = Measure(data, WordsAlone(), qrels);
  EXPECT_GE(words["R@5"], 0.853 - 0.02);
  EXPECT_GE(words["R@10"], 0.918 - 0.02);
  EXPECT_GE(words["nDCG@10"], 0.756 - 0.02);
  EXPECT_GE(Measure(data, EvalOptions(), qrels)["nDCG@10"], words["nDCG@10"]);
}

TEST(RealData, MusiqueWithItsTriplesAsRelations) {
  const fs::path data = Data("musique_train_en");
  SKIP_WITHOUT(data);
  const Qrels qrels = Judged(data, "-");
  auto words = Measure(data, WordsAlone(), qrels);
  EXPECT_GE(words["R@5"], 0.494 - 0.02);
  auto whole = Measure(data, EvalOptions(), qrels, data / "triples.jsonl");
  EXPECT_GE(whole["R@5"], words["R@5"] + 0.05);
  EXPECT_GE(whole["R@10"], words["R@10"] + 0.08);
}

}  // namespace
}  // namespace souvenance
