// Several writers, in threads and in processes, and readers beside them.
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "tests/storage/store_fixture.h"

namespace souvenance::storage {
namespace {

// One event with one source.
bool Remember(Store& store, const std::string& id) {
  auto tx = store.Write();
  if (!tx) return false;
  const auto agent = (*tx)->EnsureAgent("default", At(1));
  if (!agent) return false;
  const auto scope = (*tx)->EnsureScope(*agent, Scope{}, At(1));
  if (!scope) return false;
  if (!(*tx)->BeginEvent(*agent, scope->id, EventKind::kRemembered, At(2))) return false;
  NewSource source;
  source.content = id;
  source.external_id = id;
  return (*tx)->AddSource(source) && (*tx)->EndEvent() && (*tx)->Commit();
}

TEST(Concurrency, AReaderKeepsItsSnapshotBesideAWriter) {
  TempDir dir;
  auto store = MustOpen(dir.path() / "store");
  ASSERT_TRUE(Remember(*store, "one"));
  auto before = Must(store->Read());
  const ScopeId scope = Must(before->FindScope(AgentId{1}, Scope{}))->id;
  ASSERT_TRUE(Remember(*store, "two"));
  EXPECT_FALSE(Must(before->FindSourceByExternalId(scope, "two")));
  EXPECT_EQ(Must(before->Change()), EventId{3});
  auto after = Must(store->Read());
  EXPECT_TRUE(Must(after->FindSourceByExternalId(scope, "two")));
  EXPECT_EQ(Must(after->Change()), EventId{4});
}

TEST(Concurrency, AWriterSeesItsOwnRowsAndNobodyElseDoes) {
  TempDir dir;
  auto store = MustOpen(dir.path() / "store");
  ASSERT_TRUE(Remember(*store, "one"));
  auto tx = Must(store->Write());
  Must(tx->BeginEvent(AgentId{1}, ScopeId{1}, EventKind::kRemembered, At(2)));
  NewSource source;
  source.content = source.external_id = "two";
  Must(tx->AddSource(source));
  EXPECT_TRUE(Must(tx->FindSourceByExternalId(ScopeId{1}, "two")));
  EXPECT_FALSE(Must(Must(store->Read())->FindSourceByExternalId(ScopeId{1}, "two")));
}

TEST(Concurrency, ASecondWriterWaitsAndThenSaysBusy) {
  TempDir dir;
  auto store = MustOpen(dir.path() / "store");
  StoreOptions options = Options(dir.path() / "store", OpenMode::kReadWrite);
  options.busy_timeout = std::chrono::milliseconds(30);
  auto other = Must(Store::Open(options));
  auto tx = Must(store->Write());
  const auto refused = other->Write();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBusy);
  EXPECT_FALSE(Must(other->Checkpoint())) << "no checkpoint beside a writer";
  EXPECT_TRUE(other->Read());
  tx.reset();
  EXPECT_TRUE(other->Write());
}

TEST(Concurrency, ThreadsAndProcessesWriteOneChain) {
  constexpr int kProcesses = 3;
  constexpr int kThreads = 2;
  constexpr int kWrites = 10;
  TempDir dir;
  const auto path = dir.path() / "store";
  MustOpen(path).reset();
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p) {
    const pid_t child = ::fork();
    if (child == 0) {
      // No store was open when this process was made.
      auto store = Store::Open(Options(path, OpenMode::kReadWrite));
      bool ok = store.has_value();
      std::vector<std::thread> threads;
      std::array<bool, kThreads> done{};
      for (std::size_t t = 0; ok && t < kThreads; ++t) {
        threads.emplace_back([&, t] {
          done[t] = true;
          for (int i = 0; i < kWrites; ++i) {
            done[t] = done[t] && Remember(**store, std::to_string(p) + "." + std::to_string(t) +
                                                       "." + std::to_string(i));
          }
        });
      }
      for (std::thread& thread : threads) thread.join();
      for (const bool each : done) ok = ok && each;
      if (ok) store->reset();
      ::_exit(ok ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  auto store = MustOpen(path, OpenMode::kReadOnly);
  const VerifyReport report = Must(Must(store->Read())->Verify({}));
  EXPECT_EQ(report.first_problem, "");
  EXPECT_EQ(report.sources, kProcesses * kThreads * kWrites);
  EXPECT_EQ(report.events, 2 + kProcesses * kThreads * kWrites);
}

TEST(Concurrency, AKilledWriterFreesTheLockAndLosesNoAcknowledgedWrite) {
  TempDir dir;
  const auto path = dir.path() / "store";
  MustOpen(path).reset();
  for (int round = 0; round < 5; ++round) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      auto store = Store::Open(Options(path, OpenMode::kReadWrite));
      for (int i = 0; store; ++i) {
        if (!Remember(**store, std::to_string(round) + "." + std::to_string(i))) break;
        if (::write(ends[1], &i, sizeof i) != sizeof i) break;
      }
      ::_exit(1);
    }
    ::close(ends[1]);
    int last = -1;
    while (last < 5 + round && ::read(ends[0], &last, sizeof last) == sizeof last) {
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    while (::read(ends[0], &last, sizeof last) == sizeof last) {
    }
    ::close(ends[0]);
    auto store = MustOpen(path, OpenMode::kReadWrite);
    auto read = Must(store->Read());
    for (int i = 0; i <= last; ++i) {
      EXPECT_TRUE(Must(read->FindSourceByExternalId(
          ScopeId{1}, std::to_string(round) + "." + std::to_string(i))));
    }
    EXPECT_EQ(Must(read->Verify({})).first_problem, "");
    read.reset();
    ASSERT_TRUE(Remember(*store, "after " + std::to_string(round)));
  }
}

}  // namespace
}  // namespace souvenance::storage
