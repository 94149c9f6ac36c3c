// Answers built by hand, and what the program makes of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/souvenance/json.h"
#include "tools/souvenance/text.h"

namespace souvenance::program {
namespace {

using testing::HasSubstr;
using testing::Not;

Timestamp At(const char* text) { return ParseTime(text).value().first; }

RecallAnswer SomeRecall() {
  RecallResult r;
  r.rank = 1;
  r.id = "a1-x";
  r.kind = ArtifactKind::kFact;
  r.scope = {ScopeKind::kGroup, "家人"};
  r.said_by = "Alice";
  r.event_time = At("2023-05-08T13:56:00Z");
  r.valid_at = At("2023-05-08");
  r.disclosure = DisclosureLevel::kGist;
  r.text = "茶\x1b[31m";
  r.score = 0.1;
  r.evidence = 3;
  r.factors.literal = 0.5;
  r.ranks.bm25 = 2;
  r.flags = {"future"};
  r.facts = {"Alice likes tea"};
  r.sources = {{"s1-x", "D1:3", 0, 31, "ab"}};
  RecallAnswer answer;
  answer.cue = "tea";
  answer.agent = "default";
  answer.now = At("2024");
  answer.as_of = At("2024");
  answer.preset = "hybrid";
  answer.legs = {"ok", "off", "late"};
  answer.results = {r};
  answer.hints = {"Bob"};
  answer.gate = {"cue", 0.5, 0.25, 3, 1, 2};
  answer.elapsed_ms = 1.5;
  return answer;
}

// DESIGN section 10, key for key.
constexpr char kRecallStart[] =
    R"({"schema":"souvenance.recall/1","cue":"tea","agent":"default",)"
    R"("now":"2024-01-01T00:00:00Z","as_of":"2024-01-01T00:00:00Z","known_at":null,)"
    R"("preset":"hybrid","legs":{"bm25":"ok","vector":"off","graph":"late"},)"
    R"("results":[{"rank":1,"id":"a1-x","external_id":null,"kind":"fact","scope":"group:家人",)"
    R"("subject_id":null,"said_by":"Alice","event_time":"2023-05-08T13:56:00Z",)"
    R"("valid_at":"2023-05-08T00:00:00Z","invalid_at":null,"disclosure":"gist",)"
    R"("text":"茶\u001b[31m","score":0.1,"evidence":3.0,)"
    R"("factors":{"literal":0.5,"context":0.0,"session":0.0,"speaker":0.0,"when":0.0,)"
    R"("semantic":0.0,"date":0.0,"link":0.0,"relevance":0.0,"tag":0.0,"emotion":0.0,)"
    R"("weight":0.0,"freshness":0.0,"activation":0.0,"recent":0.0},)"
    R"("explored":false,"truncated":false,"flags":["future"],)"
    R"("sources":[{"id":"s1-x","external_id":"D1:3","span":[0,31],"commitment":"ab"}])";
constexpr char kRecallEnd[] =
    R"("hints":[{"subject_id":"Bob"}],)"
    R"("gate":{"kind":"cue","coverage":0.5,"threshold":0.25,"top":3.0,"admitted":1,"rejected":2},)"
    R"("reason":null)";

TEST(RecallJson, HasTheKeysOfTheSchemaInTheirOrder) {
  EXPECT_EQ(RecallJson(SomeRecall(), Detail::kPlain),
            std::string(kRecallStart) + "}]," + kRecallEnd + ",\"elapsed_ms\":1.5}\n");
}

TEST(RecallJson, AddsWhatExplainsAfterTheSchema) {
  RecallAnswer answer = SomeRecall();
  answer.cue_terms = {"tea"};
  answer.traces = {{"a9-x", {{"gate", "rejected"}}}};
  const std::string explain =
      R"(,"explain":{"session_id":null,"ranks":{"bm25":2,"vector":0,"graph":0},)"
      R"("disclosure":{"context_affinity":1.0,"subject_fit":1.0,"scope_prior":1.0,)"
      R"("openness":1.0,"topic":1.0,"score":1.0},"facts":["Alice likes tea"]}}],)";
  const std::string traces =
      R"(,"cue_terms":["tea"],"traces":[{"id":"a9-x","steps":[{"stage":"gate",)"
      R"("detail":"rejected"}]}],"elapsed_ms":1.5})";
  EXPECT_EQ(RecallJson(answer, Detail::kExplain),
            kRecallStart + explain + kRecallEnd + traces + "\n");
}

TEST(RecallJson, SaysWhyItIsEmpty) {
  RecallAnswer answer;
  answer.reason = "no_terms";
  EXPECT_THAT(RecallJson(answer, Detail::kPlain), HasSubstr(R"("results":[],"hints":[])"));
  EXPECT_THAT(RecallJson(answer, Detail::kPlain), HasSubstr(R"("reason":"no_terms")"));
}

TEST(RecallJson, IsUtf8WhateverWasStored) {
  RecallAnswer answer = SomeRecall();
  answer.results[0].text = "a\xff\u009b\u202Ez";
  const std::string json = RecallJson(answer, Detail::kPlain);
  EXPECT_TRUE(IsCleanUtf8(json));
  EXPECT_THAT(json, HasSubstr("\"text\":\"a\uFFFD\\u009b\\u202ez\""));
}

TEST(ContextJson, HasTheKeysOfTheSchemaInTheirOrder) {
  ContextAnswer answer;
  answer.cue = "tea";
  answer.text = "<block>";
  answer.tokens = 5;
  answer.budget = 10;
  answer.items = {{"a1-x", "memories", 5, DisclosureLevel::kFull, false, "x", {}}};
  answer.left_out = {{"a2-x", "budget"}};
  EXPECT_EQ(ContextJson(answer),
            R"({"schema":"souvenance.context/1","cue":"tea","text":"<block>","tokens":5,)"
            R"("budget":10,"items":[{"id":"a1-x","section":"memories","tokens":5,)"
            R"("disclosure":"full","sources":[]}],"left_out":[{"id":"a2-x","reason":"budget"}]})"
            "\n");
}

RelationHit SomeRelation() {
  RelationHit r;
  r.id = "r1-x";
  r.subject = "Alice";
  r.predicate = "lives_in";
  r.object = "Berlin";
  r.valid_at = At("2019");
  r.created_at = At("2024");
  return r;
}

TEST(LookupJson, HasTheKeysOfTheSchemaInTheirOrder) {
  LookupAnswer answer;
  answer.cue = "Alice";
  answer.as_of = At("2024");
  EntityHit alice;
  alice.id = "e1-x";
  alice.name = "Alice";
  alice.activation = 1;
  answer.entities = {alice};
  answer.relations = {SomeRelation()};
  answer.timeline = {{At("2019"), "begins", 0}};
  EXPECT_EQ(LookupJson(answer),
            R"({"schema":"souvenance.lookup/1","cue":"Alice","as_of":"2024-01-01T00:00:00Z",)"
            R"("known_at":null,"entities":[{"id":"e1-x","name":"Alice","type":null,)"
            R"("activation":1.0}],"relations":[{"id":"r1-x","subject":"Alice",)"
            R"("predicate":"lives_in","object":"Berlin","valid_at":"2019-01-01T00:00:00Z",)"
            R"("invalid_at":null,"created_at":"2024-01-01T00:00:00Z","expired_at":null,)"
            R"("confidence":1.0,"sources":[]}],"timeline":[{"at":"2019-01-01T00:00:00Z",)"
            R"("change":"begins","relation":"r1-x"}],"passages":[],"evidence":[]})"
            "\n");
}

TEST(ErrorJson, HasTheKeysOfTheSchemaInTheirOrder) {
  EXPECT_EQ(ErrorJson({ErrorCode::kBusy, "commit: held", ""}),
            R"({"schema":"souvenance.error/1","error":{"code":"busy","message":"commit: held",)"
            R"("retryable":true,"hint":null}})"
            "\n");
}

TEST(RecallText, SpeaksToPeople) {
  const std::string text = RecallText(SomeRecall(), Detail::kPlain, {});
  EXPECT_THAT(text, HasSubstr("Alice  2023-05-08 13:56\n"));
  EXPECT_THAT(text, HasSubstr("    茶\\u001b[31m\n"));  // harmless
  EXPECT_THAT(text, HasSubstr("    - Alice likes tea\n"));
  EXPECT_THAT(text, HasSubstr("a1-x  group:家人"));
  EXPECT_THAT(text, HasSubstr("gist only"));
  EXPECT_THAT(text, HasSubstr("There is something about Bob that may not be said here.\n"));
  EXPECT_THAT(text, Not(HasSubstr("literal")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(RecallText, ExplainsWithFactorsRanksGateAndSpans) {
  const std::string text = RecallText(SomeRecall(), Detail::kExplain, {});
  EXPECT_THAT(text, HasSubstr("literal    0.5\n"));
  EXPECT_THAT(text, Not(HasSubstr("semantic")));  // zero
  EXPECT_THAT(text, HasSubstr("ranks: bm25 2\n"));
  EXPECT_THAT(text, HasSubstr("source s1-x (D1:3) bytes 0-31"));
  EXPECT_THAT(text, HasSubstr("gate (cue): coverage 0.5, threshold 0.25, top evidence 3; "
                              "1 admitted, 2 rejected"));
}

TEST(RecallText, SaysWhyItIsEmptyAndWhatToTry) {
  std::vector<std::string> seen;
  for (const char* reason :
       {"no_terms", "empty_pool", "below_gate", "nothing_in_window", "withheld"}) {
    RecallAnswer answer;
    answer.reason = reason;
    seen.push_back(RecallText(answer, Detail::kPlain, {}));
    EXPECT_THAT(seen.back(), Not(HasSubstr(reason)));  // words, not the key
  }
  for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_NE(seen[i], seen[i - 1]);
}

TEST(Text, ShortensTimesAndNumbers) {
  EXPECT_EQ(ShortTime(At("2023-05-08T13:56:00Z")), "2023-05-08 13:56");
  EXPECT_EQ(ShortTime(At("2023-05-08")), "2023-05-08");
  EXPECT_EQ(Validity(At("2019"), At("2020")), "2019-01-01 to 2020-01-01");
  EXPECT_EQ(Validity(At("2019"), std::nullopt), "since 2019-01-01");
  EXPECT_EQ(Validity(std::nullopt, std::nullopt), "");
  EXPECT_EQ(Number(0.5), "0.5");
  EXPECT_EQ(Number(1.0 / 3), "0.333");
  EXPECT_EQ(Number(-0.0001), "0");
  EXPECT_EQ(Number(2), "2");
}

}  // namespace
}  // namespace souvenance::program
