// What the database itself refuses, whoever writes: every attempt here is raw SQL.
#include <gmock/gmock.h>

#include "tests/storage/store_fixture.h"

namespace souvenance::storage {
namespace {

using testing::HasSubstr;

class ConstraintsTest : public testing::Test {
 protected:
  ConstraintsTest() {
    auto store = MustOpen(dir_.path() / "store");
    sample_ = WriteSample(*store);
    store.reset();
    raw_ = std::make_unique<RawDatabase>(dir_.path() / "store");
  }

  // An event as the chain's head allows it, with what `replace` changes.
  std::string InsertEvent(const std::string& id, const std::string& sequence,
                          const std::string& previous) {
    return raw_->Run(
        "INSERT INTO events(id, agent_id, scope_id, sequence, kind, recorded_us, commitment,"
        " rows_digest, previous_hash, hash) VALUES (" +
        id + ", 1, 1, " + sequence + ", 2, 0, zeroblob(32), zeroblob(32), " + previous +
        ", randomblob(32))");
  }

  static constexpr char kHead[] = "(SELECT hash FROM events WHERE sequence = 6)";
  TempDir dir_;
  Sample sample_;
  std::unique_ptr<RawDatabase> raw_;
};

TEST_F(ConstraintsTest, TakesTheNextEventAlone) {
  EXPECT_THAT(InsertEvent("7", "8", kHead), HasSubstr("gap"));
  EXPECT_THAT(InsertEvent("7", "6", kHead), HasSubstr("gap"));
  EXPECT_THAT(InsertEvent("7", "7", "zeroblob(32)"), HasSubstr("predecessor"));
  EXPECT_THAT(InsertEvent("7", "7", "(SELECT hash FROM events WHERE sequence = 5)"),
              HasSubstr("predecessor"));
  EXPECT_THAT(InsertEvent("9", "7", kHead), HasSubstr("next"));
  EXPECT_EQ(InsertEvent("7", "7", kHead), "");
}

TEST_F(ConstraintsTest, RefusesAFork) {
  // Two children of one parent, also with the trigger out of the way.
  EXPECT_EQ(raw_->Run("DROP TRIGGER events_link"), "");
  EXPECT_THAT(InsertEvent("7", "6", "randomblob(32)"), HasSubstr("UNIQUE"));
  EXPECT_THAT(InsertEvent("7", "9", "(SELECT hash FROM events WHERE sequence = 3)"),
              HasSubstr("UNIQUE"));
}

TEST_F(ConstraintsTest, RefusesToChangeOrDeleteWhatHappened) {
  for (const char* table :
       {"store", "agents", "scopes", "events", "payloads", "sources", "artifacts",
        "artifact_revisions", "artifact_sources", "reinforcements", "entities", "entity_aliases",
        "mentions", "predicates", "relations", "relation_sources"}) {
    EXPECT_NE(raw_->One(std::string("SELECT count(*) FROM ") + table), "0") << table;
    EXPECT_THAT(raw_->Run(std::string("DELETE FROM ") + table), HasSubstr("never deleted"))
        << table;
    const std::string column = raw_->One(std::string("SELECT name FROM pragma_table_info('") +
                                         table + "') WHERE name <> 'id' LIMIT 1");
    EXPECT_NE(raw_->Run(std::string("UPDATE ") + table + " SET " + column + " = " + column), "")
        << table;
  }
}

TEST_F(ConstraintsTest, AddsNothingToAnEventThatEnded) {
  EXPECT_THAT(raw_->Run("INSERT INTO artifacts(id, scope_id, ordinal, event_id, kind, verbatim)"
                        " VALUES (50, 1, 50, 4, 0, 0)"),
              HasSubstr("closed"));
  EXPECT_THAT(raw_->Run("INSERT INTO artifact_sources VALUES (1, 1, 3, 4, 1, 0, 1)"),
              HasSubstr("closed"));
}

TEST_F(ConstraintsTest, KeepsNoRowWithoutItsEvent) {
  EXPECT_THAT(raw_->Run("INSERT INTO artifacts(id, scope_id, ordinal, event_id, kind, verbatim)"
                        " VALUES (50, 1, 50, 7, 0, 0)"),
              HasSubstr("FOREIGN KEY"));
}

TEST_F(ConstraintsTest, KeepsNoBeliefWithoutEvidence) {
  const std::string revision =
      "INSERT INTO artifact_revisions SELECT 1, 3, 1, 3, 7, 0, 0, 0, content_id, NULL, NULL,"
      " NULL, 0, 0.5, 0, 1, NULL, NULL, NULL, 0, NULL, NULL, 0, 1 FROM artifact_revisions"
      " WHERE revision = 1;";
  const std::string relation =
      "INSERT INTO relations SELECT 9, 1, 9, 7, 0, 9, subject_entity_id, predicate_id,"
      " object_entity_id, 0, NULL, 0, 1, 0, NULL, NULL, 1 FROM relations WHERE id = 1;";
  for (const std::string& belief : {revision, relation}) {
    EXPECT_EQ(raw_->Run("BEGIN"), "");
    EXPECT_EQ(raw_->Run(belief), "");
    EXPECT_EQ(InsertEvent("7", "7", kHead), "");
    EXPECT_THAT(raw_->Run("COMMIT"), HasSubstr("FOREIGN KEY")) << belief;
    EXPECT_EQ(raw_->Run("ROLLBACK"), "");
  }
  // With evidence both stand.
  EXPECT_EQ(raw_->Run("BEGIN"), "");
  EXPECT_EQ(raw_->Run(revision), "");
  EXPECT_EQ(raw_->Run("INSERT INTO artifact_sources VALUES (1, 3, 1, 7, 1, 0, 1)"), "");
  EXPECT_EQ(raw_->Run(relation), "");
  EXPECT_EQ(raw_->Run("INSERT INTO relation_sources VALUES (9, 1, 7, 1)"), "");
  EXPECT_EQ(InsertEvent("7", "7", kHead), "");
  EXPECT_EQ(raw_->Run("COMMIT"), "");
}

TEST_F(ConstraintsTest, CountsRevisionsWithoutAGap) {
  for (const char* revision : {"1", "2", "4"}) {
    EXPECT_THAT(raw_->Run(std::string("INSERT INTO artifact_revisions SELECT 1, ") + revision +
                          ", 1, 9, 7, 0, 0, 0, content_id, NULL, NULL, NULL, 0, 0.5, 0, 1, NULL,"
                          " NULL, NULL, 0, NULL, NULL, 0, 1 FROM artifact_revisions LIMIT 1"),
                HasSubstr("next one"));
  }
}

TEST_F(ConstraintsTest, ErasesAPayloadWholeOrNotAtAll) {
  const std::string where = " WHERE id = (SELECT content_id FROM sources)";
  EXPECT_NE(raw_->Run("UPDATE payloads SET content = NULL" + where), "");
  EXPECT_NE(raw_->Run("UPDATE payloads SET content = x'41'" + where), "");
  EXPECT_NE(raw_->Run("UPDATE payloads SET salt = NULL, content = NULL, lookup = NULL,"
                      " commitment = zeroblob(32)" +
                      where),
            "");
  EXPECT_EQ(raw_->Run("UPDATE payloads SET salt = NULL, content = NULL, lookup = NULL" + where),
            "");
  EXPECT_NE(raw_->Run("UPDATE payloads SET salt = zeroblob(16), content = x'41'" + where), "")
      << "erased is erased";
  raw_.reset();
  auto store = MustOpen(dir_.path() / "store", OpenMode::kReadOnly);
  auto read = Must(store->Read());
  EXPECT_FALSE(Must(read->Text(sample_.source.content)));
  Must(read->Commitment(sample_.source.content));
  EXPECT_EQ(Must(read->Verify({})).first_problem, "") << "the chain stands without the text";
  EXPECT_EQ(Must(read->Verify({})).erased_payloads, 1);
}

TEST_F(ConstraintsTest, ChangesOfARelationOnlyItsExpiryOnce) {
  const std::string open = " WHERE expired_us IS NULL";
  EXPECT_NE(raw_->Run("UPDATE relations SET confidence = 0.1, expired_us = 1,"
                      " expired_event_id = 7" +
                      open),
            "");
  EXPECT_NE(raw_->Run("UPDATE relations SET expired_us = 1, expired_event_id = 6" + open), "")
      << "an event that ended expires nothing";
  EXPECT_NE(raw_->Run("UPDATE relations SET expired_us = NULL, expired_event_id = NULL"
                      " WHERE expired_us IS NOT NULL"),
            "");
  EXPECT_EQ(raw_->Run("BEGIN"), "");
  EXPECT_EQ(raw_->Run("UPDATE relations SET expired_us = 1, expired_event_id = 7" + open), "");
  EXPECT_NE(raw_->Run("UPDATE relations SET expired_us = 2 WHERE expired_us = 1"), "");
}

TEST_F(ConstraintsTest, RefusesValuesOutsideTheirRange) {
  const auto insert = [&](const char* values) {
    return raw_->Run(std::string("INSERT INTO artifact_revisions SELECT 1, 3, 1, 3, 7, 0, 0, 0,"
                                 " content_id, NULL, NULL, NULL, ") +
                     values + ", 0, 1 FROM artifact_revisions LIMIT 1");
  };
  constexpr char kRest[] = ", NULL, NULL, NULL, 0, NULL, NULL";
  EXPECT_THAT(insert((std::string("1.1, 0.5, 0, 1") + kRest).c_str()), HasSubstr("CHECK"));
  EXPECT_THAT(insert((std::string("0, -0.1, 0, 1") + kRest).c_str()), HasSubstr("CHECK"));
  EXPECT_THAT(insert((std::string("0, 0.5, 2, 1") + kRest).c_str()), HasSubstr("CHECK"));
  EXPECT_THAT(insert((std::string("0, 0.5, 0, 1.5") + kRest).c_str()), HasSubstr("CHECK"));
  EXPECT_THAT(insert("0, 0.5, 0, 1, NULL, NULL, NULL, 0, 5, 5"), HasSubstr("CHECK"));
}

}  // namespace
}  // namespace souvenance::storage
