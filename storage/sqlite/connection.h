// One connection to truth.db with the settings that every connection of ours has, and statements
// prepared once for it. Failures are thrown as `Failure` inside this folder, and become a Result
// where a public call ends.
#pragma once

#include <souvenance/error.h>
#include <souvenance/ids.h>
#include <souvenance/time.h>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace souvenance::storage {

// Thrown inside this folder only. `harmless`: nothing was written, so a transaction may go on.
struct Failure {
  Error error;
  bool harmless = false;
};

[[noreturn]] inline void Throw(ErrorCode code, std::string message, std::string hint = {}) {
  throw Failure{{code, std::move(message), std::move(hint)}, false};
}

// The call is refused before anything was written.
[[noreturn]] inline void Refuse(ErrorCode code, std::string message, std::string hint = {}) {
  throw Failure{{code, std::move(message), std::move(hint)}, true};
}

struct Blob {
  std::string_view bytes;
};

// A prepared statement. Bound texts and blobs are not copied: they must live until the reset.
class Statement {
 public:
  struct Impl;
  explicit Statement(std::unique_ptr<Impl> impl);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Binds ?1, ?2, ... in order. A PayloadId or ScopeId of 0 is NULL.
  template <typename... Values>
  Statement& Bind(const Values&... values) {
    int index = 0;
    (BindOne(++index, values), ...);
    return *this;
  }

  // True when there is a row.
  bool Step();
  // Runs to the end and resets.
  void Run();
  void Reset() noexcept;

  bool IsNull(int column) const;
  std::int64_t Int(int column) const;
  double Real(int column) const;
  // Of a text or blob; valid until the next step or reset.
  std::string_view Bytes(int column) const;
  template <typename Id>
  Id As(int column) const {
    return static_cast<Id>(Int(column));
  }
  std::optional<Timestamp> Time(int column) const {
    if (IsNull(column)) return std::nullopt;
    return FromMicros(Int(column));
  }

 private:
  void BindOne(int index, std::int64_t value);
  void BindOne(int index, double value);
  void BindOne(int index, std::string_view text);
  void BindOne(int index, Blob blob);
  void BindOne(int index, std::nullptr_t);
  template <std::integral Integer>
  void BindOne(int index, Integer value) {
    BindOne(index, static_cast<std::int64_t>(value));
  }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void BindOne(int index, Enum value) {
    constexpr bool kZeroIsNull = std::is_same_v<Enum, PayloadId> || std::is_same_v<Enum, ScopeId>;
    const auto raw = static_cast<std::int64_t>(value);
    if (kZeroIsNull && raw == 0) {
      BindOne(index, nullptr);
    } else {
      BindOne(index, raw);
    }
  }
  void BindOne(int index, Timestamp time) { BindOne(index, Micros(time)); }
  template <typename Value>
  void BindOne(int index, const std::optional<Value>& value) {
    if (value) {
      BindOne(index, *value);
    } else {
      BindOne(index, nullptr);
    }
  }

  std::unique_ptr<Impl> impl_;
};

enum class Access { kReadOnly, kImmutable, kReadWrite, kCreate };

// Thread-safety: one thread at a time.
class Connection {
 public:
  // Throws Failure.
  static std::unique_ptr<Connection> Open(const std::filesystem::path& file, Access access,
                                          std::chrono::milliseconds busy_timeout);
  ~Connection();

  // Lends a statement of this connection, prepared the first time. `sql` is a constant: the
  // address is the key. A loan within a loan of the same statement gets a second one.
  class Loan {
   public:
    Loan(Connection& connection, const char* sql);
    ~Loan();
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    Statement* operator->() const { return statement_.get(); }
    Statement& operator*() const { return *statement_; }

   private:
    Connection& connection_;
    const char* sql_;
    std::unique_ptr<Statement> statement_;
  };
  Loan Use(const char* sql) { return {*this, sql}; }

  // For statements built at run time; not kept.
  std::unique_ptr<Statement> Prepare(const std::string& sql);
  // One or more statements without results.
  void Execute(const char* sql);
  // Whether a transaction is open.
  bool InTransaction() const;

  // Frames in the WAL after the last commit of this connection, in bytes.
  std::int64_t wal_bytes() const;
  // Moves what it can of the WAL into the database without waiting, and truncates the WAL when
  // nobody reads from it. True when everything was moved and the file is empty. The caller holds
  // the file lock.
  bool Checkpoint();
  // Forbids raw changes of the schema and the file. After the schema exists.
  void Harden();

 private:
  struct Impl;
  explicit Connection(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
  std::unordered_map<const char*, std::vector<std::unique_ptr<Statement>>> idle_;
};

}  // namespace souvenance::storage
