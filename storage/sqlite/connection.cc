#include "storage/sqlite/connection.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <string>

namespace souvenance::storage {

namespace {

// Reads go through the page cache of the system; a mapping spares the copy.
constexpr std::int64_t kMmapBytes = 256 << 20;

ErrorCode CodeOf(int extended) {
  switch (extended & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      return ErrorCode::kBusy;
    case SQLITE_FULL:
      return ErrorCode::kNoSpace;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return ErrorCode::kIo;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return ErrorCode::kCorruption;
    case SQLITE_TOOBIG:
      return ErrorCode::kInvalidData;
    case SQLITE_CONSTRAINT:
      return extended == SQLITE_CONSTRAINT_UNIQUE || extended == SQLITE_CONSTRAINT_PRIMARYKEY ||
                     extended == SQLITE_CONSTRAINT_ROWID
                 ? ErrorCode::kConflict
                 : ErrorCode::kInvalidArgument;
    default:
      return ErrorCode::kInternal;
  }
}

[[noreturn]] void ThrowSqlite(sqlite3* db) {
  const int extended = sqlite3_extended_errcode(db);
  Throw(CodeOf(extended), std::string(sqlite3_errmsg(db)));
}

int OnWal(void* pages, sqlite3*, const char*, int count) {
  *static_cast<std::int64_t*>(pages) = count;
  return SQLITE_OK;
}

}  // namespace

struct Statement::Impl {
  sqlite3* db = nullptr;
  sqlite3_stmt* handle = nullptr;
  ~Impl() { sqlite3_finalize(handle); }

  void Check(int result) const {
    if (result != SQLITE_OK) ThrowSqlite(db);
  }
};

Statement::Statement(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Statement::~Statement() = default;

void Statement::BindOne(int index, std::int64_t value) {
  impl_->Check(sqlite3_bind_int64(impl_->handle, index, value));
}

void Statement::BindOne(int index, double value) {
  impl_->Check(sqlite3_bind_double(impl_->handle, index, value));
}

void Statement::BindOne(int index, std::string_view text) {
  // A null pointer would bind NULL instead of the empty text.
  impl_->Check(sqlite3_bind_text64(impl_->handle, index, text.data() ? text.data() : "",
                                   text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::BindOne(int index, Blob blob) {
  impl_->Check(sqlite3_bind_blob64(impl_->handle, index, blob.bytes.data() ? blob.bytes.data() : "",
                                   blob.bytes.size(), SQLITE_STATIC));
}

void Statement::BindOne(int index, std::nullptr_t) {
  impl_->Check(sqlite3_bind_null(impl_->handle, index));
}

bool Statement::Step() {
  const int result = sqlite3_step(impl_->handle);
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  ThrowSqlite(impl_->db);
}

void Statement::Run() {
  while (Step()) {
  }
  sqlite3_reset(impl_->handle);
}

void Statement::Reset() noexcept {
  sqlite3_reset(impl_->handle);
  sqlite3_clear_bindings(impl_->handle);
}

bool Statement::IsNull(int column) const {
  return sqlite3_column_type(impl_->handle, column) == SQLITE_NULL;
}

std::int64_t Statement::Int(int column) const {
  return sqlite3_column_int64(impl_->handle, column);
}

double Statement::Real(int column) const { return sqlite3_column_double(impl_->handle, column); }

std::string_view Statement::Bytes(int column) const {
  // As a blob, so that no conversion ends a text at a NUL.
  const void* bytes = sqlite3_column_blob(impl_->handle, column);
  const int size = sqlite3_column_bytes(impl_->handle, column);
  return bytes == nullptr
             ? std::string_view("")
             : std::string_view(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

struct Connection::Impl {
  std::unique_ptr<SQLite::Database> database;
  sqlite3* db = nullptr;
  std::int64_t wal_pages = 0;
  std::int64_t page_bytes = 4096;
  int busy_ms = 0;
};

Connection::Connection(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Connection::~Connection() {
  idle_.clear();  // before the connection they belong to
}

namespace {

// The address of a file as SQLite's URI: everything but plain letters is escaped.
std::string ImmutableUri(const std::string& path) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '/' || c == '.' || c == '-' || c == '_';
    if (plain) {
      uri += c;
    } else {
      uri += '%';
      uri += kDigits[byte >> 4];
      uri += kDigits[byte & 15];
    }
  }
  return uri + "?immutable=1";
}

int FlagsOf(Access access) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE;
  switch (access) {
    case Access::kReadOnly:
      return flags | SQLITE_OPEN_READONLY;
    case Access::kImmutable:
      return flags | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    case Access::kReadWrite:
      return flags | SQLITE_OPEN_READWRITE;
    case Access::kCreate:
      return flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  }
  return flags;
}

}  // namespace

std::unique_ptr<Connection> Connection::Open(const std::filesystem::path& file, Access access,
                                             std::chrono::milliseconds busy_timeout) {
  auto impl = std::make_unique<Impl>();
  impl->busy_ms = static_cast<int>(busy_timeout.count());
  const std::string name =
      access == Access::kImmutable ? ImmutableUri(file.string()) : file.string();
  try {
    impl->database = std::make_unique<SQLite::Database>(name, FlagsOf(access), impl->busy_ms);
  } catch (const SQLite::Exception& e) {
    Throw(CodeOf(e.getErrorCode()), e.what());
  }
  impl->db = impl->database->getHandle();
  std::unique_ptr<Connection> connection(new Connection(std::move(impl)));
  sqlite3* db = connection->impl_->db;
  sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  if (access == Access::kCreate) {
    connection->Execute("PRAGMA journal_mode=WAL");
  }
  connection->Execute(
      "PRAGMA wal_autocheckpoint=0; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
      "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA recursive_triggers=ON;"
      "PRAGMA secure_delete=ON; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16384");
  connection->Execute(("PRAGMA mmap_size=" + std::to_string(kMmapBytes)).c_str());
  auto page_size = connection->Prepare("PRAGMA page_size");
  if (page_size->Step()) connection->impl_->page_bytes = page_size->Int(0);
  sqlite3_wal_hook(db, OnWal, &connection->impl_->wal_pages);
  return connection;
}

void Connection::Harden() { sqlite3_db_config(impl_->db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr); }

std::unique_ptr<Statement> Connection::Prepare(const std::string& sql) {
  auto statement = std::make_unique<Statement::Impl>();
  statement->db = impl_->db;
  if (sqlite3_prepare_v3(impl_->db, sql.data(), static_cast<int>(sql.size()),
                         SQLITE_PREPARE_PERSISTENT, &statement->handle, nullptr) != SQLITE_OK) {
    ThrowSqlite(impl_->db);
  }
  return std::make_unique<Statement>(std::move(statement));
}

void Connection::Execute(const char* sql) {
  if (sqlite3_exec(impl_->db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    ThrowSqlite(impl_->db);
  }
}

bool Connection::InTransaction() const { return sqlite3_get_autocommit(impl_->db) == 0; }

std::int64_t Connection::wal_bytes() const { return impl_->wal_pages * impl_->page_bytes; }

bool Connection::Checkpoint() {
  sqlite3_busy_timeout(impl_->db, 0);
  int frames = 0;
  int moved = 0;
  const int result =
      sqlite3_wal_checkpoint_v2(impl_->db, nullptr, SQLITE_CHECKPOINT_TRUNCATE, &frames, &moved);
  sqlite3_busy_timeout(impl_->db, impl_->busy_ms);
  if (result == SQLITE_OK) {
    impl_->wal_pages = 0;
    return true;
  }
  // Busy: a reader still needs the WAL. What could be moved has been moved.
  if ((result & 0xff) == SQLITE_BUSY) return false;
  ThrowSqlite(impl_->db);
}

Connection::Loan::Loan(Connection& connection, const char* sql)
    : connection_(connection), sql_(sql) {
  auto& idle = connection.idle_[sql];
  if (idle.empty()) {
    statement_ = connection.Prepare(sql);
  } else {
    statement_ = std::move(idle.back());
    idle.pop_back();
  }
}

Connection::Loan::~Loan() {
  statement_->Reset();
  connection_.idle_[sql_].push_back(std::move(statement_));
}

}  // namespace souvenance::storage
