// Chat logs, BEIR folders, LoCoMo, and telling them apart.
#include "tests/engine/reader_fixture.h"

namespace souvenance::ingest {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// ---- chat ----

using Chat = ReaderTest;

TEST_F(Chat, ReadsAnArrayOfMessages) {
  ASSERT_TRUE(
      ReadText("[\n {\"role\":\"user\",\"content\":\"Hi\",\"timestamp\":"
               "\"2024-05-01T10:00:00Z\",\"session\":3},\n"
               " {\"role\":\"assistant\",\"content\":\"Hello, Ann\",\"name\":\"Nova\",\n"
               "  \"model\":\"m1\"},{\"role\":\"tool\",\"content\":\"42\"}\n]\n",
               ImportFormat::kChat, "chat.json"));
  ASSERT_THAT(bad_, IsEmpty());
  ASSERT_EQ(records_.size(), 3u);
  EXPECT_EQ(Source(0).content, "Hi");
  EXPECT_EQ(Source(0).speaker_id, "user");
  EXPECT_EQ(Source(0).source_type, SourceType::kMessage);
  EXPECT_EQ(Source(0).session_id, "3");
  EXPECT_EQ(Source(0).event_time, At("2024-05-01T10:00:00Z"));
  EXPECT_THAT(Source(0).request_id, EndsWith(":1"));
  EXPECT_EQ(Source(1).speaker_id, "Nova");
  EXPECT_EQ(Source(1).source_type, SourceType::kReply);
  EXPECT_EQ(Source(1).metadata_json, R"({"model":"m1"})");
  EXPECT_EQ(Source(1).event_time, std::nullopt);
  EXPECT_THAT(Source(1).request_id, EndsWith(":2"));
  EXPECT_EQ(Source(2).source_type, SourceType::kToolResult);
}

TEST_F(Chat, ALogWithoutSessionsIsOneSession) {
  ASSERT_TRUE(
      ReadText("{\"speaker\":\"Ann\",\"content\":\"a\"}\n{\"speaker\":\"Bo\",\"content\":\"b\"}\n",
               ImportFormat::kChat));
  ASSERT_EQ(records_.size(), 2u);
  EXPECT_THAT(Source(0).session_id, StartsWith("file:"));
  EXPECT_EQ(Source(0).session_id, Source(1).session_id);
  EXPECT_EQ(Source(0).speaker_id, "Ann");
}

TEST_F(Chat, ReadsTheTimesOfManyPrograms) {
  ASSERT_TRUE(
      ReadText("{\"role\":\"user\",\"content\":\"a\",\"time\":\"2024-05-01\"}\n"
               "{\"role\":\"user\",\"content\":\"b\",\"created_at\":1714557600}\n"
               "{\"role\":\"user\",\"content\":\"c\",\"timestamp\":1714557600250}\n"
               "{\"role\":\"user\",\"content\":\"d\",\"timestamp\":1714557600.5}\n"
               "{\"role\":\"user\",\"content\":\"e\",\"timestamp\":1e300}\n",
               ImportFormat::kChat));
  ASSERT_EQ(records_.size(), 4u);
  EXPECT_EQ(Source(0).event_time, At("2024-05-01"));
  EXPECT_EQ(Source(1).event_time, At("2024-05-01T10:00:00Z"));
  EXPECT_EQ(Source(2).event_time, At("2024-05-01T10:00:00.25Z"));
  EXPECT_EQ(Source(3).event_time, At("2024-05-01T10:00:00.5Z"));
  ASSERT_EQ(bad_.size(), 1u);
  EXPECT_EQ(bad_[0].line, 5u);
  EXPECT_EQ(bad_[0].message, "timestamp: is no time");
}

TEST_F(Chat, ReadsConversationsOfMessages) {
  ASSERT_TRUE(ReadText(
      R"({"messages":[{"role":"system","content":"Be kind."},)"
      R"({"role":"user","content":[{"type":"text","text":"Look"},{"type":"image_url","image_url":)"
      R"({"url":"x"}},{"type":"text","text":"there"}]},)"
      R"({"role":"assistant","content":null,"tool_calls":[{"id":"1"}]},)"
      R"({"role":"assistant","content":""}]})"
      "\n"
      R"({"id":"c2","messages":[{"role":"user","content":"Again"}]})",
      ImportFormat::kChat));
  ASSERT_EQ(records_.size(), 3u);
  EXPECT_EQ(Source(0).source_type, SourceType::kDocument);
  EXPECT_EQ(Source(1).content, "Look\nthere");
  EXPECT_EQ(Source(0).session_id, Source(1).session_id);
  EXPECT_THAT(Source(0).request_id, EndsWith(":1.1"));
  EXPECT_THAT(Source(1).request_id, EndsWith(":1.2"));
  EXPECT_EQ(Source(2).session_id, "c2");
  EXPECT_THAT(Source(2).request_id, EndsWith(":2.1"));
  ASSERT_EQ(bad_.size(), 1u);
  EXPECT_EQ(bad_[0].message, "content: is blank");
}

TEST_F(Chat, ReadsOneConversationOverManyLines) {
  ASSERT_TRUE(
      ReadText("{\n  \"session\": \"s9\",\n  \"messages\": [\n"
               "    {\"role\": \"user\", \"content\": \"a } ] \\\" b\"},\n"
               "    {\"role\": \"user\", \"content\": \"c\"}\n  ]\n}\n",
               ImportFormat::kAuto, "x.json"));
  EXPECT_THAT(bad_, IsEmpty());
  EXPECT_THAT(Contents(), ElementsAre("a } ] \" b", "c"));
  EXPECT_EQ(Source().session_id, "s9");
}

TEST_F(Chat, ABadElementNamesItsLine) {
  ASSERT_TRUE(
      ReadText("[\n{\"role\":\"user\",\"content\":\"a\"},\n{\"role\":\"user\" \"content\"},\n"
               "17,\n{\"role\":\"user\",\"content\":\"b\"},\n"
               "{\"role\":\"user\",\"content\":\"c\"\n",
               ImportFormat::kChat, "x.json"));
  EXPECT_THAT(Contents(), ElementsAre("a", "b"));
  ASSERT_EQ(bad_.size(), 3u);
  EXPECT_EQ(bad_[0].line, 3u);
  EXPECT_EQ(bad_[1].line, 4u);
  EXPECT_EQ(bad_[1].message, "must be an object");
  EXPECT_EQ(bad_[2].line, 6u);
  EXPECT_EQ(bad_[2].message, "the file ends within it");
}

TEST_F(Chat, TheSameFileGivesTheSameIdentitiesAgain) {
  const std::string text =
      "[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"user\",\"content\":\"a\"}]";
  ASSERT_TRUE(ReadText(text, ImportFormat::kChat, "x.json"));
  ASSERT_TRUE(ReadText(text, ImportFormat::kChat, "copy.json"));
  ASSERT_EQ(records_.size(), 4u);
  EXPECT_EQ(Source(0).request_id, Source(2).request_id);
  EXPECT_EQ(Source(1).request_id, Source(3).request_id);
  EXPECT_NE(Source(0).request_id, Source(1).request_id);
}

// ---- beir ----

class Beir : public ReaderTest {
 protected:
  Beir() { request_.files = {directory_ / "set"}; }
  ImportRequest request_;
};

TEST_F(Beir, ReadsDocumentsWithTheirMetadata) {
  Write("set/corpus.jsonl",
        R"({"_id":"d1","title":"","text":"Caroline: Hey Mel!","metadata":{"scope":"conv-26",)"
        R"("session":1,"turn":0,"time":"2023-05-08T13:56:00","speaker":"Caroline"}})"
        "\n"
        R"({"_id":"d2","title":"Bees","text":"They fly.","metadata":{}})"
        "\n"
        R"({"_id":"d3","title":"Only a title","text":"","other":1})"
        "\n"
        R"({"_id":"d4","title":" ","text":"","metadata":{}})"
        "\n"
        R"({"_id":5,"text":"x"})"
        "\n"
        R"({"_id":"d6","text":"x","metadata":{"time":7}})");
  ASSERT_TRUE(Read(request_));
  ASSERT_EQ(records_.size(), 3u);
  EXPECT_EQ(Source(0).external_id, "d1");
  EXPECT_EQ(Source(0).content, "Caroline: Hey Mel!");
  EXPECT_EQ(FormatScope(Source(0).scope), "group:conv-26");
  EXPECT_EQ(Source(0).session_id, "1");
  EXPECT_EQ(Source(0).speaker_id, "Caroline");
  EXPECT_EQ(Source(0).source_type, SourceType::kMessage);
  EXPECT_EQ(Source(0).event_time, At("2023-05-08T13:56:00Z"));
  EXPECT_EQ(Source(0).metadata_json, R"({"turn":0})");
  EXPECT_EQ(Source(1).content, "Bees\nThey fly.");
  EXPECT_EQ(Source(1).source_type, SourceType::kDocument);
  EXPECT_EQ(FormatScope(Source(1).scope), "public");
  EXPECT_EQ(Source(1).metadata_json, "");
  EXPECT_EQ(Source(2).content, "Only a title");
  ASSERT_EQ(bad_.size(), 3u);
  EXPECT_EQ(bad_[0].message, "text: is blank, and so is the title");
  EXPECT_EQ(bad_[1].message, "_id: must be a string");
  EXPECT_THAT(bad_[2].message, StartsWith("metadata.time: must be a string"));
}

TEST_F(Beir, TriplesGoWithTheirDocument) {
  Write("set/corpus.jsonl", "{\"_id\":\"d1\",\"text\":\"a\"}\n{\"_id\":\"d2\",\"text\":\"b\"}\n");
  request_.triples =
      Write("triples.jsonl", R"({"doc":"d2","entities":["x"],"triples":[["s","p","o"],["s","p"],)"
                             R"(["s","p",""],["s2","p2","o2"]]})"
                             "\n"
                             R"({"doc":"gone","triples":[["a","b","c"]]})");
  ASSERT_TRUE(Read(request_));
  ASSERT_EQ(records_.size(), 2u);
  EXPECT_THAT(Source(0).relations, IsEmpty());
  ASSERT_EQ(Source(1).relations.size(), 2u);
  EXPECT_EQ(Source(1).relations[0].subject, "s");
  EXPECT_EQ(Source(1).relations[0].predicate, "p");
  EXPECT_EQ(Source(1).relations[1].object, "o2");
  ASSERT_EQ(bad_.size(), 2u);
  EXPECT_THAT(bad_[0].message, HasSubstr("2 of 4"));
  EXPECT_THAT(bad_[0].file, EndsWith("triples.jsonl"));
  EXPECT_EQ(bad_[1].message, "doc: \"gone\" is not in the corpus");
  EXPECT_EQ(bad_[1].line, 2u);
  EXPECT_THAT(bad_[1].file, EndsWith("triples.jsonl"));
}

TEST_F(Beir, FactsRestOnTheirEvidence) {
  Write("set/corpus.jsonl", "{\"_id\":\"d1\",\"text\":\"a\"}\n");
  request_.facts =
      Write("facts.jsonl",
            R"({"scope":"c1","session":1,"time":"2023-05-08","kind":"observation","subject":"Ann",)"
            R"("fact":"Ann sings.","evidence":["d1","d2"]})"
            "\n"
            R"({"fact":"Nobody said it.","evidence":[],"scope":"c1","subject":"Ann","time":"2023"})"
            "\n"
            R"({"fact":"","evidence":["d1"]})");
  ASSERT_TRUE(Read(request_));
  ASSERT_EQ(records_.size(), 3u);
  const auto& fact = std::get<UnderstandRequest>(records_[1]);
  EXPECT_EQ(FormatScope(fact.scope), "group:c1");
  EXPECT_THAT(fact.evidence, ElementsAre("d1", "d2"));
  ASSERT_EQ(fact.artifacts.size(), 1u);
  EXPECT_EQ(fact.artifacts[0].kind, ArtifactKind::kFact);
  EXPECT_EQ(fact.artifacts[0].content, "Ann sings.");
  EXPECT_EQ(fact.artifacts[0].subject_id, "Ann");
  EXPECT_EQ(fact.artifacts[0].valid_at, At("2023-05-08"));
  EXPECT_EQ(Source(2).content, "Nobody said it.");
  EXPECT_EQ(Source(2).source_type, SourceType::kImport);
  EXPECT_THAT(Source(2).request_id, EndsWith(":2"));
  ASSERT_EQ(bad_.size(), 1u);
  EXPECT_EQ(bad_[0].line, 3u);
}

TEST_F(Beir, ProgressCountsTriplesAndFacts) {
  Write("set/corpus.jsonl", "{\"_id\":\"d1\",\"text\":\"a\"}\n");                 // 24 bytes
  request_.triples = Write("t.jsonl", "{\"doc\":\"d1\",\"triples\":[]}\n");       // 26
  request_.facts = Write("f.jsonl", "{\"fact\":\"f\",\"evidence\":[\"d1\"]}\n");  // 31
  ASSERT_TRUE(Read(request_));
  ASSERT_EQ(progress_.size(), 2u);
  EXPECT_EQ(progress_[0].bytes_total, 24u + 26 + 31);
  EXPECT_EQ(progress_[0].bytes_done, 26u + 24);
  EXPECT_EQ(progress_[1].bytes_done, 24u + 26 + 31);
}

TEST_F(Beir, TriplesNeedExactlyOneFolder) {
  ImportRequest request;
  request.files = {Write("a.jsonl", "{\"content\":\"a\"}\n")};
  request.triples = Write("t.jsonl", "");
  EXPECT_EQ(Read(request).error().code, ErrorCode::kInvalidArgument);
}

// ---- locomo ----

using Locomo = ReaderTest;

constexpr char kLocomo[] = R"([{"sample_id":"conv-1","qa":[{"question":"?"}],"conversation":{
  "speaker_a":"Ann","speaker_b":"Bo",
  "session_10_date_time":"12:05 am on 1 January, 2024",
  "session_10":[{"speaker":"Ann","dia_id":"D10:1","text":"Happy new year!"}],
  "session_2_date_time":"12:30 pm on 29 February, 2024",
  "session_2":[{"speaker":"Bo","dia_id":"D2:1","text":"Look","blip_caption":"a red kite",
                "img_url":["u"],"query":"kite"},
               {"speaker":"Bo","dia_id":"D2:2","text":""},
               {"speaker":"Bo","dia_id":"D2:3","text":"","blip_caption":"a lake"}],
  "session_3_date_time":"1:56 pm on 8 May, 2023",
  "session_4_date_time":"tomorrow",
  "session_4":[{"speaker":"Bo","dia_id":"D4:1","text":"lost"}]},
  "observation":{}},
 {"conversation":{}},
 {"sample_id":"conv-2","conversation":{"session_1_date_time":"1:56 pm on 8 May, 2023",
  "session_1":[{"speaker":"Cy","dia_id":"D1:1","text":"Hi"}]}}])";

TEST_F(Locomo, ReadsTheSessionsInTheirOrder) {
  ASSERT_TRUE(ReadText(kLocomo, ImportFormat::kAuto, "locomo10.json"));
  EXPECT_THAT(Contents(), ElementsAre("Bo: Look (image: a red kite)", "Bo: (image: a lake)",
                                      "Ann: Happy new year!", "Cy: Hi"));
  EXPECT_EQ(Source(0).external_id, "conv-1:D2:1");
  EXPECT_EQ(FormatScope(Source(0).scope), "group:conv-1");
  EXPECT_EQ(Source(0).session_id, "2");
  EXPECT_EQ(Source(0).speaker_id, "Bo");
  EXPECT_EQ(Source(0).event_time, At("2024-02-29T12:30:00Z"));
  EXPECT_EQ(Source(2).session_id, "10");
  EXPECT_EQ(Source(2).event_time, At("2024-01-01T00:05:00Z"));
  EXPECT_EQ(FormatScope(Source(3).scope), "group:conv-2");
  EXPECT_EQ(Source(3).event_time, At("2023-05-08T13:56:00Z"));
  ASSERT_EQ(bad_.size(), 3u);
  EXPECT_EQ(bad_[0].message, "conv-1.session_2[1].text: is blank");
  EXPECT_EQ(bad_[0].line, 1u);
  EXPECT_THAT(bad_[1].message, StartsWith("conv-1.session_4_date_time: is no time"));
  EXPECT_EQ(bad_[2].message, "sample_id: is missing");
  EXPECT_EQ(bad_[2].line, 14u);
}

// ---- auto ----

struct AutoCase {
  const char* name;
  const char* content;
  const char* first;  // content of the first source
};

class Auto : public ReaderTest, public testing::WithParamInterface<AutoCase> {};

TEST_P(Auto, TellsTheFormatByTheContent) {
  ASSERT_TRUE(ReadText(GetParam().content, ImportFormat::kAuto, GetParam().name));
  EXPECT_THAT(bad_, IsEmpty());
  EXPECT_EQ(Source().content, GetParam().first);
}

constexpr AutoCase kAutoCases[] = {
    {"a.txt", "{\"content\":\"ours\",\"speaker_id\":\"x\"}\n", "ours"},
    {"a.txt", "{\"type\":\"source\",\"content\":\"ours\"}\n", "ours"},
    {"a.txt", "{\"role\":\"user\",\"content\":\"a chat\"}\n", "a chat"},
    {"a.txt", "{\"content\":\"a chat\",\"timestamp\":\"2024\"}\n", "a chat"},
    {"a.jsonl", "[{\"role\":\"user\",\"content\":\"a chat\"}]", "a chat"},
    {"a.jsonl", "{\"messages\":[{\"role\":\"user\",\"content\":\"a talk\"}]}", "a talk"},
    {"a.jsonl", "{\"_id\":\"d\",\"text\":\"a corpus\"}", "a corpus"},
    {"a.json",
     "{\"sample_id\":\"s\",\"conversation\":{\"session_1_date_time\":"
     "\"1:56 pm on 8 May, 2023\",\"session_1\":[{\"speaker\":\"A\",\"dia_id\":\"D1:1\","
     "\"text\":\"a sample\"}]}}",
     "A: a sample"},
};
INSTANTIATE_TEST_SUITE_P(Reader, Auto, testing::ValuesIn(kAutoCases));

TEST_F(ReaderTest, ADamagedFirstLineDoesNotHideTheFormat) {
  ASSERT_TRUE(ReadText("{\"role\":\n{\"role\":\"user\",\"content\":\"a\"}\n", ImportFormat::kAuto));
  EXPECT_THAT(Contents(), ElementsAre("a"));
  ASSERT_EQ(bad_.size(), 1u);
  EXPECT_EQ(bad_[0].line, 1u);
}

TEST_F(ReaderTest, WhatCannotBeToldIsRefused) {
  for (const char* content : {"", "hello\n", "{\"a\":1}\n", "<xml/>"}) {
    const auto read = ReadText(content, ImportFormat::kAuto, "a.txt");
    ASSERT_FALSE(read) << content;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace souvenance::ingest
