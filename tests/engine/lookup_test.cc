// The graph as people ask it: what held when, who is connected, what proves it.
#include <algorithm>
#include <set>

#include "tests/engine/engine_fixture.h"

namespace souvenance {
namespace {

using testing::At;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::EngineTest;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Must;
using ::testing::Not;
using testing::ScopeOf;
using ::testing::UnorderedElementsAre;

class LookupTest : public EngineTest {
 protected:
  // One fact with a source of its own.
  RememberAnswer Fact(const std::string& subject, const std::string& predicate,
                      const std::string& object, const std::string& from = {},
                      const std::string& to = {}, std::string_view scope = "public") {
    RememberRequest request =
        Source(subject + " " + predicate + " " + object + " " + from + " " + to, scope);
    NewRelation relation;
    relation.subject = subject;
    relation.predicate = predicate;
    relation.object = object;
    if (!from.empty()) relation.valid_at = ParseTime(from).value();
    if (!to.empty()) relation.invalid_at = ParseTime(to).value();
    request.relations = {relation};
    return Must(engine->Remember(request));
  }
  void Single(const std::string& predicate, std::string_view scope = "public") {
    PredicateRequest request;
    request.scope = ScopeOf(scope);
    request.name = predicate;
    request.single_valued = true;
    Must(engine->DeclarePredicate(request));
  }
  std::vector<std::string> Objects(const std::string& entity, const std::string& predicate,
                                   std::string_view as_of,
                                   std::vector<std::string> scopes = {"public"}) {
    TimelineQuery query;
    query.entity = entity;
    query.predicate = predicate;
    query.moment.as_of = At(as_of);
    for (const std::string& scope : scopes) query.viewer.scopes.push_back(ScopeOf(scope));
    std::vector<std::string> objects;
    for (const RelationHit& hit : Must(engine->Timeline(query)).relations) {
      objects.push_back(hit.object);
    }
    return objects;
  }
};

// A later value closes the one before, whatever the order of arrival: all orders of four facts.
TEST_F(LookupTest, SingleValuedFactsCloseOneAnotherInAnyOrderOfArrival) {
  struct Given {
    const char *object, *from, *to;
  };
  std::vector<Given> facts = {{"Lyon", "2019", ""},
                              {"Berlin", "2021-03-01", ""},
                              {"Porto", "2023", "2023"},
                              {"Oslo", "2024-06-01", ""}};
  std::vector<std::size_t> order = {0, 1, 2, 3};
  int scope_number = 0;
  do {
    const std::string scope = "group:o" + std::to_string(scope_number++);
    Single("lives_in", scope);
    for (const std::size_t i : order) {
      Fact("Alice", "lives_in", facts[i].object, facts[i].from, facts[i].to, scope);
    }
    const auto at = [&](std::string_view when) {
      return Objects("Alice", "lives_in", when, {scope});
    };
    EXPECT_THAT(at("2018-06-01"), IsEmpty());
    EXPECT_THAT(at("2019-01-01"), ElementsAre("Lyon"));
    EXPECT_THAT(at("2021-02-28"), ElementsAre("Lyon"));
    EXPECT_THAT(at("2021-03-01"), ElementsAre("Berlin"));
    EXPECT_THAT(at("2022-12-31T23:59:59Z"), ElementsAre("Berlin"));
    EXPECT_THAT(at("2023-12-31T23:59:59Z"), ElementsAre("Porto"));
    EXPECT_THAT(at("2024-03-01"), IsEmpty()) << "Porto was left, and Berlin before it";
    EXPECT_THAT(at("2030-01-01"), ElementsAre("Oslo"));
  } while (std::next_permutation(order.begin(), order.end()));
}

// D01: the same fact in two periods stays two.
TEST_F(LookupTest, D01TheSameFactInTwoPeriodsStaysTwo) {
  Fact("Alex", "assigned", "Payments", "2026-01-01", "2026-01-31");
  Fact("Alex", "assigned", "Payments", "2026-06-01");
  EXPECT_THAT(Objects("Alex", "assigned", "2026-01-15"), ElementsAre("Payments"));
  EXPECT_THAT(Objects("Alex", "assigned", "2026-03-01"), IsEmpty());
  EXPECT_THAT(Objects("Alex", "assigned", "2026-06-15"), ElementsAre("Payments"));
}

// D27: now only what holds; before, what held; history has both.
TEST_F(LookupTest, D27ACorrectedFactIsNotReturnedAsCurrent) {
  Single("works_at");
  Fact("Alice", "works_at", "Meridian", "2020");
  now += std::chrono::hours{24};
  Fact("Alice", "works_at", "Nordlicht", "2025-03-01");
  LookupQuery query;
  query.cue = "Where does Alice work?";
  const LookupAnswer answer = Must(engine->Lookup(query));
  ASSERT_EQ(answer.relations.size(), 1U);
  EXPECT_EQ(answer.relations[0].object, "Nordlicht");
  EXPECT_TRUE(answer.relations[0].current);
  query.moment.as_of = At("2024-01-01");
  EXPECT_EQ(Must(engine->Lookup(query)).relations.at(0).object, "Meridian");
  query.history = HistoryMode::kAll;
  std::set<std::string> objects;
  for (const RelationHit& hit : Must(engine->Lookup(query)).relations) objects.insert(hit.object);
  EXPECT_THAT(objects, ElementsAre("Meridian", "Nordlicht"));
  // What was known before the correction: the first fact, open.
  query.history = HistoryMode::kCurrent;
  query.moment.as_of = At("2026-06-01");
  query.moment.known_at = At("2026-01-01T12:00:00Z");
  EXPECT_EQ(Must(engine->Lookup(query)).relations.at(0).object, "Meridian");
}

TEST_F(LookupTest, RetractingAFactGivesBackWhatItHadClosed) {
  Single("lives_in");
  Fact("Alice", "lives_in", "Lyon", "2019");
  const RememberAnswer wrong = Fact("Alice", "lives_in", "Mars", "2022");
  EXPECT_THAT(Objects("Alice", "lives_in", "2023-01-01"), ElementsAre("Mars"));
  StateRequest retract;
  retract.ids = {wrong.relation_ids.at(0)};
  retract.change = StateChange::kRetract;
  retract.reason = "a joke";
  Must(engine->ChangeState(retract));
  EXPECT_THAT(Objects("Alice", "lives_in", "2023-01-01"), ElementsAre("Lyon"));
  EXPECT_EQ(engine->ChangeState(retract).error().code, ErrorCode::kConflict);
  EXPECT_EQ(Must(engine->Verify({})).first_problem, "");
}

TEST_F(LookupTest, DeclaringAPredicateSingleValuedLaterDerivesAgain) {
  Fact("Alice", "lives_in", "Lyon", "2019");
  Fact("Alice", "lives_in", "Berlin", "2021");
  EXPECT_THAT(Objects("Alice", "lives_in", "2023-01-01"), UnorderedElementsAre("Lyon", "Berlin"));
  Single("lives_in");
  EXPECT_THAT(Objects("Alice", "lives_in", "2023-01-01"), ElementsAre("Berlin"));
}

TEST_F(LookupTest, APrivateCorrectionChangesNothingForThoseWhoCannotSeeIt) {
  Single("lives_in");
  Fact("Alice", "lives_in", "Lyon", "2019");
  Single("lives_in", "private:alice");
  Fact("Alice", "lives_in", "Berlin", "2021", {}, "private:alice");
  EXPECT_THAT(Objects("Alice", "lives_in", "2023-01-01"), ElementsAre("Lyon"));
  EXPECT_THAT(Objects("Alice", "lives_in", "2023-01-01", {"public", "private:alice"}),
              ElementsAre("Berlin"));
}

TEST_F(LookupTest, TheLastBeforeGivesEveryObjectOfTheLastInstant) {
  const auto event = [&](const char* object, const char* at) {
    RememberRequest request = Source(std::string("Milos met ") + object + " " + at);
    NewRelation relation;
    relation.subject = "Milos";
    relation.predicate = "met";
    relation.object = object;
    relation.at = ParseTime(at).value();
    request.relations = {relation};
    Must(engine->Remember(request));
  };
  event("Ann", "2014-01-03");
  event("Ben", "2014-02-01");
  event("Cid", "2014-02-01");
  event("Dan", "2014-03-01");
  TimelineQuery query;
  query.entity = "Milos";
  query.predicate = "met";
  query.before = At("2014-03-01");
  query.pick = TimelineQuery::Pick::kLastInstant;
  const TimelineAnswer answer = Must(engine->Timeline(query));
  std::vector<std::string> objects;
  for (const RelationHit& hit : answer.relations) objects.push_back(hit.object);
  EXPECT_THAT(objects, UnorderedElementsAre("Ben", "Cid"));
  EXPECT_THAT(answer.timeline[0].change, "event");
}

// D21.
TEST_F(LookupTest, D21OneNameInItsFormsIsOneEntityAndNeighboursStayApart) {
  Fact("OpenAI", "located_in", "San Francisco");
  Fact("ＯｐｅｎＡＩ", "makes", "C");
  Fact("openai ", "makes", "C++");
  Fact("北京大学", "located_in", "北京");
  Fact("上海大学", "located_in", "上海");
  TimelineQuery query;
  query.entity = "OPENAI";
  EXPECT_EQ(Must(engine->Timeline(query)).relations.size(), 3U);
  query.entity = "C++";
  EXPECT_EQ(Must(engine->Timeline(query)).relations.size(), 1U);
  query.entity = "北京大学";
  EXPECT_EQ(Must(engine->Timeline(query)).relations.size(), 1U);
}

TEST_F(LookupTest, ALookupGivesEntitiesPassagesAndTheRawEvidence) {
  EntityRequest alice;
  alice.name = "Alice";
  alice.type = "person";
  alice.aliases = {"爱丽丝"};
  Must(engine->DeclareEntity(alice));
  Fact("Alice", "sister_of", "Bob", "1990");
  Fact("Bob", "works_at", "Harbour Robotics", "2020");
  LookupQuery query;
  query.cue = "爱丽丝 是谁";
  query.hops = 2;
  const LookupAnswer answer = Must(engine->Lookup(query));
  std::vector<std::string> names;
  for (const EntityHit& entity : answer.entities) names.push_back(entity.name);
  EXPECT_THAT(names, ElementsAre("Alice", "Bob", "Harbour Robotics"));
  EXPECT_TRUE(answer.entities[0].linked);
  EXPECT_EQ(answer.relations.size(), 2U);
  ASSERT_EQ(answer.evidence.size(), 2U);
  EXPECT_THAT(answer.evidence[0].text, HasSubstr("Alice sister_of Bob"));
  query.hops = 1;
  EXPECT_EQ(Must(engine->Lookup(query)).entities.size(), 2U);
  query.hops = 9;
  EXPECT_EQ(engine->Lookup(query).error().code, ErrorCode::kInvalidArgument);
}

// A fact is told no further than the memory that says it.
TEST_F(LookupTest, AFactOfAWithheldMemoryIsNotToldEither) {
  RememberRequest request = Source("Carol met the surgeon about her cancer", "private:carol");
  request.subject_id = "Carol";
  request.session_id = "s1";
  request.sensitivity = 0.8;
  NewRelation relation;
  relation.subject = "Carol";
  relation.predicate = "has_illness";
  relation.object = "cancer";
  request.relations = {relation};
  Must(engine->Remember(request));
  Say("hello", "public", "p1");
  LookupQuery lookup;
  lookup.cue = "Carol";
  lookup.viewer.scopes = {ScopeOf("private:carol"), ScopeOf("public")};
  TimelineQuery timeline;
  timeline.entity = "Carol";
  timeline.viewer = lookup.viewer;
  for (const bool stranger : {false, true}) {
    if (stranger) {
      lookup.viewer.subject = timeline.viewer.subject = "Zed";
      lookup.viewer.session = timeline.viewer.session = "p1";
    } else {
      lookup.options.disclosure = Switch::kOff;
    }
    const LookupAnswer answer = Must(engine->Lookup(lookup));
    EXPECT_EQ(answer.relations.empty(), stranger);
    EXPECT_EQ(answer.evidence.empty(), stranger);
    EXPECT_EQ(answer.entities.size(), stranger ? 1U : 2U);
    lookup.options.disclosure = Switch::kOn;
    if (stranger) {
      EXPECT_THAT(Must(engine->Timeline(timeline)).relations, IsEmpty());
    }
  }
}

TEST_F(LookupTest, ActivationReachesAPassageThatSharesNoWordWithTheCue) {
  RememberRequest a = Source("The ferry sailed at dawn.");
  NewRelation r1;
  r1.subject = "Marie";
  r1.predicate = "captain_of";
  r1.object = "Aurora";
  a.relations = {r1};
  Must(engine->Remember(a));
  RememberRequest b = Source("It was built of larch in the yard.");
  NewRelation r2;
  r2.subject = "Aurora";
  r2.predicate = "built_in";
  r2.object = "Bergen";
  b.relations = {r2};
  Must(engine->Remember(b));
  RecallQuery query = Ask("Which town does the vessel of Marie come from?");
  query.options.gate = Switch::kOff;
  EXPECT_THAT(Texts(query), Contains("It was built of larch in the yard."));
  query.options.legs.graph = Switch::kOff;
  query.options.link = 0;
  query.options.semantic = 0;
  EXPECT_THAT(Texts(query), Not(Contains("It was built of larch in the yard.")));
}

}  // namespace
}  // namespace souvenance
