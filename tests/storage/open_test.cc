// What Open accepts, refuses, and never does.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "tests/storage/store_fixture.h"

namespace souvenance::storage {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

ErrorCode CodeOf(const fs::path& path, OpenMode mode) {
  const auto store = Store::Open(Options(path, mode));
  EXPECT_FALSE(store);
  return store ? ErrorCode::kInternal : store.error().code;
}

void WriteFile(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

TEST(Open, CreatesAStoreForItsOwnerAlone) {
  TempDir dir;
  const fs::path path = dir.path() / "a" / "store";
  auto store = MustOpen(path);
  EXPECT_EQ(store->store_id().size(), 32u);
  EXPECT_EQ(store->index_path(), path / "index");
  const std::string id = store->store_id();
  WriteSample(*store);
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    ASSERT_EQ(::stat(entry.path().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u) << entry.path();
  }
  store.reset();
  EXPECT_EQ(MustOpen(path, OpenMode::kCreate)->store_id(), id) << "an existing one is opened";
}

TEST(Open, ReadingNeverCreates) {
  TempDir dir;
  EXPECT_EQ(CodeOf(dir.path() / "none", OpenMode::kReadOnly), ErrorCode::kNotFound);
  EXPECT_EQ(CodeOf(dir.path() / "none", OpenMode::kReadWrite), ErrorCode::kNotFound);
  EXPECT_EQ(CodeOf(dir.path(), OpenMode::kReadOnly), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(dir.path(), OpenMode::kReadWrite), ErrorCode::kInvalidArgument);
  EXPECT_TRUE(fs::is_empty(dir.path()));
}

TEST(Open, TurnsNoOtherDirectoryIntoAStore) {
  TempDir dir;
  WriteFile(dir.path() / "thesis.txt", "x");
  EXPECT_EQ(CodeOf(dir.path(), OpenMode::kCreate), ErrorCode::kAlreadyExists);
  EXPECT_FALSE(fs::exists(dir.path() / "truth.db"));
  EXPECT_FALSE(fs::exists(dir.path() / "lock"));
  EXPECT_EQ(CodeOf(dir.path() / "thesis.txt", OpenMode::kCreate), ErrorCode::kAlreadyExists);
  EXPECT_EQ(CodeOf(dir.path() / "thesis.txt", OpenMode::kReadOnly), ErrorCode::kInvalidArgument);
}

TEST(Open, FinishesACreationThatWasCutShort) {
  TempDir dir;
  WriteFile(dir.path() / "truth.db.new", "half of a");
  WriteFile(dir.path() / "truth.db.new-wal", "file");
  WriteFile(dir.path() / "lock", "");
  EXPECT_EQ(CodeOf(dir.path(), OpenMode::kReadOnly), ErrorCode::kNotFound);
  EXPECT_EQ(CodeOf(dir.path(), OpenMode::kReadWrite), ErrorCode::kNotFound);
  WriteSample(*MustOpen(dir.path()));
  EXPECT_FALSE(fs::exists(dir.path() / "truth.db.new"));
}

TEST(Open, AnEmptyTruthIsNoStoreOfOurs) {
  TempDir dir;
  WriteFile(dir.path() / "truth.db", "");
  for (const OpenMode mode : {OpenMode::kReadOnly, OpenMode::kReadWrite, OpenMode::kCreate}) {
    EXPECT_EQ(CodeOf(dir.path(), mode), ErrorCode::kInvalidArgument);
  }
}

TEST(Open, RefusesTheFileOfAnotherProgram) {
  TempDir dir;
  const std::string garbage(8192, 'x');
  WriteFile(dir.path() / "truth.db", garbage);
  for (const OpenMode mode : {OpenMode::kReadOnly, OpenMode::kReadWrite, OpenMode::kCreate}) {
    EXPECT_EQ(CodeOf(dir.path(), mode), ErrorCode::kInvalidArgument);
  }
  fs::remove(dir.path() / "truth.db");
  RawDatabase(dir.path()).Run("CREATE TABLE mine(x)");
  for (const OpenMode mode : {OpenMode::kReadOnly, OpenMode::kReadWrite, OpenMode::kCreate}) {
    const auto store = Store::Open(Options(dir.path(), mode));
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(store.error().message, HasSubstr("is no store"));
  }
}

TEST(Open, RefusesANewerSchemaAndAChangedOne) {
  TempDir dir;
  const fs::path path = dir.path() / "store";
  MustOpen(path).reset();
  RawDatabase(path).Run("PRAGMA user_version=2");
  EXPECT_EQ(CodeOf(path, OpenMode::kReadOnly), ErrorCode::kConfiguration);
  EXPECT_EQ(CodeOf(path, OpenMode::kCreate), ErrorCode::kConfiguration);
  RawDatabase(path).Run("PRAGMA user_version=1");
  MustOpen(path, OpenMode::kReadOnly).reset();
  RawDatabase(path).Run("CREATE VIEW extra AS SELECT 1");
  EXPECT_EQ(CodeOf(path, OpenMode::kReadOnly), ErrorCode::kCorruption);
  RawDatabase(path).Run(
      "DROP VIEW extra; DROP TRIGGER mentions_no_delete;"
      "CREATE TRIGGER mentions_no_delete BEFORE DELETE ON mentions BEGIN SELECT 1; END");
  EXPECT_EQ(CodeOf(path, OpenMode::kReadOnly), ErrorCode::kCorruption) << "of the same name";
  RawDatabase(path).Run("DROP TRIGGER events_link");
  EXPECT_EQ(CodeOf(path, OpenMode::kReadWrite), ErrorCode::kCorruption);
}

TEST(Open, WritesNothingThroughAReadOnlyStore) {
  TempDir dir;
  const fs::path path = dir.path() / "store";
  WriteSample(*MustOpen(path));
  auto store = MustOpen(path, OpenMode::kReadOnly);
  EXPECT_TRUE(store->read_only());
  const auto tx = store->Write();
  ASSERT_FALSE(tx);
  EXPECT_EQ(tx.error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(Must(store->Checkpoint()));
}

TEST(Open, ACleanCloseLeavesAnEmptyWal) {
  TempDir dir;
  const fs::path path = dir.path() / "store";
  auto store = MustOpen(path);
  WriteSample(*store);
  EXPECT_GT(fs::file_size(path / "truth.db-wal"), 0u);
  store.reset();
  EXPECT_EQ(fs::file_size(path / "truth.db-wal"), 0u);
  // The main file alone is the whole store then.
  const fs::path copy = dir.path() / "copy";
  fs::create_directory(copy);
  fs::copy_file(path / "truth.db", copy / "truth.db");
  EXPECT_EQ(Must(Must(MustOpen(copy, OpenMode::kReadOnly)->Read())->Change()), EventId{6});
}

TEST(Open, ChecksTheWalInWhenItGrows) {
  TempDir dir;
  auto store = MustOpen(dir.path() / "store");
  const std::string text(1 << 20, 'x');
  for (int i = 0; i < 8; ++i) {
    auto tx = Must(store->Write());
    const AgentId agent = Must(tx->EnsureAgent("a", At(1)));
    const ScopeId scope = Must(tx->EnsureScope(agent, Scope{}, At(1))).id;
    Must(tx->BeginEvent(agent, scope, EventKind::kRemembered, At(1)));
    NewSource source;
    source.content = text;
    Must(tx->AddSource(source));
    Must(tx->EndEvent());
    Must(tx->Commit());
  }
  EXPECT_LT(fs::file_size(dir.path() / "store" / "truth.db-wal"), 6u << 20);
  EXPECT_GT(fs::file_size(dir.path() / "store" / "truth.db"), 3u << 20);
}

// A mount needs a namespace of its own, which not every machine allows.
TEST(Open, ReadsACleanlyClosedStoreOnAReadOnlyDisk) {
  if (const char* path = std::getenv("SOUVENANCE_READ_ONLY_STORE")) {
    auto store = MustOpen(path, OpenMode::kReadOnly);  // the child, inside the namespace
    EXPECT_EQ(Must(store->Change()), EventId{6});
    EXPECT_EQ(Must(Must(store->Read())->Verify({})).first_problem, "");
    const auto writing = Store::Open(Options(path, OpenMode::kReadWrite));
    if (writing) {
      EXPECT_FALSE((*writing)->Write());
    }
    return;
  }
  if (std::system("unshare -rm true 2>/dev/null") != 0) GTEST_SKIP() << "no namespaces here";
  TempDir dir;
  const fs::path path = dir.path() / "store";
  WriteSample(*MustOpen(path));
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const auto inside = [&] {
    const std::string command = "unshare -rm sh -c 'mount --bind " + path.string() + " " +
                                path.string() + " && mount -o remount,bind,ro " + path.string() +
                                " && SOUVENANCE_READ_ONLY_STORE=" + path.string() + " " + self +
                                " --gtest_filter=Open.ReadsACleanlyClosedStoreOnAReadOnlyDisk' >" +
                                (dir.path() / "log").string() + " 2>&1";
    const int status = std::system(command.c_str());
    if (status != 0) {
      std::ifstream log(dir.path() / "log");
      ADD_FAILURE() << std::string(std::istreambuf_iterator<char>(log), {});
    }
  };
  inside();
  // As it comes from a copy: without the files that WAL mode adds.
  fs::remove(path / "truth.db-wal");
  fs::remove(path / "truth.db-shm");
  inside();
}

}  // namespace
}  // namespace souvenance::storage
