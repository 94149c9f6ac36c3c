// The one lock of a store: whoever commits or checkpoints holds it. SQLite 3.40 can corrupt a
// database when a commit and a checkpoint of two connections meet (the WAL-reset bug); with this
// lock, wal_autocheckpoint=0 and no checkpoint on close they never do.
#pragma once

#include <souvenance/error.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>

namespace souvenance::storage {

// Thread-safety: thread-safe (mutex_ guards taken_).
class StoreLock {
 public:
  // Opens the lock file, and makes it when it is missing. Throws Failure.
  explicit StoreLock(const std::filesystem::path& file);
  ~StoreLock();
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

  // Released by its destructor, in any thread, and by the system when the process dies.
  class Hold {
   public:
    explicit Hold(StoreLock& lock) : lock_(lock) {}
    ~Hold() { lock_.Release(); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    StoreLock& lock_;
  };

  // Waits for the other threads of this process and for other processes; null when the time is
  // over. Throws Failure (kIo).
  std::unique_ptr<Hold> Take(std::chrono::milliseconds timeout);

  // Whether this object holds it: asked before each commit and each checkpoint.
  bool held();

 private:
  void Release();

  std::mutex mutex_;
  std::condition_variable released_;
  bool taken_ = false;
  int file_ = -1;
};

}  // namespace souvenance::storage
