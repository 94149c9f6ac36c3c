// The bundled sample is whole: every line is read, and every question has its answer there.
#include <map>
#include <set>

#include "engine/ingest/field_reader.h"
#include "engine/ingest/import_sink.h"
#include "engine/ingest/json_value.h"
#include "tests/engine/reader_fixture.h"

namespace souvenance::ingest {
namespace {

using testing::IsEmpty;

class Sample : public ReaderTest, public testing::WithParamInterface<const char*> {
 protected:
  static std::filesystem::path Path(const std::string& name) {
    return std::filesystem::path(SOUVENANCE_SOURCE_DIR) / "tests/data/sample" / name;
  }
  void ReadSample(const std::string& name) {
    ImportRequest request;
    request.files = {Path(name)};
    ASSERT_TRUE(Read(request));
    ASSERT_THAT(bad_, IsEmpty()) << bad_[0].line << ": " << bad_[0].message;
  }
};

TEST_P(Sample, IsReadWholeAndHoldsWhatTheDemoShows) {
  ReadSample(GetParam());
  std::map<std::string, Scope> scope_of;
  std::map<std::string, int> turns_in;
  int turns = 0;
  int relations = 0;
  int artifacts = 0;
  bool secret = false;
  std::set<std::string> single_valued;
  for (const ImportRecord& record : records_) {
    if (const auto* source = std::get_if<RememberRequest>(&record)) {
      EXPECT_TRUE(scope_of.emplace(source->external_id, source->scope).second)
          << source->external_id;
      EXPECT_TRUE(source->event_time) << source->external_id;
      EXPECT_FALSE(source->session_id.empty()) << source->external_id;
      EXPECT_FALSE(source->speaker_id.empty()) << source->external_id;
      ++turns;
      ++turns_in[FormatScope(source->scope)];
      relations += static_cast<int>(source->relations.size());
      artifacts += static_cast<int>(source->artifacts.size());
      secret = secret || source->sensitivity == 1;
    } else if (const auto* understanding = std::get_if<UnderstandRequest>(&record)) {
      ++artifacts;
      for (const std::string& evidence : understanding->evidence) {
        ASSERT_TRUE(scope_of.contains(evidence)) << evidence << " comes later or never";
        EXPECT_EQ(scope_of[evidence], understanding->scope) << evidence;
      }
    } else if (const auto* predicate = std::get_if<PredicateRequest>(&record)) {
      if (predicate->single_valued) single_valued.insert(predicate->name);
    }
  }
  EXPECT_GE(turns, 60);
  EXPECT_GE(relations, 8);
  EXPECT_GE(artifacts, 8);
  EXPECT_TRUE(secret);
  EXPECT_TRUE(single_valued.contains("lives_in") && single_valued.contains("works_at"));
  for (const char* scope : {"public", "group:family", "private:alice", "private:bob"}) {
    EXPECT_GE(turns_in[scope], 5) << scope;
  }
}
INSTANTIATE_TEST_SUITE_P(Both, Sample, testing::Values("sample.en.jsonl", "sample.zh.jsonl"));

TEST_F(Sample, BothLanguagesCanLiveInOneStore) {
  ReadSample("sample.en.jsonl");
  ReadSample("sample.zh.jsonl");
  std::set<std::string> ids;
  for (const ImportRecord& record : records_) {
    if (const auto* source = std::get_if<RememberRequest>(&record)) {
      EXPECT_TRUE(ids.insert(source->external_id).second) << source->external_id;
    }
  }
}

TEST_F(Sample, EveryQuestionHasItsAnswerInItsScope) {
  ReadSample("sample.en.jsonl");
  ReadSample("sample.zh.jsonl");
  std::map<std::string, Scope> scope_of;
  for (const ImportRecord& record : records_) {
    if (const auto* source = std::get_if<RememberRequest>(&record)) {
      scope_of[source->external_id] = source->scope;
    }
  }
  Result<ValueSource> values = OpenValues(Path("questions.json"));
  ASSERT_TRUE(values);
  std::map<std::string, int> questions;
  Piece piece;
  while (values->Next(&piece).value()) {
    const Result<JsonValue> value = ParseJson(piece.text);
    ASSERT_TRUE(value) << piece.line;
    std::string problem;
    FieldReader fields(*value, "", &problem);
    fields.RequiredText("id");
    fields.RequiredText("question");
    Scope scope;
    fields.TakeScope("scope", &scope);
    ++questions[fields.Text("language")];
    const std::vector<std::string> expected = fields.Texts("expected");
    EXPECT_FALSE(expected.empty()) << piece.line;
    for (const std::string& id : expected) {
      ASSERT_TRUE(scope_of.contains(id)) << id;
      EXPECT_EQ(scope_of[id], scope) << id;
    }
    EXPECT_EQ(problem, "") << piece.line;
  }
  EXPECT_EQ(questions["en"], 10);
  EXPECT_EQ(questions["zh"], 10);
}

}  // namespace
}  // namespace souvenance::ingest
