#include "storage/store.h"

#include <fcntl.h>
#include <openssl/rand.h>
#include <souvenance/version.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <system_error>

#include "storage/sqlite/schema.h"
#include "storage/transaction.h"

namespace souvenance::storage {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxIdleReaders = 8;
constexpr std::int64_t kCheckpointBytes = 4 << 20;

constexpr char kSelectStore[] = "SELECT store_id, lookup_key FROM store WHERE id = 1";
constexpr char kInsertStore[] =
    "INSERT INTO store(id, store_id, lookup_key, created_us) VALUES (1, ?1, ?2, ?3)";
constexpr char kSelectSchema[] =
    "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";

[[noreturn]] void NoStore(const fs::path& directory, const std::string& why) {
  Throw(ErrorCode::kInvalidArgument, directory.string() + " is no store: " + why,
        "name a store, or make one with `souvenance init`");
}

std::int64_t PragmaNumber(Connection& connection, const std::string& pragma) {
  auto statement = connection.Prepare("PRAGMA " + pragma);
  return statement->Step() ? statement->Int(0) : 0;
}

bool IsEmptyDatabase(Connection& connection) {
  auto statement = connection.Prepare("SELECT count(*) FROM sqlite_schema");
  statement->Step();
  return statement->Int(0) == 0 && PragmaNumber(connection, "application_id") == 0;
}

// Whether this is a store of ours, of a version that we read, with our schema to the letter.
void CheckSchema(const StoreCore& core, Connection& connection) {
  if (PragmaNumber(connection, "application_id") != kApplicationId) {
    NoStore(core.directory, IsEmptyDatabase(connection)
                                ? "its truth.db is empty"
                                : "its truth.db is the file of another program");
  }
  const std::int64_t version = PragmaNumber(connection, "user_version");
  if (version > kSchemaVersion) {
    Throw(ErrorCode::kConfiguration,
          core.directory.string() + " has schema version " + std::to_string(version) +
              ", this program reads up to " + std::to_string(kSchemaVersion),
          "use a newer souvenance");
  }
  if (version != kSchemaVersion) {
    Throw(ErrorCode::kCorruption, core.directory.string() + " has the impossible schema version " +
                                      std::to_string(version));
  }
  std::map<std::string, std::string> found;
  auto statement = connection.Prepare(kSelectSchema);
  while (statement->Step()) {
    found[std::string(statement->Bytes(0))] = std::string(statement->Bytes(1));
  }
  for (const SchemaObject& object : SchemaVersion1()) {
    const auto it = found.find(object.name);
    if (it == found.end() || it->second != object.sql) {
      Throw(ErrorCode::kCorruption, core.directory.string() +
                                        ": the schema was changed: " + object.name +
                                        (it == found.end() ? " is missing" : " differs"));
    }
    found.erase(it);
  }
  if (!found.empty()) {
    Throw(ErrorCode::kCorruption, core.directory.string() + ": the schema was changed: " +
                                      found.begin()->first + " does not belong there");
  }
}

std::string RandomBytes(std::size_t count) {
  std::string bytes(count, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) != 1) {
    Throw(ErrorCode::kUnavailable, "the system gives no random numbers");
  }
  return bytes;
}

// The caller holds the lock. Everything but the journal mode is one transaction.
void CreateSchema(Connection& connection) {
  connection.Execute("BEGIN IMMEDIATE");
  for (const SchemaObject& object : SchemaVersion1()) connection.Execute(object.sql.c_str());
  const std::string id = RandomBytes(16);
  const std::string key = RandomBytes(16);
  const auto now = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
  connection.Prepare(kInsertStore)->Bind(Blob{id}, Blob{key}, Timestamp(now)).Run();
  connection.Execute(("PRAGMA application_id=" + std::to_string(kApplicationId)).c_str());
  connection.Execute(("PRAGMA user_version=" + std::to_string(kSchemaVersion)).c_str());
  connection.Execute("COMMIT");
}

constexpr char kUnfinished[] = "truth.db.new";

// What a creation that was cut short may leave behind, and nothing else.
bool OnlyOurFiles(const fs::path& directory) {
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (name != "lock" && name != "index" && !name.starts_with(kUnfinished)) return false;
  }
  return true;
}

void SyncFolder(const fs::path& directory) {
  const int folder = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

void MakeDirectory(const fs::path& path) {
  std::error_code error;
  if (fs::exists(path, error)) {
    if (!fs::is_directory(path, error)) {
      Throw(ErrorCode::kAlreadyExists, path.string() + " exists and is no directory",
            "choose another place for the store");
    }
    return;
  }
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    Throw(ErrorCode::kIo, "make the directory " + path.string() + ": " + std::strerror(errno));
  }
}

// truth.db appears whole, by a rename, so that whoever finds it finds a store. Several may try at
// once: the lock decides who makes it, the others find it made.
void Create(StoreCore& core) {
  std::error_code error;
  if (fs::exists(core.database, error)) return;
  if (!OnlyOurFiles(core.directory) && !fs::exists(core.database, error)) {
    Throw(ErrorCode::kAlreadyExists, core.directory.string() + " holds other files and is no store",
          "choose an empty or a new directory");
  }
  core.lock = std::make_unique<StoreLock>(core.directory / "lock");
  const auto hold = core.lock->Take(core.options.busy_timeout);
  if (!hold) Throw(ErrorCode::kBusy, core.directory.string() + " is being written by another");
  if (fs::exists(core.database, error)) return;
  const fs::path unfinished = core.directory / kUnfinished;
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
    fs::remove(unfinished.string() + suffix, error);
  }
  // Made here for its mode; SQLite gives its other files the same one.
  const int file =
      ::open(unfinished.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) {
    Throw(ErrorCode::kIo, "make " + unfinished.string() + ": " + std::strerror(errno));
  }
  ::close(file);
  {
    auto connection = Connection::Open(unfinished, Access::kCreate, core.options.busy_timeout);
    CreateSchema(*connection);
    // The WAL goes into the file, which then holds everything under any name.
    core.Checkpoint(*connection);
  }
  for (const char* suffix : {"-wal", "-shm"}) fs::remove(unfinished.string() + suffix, error);
  if (::rename(unfinished.c_str(), core.database.c_str()) != 0) {
    Throw(ErrorCode::kIo, "make " + core.database.string() + ": " + std::strerror(errno));
  }
  SyncFolder(core.directory);
}

bool HasWal(const StoreCore& core) {
  std::error_code error;
  const auto size = fs::file_size(core.database.string() + "-wal", error);
  return !error && size > 0;
}

// The first connection, and with it the answer whether the file can be read at all.
std::unique_ptr<Connection> OpenFirst(StoreCore& core) {
  const auto attempt = [&](Access access) {
    auto connection = Connection::Open(core.database, access, core.options.busy_timeout);
    CheckSchema(core, *connection);
    return connection;
  };
  if (!core.read_only()) return attempt(Access::kReadWrite);
  try {
    return attempt(Access::kReadOnly);
  } catch (const Failure& failure) {
    if (failure.error.code != ErrorCode::kIo) throw;
    // WAL mode needs to write beside the file, which a read-only disk refuses. Without a WAL the
    // file holds everything.
    if (HasWal(core)) {
      throw Failure{{ErrorCode::kIo,
                     core.directory.string() + " cannot be read where it is: its last writer " +
                         "did not close it (" + failure.error.message + ")",
                     "open it once where it can be written, for instance on a copy"},
                    true};
    }
  }
  core.immutable = true;
  return attempt(Access::kImmutable);
}

void OpenCore(StoreCore& core) {
  std::error_code error;
  if (core.options.path.empty()) Throw(ErrorCode::kInvalidArgument, "the path is empty");
  if (core.options.mode == OpenMode::kCreate) MakeDirectory(core.options.path);
  if (!fs::exists(core.options.path, error)) {
    Throw(error ? ErrorCode::kIo : ErrorCode::kNotFound,
          "there is no store at " + core.options.path.string(), "make one with `souvenance init`");
  }
  core.directory = fs::canonical(core.options.path, error);
  if (error) Throw(ErrorCode::kIo, core.options.path.string() + ": " + error.message());
  if (!fs::is_directory(core.directory, error)) NoStore(core.directory, "it is no directory");
  core.database = core.directory / "truth.db";
  std::unique_ptr<Connection> connection;
  try {
    if (core.options.mode == OpenMode::kCreate) Create(core);
    if (!fs::exists(core.database, error) && !fs::is_empty(core.directory) &&
        OnlyOurFiles(core.directory)) {
      // Somebody is making it, or was cut short.
      Throw(ErrorCode::kNotFound, "there is no store yet at " + core.directory.string(),
            "make one with `souvenance init`");
    }
    if (!fs::is_regular_file(core.database, error)) {
      NoStore(core.directory, "it has no truth.db");
    }
    connection = OpenFirst(core);
  } catch (Failure& failure) {
    if (failure.error.code == ErrorCode::kCorruption &&
        failure.error.message.find("is not a database") != std::string::npos) {
      NoStore(core.directory, "its truth.db is no SQLite file");
    }
    throw;
  }
  connection->Harden();
  auto statement = connection->Prepare(kSelectStore);
  if (!statement->Step()) Throw(ErrorCode::kCorruption, "the table store is empty");
  const std::string_view id = statement->Bytes(0);
  core.store_id = Hex({reinterpret_cast<const std::uint8_t*>(id.data()), id.size()});
  core.lookup_key = std::string(statement->Bytes(1));
  statement.reset();
  if (!core.read_only() && !core.lock) {
    core.lock = std::make_unique<StoreLock>(core.directory / "lock");
  }
  core.GiveBackReader(std::move(connection));
}

}  // namespace

std::unique_ptr<Connection> StoreCore::LendReader() {
  {
    const std::lock_guard guard(mutex);
    if (!idle_readers.empty()) {
      auto connection = std::move(idle_readers.back());
      idle_readers.pop_back();
      return connection;
    }
  }
  const Access access = immutable     ? Access::kImmutable
                        : read_only() ? Access::kReadOnly
                                      : Access::kReadWrite;
  auto connection = Connection::Open(database, access, options.busy_timeout);
  connection->Harden();
  return connection;
}

std::unique_ptr<Connection> StoreCore::LendWriter() {
  {
    const std::lock_guard guard(mutex);
    if (idle_writer) return std::move(idle_writer);
  }
  auto connection = Connection::Open(database, Access::kReadWrite, options.busy_timeout);
  connection->Harden();
  return connection;
}

void StoreCore::GiveBackReader(std::unique_ptr<Connection> connection) {
  const std::lock_guard guard(mutex);
  if (idle_readers.size() < kMaxIdleReaders) idle_readers.push_back(std::move(connection));
}

void StoreCore::GiveBackWriter(std::unique_ptr<Connection> connection) {
  const std::lock_guard guard(mutex);
  if (!idle_writer) idle_writer = std::move(connection);
}

bool StoreCore::Checkpoint(Connection& connection) {
  if (!lock || !lock->held()) Throw(ErrorCode::kInternal, "a checkpoint without the lock");
  return connection.Checkpoint();
}

Digest StoreCore::Lookup(AgentId agent, ScopeId scope, PayloadKind kind,
                         std::string_view text) const {
  std::string bytes = lookup_key;
  for (const std::int64_t id : {Raw(agent), Raw(scope)}) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes += static_cast<char>(static_cast<std::uint64_t>(id) >> shift & 0xff);
    }
  }
  bytes += static_cast<char>(kind);
  bytes += text;
  return Sha256(bytes);
}

TransactionState::~TransactionState() {
  if (!connection) return;
  try {
    if (connection->InTransaction()) connection->Execute("ROLLBACK");
    if (write) {
      store->GiveBackWriter(std::move(connection));
    } else {
      store->GiveBackReader(std::move(connection));
    }
  } catch (...) {
    // The connection is dropped with whatever ails it.
  }
}

Result<std::unique_ptr<Store>> Store::Open(const StoreOptions& options) {
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  try {
    OpenCore(*impl);
  } catch (const Failure& failure) {
    return Fail(failure.error.code, "open store: " + failure.error.message, failure.error.hint);
  } catch (const std::exception& exception) {
    return Fail(ErrorCode::kIo, std::string("open store: ") + exception.what());
  }
  return std::unique_ptr<Store>(new Store(std::move(impl)));
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Store::~Store() {
  // Without idle readers of our own the WAL can be emptied.
  {
    const std::lock_guard guard(impl_->mutex);
    impl_->idle_readers.clear();
  }
  if (!read_only()) static_cast<void>(Checkpoint());
}

Result<std::unique_ptr<ReadTransaction>> Store::Read() const {
  auto transaction = std::make_unique<ReadTransaction>();
  auto state = std::make_unique<ReadTransaction::Connection>();
  state->store = impl_.get();
  try {
    state->connection = impl_->LendReader();
    state->connection->Execute("BEGIN");
    // BEGIN alone takes no snapshot; the first read does.
    const auto last = state->Use(kSelectLastEvent);
    last->Step();
    state->change = last->As<EventId>(0);
  } catch (const Failure& failure) {
    return Fail(failure.error.code, "begin reading: " + failure.error.message);
  } catch (const std::exception& exception) {
    return Fail(ErrorCode::kInternal, std::string("begin reading: ") + exception.what());
  }
  transaction->connection_ = std::move(state);
  return transaction;
}

Result<std::unique_ptr<WriteTransaction>> Store::Write() {
  if (read_only()) {
    return Fail(ErrorCode::kUnsupported, "begin writing: the store was opened read-only");
  }
  auto transaction = std::make_unique<WriteTransaction>();
  auto state = std::make_unique<ReadTransaction::Connection>();
  state->store = impl_.get();
  state->write = std::make_unique<WriteState>();
  try {
    state->write->hold = impl_->lock->Take(impl_->options.busy_timeout);
    if (!state->write->hold) {
      return Fail(ErrorCode::kBusy, "begin writing: another writer did not finish in time",
                  "try again, or give a longer busy timeout");
    }
    state->connection = impl_->LendWriter();
    state->connection->Execute("BEGIN IMMEDIATE");
    const auto last = state->Use(kSelectLastEvent);
    last->Step();
    state->change = last->As<EventId>(0);
  } catch (const Failure& failure) {
    return Fail(failure.error.code, "begin writing: " + failure.error.message);
  } catch (const std::exception& exception) {
    return Fail(ErrorCode::kInternal, std::string("begin writing: ") + exception.what());
  }
  transaction->connection_ = std::move(state);
  return transaction;
}

Result<EventId> Store::Change() const {
  try {
    auto connection = impl_->LendReader();
    EventId change{};
    {
      const auto last = connection->Use(kSelectLastEvent);
      last->Step();
      change = last->As<EventId>(0);
    }
    impl_->GiveBackReader(std::move(connection));
    return change;
  } catch (const Failure& failure) {
    return Fail(failure.error.code, "read the change number: " + failure.error.message);
  } catch (const std::exception& exception) {
    return Fail(ErrorCode::kInternal, std::string("read the change number: ") + exception.what());
  }
}

const std::string& Store::store_id() const { return impl_->store_id; }
const fs::path& Store::path() const { return impl_->options.path; }
fs::path Store::index_path() const { return path() / "index"; }
bool Store::read_only() const { return impl_->read_only(); }

Result<bool> Store::Checkpoint() {
  if (read_only()) return false;
  try {
    const auto hold = impl_->lock->Take(std::chrono::milliseconds(0));
    if (!hold) return false;
    auto connection = impl_->LendWriter();
    const bool done = impl_->Checkpoint(*connection);
    impl_->GiveBackWriter(std::move(connection));
    return done;
  } catch (const Failure& failure) {
    return Fail(failure.error.code, "checkpoint: " + failure.error.message);
  } catch (const std::exception& exception) {
    return Fail(ErrorCode::kInternal, std::string("checkpoint: ") + exception.what());
  }
}

Result<void> WriteTransaction::Commit() {
  TransactionState& state = *connection_;
  Result<void> result = Guard(state, "commit", [&] {
    if (state.write->event) Throw(ErrorCode::kInternal, "an event was begun and not ended");
    if (!state.store->lock->held()) Throw(ErrorCode::kInternal, "a commit without the lock");
    state.connection->Execute("COMMIT");
  });
  if (state.over) return result;
  state.over = true;
  if (result && state.connection->wal_bytes() > kCheckpointBytes) {
    try {
      state.store->Checkpoint(*state.connection);
    } catch (const Failure&) {
      // What was committed is in the WAL and safe there; the next commit tries again.
    }
  }
  try {
    if (state.connection->InTransaction()) state.connection->Execute("ROLLBACK");
    state.store->GiveBackWriter(std::move(state.connection));
  } catch (const Failure&) {
    state.connection.reset();
  }
  state.write->hold.reset();
  return result;
}

}  // namespace souvenance::storage
