// Every value is worked by hand from the definitions in docs/evaluation.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <souvenance/eval.h>

#include <cmath>
#include <limits>
#include <string>

namespace souvenance {
namespace {

// Binary logarithms, from a table.
constexpr double kLog3 = 1.5849625007211562;
constexpr double kLog5 = 2.3219280948873623;
constexpr double kLog6 = 2.5849625007211562;

// Two relevant documents (d1, d2), one judged not relevant (d3). Ranking: d1 d3 d2 d9.
const Qrels kPlainQrels = {{"q", {{"d1", 1}, {"d2", 1}, {"d3", 0}}}};
const Run kPlain = {{"q", {{"d1", 3}, {"d3", 2}, {"d2", 1}, {"d9", 0.5}}}};
// Grades 3, 2, 1 and -1. Ranking: b(2) x(-1) a(3) d(unjudged) c(1).
const Qrels kGradedQrels = {{"q", {{"a", 3}, {"b", 2}, {"c", 1}, {"x", -1}}}};
const Run kGraded = {{"q", {{"b", 9}, {"x", 8}, {"a", 7}, {"d", 6}, {"c", 5}}}};
// Three documents with equal scores: c b a, whatever the order of the lines.
const Run kTies = {{"q", {{"a", 1}, {"c", 1}, {"b", 1}}}};
// Ids are compared byte by byte: "9" before "10".
const Run kNumbers = {{"q", {{"10", 0}, {"9", 0}}}};
// The order of the lines has no say: best score last.
const Run kUpsideDown = {{"q", {{"low", -2}, {"mid", 0.25}, {"top", 10}}}};
// A hit at rank 4 of 4, three relevant in all, two never found.
const Qrels kLateQrels = {{"q", {{"r", 1}, {"s", 1}, {"t", 1}}}};
const Run kLate = {{"q", {{"n1", 4}, {"n2", 3}, {"n3", 2}, {"r", 1}}}};

struct Row {
  const char* name;
  const Qrels* qrels;
  const Run* run;
  const char* measure;
  double expected;
};

const Qrels kOnlyC = {{"q", {{"c", 1}}}};
const Qrels kOnlyA = {{"q", {{"a", 1}}}};
const Qrels kNine = {{"q", {{"9", 1}}}};
const Qrels kTop = {{"q", {{"top", 2}, {"low", 1}}}};
const Qrels kNothingRelevant = {{"q", {{"d1", 0}, {"d2", -1}}}};
const Qrels kTwoQueries = {{"q", {{"d1", 1}}}, {"lost", {{"d1", 1}}}};
const Qrels kThreeQueries = {{"q", {{"d1", 1}}}, {"lost", {{"d1", 1}}}, {"zero", {{"d1", 0}}}};
const Run kEmptyRanking = {{"q", {}}};
const Run kNothing = {};

const Row kRows[] = {
    {"plain", &kPlainQrels, &kPlain, "R@1", 0.5},
    {"plain", &kPlainQrels, &kPlain, "R@2", 0.5},
    {"plain", &kPlainQrels, &kPlain, "R@3", 1},
    {"plain", &kPlainQrels, &kPlain, "R@100", 1},
    {"plain", &kPlainQrels, &kPlain, "P@1", 1},
    {"plain", &kPlainQrels, &kPlain, "P@2", 0.5},
    {"plain", &kPlainQrels, &kPlain, "P@3", 2.0 / 3},
    {"P@k divides by k", &kPlainQrels, &kPlain, "P@10", 0.2},
    {"plain", &kPlainQrels, &kPlain, "RR", 1},
    {"plain", &kPlainQrels, &kPlain, "AP", (1.0 / 1 + 2.0 / 3) / 2},
    {"plain", &kPlainQrels, &kPlain, "nDCG@1", 1},
    {"plain", &kPlainQrels, &kPlain, "nDCG@2", 1 / (1 + 1 / kLog3)},
    {"plain", &kPlainQrels, &kPlain, "nDCG@3", (1 + 1.0 / 2) / (1 + 1 / kLog3)},
    {"plain", &kPlainQrels, &kPlain, "Success@1", 1},
    {"plain", &kPlainQrels, &kPlain, "recall_all@2", 0},
    {"plain", &kPlainQrels, &kPlain, "recall_all@3", 1},
    // Linear gain: 3, 2, 1, not 7, 3, 1; the grade -1 gains nothing and costs nothing.
    {"graded", &kGradedQrels, &kGraded, "nDCG@1", 2.0 / 3},
    {"graded", &kGradedQrels, &kGraded, "nDCG@2", 2 / (3 + 2 / kLog3)},
    {"graded", &kGradedQrels, &kGraded, "nDCG@3", (2 + 3.0 / 2) / (3 + 2 / kLog3 + 1.0 / 2)},
    {"graded", &kGradedQrels, &kGraded, "nDCG@4", (2 + 3.0 / 2) / (3 + 2 / kLog3 + 1.0 / 2)},
    {"graded", &kGradedQrels, &kGraded, "nDCG@5",
     (2 + 3.0 / 2 + 1 / kLog6) / (3 + 2 / kLog3 + 1.0 / 2)},
    {"graded", &kGradedQrels, &kGraded, "nDCG@1000",
     (2 + 3.0 / 2 + 1 / kLog6) / (3 + 2 / kLog3 + 1.0 / 2)},
    {"a negative grade is not relevant", &kGradedQrels, &kGraded, "R@2", 1.0 / 3},
    {"graded", &kGradedQrels, &kGraded, "R@5", 1},
    {"graded", &kGradedQrels, &kGraded, "AP", (1.0 / 1 + 2.0 / 3 + 3.0 / 5) / 3},
    {"graded", &kGradedQrels, &kGraded, "P@5", 3.0 / 5},
    {"graded", &kGradedQrels, &kGraded, "recall_all@4", 0},
    {"graded", &kGradedQrels, &kGraded, "recall_all@5", 1},
    {"ties by id descending: c is first", &kOnlyC, &kTies, "RR", 1},
    {"ties by id descending: a is last", &kOnlyA, &kTies, "RR", 1.0 / 3},
    {"ties", &kOnlyA, &kTies, "Success@2", 0},
    {"ties", &kOnlyA, &kTies, "Success@3", 1},
    {"ids are bytes, not numbers", &kNine, &kNumbers, "RR", 1},
    {"scores decide, not the lines", &kTop, &kUpsideDown, "RR", 1},
    {"scores decide, not the lines", &kTop, &kUpsideDown, "nDCG@3",
     (2 + 1.0 / 2) / (2 + 1 / kLog3)},
    {"late", &kLateQrels, &kLate, "RR", 1.0 / 4},
    {"late", &kLateQrels, &kLate, "RR@3", 0},
    {"late", &kLateQrels, &kLate, "RR@4", 1.0 / 4},
    {"late", &kLateQrels, &kLate, "AP", (1.0 / 4) / 3},
    {"late", &kLateQrels, &kLate, "R@4", 1.0 / 3},
    {"late", &kLateQrels, &kLate, "nDCG@4", (1 / kLog5) / (1 + 1 / kLog3 + 1.0 / 2)},
    {"late", &kLateQrels, &kLate, "Success@3", 0},
    {"late", &kLateQrels, &kLate, "recall_all@4", 0},
    {"nothing relevant counts 0", &kNothingRelevant, &kPlain, "nDCG@10", 0},
    {"nothing relevant counts 0", &kNothingRelevant, &kPlain, "R@10", 0},
    {"nothing relevant counts 0", &kNothingRelevant, &kPlain, "AP", 0},
    {"nothing relevant counts 0", &kNothingRelevant, &kPlain, "recall_all@10", 0},
    {"a missing query counts 0", &kTwoQueries, &kPlain, "RR", 0.5},
    {"a missing query counts 0", &kTwoQueries, &kPlain, "nDCG@10", 0.5},
    {"so does one without relevant documents", &kThreeQueries, &kPlain, "R@10", 1.0 / 3},
    {"an empty ranking", &kPlainQrels, &kEmptyRanking, "AP", 0},
    {"an empty ranking", &kPlainQrels, &kEmptyRanking, "P@5", 0},
    {"an empty run", &kPlainQrels, &kNothing, "nDCG@5", 0},
};

TEST(Score, AgreesWithTheDefinitions) {
  for (const Row& row : kRows) {
    const Result<ScoreAnswer> answer = Score(*row.qrels, *row.run, {row.measure});
    ASSERT_TRUE(answer) << row.name << " " << row.measure;
    ASSERT_EQ(answer->rows.size(), 1u);
    EXPECT_EQ(answer->rows[0].measure, row.measure);
    EXPECT_NEAR(answer->rows[0].mean, row.expected, 1e-15) << row.name << " " << row.measure;
  }
}

TEST(Score, CountsWhatIsMissingAndWhatIsNotJudged) {
  const Qrels qrels = {{"a", {{"d", 1}}}, {"b", {{"d", 1}}}, {"c", {{"d", 1}}}};
  const souvenance::Run run = {{"a", {{"d", 1}}}, {"x", {{"d", 1}}}, {"y", {}}};
  const Result<ScoreAnswer> answer = Score(qrels, run, {"RR", "P@2"});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->queries, 3u);
  EXPECT_EQ(answer->missing, 2u);
  EXPECT_EQ(answer->unjudged, 2u);
  ASSERT_EQ(answer->rows.size(), 2u);
  EXPECT_EQ(answer->rows[0].by_query,
            (std::map<std::string, double>{{"a", 1}, {"b", 0}, {"c", 0}}));
  EXPECT_EQ(answer->rows[1].by_query.at("a"), 0.5);
}

TEST(Score, ScoresAreDoubles) {
  // As floats these two are equal, and "a" would lose the tie.
  const souvenance::Run run = {{"q", {{"a", 1 + 1e-12}, {"b", 1}}}};
  EXPECT_EQ(Score(kOnlyA, run, {"RR"})->rows[0].mean, 1);
}

TEST(Score, RefusesAnUnknownMeasure) {
  for (const char* name : {"", "ndcg@10", "nDCG", "nDCG@0", "nDCG@", "nDCG@-1", "nDCG@1.5",
                           "nDCG@10x", "R", "P", "AP@5", "MAP", "Success", "recall_all",
                           "R@99999999999999999999999", " RR", "RR@", "R@+5"}) {
    const Result<ScoreAnswer> answer = Score(kPlainQrels, kPlain, {"RR", name});
    ASSERT_FALSE(answer) << name;
    EXPECT_EQ(answer.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(answer.error().message, testing::HasSubstr(name));
  }
}

TEST(Score, RefusesADocumentThatOccursTwice) {
  const souvenance::Run run = {{"q", {{"d1", 3}, {"d2", 2}, {"d1", 1}}}};
  const Result<ScoreAnswer> answer = Score(kPlainQrels, run, {"RR"});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kInvalidData);
}

TEST(Score, RefusesAScoreThatIsNoNumber) {
  const souvenance::Run run = {{"q", {{"d1", std::numeric_limits<double>::quiet_NaN()}}}};
  const Result<ScoreAnswer> answer = Score(kPlainQrels, run, {"RR"});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kInvalidData);
}

TEST(Score, NoJudgementsGiveNoMean) {
  const Result<ScoreAnswer> answer = Score({}, kPlain, {"RR"});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->rows[0].mean, 0);
  EXPECT_EQ(answer->queries, 0u);
}

}  // namespace
}  // namespace souvenance
