// What is written reads back, under the rules of identity and of transactions.
#include "storage/store.h"

#include <gmock/gmock.h>

#include "tests/storage/store_fixture.h"

namespace souvenance::storage {
namespace {

using testing::ElementsAre;

class StoreTest : public testing::Test {
 protected:
  TempDir dir_;
  std::unique_ptr<Store> store_ = MustOpen(dir_.path() / "store");
};

// An agent, its public scope, and an event begun in it.
struct Writing {
  std::unique_ptr<WriteTransaction> tx;
  AgentId agent{};
  ScopeId scope{};
};

Writing Begin(Store& store, const Scope& scope = {}) {
  Writing writing;
  writing.tx = Must(store.Write());
  writing.agent = Must(writing.tx->EnsureAgent("default", At(1)));
  writing.scope = Must(writing.tx->EnsureScope(writing.agent, scope, At(1))).id;
  Must(writing.tx->BeginEvent(writing.agent, writing.scope, EventKind::kRemembered, At(2)));
  return writing;
}

NewSource Source(std::string_view content, std::string_view external_id = {}) {
  NewSource source;
  source.content = content;
  source.external_id = external_id;
  return source;
}

TEST_F(StoreTest, ReadsBackWhatWasWritten) {
  const Sample sample = WriteSample(*store_);
  auto read = Must(store_->Read());
  const AgentId agent = *Must(read->FindAgent("default"));
  EXPECT_EQ(agent, sample.agent);
  const auto scope = *Must(read->FindScope(agent, Scope{}));
  EXPECT_EQ(scope.id, sample.open);
  EXPECT_EQ(scope.ordinal, 1u);

  const auto source = *Must(read->FindSourceByExternalId(scope.id, "m1"));
  EXPECT_EQ(source.id, sample.source.id);
  EXPECT_EQ(source.ordinal, 1u);
  EXPECT_EQ(*Must(read->Text(source.content)), "Alice lives in Paris.");
  EXPECT_EQ(*Must(read->Text(source.session)), "s1");
  EXPECT_EQ(*Must(read->Text(source.speaker)), "Alice");
  EXPECT_EQ(source.speaker, source.subject) << "one person, one payload";
  EXPECT_EQ(*Must(read->Text(source.metadata)), "{\"k\":1}");
  EXPECT_EQ(source.event_time, At(5));
  EXPECT_EQ(source.received_at, At(6));
  EXPECT_EQ(source.created_at, At(10));

  const auto revisions = Must(read->Revisions(sample.artifact.artifact));
  ASSERT_EQ(revisions.size(), 2u);
  EXPECT_EQ(revisions[0].content, source.content) << "a verbatim artifact shares its text";
  EXPECT_EQ(revisions[0].revision, 1u);
  EXPECT_EQ(revisions[0].ordinal, 1u);
  EXPECT_TRUE(revisions[0].verbatim);
  EXPECT_EQ(revisions[0].emotion_intensity, 0.25);
  EXPECT_EQ(revisions[0].valid_at, At(4));
  EXPECT_EQ(revisions[0].invalid_at, At(400));
  EXPECT_EQ(*Must(read->Text(revisions[0].tags)), "[\"home\"]");
  EXPECT_EQ(*Must(read->Text(revisions[0].emotion)), "joy");
  EXPECT_EQ(revisions[1].revision, 2u);
  EXPECT_EQ(revisions[1].ordinal, 2u);
  EXPECT_EQ(revisions[1].artifact_ordinal, 1u);
  EXPECT_EQ(revisions[1].tags, kNoPayload);
  EXPECT_EQ(*Must(read->Text(revisions[1].content)), "Alice lived in Paris.");

  const auto evidence = Must(read->Evidence(sample.artifact.artifact, 1));
  ASSERT_EQ(evidence.size(), 2u);
  EXPECT_EQ(evidence[0].end, 21u);
  EXPECT_EQ(evidence[1].end, 5u);
  EXPECT_THAT(Must(read->ArtifactsOfSource(source.id)), ElementsAre(sample.artifact.artifact));
  EXPECT_EQ(*Must(read->ScopeOfArtifact(sample.artifact.artifact)), sample.open);
  EXPECT_EQ(*Must(read->FindArtifactByOrdinal(scope.id, 1)), sample.artifact.artifact);
}

TEST_F(StoreTest, ReadsTheGraphBack) {
  const Sample sample = WriteSample(*store_);
  auto read = Must(store_->Read());
  EXPECT_EQ(*Must(read->FindEntity(sample.open, "alice")), sample.alice);
  EXPECT_EQ(*Must(read->FindEntity(sample.open, "ali")), sample.alice) << "by its alias";
  EXPECT_FALSE(Must(read->FindEntity(sample.open, "bob")));
  EXPECT_FALSE(Must(read->FindEntity(sample.secret, "alice"))) << "an entity is of one scope";

  const auto predicate = *Must(read->FindPredicate(sample.open, "lives_in"));
  EXPECT_TRUE(predicate.single_valued) << "the latest declaration counts";
  std::vector<bool> declared;
  Must(read->ForEachPredicate(sample.open, EventId{0}, [&](const PredicateRow& row) {
    EXPECT_EQ(row.id, predicate.id);
    declared.push_back(row.single_valued);
    return true;
  }));
  EXPECT_THAT(declared, ElementsAre(false, true));

  const auto current = Must(read->RelationsOf(sample.alice, predicate.id));
  ASSERT_EQ(current.size(), 1u) << "the expired row is no longer current";
  EXPECT_EQ(current[0].origin, RelationOrigin::kDerived);
  EXPECT_EQ(current[0].asserted, sample.relation.id);
  EXPECT_EQ(current[0].invalid_at, At(15));
  const auto expired = *Must(read->FindRelationByOrdinal(sample.open, 1));
  EXPECT_EQ(expired.expired_at, At(20));
  EXPECT_EQ(expired.invalid_at, kEndOfTime);
  EXPECT_EQ(expired.asserted, expired.id);

  std::vector<std::pair<RelationId, Timestamp>> expiries;
  Must(read->ForEachExpiry(sample.open, EventId{4}, [&](RelationId id, Timestamp at) {
    expiries.emplace_back(id, at);
    return true;
  }));
  EXPECT_THAT(expiries, ElementsAre(std::pair(sample.relation.id, At(20))));
  int mentions = 0;
  Must(read->ForEachMention(sample.open, EventId{0}, [&](const MentionRow& row) {
    EXPECT_EQ(row.entity, sample.alice);
    EXPECT_EQ(row.end, 5u);
    ++mentions;
    return true;
  }));
  EXPECT_EQ(mentions, 1);
}

TEST_F(StoreTest, CountsALedgerLineWhereItWasGiven) {
  const Sample sample = WriteSample(*store_);
  auto read = Must(store_->Read());
  const auto count = [&](ScopeId scope) {
    int lines = 0;
    Must(read->ForEachReinforcement(scope, 0, [&](const ReinforcementRow&) {
      ++lines;
      return true;
    }));
    return lines;
  };
  EXPECT_EQ(count(sample.open), 0);
  EXPECT_EQ(count(sample.secret), 1);
  const auto lines = Must(read->Reinforcements(sample.artifact.artifact));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].scope, sample.secret);
  EXPECT_EQ(lines[0].amount, 0.3);
}

TEST_F(StoreTest, NumbersChangesByScope) {
  const Sample sample = WriteSample(*store_);
  // Events: 1 agent, 2 public, 3 private:bob, 4 remembered, 5 revised, 6 reinforced by bob.
  auto read = Must(store_->Read());
  EXPECT_EQ(Must(read->Change()), EventId{6});
  EXPECT_EQ(Must(store_->Change()), EventId{6});
  EXPECT_EQ(Must(read->ScopeChange(sample.open)), EventId{5});
  EXPECT_EQ(Must(read->ScopeChange(sample.secret)), EventId{6});
  EXPECT_EQ(Must(read->Head(sample.agent)).sequence, 6);
}

TEST_F(StoreTest, VisitsOnlyWhatCameAfterAndStopsWhenAsked) {
  auto [tx, agent, scope] = Begin(*store_);
  for (const char* text : {"a", "b", "c", "d"}) Must(tx->AddSource(Source(text)));
  Must(tx->EndEvent());
  Must(tx->Commit());
  auto read = Must(store_->Read());
  std::vector<Ordinal> seen;
  Must(read->ForEachSource(scope, 1, [&](const SourceRow& row) {
    seen.push_back(row.ordinal);
    return seen.size() < 2;
  }));
  EXPECT_THAT(seen, ElementsAre(2u, 3u));
}

TEST_F(StoreTest, KeepsANameOncePerScopeAndKind) {
  auto [tx, agent, scope] = Begin(*store_);
  NewSource source = Source("x");
  source.session = source.speaker = "Caroline";
  const auto first = Must(tx->AddSource(source));
  source.content = "y";
  const auto second = Must(tx->AddSource(source));
  EXPECT_EQ(first.speaker, second.speaker);
  EXPECT_NE(first.speaker, first.session) << "a session is no person";
  Must(tx->EndEvent());
  Must(tx->Commit());

  auto other = Begin(*store_, Scope{ScopeKind::kGroup, "g"});
  const auto third = Must(other.tx->AddSource(source));
  EXPECT_NE(third.speaker, first.speaker) << "another scope has names of its own";
  Must(other.tx->EndEvent());
  Must(other.tx->BeginEvent(other.agent, scope, EventKind::kRemembered, At(3)));
  const auto fourth = Must(other.tx->AddSource(source));
  EXPECT_EQ(fourth.speaker, first.speaker) << "also in a later transaction";
}

TEST_F(StoreTest, RefusesTheSameExternalIdTwiceAndGoesOn) {
  auto [tx, agent, scope] = Begin(*store_);
  Must(tx->AddSource(Source("one", "id")));
  const auto again = tx->AddSource(Source("two", "id"));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kConflict);
  Must(tx->AddSource(Source("three", "id3")));
  Must(tx->EndEvent());
  Must(tx->Commit());

  auto other = Begin(*store_, Scope{ScopeKind::kGroup, "g"});
  Must(other.tx->AddSource(Source("one", "id")));  // unique within a scope alone
  NewSource by_request = Source("x");
  by_request.request_id = "id";  // a request is no external id
  Must(other.tx->AddSource(by_request));
  Must(other.tx->EndEvent());
  Must(other.tx->Commit());
}

TEST_F(StoreTest, LeavesNothingOfADroppedTransaction) {
  WriteSample(*store_);
  RawDatabase raw(dir_.path() / "store");
  const auto before = raw.Rows("SELECT count(*), (SELECT count(*) FROM sources) FROM payloads");
  {
    auto [tx, agent, scope] = Begin(*store_);
    Must(tx->AddSource(Source("gone", "gone")));
    Must(tx->EndEvent());
  }
  EXPECT_EQ(raw.Rows("SELECT count(*), (SELECT count(*) FROM sources) FROM payloads"), before);
  auto [tx, agent, scope] = Begin(*store_);  // the lock is free again
  Must(tx->AddSource(Source("stays", "gone")));
  Must(tx->EndEvent());
  Must(tx->Commit());
}

TEST_F(StoreTest, CommitsNothingAfterAFailedStatement) {
  auto [tx, agent, scope] = Begin(*store_);
  Must(tx->AddSource(Source("half")));
  // Terms of a revision that does not exist: the database refuses the row.
  EXPECT_FALSE(tx->PutTerms(scope, 77, "f", "t"));
  EXPECT_FALSE(tx->AddSource(Source("more")));
  EXPECT_FALSE(tx->EndEvent());
  const auto commit = tx->Commit();
  ASSERT_FALSE(commit);
  tx.reset();
  EXPECT_EQ(Must(store_->Change()), EventId{0});
}

TEST_F(StoreTest, CommitsNoHalfEvent) {
  auto [tx, agent, scope] = Begin(*store_);
  Must(tx->AddSource(Source("half")));
  EXPECT_FALSE(tx->Commit());
  EXPECT_FALSE(tx->Commit()) << "over is over";
  tx.reset();
  EXPECT_EQ(Must(store_->Change()), EventId{0});
}

TEST_F(StoreTest, BelievesNothingWithoutEvidence) {
  auto [tx, agent, scope] = Begin(*store_);
  NewRevision revision;
  revision.content = "out of thin air";
  const auto artifact = tx->AddArtifact(ArtifactKind::kFact, false, revision);
  ASSERT_FALSE(artifact);
  EXPECT_EQ(artifact.error().code, ErrorCode::kInvalidArgument);
  const auto source = Must(tx->AddSource(Source("12345")));
  const NewEvidence beyond[] = {{source.id, 0, 6}};
  revision.evidence = beyond;
  EXPECT_FALSE(tx->AddArtifact(ArtifactKind::kFact, false, revision));
  const NewEvidence whole[] = {{source.id, 0, 5}};
  revision.evidence = whole;
  Must(tx->AddArtifact(ArtifactKind::kFact, false, revision));

  const EntityId a = Must(tx->AddEntity("A", "a", ""));
  NewRelation relation;
  relation.subject = relation.object = a;
  relation.predicate = Must(tx->AddPredicate("knows", false));
  EXPECT_FALSE(tx->AddRelation(relation));
}

TEST_F(StoreTest, RefusesValuesOutsideTheirRange) {
  auto [tx, agent, scope] = Begin(*store_);
  const auto source = Must(tx->AddSource(Source("text")));
  const NewEvidence evidence[] = {{source.id, 0, 4}};
  NewRevision good;
  good.content = "x";
  good.evidence = evidence;
  const auto refused = [&](auto change) {
    NewRevision bad = good;
    change(bad);
    const auto result = tx->AddArtifact(ArtifactKind::kFact, false, bad);
    return !result && result.error().code == ErrorCode::kInvalidArgument;
  };
  EXPECT_TRUE(refused([](NewRevision& r) { r.salience = 1.01; }));
  EXPECT_TRUE(refused([](NewRevision& r) { r.sensitivity = -0.01; }));
  EXPECT_TRUE(refused([](NewRevision& r) { r.confidence = std::nan(""); }));
  EXPECT_TRUE(refused([](NewRevision& r) { r.valid_at = r.invalid_at = At(7); }));
  Must(tx->AddArtifact(ArtifactKind::kFact, false, good));
  const auto nul = tx->AddSource(Source(std::string_view("a\0b", 3)));
  ASSERT_FALSE(nul);
  EXPECT_EQ(nul.error().code, ErrorCode::kInvalidData);
  EXPECT_FALSE(tx->AddSource(Source("\xc3")));
  EXPECT_FALSE(tx->AddSource(Source("\xed\xa0\x80")));  // a surrogate
  Must(tx->AddSource(Source("")));                      // empty is a text
  Must(tx->EndEvent());
  Must(tx->Commit());
}

TEST_F(StoreTest, KeepsScopesApartWhenWriting) {
  const Sample sample = WriteSample(*store_);
  auto tx = Must(store_->Write());
  Must(tx->BeginEvent(sample.agent, sample.secret, EventKind::kRemembered, At(50)));
  const NewEvidence evidence[] = {{sample.source.id, 0, 1}};
  NewRevision revision;
  revision.content = "x";
  revision.evidence = evidence;
  EXPECT_FALSE(tx->AddArtifact(ArtifactKind::kFact, false, revision));
  EXPECT_FALSE(tx->AddRevision(sample.artifact.artifact, revision));
  EXPECT_FALSE(tx->AddAlias(sample.alice, "x", "x"));
  EXPECT_FALSE(tx->ExpireRelation(Must(tx->FindRelationByOrdinal(sample.open, 2))->id, At(60)));
  const auto source = Must(tx->AddSource(Source("mine")));
  const NewEvidence own[] = {{source.id, 0, 4}};
  revision.evidence = own;
  revision.content_payload = sample.source.content;  // another scope's text
  EXPECT_FALSE(tx->AddArtifact(ArtifactKind::kFact, false, revision));
}

TEST_F(StoreTest, ExpiresARelationOnce) {
  const Sample sample = WriteSample(*store_);
  auto tx = Must(store_->Write());
  Must(tx->BeginEvent(sample.agent, sample.open, EventKind::kRelationRetracted, At(50)));
  const auto again = tx->ExpireRelation(sample.relation.id, At(50));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kConflict);
}

TEST_F(StoreTest, KeepsEveryWrittenFormOfAnAlias) {
  auto [tx, agent, scope] = Begin(*store_);
  const EntityId a = Must(tx->AddEntity("OpenAI", "openai", ""));
  const EntityId b = Must(tx->AddEntity("Other", "other", ""));
  Must(tx->AddAlias(a, "ＯｐｅｎＡＩ", "openai"));
  Must(tx->AddAlias(a, "openai ", "openai"));
  Must(tx->AddAlias(a, "openai ", "openai"));  // known already
  Must(tx->AddAlias(b, "OA", "oa"));
  Must(tx->AddAlias(a, "OA", "oa"));
  EXPECT_EQ(tx->AddEntity("openai", "openai", "").error().code, ErrorCode::kConflict);
  EXPECT_EQ(*Must(tx->FindEntity(scope, "oa")), a) << "the older of two";
  Must(tx->EndEvent());
  std::vector<std::string> forms;
  Must(tx->ForEachAlias(scope, EventId{0}, [&](const AliasRow& row) {
    forms.push_back(*Must(tx->Text(row.name)));
    return true;
  }));
  EXPECT_THAT(forms, testing::UnorderedElementsAre("ＯｐｅｎＡＩ", "openai ", "OA", "OA"));
}

TEST_F(StoreTest, SeededSaltsMakeTwoStoresCommitToTheSame) {
  const Sample sample = WriteSample(*store_);
  auto twin = MustOpen(dir_.path() / "twin");
  WriteSample(*twin);
  EXPECT_NE(store_->store_id(), twin->store_id());
  const ChainHead head = Must(Must(store_->Read())->Head(sample.agent));
  EXPECT_EQ(head.hash, Must(Must(twin->Read())->Head(sample.agent)).hash);
  EXPECT_NE(head.hash, Digest{});

  StoreOptions options = Options(dir_.path() / "random", OpenMode::kCreate);
  options.salt = nullptr;
  auto random = Must(Store::Open(options));
  WriteSample(*random);
  EXPECT_NE(head.hash, Must(Must(random->Read())->Head(sample.agent)).hash);
}

TEST_F(StoreTest, KeepsDerivedRows) {
  const Sample sample = WriteSample(*store_);
  auto tx = Must(store_->Write());
  Must(tx->PutTerms(sample.open, 1, "analyzer-1", "terms one"));
  Must(tx->PutTerms(sample.open, 2, "analyzer-1", "terms two"));
  EmbeddingSpaceRow space;
  space.fingerprint = "f";
  space.identity = "{}";
  space.dimension = 2;
  space.probe = {1, 0, 0, 1};
  space.active = true;
  const std::int64_t id = Must(tx->AddEmbeddingSpace(space));
  const float vector[] = {0.6f, 0.8f};
  Must(tx->PutVector(sample.open, 2, id, vector));
  EXPECT_FALSE(tx->PutVector(sample.open, 2, id, std::span(vector, 1))) << "the dimension";
  Must(tx->PutManifest({sample.open, "words", EventId{5}, "a/b", Sha256("m")}));
  Must(tx->Commit());

  auto read = Must(store_->Read());
  std::vector<std::string> terms;
  const auto collect = [&](Ordinal, std::string_view blob) {
    terms.emplace_back(blob);
    return true;
  };
  Must(read->ForEachTerms(sample.open, "analyzer-1", 0, collect));
  EXPECT_THAT(terms, ElementsAre("terms one", "terms two"));
  Must(read->ForEachTerms(sample.open, "analyzer-2", 0, collect));
  EXPECT_EQ(terms.size(), 2u) << "another analyzer's terms are not shown";
  EXPECT_EQ(Must(read->ActiveEmbeddingSpace())->probe, space.probe);
  int vectors = 0;
  Must(read->ForEachVector(sample.open, id, 0, [&](Ordinal ordinal, std::span<const float> v) {
    EXPECT_EQ(ordinal, 2u);
    EXPECT_THAT(v, ElementsAre(0.6f, 0.8f));
    ++vectors;
    return true;
  }));
  EXPECT_EQ(vectors, 1);
  ASSERT_EQ(Must(read->Manifests(sample.open)).size(), 1u);
  EXPECT_EQ(Must(read->Manifests(sample.open))[0].digest, Sha256("m"));
  ASSERT_EQ(Must(read->Pending(sample.open)).size(), 1u);
  EXPECT_EQ(Must(read->Pending(sample.open))[0].target, Raw(sample.source.id));

  auto clear = Must(store_->Write());
  Must(clear->ClearDerived(sample.open));
  Must(clear->RemovePending(Must(clear->Pending(sample.open))[0].id));
  Must(clear->Commit());
  read = Must(store_->Read());
  EXPECT_TRUE(Must(read->Manifests(sample.open)).empty());
  EXPECT_TRUE(Must(read->Pending(sample.open)).empty());
  EXPECT_EQ(Must(store_->Change()), EventId{6}) << "derived rows are no event";
}

TEST_F(StoreTest, ListsTheNamesOfAScope) {
  const Sample sample = WriteSample(*store_);
  auto read = Must(store_->Read());
  std::vector<std::string> names;
  Must(read->ForEachName(sample.open, kNoPayload,
                         [&](PayloadId, PayloadKind, std::string_view text) {
                           names.emplace_back(text);
                           return true;
                         }));
  EXPECT_THAT(names,
              ElementsAre("s1", "Alice", "[\"home\"]", "joy", "Alice", "Paris", "Ali", "lives_in"));
}

}  // namespace
}  // namespace souvenance::storage
