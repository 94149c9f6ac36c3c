// One snapshot a call, whatever the indexes are made of: segments, sealed bases, other processes,
// earlier record times.
#include <sqlite3.h>

#include <fstream>
#include <map>
#include <random>

#include "tests/engine/engine_fixture.h"

namespace souvenance {
namespace {

namespace fs = std::filesystem;
using testing::At;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::EngineTest;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Must;
using ::testing::Not;
using testing::ScopeOf;

const char* const kWords[] = {"amber", "birch", "cedar", "delta", "ember", "fjord", "grove",
                              "heath", "iris",  "乌龙",  "茶叶",  "地图",  "柏林",  "喜欢"};

class Snapshot : public EngineTest {
 protected:
  void Line(int i) {
    std::mt19937 random(static_cast<unsigned>(i) + 17U);
    std::string text;
    for (int w = 0; w < 5; ++w) text += std::string(kWords[random() % std::size(kWords)]) + " ";
    RememberRequest request = Source(text + std::to_string(i));
    request.session_id = "s" + std::to_string(i / 7);
    request.speaker_id = i % 2 == 0 ? "Ann" : "Ben";
    request.external_id = "x" + std::to_string(i);
    Must(engine->Remember(request));
  }
  // One random change to what is there.
  void Change(int i) {
    std::mt19937 random(static_cast<unsigned>(i) * 31U + 5U);
    const std::string id = "x" + std::to_string(static_cast<int>(random() % 60U));
    switch (random() % 4) {
      case 0: {
        ReviseRequest revise;
        revise.id = id;
        revise.content = std::string(kWords[random() % std::size(kWords)]) + " revised";
        Must(engine->Revise(revise));
        break;
      }
      case 1: {
        StateRequest forget;
        forget.ids = {id};
        Must(engine->ChangeState(forget));
        break;
      }
      case 2: {
        StateRequest recover;
        recover.ids = {id};
        recover.change = StateChange::kRecover;
        Must(engine->ChangeState(recover));
        break;
      }
      default: {
        UnderstandRequest fact;
        fact.evidence = {id};
        NewArtifact artifact;
        artifact.content =
            std::string(kWords[random() % std::size(kWords)]) + " as a fact " + std::to_string(i);
        fact.artifacts = {artifact};
        Must(engine->Understand(fact));
      }
    }
  }
  std::vector<std::string> Answers() {
    std::vector<std::string> answers;
    for (const char* word : kWords) {
      RecallQuery query = Ask(std::string(word) + " birch 茶叶");
      query.k = 30;
      query.options.gate = Switch::kOff;
      answers.push_back(Bytes(query));
    }
    return answers;
  }
};

// The oracle is a store that never sealed anything; both must answer alike at every point.
TEST_F(Snapshot, RandomSealPointsChangeNoByteOfAnyAnswer) {
  EngineOptions sealing;
  sealing.word_base_threshold = 5;
  sealing.vector_base_threshold = 1000000;  // exact scan: the vector leg is exact
  std::mt19937 random(20260101);
  for (int round = 0; round < 3; ++round) {
    std::vector<std::string> plain;
    for (const bool seals : {false, true}) {
      engine.reset();
      fs::remove_all(dir.path() / "store");
      Reopen(seals ? sealing : EngineOptions{});
      std::mt19937 points(random());
      for (int i = 0; i < 60; ++i) {
        Line(i);
        if (seals && points() % 12 == 0) Must(engine->Maintain());
      }
      for (int i = 0; i < 40; ++i) {
        Change(i + round * 1000);
        if (seals && points() % 10 == 0) Must(engine->Maintain());
      }
      const std::vector<std::string> running = Answers();
      Reopen(seals ? sealing : EngineOptions{});
      EXPECT_EQ(running, Answers()) << "after opening again";
      if (!seals) {
        plain = running;
      } else {
        EXPECT_EQ(plain, running);
        EXPECT_FALSE(fs::is_empty(dir.path() / "store" / "index")) << "nothing was sealed";
        const VerifyAnswer verified = Must(engine->Verify({}));
        EXPECT_EQ(verified.first_problem, "");
      }
    }
  }
}

TEST_F(Snapshot, TheHnswBaseGivesTheSameItemsTheSameBits) {
  EngineOptions sealing;
  sealing.word_base_threshold = 5;
  sealing.vector_base_threshold = 5;
  Reopen({});
  for (int i = 0; i < 60; ++i) Line(i);
  const std::vector<std::string> exact = Answers();
  Reopen(sealing);
  EXPECT_EQ(Must(engine->Maintain()).sealed, 2U);
  // Sixty vectors are below the count at which a graph is searched, so all are found.
  EXPECT_EQ(exact, Answers());
}

// The graph itself is searched here: what it brings has the bits of the exact scan.
TEST_F(Snapshot, WhatTheGraphBringsIsScoredAsTheScanScoresIt) {
  for (int i = 0; i < 60; ++i) Line(i);
  const auto found = [&] {
    std::map<std::string, double> scores;
    for (const char* word : kWords) {
      RecallQuery query = Ask(std::string(word) + " 茶叶 birch");
      query.k = 60;
      query.options.gate = Switch::kOff;
      query.options.vector_pool = 8;
      query.options.ef = 8;
      query.options.legs.bm25 = Switch::kOff;
      query.options.legs.graph = Switch::kOff;
      query.options.link = 0;
      query.options.preset = Preset::kSeed;
      for (const RecallResult& result : Must(engine->Recall(query)).results) {
        if (result.ranks.vector != 0) scores[word + result.id] = result.factors.semantic;
      }
    }
    return scores;
  };
  const std::map<std::string, double> exact = found();
  EngineOptions graph;
  graph.word_base_threshold = 1000000;
  graph.vector_base_threshold = 5;
  graph.exact_scan_limit = 0;
  Reopen(graph);
  ASSERT_EQ(Must(engine->Maintain()).sealed, 1U);
  const std::map<std::string, double> searched = found();
  std::size_t both = 0;
  for (const auto& [key, score] : searched) {
    const auto at = exact.find(key);
    if (at == exact.end()) continue;
    ++both;
    EXPECT_EQ(at->second, score);
  }
  ASSERT_GE(exact.size(), 50U);
  EXPECT_GE(static_cast<double>(both), 0.9 * static_cast<double>(exact.size()));
}

// Derived rows that were altered behind the engine's back are named.
TEST_F(Snapshot, VerifyNamesTermsAndVectorsThatAreNotThoseOfTheText) {
  const RememberAnswer said = Say("Alice drinks oolong");
  Say("Bob drinks coffee");
  EXPECT_EQ(Must(engine->Verify({})).first_problem, "");
  const std::string db = (dir.path() / "store" / "truth.db").string();
  const auto run = [&](const char* sql) {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(db.c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(handle);
  };
  run("UPDATE analysed_terms SET terms = (SELECT terms FROM analysed_terms WHERE ordinal = 2)"
      " WHERE ordinal = 1");
  EXPECT_THAT(Must(engine->Verify({})).first_problem, HasSubstr(said.artifact_id));
  Must(engine->Reindex());
  EXPECT_EQ(Must(engine->Verify({})).first_problem, "");
  run("UPDATE embeddings SET vector = zeroblob(2048) WHERE ordinal = 2");
  EXPECT_THAT(Must(engine->Verify({})).first_problem, HasSubstr("vector"));
}

TEST_F(Snapshot, MaintainDoesTheWorkThatIsOwed) {
  for (int i = 0; i < 5; ++i) Line(i);
  const std::vector<std::string> before = Answers();
  const std::string db = (dir.path() / "store" / "truth.db").string();
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(db.c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle, "DELETE FROM analysed_terms; DELETE FROM embeddings;", nullptr,
                         nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(handle);
  const MaintainAnswer done = Must(engine->Maintain());
  EXPECT_EQ(done.analysed, 5U);
  EXPECT_EQ(done.embedded, 5U);
  EXPECT_EQ(before, Answers());
}

TEST_F(Snapshot, AnIndexThatIsMissingOrDamagedIsDroppedAndChangesNoAnswer) {
  EngineOptions sealing;
  sealing.word_base_threshold = 5;
  sealing.vector_base_threshold = 5;
  Reopen(sealing);
  for (int i = 0; i < 60; ++i) Line(i);
  Must(engine->Maintain());
  const std::vector<std::string> good = Answers();
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(dir.path() / "store" / "index")) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  ASSERT_GE(files.size(), 5U);
  for (const fs::path& file : files) {
    std::string bytes;
    {
      std::ifstream in(file, std::ios::binary);
      bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    for (const bool truncate : {false, true}) {
      engine.reset();
      std::string bad = bytes;
      if (truncate) {
        bad.resize(bad.size() / 2);
      } else {
        bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 0x10);
      }
      std::ofstream(file, std::ios::binary) << bad;
      Reopen(sealing);
      EXPECT_EQ(good, Answers()) << file;
      const VerifyAnswer verified = Must(engine->Verify({}));
      EXPECT_THAT(verified.first_problem, HasSubstr("dropped")) << file;
    }
    std::ofstream(file, std::ios::binary) << bytes;
  }
  engine.reset();
  fs::remove_all(dir.path() / "store" / "index");
  std::vector<std::string> notes;
  sealing.note = [&](std::string_view line) { notes.emplace_back(line); };
  Reopen(sealing);
  EXPECT_EQ(good, Answers());
  EXPECT_THAT(notes, Contains(HasSubstr("missing"))) << "one line says why";
  EXPECT_EQ(Must(engine->Verify({})).first_problem, "") << "index/ may be deleted at any time";
  Must(engine->Reindex());
  EXPECT_EQ(Must(engine->Verify({})).first_problem, "");
  EXPECT_EQ(good, Answers());
}

TEST_F(Snapshot, AWriteOfAnotherEngineIsFoundByTheNextQuery) {
  Say("the first line about cedar");
  EngineOptions options;
  options.store = dir.path() / "store";
  options.access = Access::kReadWrite;
  auto other = std::move(*Engine::Open(options));
  EXPECT_THAT(Texts(Ask("fjord")), IsEmpty());
  RememberRequest request;
  request.content = "a fjord seen from the ferry";
  Must(other->Remember(request));
  EXPECT_THAT(Texts(Ask("fjord")), ElementsAre("a fjord seen from the ferry"));
}

TEST_F(Snapshot, ManySmallWritesAreMergedAndStillFound) {
  EngineOptions options;
  Reopen(options);
  for (int i = 0; i < 40; ++i) {
    Say("note number" + std::to_string(i) + " about amber");
    // Each query carries the shard on by one segment.
    EXPECT_THAT(Texts(Ask("number" + std::to_string(i))),
                Contains("note number" + std::to_string(i) + " about amber"));
  }
  RecallQuery all = Ask("amber");
  all.k = 100;
  EXPECT_EQ(Texts(all).size(), 40U);
}

TEST_F(Snapshot, KnownAtAnswersWhatWasBelievedThen) {
  now = At("2026-01-01");
  Say("Alice lives in Lyon", "public", "s", "Alice");
  const RememberAnswer works = Say("Alice works at the bakery");
  now = At("2026-02-01");
  ReviseRequest revise;
  revise.id = works.artifact_id;
  revise.content = "Alice works at the library";
  Must(engine->Revise(revise));
  UnderstandRequest fact;
  fact.evidence = {works.source_id};
  NewArtifact artifact;
  artifact.content = "She sorts the maps there";
  fact.artifacts = {artifact};
  Must(engine->Understand(fact));
  now = At("2026-03-01");
  StateRequest forget;
  forget.ids = {works.artifact_id};
  Must(engine->ChangeState(forget));

  RecallQuery query = Ask("Where does Alice work?");
  EXPECT_THAT(Texts(query), Not(Contains(HasSubstr("works at"))));
  query.moment.known_at = At("2026-02-15");
  EXPECT_THAT(Texts(query), Contains("Alice works at the library"));
  query.moment.known_at = At("2026-01-15");
  EXPECT_THAT(Texts(query), Contains("Alice works at the bakery"));
  // A fact that was learned later is no way to find it.
  RecallQuery later = Ask("maps sorts");
  later.moment.known_at = At("2026-01-15");
  EXPECT_THAT(Texts(later), IsEmpty());
  query.moment.known_at = At("2025-01-01");
  EXPECT_EQ(Must(engine->Recall(query)).reason, "empty_pool");
}

TEST_F(Snapshot, RevisionsForgettingAndRecoveryReadBack) {
  const RememberAnswer said = Say("Alice drinks espresso");
  ReviseRequest revise;
  revise.id = said.artifact_id;
  revise.content = "Alice drinks oolong";
  revise.reason = "she said so";
  Must(engine->Revise(revise));
  EXPECT_THAT(Texts(Ask("espresso")), IsEmpty());
  EXPECT_THAT(Texts(Ask("oolong")), ElementsAre("Alice drinks oolong"));
  StateRequest state;
  state.ids = {said.artifact_id};
  Must(engine->ChangeState(state));
  EXPECT_THAT(Texts(Ask("oolong")), IsEmpty());
  state.change = StateChange::kRecover;
  Must(engine->ChangeState(state));
  EXPECT_THAT(Texts(Ask("oolong")), ElementsAre("Alice drinks oolong"));
  state.change = StateChange::kRetract;
  Must(engine->ChangeState(state));
  EXPECT_THAT(Texts(Ask("oolong")), IsEmpty());
  state.change = StateChange::kRecover;
  auto recovered = engine->ChangeState(state);
  ASSERT_FALSE(recovered);
  EXPECT_EQ(recovered.error().code, ErrorCode::kConflict);
  const HistoryAnswer history = Must(engine->History(said.artifact_id, {}, {}));
  std::vector<std::string> steps;
  for (const RevisionView& revision : history.revisions) {
    steps.push_back(std::string(Name(revision.state)) + " " + revision.text.value_or(""));
  }
  EXPECT_THAT(steps, ElementsAre("active Alice drinks espresso", "active Alice drinks oolong",
                                 "forgotten Alice drinks oolong", "active Alice drinks oolong",
                                 "retracted Alice drinks oolong"));
}

TEST_F(Snapshot, TheSameIdWithOtherTextIsAConflictAndWithTheSameTextTheSameSource) {
  RememberRequest request = Source("it rains in Porto");
  request.external_id = "m1";
  const RememberAnswer first = Must(engine->Remember(request));
  const RememberAnswer again = Must(engine->Remember(request));
  EXPECT_TRUE(again.existed);
  EXPECT_EQ(again.source_id, first.source_id);
  EXPECT_EQ(again.artifact_id, first.artifact_id);
  EXPECT_EQ(again.receipt.sequence, first.receipt.sequence);
  request.content = "it snows in Porto";
  auto other = engine->Remember(request);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kConflict);
  request.scope = ScopeOf("group:weather");
  EXPECT_FALSE(Must(engine->Remember(request)).existed) << "ids are unique within a scope";
}

TEST_F(Snapshot, TwoPeopleMayBothSayOk) {
  Say("ok", "public", "s", "Ann");
  Say("ok", "public", "s", "Ben");
  EXPECT_THAT(Texts(Ask("ok")), ElementsAre("ok", "ok"));
}

TEST_F(Snapshot, ARevisionThatChangesNothingIsRefusedAndOneOfAForgottenMemoryDoesNotBringItBack) {
  const RememberAnswer said = Say("Alice drinks oolong");
  ReviseRequest revise;
  revise.id = said.artifact_id;
  revise.content = "Alice drinks oolong";
  EXPECT_EQ(engine->Revise(revise).error().code, ErrorCode::kInvalidArgument);
  StateRequest forget;
  forget.ids = {said.artifact_id};
  Must(engine->ChangeState(forget));
  revise.content = "Alice drinks sencha";
  Must(engine->Revise(revise));
  EXPECT_THAT(Texts(Ask("sencha")), IsEmpty());
  forget.change = StateChange::kRecover;
  Must(engine->ChangeState(forget));
  EXPECT_THAT(Texts(Ask("sencha")), ElementsAre("Alice drinks sencha"));
}

TEST_F(Snapshot, AClockThatWasSetBackLeavesWhatWasRecordedThenKnownThen) {
  now = At("2025-01-01");
  Say("the first entry about amber");
  now = At("2024-01-01");
  Say("the second entry about amber");
  RecallQuery query = Ask("amber entry");
  query.moment.known_at = At("2024-06-01");
  EXPECT_THAT(Texts(query), ElementsAre("the second entry about amber"));
}

TEST_F(Snapshot, DeclaringAnEntityAgainWritesNothing) {
  EntityRequest entity;
  entity.name = "Alice";
  entity.aliases = {"爱丽丝"};
  const WriteAnswer first = Must(engine->DeclareEntity(entity));
  const WriteAnswer again = Must(engine->DeclareEntity(entity));
  EXPECT_TRUE(again.existed);
  EXPECT_EQ(first.receipt.head, again.receipt.head);
}

TEST_F(Snapshot, UnderstandingTheSameTwiceIsUnderstoodOnce) {
  const RememberAnswer said = Say("I moved to Berlin last week");
  UnderstandRequest fact;
  fact.evidence = {said.source_id};
  NewArtifact artifact;
  artifact.content = "Alice lives in Berlin";
  fact.artifacts = {artifact};
  const WriteAnswer first = Must(engine->Understand(fact));
  const WriteAnswer again = Must(engine->Understand(fact));
  EXPECT_EQ(first.ids, again.ids);
  EXPECT_EQ(first.receipt.sequence, again.receipt.sequence);
}

}  // namespace
}  // namespace souvenance
