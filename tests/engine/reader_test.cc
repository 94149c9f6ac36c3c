// Our own format, and what all formats share.
#include "engine/ingest/text_source.h"
#include "tests/engine/reader_fixture.h"

namespace souvenance::ingest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Jsonl = ReaderTest;

TEST_F(Jsonl, ReadsEveryFieldOfASource) {
  ASSERT_TRUE(ReadText(
      R"({"type":"source","external_id":"D1:3","scope":"group:family","session_id":7,)"
      R"("speaker_id":"Caroline","subject_id":"Mel","addressee":"Bob","source_type":"reply",)"
      R"("event_time":"2023-05-08T13:56:00Z","received_at":"2023-05-09","content":"Hello there",)"
      R"("tags":["support","work"],"emotion":{"label":"joy","intensity":0.4},"salience":0.7,)"
      R"("sensitivity":0.1,"memory_type":"identity","shape":"pattern","vector":[0.5,-1,2],)"
      R"("metadata":{"b":1,"a":[true,null,"x"]},)"
      R"("artifacts":[{"kind":"impression","memory_type":"associative","shape":"span",)"
      R"("content":"She went","gist":"went","tags":["t"],"salience":0.2,"sensitivity":0.3,)"
      R"("confidence":0.9,"valid_at":"2023-05-07","invalid_at":null,"subject_id":"Caroline"}],)"
      R"("relations":[{"subject":"Caroline","predicate":"lives_in","object":"Sweden",)"
      R"("subject_type":"person","object_type":"place","valid_at":"2019","invalid_at":"2021",)"
      R"("confidence":0.8}]})"
      "\n",
      ImportFormat::kJsonl));
  ASSERT_THAT(bad_, IsEmpty());
  const RememberRequest& s = Source();
  EXPECT_EQ(s.external_id, "D1:3");
  EXPECT_EQ(s.request_id, "");
  EXPECT_EQ(FormatScope(s.scope), "group:family");
  EXPECT_EQ(s.session_id, "7");
  EXPECT_EQ(s.speaker_id, "Caroline");
  EXPECT_EQ(s.subject_id, "Mel");
  EXPECT_EQ(s.addressee, "Bob");
  EXPECT_EQ(s.source_type, SourceType::kReply);
  EXPECT_EQ(s.event_time, At("2023-05-08T13:56:00Z"));
  EXPECT_EQ(s.received_at, At("2023-05-09"));
  EXPECT_EQ(s.content, "Hello there");
  EXPECT_THAT(s.tags, ElementsAre("support", "work"));
  EXPECT_EQ(s.emotion, "joy");
  EXPECT_EQ(s.emotion_intensity, 0.4);
  EXPECT_EQ(s.salience, 0.7);
  EXPECT_EQ(s.sensitivity, 0.1);
  EXPECT_EQ(s.memory_type, MemoryType::kIdentity);
  EXPECT_EQ(s.shape, Shape::kPattern);
  EXPECT_THAT(s.vector, ElementsAre(0.5f, -1.0f, 2.0f));
  EXPECT_EQ(s.metadata_json, R"({"b":1,"a":[true,null,"x"]})");
  ASSERT_EQ(s.artifacts.size(), 1u);
  const NewArtifact& a = s.artifacts[0];
  EXPECT_EQ(a.kind, ArtifactKind::kImpression);
  EXPECT_EQ(a.memory_type, MemoryType::kAssociative);
  EXPECT_EQ(a.shape, Shape::kSpan);
  EXPECT_EQ(a.content, "She went");
  EXPECT_EQ(a.gist, "went");
  EXPECT_THAT(a.tags, ElementsAre("t"));
  EXPECT_EQ(a.salience, 0.2);
  EXPECT_EQ(a.sensitivity, 0.3);
  EXPECT_EQ(a.confidence, 0.9);
  EXPECT_EQ(a.valid_at, At("2023-05-07"));
  EXPECT_EQ(a.invalid_at, std::nullopt);
  EXPECT_EQ(a.subject_id, "Caroline");
  ASSERT_EQ(s.relations.size(), 1u);
  const NewRelation& r = s.relations[0];
  EXPECT_EQ(r.subject + "|" + r.predicate + "|" + r.object, "Caroline|lives_in|Sweden");
  EXPECT_EQ(r.subject_type + "|" + r.object_type, "person|place");
  EXPECT_EQ(r.valid_at->first, At("2019-01-01"));
  EXPECT_EQ(r.invalid_at->past_last, At("2022-01-01"));
  EXPECT_FALSE(r.at);
  EXPECT_EQ(r.confidence, 0.8);
}

TEST_F(Jsonl, ContentAloneIsASource) {
  ImportRequest request;
  request.files = {Write("in.jsonl", "\n{\"content\":\"ok\"}\n{\"content\":\"ok\"}\n")};
  request.agent = "nova";
  request.scope = {ScopeKind::kPrivate, "alice"};
  request.now = At("2025-01-01");
  ASSERT_TRUE(Read(request));
  ASSERT_EQ(records_.size(), 2u);
  EXPECT_EQ(Source().agent, "nova");
  EXPECT_EQ(FormatScope(Source().scope), "private:alice");
  EXPECT_EQ(Source().now, At("2025-01-01"));
  EXPECT_EQ(Source().emotion_intensity, 0);
  // sha256sum of the file's bytes; the line counts the blank one.
  const std::string digest = "8154f32f6462c33d804c145ee5d89c39affc3e29d43521a6de275598506eeaa6";
  EXPECT_EQ(Source(0).request_id, "file:" + digest + ":2");
  EXPECT_EQ(Source(1).request_id, "file:" + digest + ":3");
}

TEST_F(Jsonl, AnEmotionWithoutIntensityIsFull) {
  ASSERT_TRUE(ReadText(R"({"content":"x","emotion":{"label":"joy"}})", ImportFormat::kJsonl));
  EXPECT_EQ(Source().emotion_intensity, 1);
}

TEST_F(Jsonl, TheEndsOfARangeBelongToIt) {
  ASSERT_TRUE(
      ReadText("{\"content\":\"x\",\"salience\":0.01,\"sensitivity\":0}\n"
               "{\"content\":\"x\",\"salience\":1,\"sensitivity\":1}\n",
               ImportFormat::kJsonl));
  EXPECT_THAT(bad_, IsEmpty());
  EXPECT_EQ(Source(0).salience, 0.01);
  EXPECT_EQ(Source(1).sensitivity, 1);
}

TEST_F(Jsonl, ReadsEntitiesAndPredicates) {
  ASSERT_TRUE(
      ReadText("{\"type\":\"predicate\",\"name\":\"lives_in\",\"single_valued\":true}\n"
               "{\"type\":\"entity\",\"name\":\"Caroline\",\"entity_type\":\"person\","
               "\"aliases\":[\"Caro\",\"卡罗琳\"],\"scope\":\"private:x\"}\n",
               ImportFormat::kJsonl));
  ASSERT_EQ(records_.size(), 2u);
  const auto& predicate = std::get<PredicateRequest>(records_[0]);
  EXPECT_EQ(predicate.name, "lives_in");
  EXPECT_TRUE(predicate.single_valued);
  EXPECT_EQ(FormatScope(predicate.scope), "public");
  const auto& entity = std::get<EntityRequest>(records_[1]);
  EXPECT_EQ(entity.name, "Caroline");
  EXPECT_EQ(entity.type, "person");
  EXPECT_THAT(entity.aliases, ElementsAre("Caro", "卡罗琳"));
  EXPECT_EQ(FormatScope(entity.scope), "private:x");
}

TEST_F(Jsonl, AnArtifactLineRestsOnItsEvidence) {
  ASSERT_TRUE(
      ReadText("{\"type\":\"artifact\",\"scope\":\"group:g\",\"evidence\":[\"D1:3\",\"D1:4\"],"
               "\"content\":\"They are friends\",\"kind\":\"impression\",\"gist\":\"friends\"}\n"
               "{\"type\":\"artifact\",\"content\":\"nothing proves it\"}\n"
               "{\"type\":\"artifact\",\"content\":\"nor this\",\"evidence\":[]}\n",
               ImportFormat::kJsonl));
  ASSERT_EQ(records_.size(), 1u);
  const auto& understanding = std::get<UnderstandRequest>(records_[0]);
  EXPECT_EQ(FormatScope(understanding.scope), "group:g");
  EXPECT_THAT(understanding.evidence, ElementsAre("D1:3", "D1:4"));
  ASSERT_EQ(understanding.artifacts.size(), 1u);
  EXPECT_EQ(understanding.artifacts[0].kind, ArtifactKind::kImpression);
  EXPECT_EQ(understanding.artifacts[0].gist, "friends");
  ASSERT_EQ(bad_.size(), 2u);
  EXPECT_EQ(bad_[0].line, 2u);
  EXPECT_THAT(bad_[0].message, HasSubstr("evidence"));
  EXPECT_EQ(bad_[1].line, 3u);
}

TEST_F(Jsonl, ARelationLineWithoutEvidenceIsItsOwnSource) {
  ASSERT_TRUE(ReadText(
      "{\"type\":\"relation\",\"subject\":\"Ann\",\"predicate\":\"lives_in\",\"object\":\"Oslo\","
      "\"valid_at\":\"2019\",\"invalid_at\":\"2021-03\",\"external_id\":\"f1\"}\n"
      "{\"type\":\"relation\",\"subject\":\"Ann\",\"predicate\":\"met\",\"object\":\"Bo\","
      "\"at\":\"2020-02-03\"}\n"
      "{\"type\":\"relation\",\"subject\":\"Ann\",\"predicate\":\"knows\",\"object\":\"Bo\"}\n"
      "{\"type\":\"relation\",\"subject\":\"Ann\",\"predicate\":\"knows\",\"object\":\"Cy\","
      "\"evidence\":[\"f1\"]}\n",
      ImportFormat::kJsonl));
  ASSERT_THAT(bad_, IsEmpty());
  ASSERT_EQ(records_.size(), 4u);
  EXPECT_EQ(Source(0).content, "Ann lives_in Oslo (valid_at 2019, invalid_at 2021-03)");
  EXPECT_EQ(Source(0).source_type, SourceType::kImport);
  EXPECT_EQ(Source(0).external_id, "f1");
  EXPECT_EQ(Source(0).event_time, At("2019-01-01"));
  EXPECT_EQ(Source(0).relations.size(), 1u);
  EXPECT_EQ(Source(1).content, "Ann met Bo (at 2020-02-03)");
  EXPECT_EQ(Source(1).event_time, At("2020-02-03"));
  EXPECT_THAT(Source(1).request_id, testing::EndsWith(":2"));
  EXPECT_EQ(Source(2).content, "Ann knows Bo");
  EXPECT_EQ(Source(2).event_time, std::nullopt);
  const auto& understanding = std::get<UnderstandRequest>(records_[3]);
  EXPECT_THAT(understanding.evidence, ElementsAre("f1"));
  EXPECT_EQ(understanding.relations.at(0).object, "Cy");
}

TEST_F(Jsonl, AnInstantEndsWhereItSaysAndADayAtItsLast) {
  ASSERT_TRUE(
      ReadText(R"({"content":"x","artifacts":[{"content":"a","invalid_at":"2023-05-08T10:00:00Z"},)"
               R"({"content":"b","invalid_at":"2023-05-08"},{"content":"c","invalid_at":"1964"}]})",
               ImportFormat::kJsonl));
  ASSERT_EQ(Source().artifacts.size(), 3u);
  EXPECT_EQ(Source().artifacts[0].invalid_at, At("2023-05-08T10:00:00Z"));
  EXPECT_EQ(Source().artifacts[1].invalid_at, At("2023-05-09"));
  EXPECT_EQ(Source().artifacts[2].invalid_at, At("1965-01-01"));
}

struct BadCase {
  const char* line;
  const char* message;  // a part of it
};

class BadLines : public ReaderTest, public testing::WithParamInterface<BadCase> {};

TEST_P(BadLines, AreReportedByNumberAndTheRestIsRead) {
  const std::string text =
      std::string("{\"content\":\"before\"}\n") + GetParam().line + "\n{\"content\":\"after\"}\n";
  ASSERT_TRUE(ReadText(text, ImportFormat::kJsonl));
  EXPECT_THAT(Contents(), ElementsAre("before", "after"));
  ASSERT_EQ(bad_.size(), 1u);
  EXPECT_EQ(bad_[0].line, 2u);
  EXPECT_EQ(bad_[0].file, (directory_ / "in.jsonl").string());
  EXPECT_THAT(bad_[0].message, HasSubstr(GetParam().message));
}

constexpr BadCase kBadCases[] = {
    {"{\"content\":\"x\"", "no valid JSON"},
    {"not json", "no valid JSON"},
    {"{\"content\":\"x\"} {}", "no valid JSON"},
    {"[1]", "must be an object"},
    {"\"x\"", "must be an object"},
    {"{}", "content: is missing"},
    {"{\"content\":null}", "content: is missing"},
    {"{\"content\":\" \\t\\n\"}", "content: is blank"},
    {"{\"content\":7}", "content: must be a string"},
    {"{\"contnt\":\"x\"}", "contnt: unknown key; the nearest known key is \"content\""},
    {"{\"content\":\"x\",\"speaker\":\"y\"}", "nearest known key is \"speaker_id\""},
    {"{\"content\":\"x\",\"content\":\"y\"}", "\"content\" occurs twice"},
    {"{\"type\":\"sauce\",\"content\":\"x\"}", "type: \"sauce\" is none of source, artifact"},
    {"{\"content\":\"\xff\xfe\"}", "is not valid UTF-8"},
    {"{\"content\":\"\xc0\xaf\"}", "is not valid UTF-8"},
    {"{\"content\":\"\xed\xa0\x80\"}", "is not valid UTF-8"},
    {"{\"content\":\"\\ud800\"}", "no valid JSON"},
    {"{\"content\":\"a\\u0000b\"}", "NUL byte"},
    {"{\"content\":\"x\",\"external_id\":5}", "external_id: must be a string"},
    {"{\"content\":\"x\",\"session_id\":1.5}", "session_id: must be a string or a whole number"},
    {"{\"content\":\"x\",\"event_time\":\"yesterday\"}", "event_time: time: \"yesterday\""},
    {"{\"content\":\"x\",\"event_time\":\"2023-02-30\"}", "event_time"},
    {"{\"content\":\"x\",\"event_time\":2023}", "event_time: must be a string"},
    {"{\"content\":\"x\",\"scope\":\"private: \"}", "scope: scope: the name is blank"},
    {"{\"content\":\"x\",\"source_type\":\"dream\"}", "source_type: \"dream\" is none of message"},
    {"{\"content\":\"x\",\"shape\":\"round\"}", "shape: \"round\" is none of point"},
    {"{\"content\":\"x\",\"memory_type\":\"\"}", "memory_type"},
    {"{\"content\":\"x\",\"salience\":0}", "salience: must lie in [0.01, 1]"},
    {"{\"content\":\"x\",\"salience\":1.5}", "salience: must lie in [0.01, 1]"},
    {"{\"content\":\"x\",\"sensitivity\":-0.1}", "sensitivity: must lie in [0, 1]"},
    {"{\"content\":\"x\",\"sensitivity\":\"high\"}", "sensitivity: must be a number"},
    {"{\"content\":\"x\",\"emotion\":\"joy\"}", "emotion: must be an object"},
    {"{\"content\":\"x\",\"emotion\":{\"intensity\":1}}", "emotion.label: is missing"},
    {"{\"content\":\"x\",\"emotion\":{\"label\":\"joy\",\"intensity\":2}}",
     "emotion.intensity: must lie in [0, 1]"},
    {"{\"content\":\"x\",\"emotion\":{\"label\":\"joy\",\"force\":1}}", "emotion.force: unknown"},
    {"{\"content\":\"x\",\"tags\":\"a\"}", "tags: must be an array"},
    {"{\"content\":\"x\",\"tags\":[\"a\",\"\"]}", "tags: must hold strings that are not blank"},
    {"{\"content\":\"x\",\"vector\":[]}", "vector: must be an array of numbers"},
    {"{\"content\":\"x\",\"vector\":[1,null]}", "vector: must hold finite numbers"},
    {"{\"content\":\"x\",\"vector\":[1e300]}", "vector: must hold finite numbers"},
    {"{\"content\":\"x\",\"vector\":[1e999]}", "a number is too large"},
    {"{\"content\":\"x\",\"vector\":[NaN]}", "no valid JSON"},
    {"{\"content\":\"x\",\"metadata\":[]}", "metadata: must be an object"},
    {"{\"content\":\"x\",\"artifacts\":[{}]}", "artifacts[0].content: is missing"},
    {"{\"content\":\"x\",\"artifacts\":[{\"content\":\"y\",\"knd\":\"fact\"}]}",
     "artifacts[0].knd: unknown key; the nearest known key is \"kind\""},
    {"{\"content\":\"x\",\"artifacts\":[{\"content\":\"y\",\"confidence\":2}]}",
     "artifacts[0].confidence: must lie in [0, 1]"},
    {"{\"content\":\"x\",\"artifacts\":[{\"content\":\"y\",\"valid_at\":\"2020\","
     "\"invalid_at\":\"2019\"}]}",
     "artifacts[0].invalid_at: is not after valid_at"},
    {"{\"content\":\"x\",\"relations\":[{\"subject\":\"a\",\"predicate\":\"b\"}]}",
     "relations[0].object: is missing"},
    {"{\"content\":\"x\",\"relations\":[{\"subject\":\"a\",\"predicate\":\"b\",\"object\":\"c\"},"
     "{\"subject\":\"a\",\"predicate\":\"b\",\"object\":\"c\",\"valid_at\":\"2020\","
     "\"invalid_at\":\"2019\"}]}",
     "relations[1].invalid_at: is not after valid_at"},
    {"{\"content\":\"x\",\"relations\":[{\"subject\":\"a\",\"predicate\":\"b\",\"object\":\"c\","
     "\"at\":\"2020\",\"valid_at\":\"2019\"}]}",
     "relations[0].at: excludes"},
    {"{\"type\":\"entity\",\"name\":\"\"}", "name: is blank"},
    {"{\"type\":\"entity\",\"name\":\"x\",\"alias\":[]}", "nearest known key is \"aliases\""},
    {"{\"type\":\"predicate\",\"name\":\"x\",\"single_valued\":1}",
     "single_valued: must be true or false"},
    {"{\"type\":\"relation\",\"subject\":\"a\",\"predicate\":\"b\",\"object\":\"c\","
     "\"evidence\":[]}",
     "evidence: is empty"},
    {"{\"type\":\"relation\",\"subject\":\"a\",\"predicate\":\"b\",\"object\":\"c\","
     "\"evidence\":[\"e\"],\"external_id\":\"x\"}",
     "external_id: has no meaning beside evidence"},
};
INSTANTIATE_TEST_SUITE_P(Jsonl, BadLines, testing::ValuesIn(kBadCases));

TEST_F(Jsonl, ANulByteIsABadLine) {
  using std::string_literals::operator""s;
  ASSERT_TRUE(ReadText("{\"content\":\"a\0b\"}\n{\"content\":\"c\"}\n"s, ImportFormat::kJsonl));
  EXPECT_THAT(Contents(), ElementsAre("c"));
  ASSERT_EQ(bad_.size(), 1u);
  EXPECT_THAT(bad_[0].message, HasSubstr("NUL"));
}

TEST_F(Jsonl, ALineOf64MegabytesIsReadAndALongerOneReported) {
  const std::string longest(std::size_t{64} << 20, 'x');
  ByteSource bytes =
      ByteSource::Open(Write("long", longest + "\n" + longest + "x\nshort\r\n")).value();
  LineSource lines(std::move(bytes));
  Piece piece;
  ASSERT_TRUE(lines.Next(&piece).value());
  EXPECT_EQ(piece.problem, "");
  EXPECT_TRUE(piece.text == longest);
  ASSERT_TRUE(lines.Next(&piece).value());
  EXPECT_EQ(piece.problem, "is longer than 64 MB");
  EXPECT_EQ(piece.line, 2u);
  ASSERT_TRUE(lines.Next(&piece).value());
  EXPECT_EQ(piece.text, "short");
  EXPECT_FALSE(lines.Next(&piece).value());
}

TEST_F(Jsonl, AThousandBracketsAreABadLine) {
  ASSERT_TRUE(ReadText("{\"content\":\"x\",\"metadata\":" + std::string(100000, '[') + "\n",
                       ImportFormat::kJsonl));
  ASSERT_EQ(bad_.size(), 1u);
  EXPECT_THAT(bad_[0].message, HasSubstr("nested too deeply"));
}

TEST_F(Jsonl, SkipsAByteOrderMarkAndTakesCrLfAndAMissingLastLineEnd) {
  ASSERT_TRUE(
      ReadText("\xef\xbb\xbf{\"content\":\"a\"}\r\n\r\n{\"content\":\"b\"}", ImportFormat::kJsonl));
  EXPECT_THAT(bad_, IsEmpty());
  EXPECT_THAT(Contents(), ElementsAre("a", "b"));
}

TEST_F(Jsonl, AnEmptyFileHoldsNothing) {
  ASSERT_TRUE(ReadText("", ImportFormat::kAuto));
  ASSERT_TRUE(ReadText("\xef\xbb\xbf", ImportFormat::kJsonl));
  EXPECT_THAT(records_, IsEmpty());
  EXPECT_THAT(bad_, IsEmpty());
}

TEST_F(Jsonl, LinesAcrossTheBufferStayWhole) {
  std::string text;
  std::vector<std::string> expected;
  for (int i = 0; i < 40; ++i) {
    expected.push_back(std::string(static_cast<std::size_t>(20000 + 997 * i), 'a') +
                       std::to_string(i));
    text += "{\"content\":\"" + expected.back() + "\"}\n";
  }
  ASSERT_TRUE(ReadText(text, ImportFormat::kJsonl));
  EXPECT_EQ(Contents(), expected);
  ASSERT_EQ(progress_.size(), 40u);
  EXPECT_EQ(progress_.back().bytes_done, text.size());
  EXPECT_EQ(progress_.back().bytes_total, text.size());
  for (std::size_t i = 1; i < progress_.size(); ++i) {
    EXPECT_GT(progress_[i].bytes_done, progress_[i - 1].bytes_done);
  }
}

TEST_F(Jsonl, ProgressGoesOnOverTheSecondFile) {
  ImportRequest request;
  request.files = {Write("a.jsonl", "{\"content\":\"a\"}\n"),
                   Write("b.jsonl", "{\"content\":\"b\"}")};
  ASSERT_TRUE(Read(request));
  ASSERT_EQ(progress_.size(), 2u);
  EXPECT_EQ(progress_[0].bytes_done, 16u);
  EXPECT_EQ(progress_[1].bytes_done, 31u);
  EXPECT_EQ(progress_[1].bytes_total, 31u);
}

TEST_F(Jsonl, ARefusedRecordIsABadLine) {
  for (const ErrorCode code : {ErrorCode::kInvalidData, ErrorCode::kInvalidArgument,
                               ErrorCode::kConflict, ErrorCode::kNotFound}) {
    bad_.clear();
    refusal_ = Error{code, "it has other content", ""};
    ASSERT_TRUE(ReadText("\n{\"content\":\"a\"}\n", ImportFormat::kJsonl));
    ASSERT_EQ(bad_.size(), 1u);
    EXPECT_EQ(bad_[0].line, 2u);
    EXPECT_EQ(bad_[0].message, "it has other content");
  }
}

TEST_F(Jsonl, AnyOtherErrorEndsTheReading) {
  for (const ErrorCode code : {ErrorCode::kIo, ErrorCode::kBusy, ErrorCode::kNoSpace,
                               ErrorCode::kCorruption, ErrorCode::kInternal}) {
    progress_.clear();
    refusal_ = Error{code, "the disk is gone", ""};
    const auto read = ReadText("{\"content\":\"a\"}\n{\"content\":\"b\"}\n", ImportFormat::kJsonl);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, code);
    EXPECT_EQ(progress_.size(), 1u);
    EXPECT_THAT(bad_, IsEmpty());
  }
}

TEST_F(Jsonl, AMissingFileIsFoundBeforeTheFirstRecord) {
  ImportRequest request;
  request.files = {Write("a.jsonl", "{\"content\":\"a\"}\n"), directory_ / "nothing.jsonl"};
  const auto read = Read(request);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(read.error().message, HasSubstr("nothing.jsonl"));
  EXPECT_THAT(records_, IsEmpty());
}

TEST_F(Jsonl, ADirectoryIsNoFile) {
  ImportRequest request;
  request.files = {directory_};
  request.format = ImportFormat::kJsonl;
  // Its corpus.jsonl would be read; there is none.
  ASSERT_EQ(Read(request).error().code, ErrorCode::kNotFound);
  request.files = {"/dev/null"};
  ASSERT_EQ(Read(request).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace souvenance::ingest
