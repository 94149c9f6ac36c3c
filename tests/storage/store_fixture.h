// A store in a folder of its own, with salts that depend on nothing but scope and count.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "storage/sha256.h"
#include "storage/store.h"

namespace souvenance::storage {

inline Timestamp At(std::int64_t second) { return FromMicros(second * 1000000); }

class TempDir {
 public:
  TempDir() {
    std::string name = (std::filesystem::temp_directory_path() / "souvenance-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TempDir() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline Salt SeededSalt(std::string_view scope, std::uint64_t count) {
  const Digest digest = Sha256(std::string(scope) + "#" + std::to_string(count));
  Salt salt{};
  std::copy_n(digest.begin(), salt.size(), salt.begin());
  return salt;
}

inline StoreOptions Options(const std::filesystem::path& path, OpenMode mode) {
  StoreOptions options;
  options.path = path;
  options.mode = mode;
  options.salt = SeededSalt;
  return options;
}

// The value of a result, or a failed test.
template <typename T>
T Must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().message;
    throw std::runtime_error(result.error().message);
  }
  return std::move(*result);
}
inline void Must(const Result<void>& result) {
  if (!result) {
    ADD_FAILURE() << result.error().message;
    throw std::runtime_error(result.error().message);
  }
}

inline std::unique_ptr<Store> MustOpen(const std::filesystem::path& path,
                                       OpenMode mode = OpenMode::kCreate) {
  return Must(Store::Open(Options(path, mode)));
}

// SQL past the library, as somebody with the file would write it.
class RawDatabase {
 public:
  explicit RawDatabase(const std::filesystem::path& store) {
    if (sqlite3_open((store / "truth.db").c_str(), &db_) != SQLITE_OK) {
      ADD_FAILURE() << sqlite3_errmsg(db_);
    }
    Run("PRAGMA foreign_keys=ON");
  }
  ~RawDatabase() { sqlite3_close(db_); }
  RawDatabase(const RawDatabase&) = delete;
  RawDatabase& operator=(const RawDatabase&) = delete;

  // The error's message, empty when all went well.
  std::string Run(const std::string& sql) {
    char* message = nullptr;
    sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, &message);
    std::string text = message == nullptr ? "" : message;
    sqlite3_free(message);
    return text;
  }
  // The rows, each value as text.
  std::vector<std::vector<std::string>> Rows(const std::string& sql) {
    std::vector<std::vector<std::string>> rows;
    char* message = nullptr;
    sqlite3_exec(
        db_, sql.c_str(),
        [](void* out, int count, char** values, char**) {
          auto& row = static_cast<std::vector<std::vector<std::string>>*>(out)->emplace_back();
          for (int i = 0; i < count; ++i) row.emplace_back(values[i] ? values[i] : "NULL");
          return 0;
        },
        &rows, &message);
    if (message != nullptr) {
      ADD_FAILURE() << sql << ": " << message;
      sqlite3_free(message);
    }
    return rows;
  }
  std::string One(const std::string& sql) {
    const auto rows = Rows(sql);
    return rows.empty() ? "" : rows[0][0];
  }
  // Takes away everything that guards the rows.
  void DropTriggers() {
    for (const auto& row : Rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'")) {
      EXPECT_EQ(Run("DROP TRIGGER " + row[0]), "");
    }
  }
  void StopGuarding() {
    Run("PRAGMA foreign_keys=OFF");
    Run("PRAGMA ignore_check_constraints=ON");
    Run("PRAGMA synchronous=OFF");
  }

 private:
  sqlite3* db_ = nullptr;
};

// Writes at least one row into every table of the chain that has a writer: two scopes, a source
// with a verbatim artifact, a revision, entities, an expired relation and its successor.
struct Sample {
  AgentId agent{};
  ScopeId open{};
  ScopeId secret{};
  SourceRow source;
  RevisionRow artifact;
  EntityId alice{};
  EntityId paris{};
  RelationRow relation;
};

inline Sample WriteSample(Store& store) {
  Sample s;
  auto tx = Must(store.Write());
  s.agent = Must(tx->EnsureAgent("default", At(1)));
  s.open = Must(tx->EnsureScope(s.agent, Scope{}, At(2))).id;
  s.secret = Must(tx->EnsureScope(s.agent, Scope{ScopeKind::kPrivate, "bob"}, At(3))).id;

  Must(tx->BeginEvent(s.agent, s.open, EventKind::kRemembered, At(10), "because"));
  NewSource source;
  source.content = "Alice lives in Paris.";
  source.external_id = "m1";
  source.session = "s1";
  source.speaker = "Alice";
  source.subject = "Alice";
  source.metadata_json = "{\"k\":1}";
  source.event_time = At(5);
  source.received_at = At(6);
  s.source = Must(tx->AddSource(source));
  const NewEvidence evidence[] = {{s.source.id, 0, 21}, {s.source.id, 0, 5}};
  NewRevision revision;
  revision.content_payload = s.source.content;
  revision.gist = "where Alice lives";
  revision.tags_json = "[\"home\"]";
  revision.emotion = "joy";
  revision.emotion_intensity = 0.25;
  revision.session = "s1";
  revision.speaker = "Alice";
  revision.subject = "Alice";
  revision.event_time = At(5);
  revision.valid_at = At(4);
  revision.invalid_at = At(400);
  revision.evidence = evidence;
  s.artifact = Must(tx->AddArtifact(ArtifactKind::kScene, true, revision));
  s.alice = Must(tx->AddEntity("Alice", "alice", "person"));
  s.paris = Must(tx->AddEntity("Paris", "paris", "place"));
  Must(tx->AddAlias(s.alice, "Ali", "ali"));
  Must(tx->AddMention({s.artifact.artifact, 1, s.alice, {}, 0, 5}));
  const std::int64_t predicate = Must(tx->AddPredicate("lives_in", false));
  NewRelation relation;
  relation.subject = s.alice;
  relation.predicate = predicate;
  relation.object = s.paris;
  relation.valid_at = At(5);
  const SourceId sources[] = {s.source.id};
  relation.evidence = sources;
  s.relation = Must(tx->AddRelation(relation));
  Must(tx->AddPending(PendingKind::kPerceive, Raw(s.source.id)));
  Must(tx->EndEvent());

  Must(tx->BeginEvent(s.agent, s.open, EventKind::kRevised, At(20)));
  revision.content_payload = kNoPayload;
  revision.content = "Alice lived in Paris.";
  revision.tags_json = "";
  Must(tx->AddRevision(s.artifact.artifact, revision));
  Must(tx->ExpireRelation(s.relation.id, At(20)));
  relation.origin = RelationOrigin::kDerived;
  relation.asserted = s.relation.id;
  relation.invalid_at = At(15);
  Must(tx->AddRelation(relation));
  Must(tx->AddPredicate("lives_in", true));
  Must(tx->EndEvent());

  Must(tx->BeginEvent(s.agent, s.secret, EventKind::kReinforced, At(30)));
  Must(tx->AddReinforcement(s.artifact.artifact, ReinforcementKind::kSpoken, "s2", 0.3, At(30)));
  Must(tx->EndEvent());
  Must(tx->Commit());
  return s;
}

}  // namespace souvenance::storage
