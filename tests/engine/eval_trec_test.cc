// Runs and judgements as files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <souvenance/eval.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "engine/eval/ranking.h"

namespace souvenance {
namespace {

using testing::HasSubstr;

class Trec : public testing::Test {
 protected:
  Trec() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "souvenance-trec-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    directory_ = pattern;
  }
  ~Trec() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path Write(std::string_view content) {
    const std::filesystem::path path = directory_ / "file";
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  std::filesystem::path directory_;
};

TEST_F(Trec, ARunComesBackAsItWasWritten) {
  const souvenance::Run run = {{"q1", {{"b", 0.5}, {"a", 2.25}}}, {"q2", {{"文档", -1}}}};
  const std::string text = FormatRun(run, "tag");
  EXPECT_EQ(text,
            "q1 Q0 a 1 2.25 tag\n"
            "q1 Q0 b 2 0.5 tag\n"
            "q2 Q0 文档 1 -1 tag\n");
  const Result<souvenance::Run> back = ReadRun(Write(text));
  ASSERT_TRUE(back);
  EXPECT_EQ(FormatRun(*back, "tag"), text);
}

TEST_F(Trec, ScoresThatPrintAlikeAreTies) {
  // Equal in nine digits, so the later id stands first, as a reader of the file will have it.
  const souvenance::Run run = {{"q", {{"a", 1.00000000002}, {"b", 1.00000000001}}}};
  EXPECT_EQ(FormatRun(run, "t"), "q Q0 b 1 1 t\nq Q0 a 2 1 t\n");
}

TEST_F(Trec, SeparatedTiesKeepTheOrderInTheFile) {
  std::vector<RunLine> lines = {{"a", 1.5},          {"b", 1.5}, {"c", 1.5}, {"d", 1.49999999},
                                {"e", 1.2345678949}, {"f", 0},   {"g", 0},   {"h", 0},
                                {"i", -3},           {"j", -3}};
  const std::vector<RunLine> before = lines;
  eval::SeparateTies(&lines);
  EXPECT_EQ(lines[0].score, 1.5);
  EXPECT_EQ(lines[1].score, 1.49999999);  // one unit of the ninth digit
  EXPECT_EQ(lines[2].score, 1.49999998);
  EXPECT_EQ(lines[3].score, 1.49999997);  // pushed down by its predecessors
  EXPECT_EQ(lines[4].score, 1.23456789);
  const std::string text = FormatRun({{"q", lines}}, "t");
  std::size_t at = 0;
  for (const RunLine& line : before) {
    const std::size_t found = text.find(" " + line.document + " ");
    ASSERT_NE(found, std::string::npos);
    EXPECT_GE(found, at) << line.document;
    at = found;
  }
  const Result<souvenance::Run> back = ReadRun(Write(text));
  ASSERT_TRUE(back);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_LT(back->at("q")[i].score, back->at("q")[i - 1].score);
  }
}

TEST_F(Trec, ScoresThatFallStayAsPrinted) {
  std::vector<RunLine> lines = {{"a", 12.3456789012}, {"b", 1e-7}, {"c", -1e20}};
  eval::SeparateTies(&lines);
  EXPECT_EQ(lines[0].score, 12.3456789);
  EXPECT_EQ(lines[1].score, 1e-7);
  EXPECT_EQ(lines[2].score, -1e20);
}

TEST_F(Trec, ReadsTabsCrLfAndBlankLines) {
  const Result<souvenance::Run> run =
      ReadRun(Write("\xef\xbb\xbfq\tQ0\td1\t1\t3.5\ttag\r\n\n q Q0  d2 2 1e-3 tag"));
  ASSERT_TRUE(run) << run.error().message;
  ASSERT_EQ(run->at("q").size(), 2u);
  EXPECT_EQ(run->at("q")[0].document, "d1");
  EXPECT_EQ(run->at("q")[0].score, 3.5);
  EXPECT_EQ(run->at("q")[1].score, 0.001);
}

TEST_F(Trec, ABadLineOfARunIsNamed) {
  const std::string good = "q Q0 d1 1 3 tag\n";
  for (const char* bad :
       {"q Q0 d2 2 3", "q Q0 d2 2 3 tag more", "q Q0 d2 2 three tag", "q Q0 d2 2 nan tag",
        "q Q0 d2 2 inf tag", "q Q0 d2 2 1.5x tag", "q Q0 d1 2 1 tag"}) {
    const Result<souvenance::Run> run = ReadRun(Write(good + bad + "\n"));
    ASSERT_FALSE(run) << bad;
    EXPECT_EQ(run.error().code, ErrorCode::kInvalidData);
    EXPECT_THAT(run.error().message, HasSubstr("file:2: "));
  }
}

TEST_F(Trec, ReadsJudgementsOfBothKinds) {
  const Qrels expected = {{"q1", {{"d1", 1}, {"d2", -1}}}, {"q2", {{"d 3", 2}}}};
  const Result<Qrels> tsv =
      ReadQrels(Write("query-id\tcorpus-id\tscore\r\nq1\td1\t1\r\nq1\td2\t-1\nq2\td 3\t2\n"));
  ASSERT_TRUE(tsv) << tsv.error().message;
  EXPECT_EQ(*tsv, expected);
  const Result<Qrels> headless = ReadQrels(Write("q1\td1\t1\nq1\td2\t-1\nq2\td 3\t2\n"));
  ASSERT_TRUE(headless);
  EXPECT_EQ(*headless, expected);
  const Result<Qrels> trec = ReadQrels(Write("q1 0 d1 1\nq1\t0\td2\t-1\n"));
  ASSERT_TRUE(trec) << trec.error().message;
  EXPECT_EQ(*trec, (Qrels{{"q1", {{"d1", 1}, {"d2", -1}}}}));
}

TEST_F(Trec, ABadLineOfJudgementsIsNamed) {
  for (const char* bad :
       {"q1 0 d1 1\nq1 0 d2\n", "q1 0 d1 1\nq1 0 d2 x\n", "q1 0 d1 1\nq1 0 d2 1.5\n",
        "q1 0 d1 1\nq1 0 d1 1\n", "q\td\t1\nq\td2\tx\n", "q\td\t1\nq\td\t2\n"}) {
    const Result<Qrels> qrels = ReadQrels(Write(bad));
    ASSERT_FALSE(qrels) << bad;
    EXPECT_EQ(qrels.error().code, ErrorCode::kInvalidData);
    EXPECT_THAT(qrels.error().message, HasSubstr("file:2: "));
  }
}

TEST_F(Trec, AMissingFileIsNotFound) {
  EXPECT_EQ(ReadRun(directory_ / "none").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(ReadQrels(directory_ / "none").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(ReadRun(directory_).error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace souvenance
