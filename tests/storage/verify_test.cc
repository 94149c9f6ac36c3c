// Whatever is edited behind the library's back is found.
#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <set>

#include "tests/storage/store_fixture.h"

namespace souvenance::storage {
namespace {

namespace fs = std::filesystem;

class VerifyTest : public testing::Test {
 protected:
  VerifyTest() {
    auto store = MustOpen(dir_.path() / "store");
    sample_ = WriteSample(*store);
    head_ = Must(Must(store->Read())->Head(sample_.agent));
  }

  VerifyReport Verify(const fs::path& path) {
    auto store = MustOpen(path, OpenMode::kReadOnly);
    return Must(Must(store->Read())->Verify({}));
  }

  // The report on a copy after `sql`; nullopt when the database would not take it.
  std::optional<VerifyReport> AfterEdit(const std::string& sql) {
    const fs::path copy = dir_.path() / "copy";
    fs::remove_all(copy);
    fs::copy(dir_.path() / "store", copy, fs::copy_options::recursive);
    {
      RawDatabase raw(copy);
      const auto triggers =
          raw.Rows("SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid");
      raw.StopGuarding();
      EXPECT_EQ(raw.Run("BEGIN"), "");
      raw.DropTriggers();
      const std::string error = raw.Run(sql);
      if (!error.empty()) {
        ADD_FAILURE() << sql << ": " << error;
        return std::nullopt;
      }
      for (const auto& trigger : triggers) EXPECT_EQ(raw.Run(trigger[0]), "");
      EXPECT_EQ(raw.Run("COMMIT"), "");
    }
    return Verify(copy);
  }

  TempDir dir_;
  Sample sample_;
  ChainHead head_;
};

// Runs the independent program; its output and exit code.
std::pair<std::string, int> RunVerifier(const fs::path& store) {
  const std::string command =
      "python3 " SOUVENANCE_SOURCE_DIR "/tests/storage/verify_chain.py " + store.string() + " 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");
  std::string output;
  std::array<char, 256> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) output += buffer.data();
  const int status = ::pclose(pipe);
  return {output, WEXITSTATUS(status)};
}

TEST_F(VerifyTest, FindsNothingWrongWithWhatTheLibraryWrote) {
  std::int64_t calls = 0;
  auto store = MustOpen(dir_.path() / "store", OpenMode::kReadOnly);
  const VerifyReport report = Must(Must(store->Read())->Verify([&](std::int64_t) { ++calls; }));
  EXPECT_EQ(report.first_problem, "");
  EXPECT_EQ(report.events, 6);
  EXPECT_EQ(calls, 6);
  EXPECT_EQ(report.sources, 1);
  EXPECT_EQ(report.artifacts, 1);
  EXPECT_EQ(report.relations, 2);
  ASSERT_EQ(report.heads.size(), 1u);
  EXPECT_EQ(report.heads[0].first, "default");
  EXPECT_EQ(report.heads[0].second.hash, head_.hash);
}

TEST_F(VerifyTest, AgreesWithAnIndependentProgram) {
  const auto [output, code] = RunVerifier(dir_.path() / "store");
  EXPECT_EQ(code, 0) << output;
  EXPECT_EQ(output, "default 6 " + Hex(head_.hash) + "\n");
  AfterEdit("UPDATE sources SET event_time_us = event_time_us + 1");
  const auto [complaint, failed] = RunVerifier(dir_.path() / "copy");
  EXPECT_EQ(failed, 3);
  EXPECT_EQ(complaint, "event 4: the rows do not match\n");
}

TEST_F(VerifyTest, FindsAnEditOfEachColumnOfEachTable) {
  // What no digest covers: row numbers that nothing refers to, and the day of creation.
  const std::set<std::string> uncovered = {"reinforcements.id", "store.store_id",
                                           "store.created_us", "store.id"};
  RawDatabase raw(dir_.path() / "store");
  int edits = 0;
  for (const char* table :
       {"store", "agents", "scopes", "events", "payloads", "sources", "artifacts",
        "artifact_revisions", "artifact_sources", "reinforcements", "entities", "entity_aliases",
        "mentions", "predicates", "relations", "relation_sources"}) {
    const auto columns =
        raw.Rows(std::string("SELECT name, type, pk FROM pragma_table_info('") + table + "')");
    std::string key;
    std::string last;
    for (const auto& column : columns) {
      if (column[2] == "0") continue;
      key += (key.empty() ? "" : ", ") + column[0];
      last += (last.empty() ? "" : ", ") + column[0] + " DESC";
    }
    const std::string row = " WHERE (" + key + ") = (SELECT " + key + " FROM " + table +
                            " ORDER BY " + last + " LIMIT 1)";
    for (const auto& column : columns) {
      const std::string& name = column[0];
      if (uncovered.count(std::string(table) + "." + name) != 0) continue;
      std::string value = "coalesce(" + name + ", 0) + 1";
      if (column[1] == "REAL") value = name + " * 0.5 + 0.1";
      if (column[1] == "TEXT") value = name + " || 'x'";
      if (column[1] == "BLOB") {
        value = "CASE WHEN " + name + " IS NULL THEN zeroblob(32) ELSE substr(" + name +
                ", 1, length(" + name + ") - 1) || CASE WHEN substr(" + name +
                ", -1) = x'00' THEN x'01' ELSE x'00' END END";
        value = "CAST(" + value + " AS BLOB)";
      }
      const std::string sql = std::string("UPDATE ") + table + " SET " + name + " = " + value + row;
      const auto report = AfterEdit(sql);
      ++edits;
      EXPECT_TRUE(!report || !report->first_problem.empty()) << "not found: " << sql;
    }
  }
  EXPECT_GT(edits, 100);
}

TEST_F(VerifyTest, NamesTheEventWhereTheChainBreaks) {
  const auto report = AfterEdit("UPDATE sources SET event_time_us = 0");
  EXPECT_EQ(report->bad_sequence, 4);
  EXPECT_EQ(report->first_problem, "event 4: the rows that it wrote do not match their digest");
  EXPECT_EQ(AfterEdit("UPDATE events SET recorded_us = 1 WHERE sequence = 5")->bad_sequence, 5);
  EXPECT_EQ(AfterEdit("UPDATE payloads SET content = x'41' WHERE id ="
                      " (SELECT content_id FROM sources)")
                ->bad_sequence,
            4);
}

TEST_F(VerifyTest, FindsWhatWasAddedOrTakenAway) {
  for (const char* sql :
       {"DELETE FROM mentions", "DELETE FROM reinforcements", "DELETE FROM entity_aliases",
        "DELETE FROM artifact_sources WHERE position = 2", "DELETE FROM events WHERE sequence = 4",
        "UPDATE relations SET expired_us = NULL, expired_event_id = NULL",
        "INSERT INTO mentions VALUES (4, 1, 2, 1, 0, 3)",
        "INSERT INTO artifact_sources VALUES (1, 1, 3, 4, 1, 0, 3)",
        "INSERT INTO reinforcements VALUES (9, 2, 6, 1, 0, NULL, 0.1, 0)",
        "INSERT INTO reflections SELECT 1, 1, 1, 4, content_id, NULL, NULL, 0 FROM sources",
        "INSERT INTO artifacts VALUES (9, 1, 2, 99, 0, 0)"}) {
    EXPECT_NE(AfterEdit(sql)->first_problem, "") << sql;
  }
}

TEST_F(VerifyTest, CannotSeeACutTailButTheReceiptDoes) {
  const auto report = AfterEdit(
      "DELETE FROM reinforcements; DELETE FROM payloads WHERE event_id = 6;"
      "DELETE FROM events WHERE sequence = 6");
  EXPECT_EQ(report->first_problem, "");
  EXPECT_EQ(report->heads[0].second.sequence, 5);
  EXPECT_LT(report->heads[0].second.sequence, head_.sequence) << "the receipt says more";
}

TEST_F(VerifyTest, ReportsADamagedPage) {
  const fs::path copy = dir_.path() / "copy";
  fs::copy(dir_.path() / "store", copy, fs::copy_options::recursive);
  std::FILE* file = std::fopen((copy / "truth.db").c_str(), "r+b");
  // The root page of some table in the middle of the file.
  std::fseek(file, 4096 * 12, SEEK_SET);
  for (int i = 0; i < 64; ++i) std::fputc(0x5a, file);
  std::fclose(file);
  auto store = Store::Open(Options(copy, OpenMode::kReadOnly));
  if (!store) {
    EXPECT_EQ(store.error().code, ErrorCode::kCorruption);
    return;
  }
  const auto report = Must((*store)->Read())->Verify({});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_NE(report->first_problem, "");
}

}  // namespace
}  // namespace souvenance::storage
