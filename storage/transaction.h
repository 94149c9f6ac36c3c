// What a Store and its transactions are made of. Private to this folder.
#pragma once

#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "storage/chain.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/lock.h"
#include "storage/store.h"

namespace souvenance::storage {

// Thread-safety: thread-safe; mutex guards idle_readers and idle_writer.
struct StoreCore {
  StoreOptions options;
  std::filesystem::path directory;  // canonical
  std::filesystem::path database;
  bool immutable = false;
  std::string store_id;
  std::string lookup_key;
  std::unique_ptr<StoreLock> lock;  // null when read-only

  std::mutex mutex;
  std::vector<std::unique_ptr<Connection>> idle_readers;
  std::unique_ptr<Connection> idle_writer;

  bool read_only() const { return options.mode == OpenMode::kReadOnly; }
  std::unique_ptr<Connection> LendReader();
  std::unique_ptr<Connection> LendWriter();
  void GiveBackReader(std::unique_ptr<Connection> connection);
  void GiveBackWriter(std::unique_ptr<Connection> connection);
  // The caller holds the lock. Throws Failure.
  bool Checkpoint(Connection& connection);

  // The key under which an interned payload is found: it names nobody to who lacks lookup_key.
  Digest Lookup(AgentId agent, ScopeId scope, PayloadKind kind, std::string_view text) const;
};

struct Store::Impl : StoreCore {};

struct ScopeFacts {
  AgentId agent{};
  std::string name;  // as FormatScope writes it
  Digest commitment{};
};

struct SourceFacts {
  ScopeId scope{};
  Ordinal ordinal = 0;
  std::int64_t length = 0;  // of the content; -1 when it was erased
};

struct WriteState {
  std::unique_ptr<StoreLock::Hold> hold;

  struct OpenEvent {
    EventId id{};
    AgentId agent{};
    ScopeId scope{};
    Digest agent_commitment{};
    Digest scope_commitment{};
    EventKind kind = EventKind::kRemembered;
    Timestamp at{};
    PayloadId reason = kNoPayload;
    ChainHead previous;
    std::vector<std::string> rows;  // encoded
    PayloadId source_content = kNoPayload;
    PayloadId revision_content = kNoPayload;
  };
  std::optional<OpenEvent> event;

  // Asked of the database once a transaction, counted here afterwards.
  std::map<std::pair<const char*, std::int64_t>, std::int64_t> counters;
  std::unordered_map<std::int64_t, ChainHead> heads;  // by agent
  std::unordered_map<std::string, PayloadId> interned;
  std::unordered_map<std::int64_t, Digest> commitments;  // by payload
  std::unordered_map<std::int64_t, ScopeFacts> scopes;
  std::unordered_map<std::int64_t, SourceFacts> sources;
  std::unordered_map<std::int64_t, std::pair<ScopeId, Ordinal>> artifacts;
  std::unordered_map<std::int64_t, std::int64_t> dimensions;  // by embedding space
  std::string random;                                         // salts drawn ahead
};

// One transaction, and its connection while it lasts.
struct TransactionState {
  StoreCore* store = nullptr;
  std::unique_ptr<Connection> connection;
  EventId change{};             // when the snapshot was taken
  std::optional<Error> failed;  // a write failed: nothing of it may be committed
  bool over = false;
  std::unique_ptr<WriteState> write;  // null in a read transaction

  ~TransactionState();
  Connection::Loan Use(const char* sql) { return connection->Use(sql); }
};

struct ReadTransaction::Connection : TransactionState {};

// Runs `body`, and makes a Result of what it returns or throws. A failure poisons a write
// transaction, except one that says that nothing was written.
template <typename Body>
auto Guard(TransactionState& state, const char* doing, Body&& body)
    -> Result<std::invoke_result_t<Body>> {
  if (state.over) return Fail(ErrorCode::kInternal, std::string(doing) + ": transaction is over");
  if (state.failed) {
    return Fail(state.failed->code, std::string(doing) + ": an earlier write of this " +
                                        "transaction failed: " + state.failed->message);
  }
  Error error;
  bool harmless = false;
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
      body();
      return {};
    } else {
      return body();
    }
  } catch (const Failure& failure) {
    error = failure.error;
    harmless = failure.harmless;
    error.message = std::string(doing) + ": " + error.message;
  } catch (const std::exception& exception) {
    error = {ErrorCode::kInternal, std::string(doing) + ": " + exception.what(), {}};
  }
  if (!harmless && state.write) state.failed = error;
  return Fail(std::move(error));
}

// ---- Shared by the reading and the writing part ----

constexpr char kSelectLastEvent[] = "SELECT max(id) FROM events";

std::optional<PayloadId> FindPayload(TransactionState& state, const Digest& lookup);
// Throws kInternal for an id that does not exist.
Digest CommitmentOf(TransactionState& state, PayloadId id);
ChainHead HeadOf(TransactionState& state, AgentId agent);

inline Digest ToDigest(std::string_view bytes) {
  Digest digest{};
  if (bytes.size() == digest.size()) {
    for (std::size_t i = 0; i < digest.size(); ++i) {
      digest[i] = static_cast<std::uint8_t>(bytes[i]);
    }
  }
  return digest;
}

}  // namespace souvenance::storage
