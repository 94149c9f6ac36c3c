// Nothing outside the visible pool can influence an answer: twin worlds, byte by byte.
#include <random>

#include "tests/engine/engine_fixture.h"

namespace souvenance {
namespace {

using testing::At;
using testing::EngineTest;
using ::testing::HasSubstr;
using testing::Must;
using ::testing::Not;
using testing::ScopeOf;

const char* const kWords[] = {"tea",   "oolong", "Berlin", "Alice",  "map",  "fern",   "climbing",
                              "train", "Bob",    "coffee", "乌龙茶", "喜欢", "爱丽丝", "地图"};

class Twins : public EngineTest {
 protected:
  // The public world, the same whatever else is written between its lines.
  void Public(int line) {
    std::mt19937 random(static_cast<unsigned>(line) * 7919U + 1U);
    std::string text;
    for (int i = 0; i < 6; ++i) text += std::string(kWords[random() % std::size(kWords)]) + " ";
    RememberRequest request = Source(text + "line " + std::to_string(line));
    request.session_id = "s" + std::to_string(line / 5);
    request.speaker_id = line % 2 == 0 ? "Alice" : "Bob";
    request.external_id = "p" + std::to_string(line);
    request.event_time = now - std::chrono::hours{24 * (100 - line)};
    if (line % 4 == 0) {
      NewRelation relation;
      relation.subject = "Alice";
      relation.predicate = "lives_in";
      relation.object = line % 8 == 0 ? "Berlin" : "Lyon";
      request.relations.push_back(relation);
    }
    Must(engine->Remember(request));
  }

  // A private world of the same words, people, sessions and facts, near the public one.
  void Private(int line) {
    std::mt19937 random(static_cast<unsigned>(line) * 104729U + 3U);
    std::string text;
    for (int i = 0; i < 6; ++i) text += std::string(kWords[random() % std::size(kWords)]) + " ";
    RememberRequest request = Source(text, "private:bob");
    request.session_id = "s" + std::to_string(line / 5);
    request.speaker_id = "Alice";
    request.external_id = "p" + std::to_string(line);
    NewRelation relation;
    relation.subject = "Alice";
    relation.predicate = "lives_in";
    relation.object = "Porto";
    request.relations.push_back(relation);
    NewArtifact fact;
    fact.content = "Alice likes oolong tea and Berlin";
    request.artifacts.push_back(fact);
    const RememberAnswer answer = Must(engine->Remember(request));
    if (line % 3 == 0 && line >= 6) {
      ReinforceRequest use;
      use.viewer.scopes = {ScopeOf("private:bob"), ScopeOf("public")};
      use.viewer.session = "s1";
      use.ids = {answer.artifact_id, "p2"};
      use.kind = ReinforcementKind::kConfirmed;
      Must(engine->Reinforce(use));
    }
    if (line % 5 == 0) {
      StateRequest forget;
      forget.viewer.scopes = {ScopeOf("private:bob")};
      forget.ids = {answer.artifact_id};
      Must(engine->ChangeState(forget));
    }
    PredicateRequest predicate;
    predicate.scope = ScopeOf("private:bob");
    predicate.name = "lives_in";
    predicate.single_valued = true;
    Must(engine->DeclarePredicate(predicate));
    EntityRequest entity;
    entity.scope = ScopeOf("private:bob");
    entity.name = "Bob";
    entity.aliases = {"Alice", "tea"};
    Must(engine->DeclareEntity(entity));
  }

  // What a viewer of the public scope can find out, as bytes.
  std::vector<std::string> Answers() {
    std::vector<std::string> answers;
    for (const char* cue : {"Alice likes tea", "Berlin map", "爱丽丝 喜欢 乌龙茶", "who is Bob",
                            "fern", "climbing train coffee", "when did Alice move to Lyon"}) {
      for (const Preset preset : {Preset::kHybrid, Preset::kSeed, Preset::kRrf}) {
        RecallQuery query = Ask(cue);
        query.options.preset = preset;
        query.viewer.session = "s1";
        query.viewer.subject = "Alice";
        query.trace = {"p2"};
        answers.push_back(Bytes(query));
      }
      ContextQuery context;
      context.recall = Ask(cue);
      answers.push_back(program::ContextJson(Must(engine->Context(context))));
      LookupQuery lookup;
      lookup.cue = cue;
      lookup.history = HistoryMode::kAll;
      answers.push_back(program::LookupJson(Must(engine->Lookup(lookup))));
    }
    TimelineQuery timeline;
    timeline.entity = "Alice";
    timeline.history = HistoryMode::kAll;
    answers.push_back(program::TimelineJson(Must(engine->Timeline(timeline))));
    ListQuery list;
    answers.push_back(program::ListJson(Must(engine->List(list)), list));
    answers.push_back(program::ShowJson(Must(engine->Show("p2", {}, {}))));
    RecentQuery recent;
    recent.session = "s1";
    answers.push_back(program::RecentJson(Must(engine->Recent(recent))));
    return answers;
  }

  std::vector<std::string> World(bool with_private, const EngineOptions& options) {
    dir_twin_ = std::make_unique<testing::TempDir>();
    EngineOptions own = options;
    own.store = dir_twin_->path() / "store";
    own.access = Access::kCreate;
    own.clock = [this] { return now; };
    own.salt = testing::SeededSalt;
    engine = std::move(*Engine::Open(own));
    for (int line = 0; line < 40; ++line) {
      if (with_private && line % 2 == 0) Private(line);
      Public(line);
      if (with_private) Private(100 + line);
    }
    return Answers();
  }

  std::unique_ptr<testing::TempDir> dir_twin_;
};

TEST_F(Twins, APrivateScopeFullOfTheSameWordsChangesNoByteOfAnyAnswer) {
  const std::vector<std::string> alone = World(false, {});
  const std::vector<std::string> beside = World(true, {});
  ASSERT_EQ(alone.size(), beside.size());
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_EQ(alone[i], beside[i]) << i;
  EXPECT_THAT(alone[0], HasSubstr("\"id\":\"a"));
}

TEST_F(Twins, NorDoesItWithSealedBases) {
  EngineOptions options;
  options.word_base_threshold = 10;
  options.vector_base_threshold = 10;
  const std::vector<std::string> alone = World(false, options);
  Must(engine->Maintain());
  const std::vector<std::string> alone_sealed = Answers();
  const std::vector<std::string> beside = World(true, options);
  Must(engine->Maintain());
  const std::vector<std::string> beside_sealed = Answers();
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(alone[i], beside[i]) << i;
    EXPECT_EQ(alone[i], alone_sealed[i]) << i;
    EXPECT_EQ(alone[i], beside_sealed[i]) << i;
  }
}

// The comparison can fail: what the viewer does see changes the bytes.
TEST_F(Twins, AScopeThatIsSeenDoesChangeThem) {
  World(true, {});
  EXPECT_NE(Bytes(Ask("Alice likes tea")),
            Bytes(Ask("Alice likes tea", {"public", "private:bob"})));
}

TEST_F(Twins, AForeignIdAndAMissingOneGiveTheSameAnswer) {
  World(true, {});
  Viewer bob;
  bob.scopes = {ScopeOf("private:bob")};
  ListQuery list;
  list.viewer = bob;
  const std::string foreign = Must(engine->List(list)).items.at(0).id;
  ASSERT_TRUE(engine->Show(foreign, bob, {}));
  auto seen = engine->Show(foreign, {}, {});
  auto missing = engine->Show("a999-00000000", {}, {});
  ASSERT_FALSE(seen);
  ASSERT_FALSE(missing);
  EXPECT_EQ(seen.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  const auto without = [](std::string text, const std::string& id) {
    text.replace(text.find(id), id.size(), "ID");
    return text;
  };
  EXPECT_EQ(without(seen.error().message, foreign),
            without(missing.error().message, "a999-00000000"));
}

TEST_F(Twins, AnUnknownScopeAndAgentAreErrorsAndAreNotCreated) {
  World(false, {});
  auto scope = engine->Recall(Ask("tea", {"private:nobody"}));
  ASSERT_FALSE(scope);
  EXPECT_EQ(scope.error().code, ErrorCode::kInvalidArgument);
  RecallQuery query = Ask("tea");
  query.viewer.agent = "nobody";
  auto agent = engine->Recall(query);
  ASSERT_FALSE(agent);
  EXPECT_EQ(agent.error().code, ErrorCode::kInvalidArgument);
  for (const auto& [name, scopes] : Must(engine->Scopes())) {
    EXPECT_EQ(name, "default");
    EXPECT_THAT(scopes, ::testing::ElementsAre(Scope{}));
  }
}

TEST_F(Twins, TheOrderInWhichScopesAreNamedChangesNothing) {
  World(true, {});
  EXPECT_EQ(Bytes(Ask("Alice tea Berlin", {"public", "private:bob"})),
            Bytes(Ask("Alice tea Berlin", {"private:bob", "public", "public"})));
}

}  // namespace
}  // namespace souvenance
