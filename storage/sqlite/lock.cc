#include "storage/sqlite/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "storage/sqlite/connection.h"

namespace souvenance::storage {

StoreLock::StoreLock(const std::filesystem::path& file) {
  file_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file_ < 0) {
    Throw(ErrorCode::kIo, "open the lock file " + file.string() + ": " + std::strerror(errno));
  }
}

StoreLock::~StoreLock() {
  if (file_ >= 0) ::close(file_);
}

std::unique_ptr<StoreLock::Hold> StoreLock::Take(std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  {
    std::unique_lock guard(mutex_);
    if (!released_.wait_until(guard, deadline, [this] { return !taken_; })) return nullptr;
    taken_ = true;
  }
  // flock has no time limit of its own, so it is asked again and again, ever more slowly.
  auto hold = std::make_unique<Hold>(*this);
  auto pause = std::chrono::microseconds(200);
  while (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    if (error != EWOULDBLOCK && error != EINTR) {
      Throw(ErrorCode::kIo, std::string("take the store's lock: ") + std::strerror(error));
    }
    const auto now = std::chrono::steady_clock::now();
    if (now >= deadline) return nullptr;
    std::this_thread::sleep_for(
        std::min<std::chrono::steady_clock::duration>(pause, deadline - now));
    pause = std::min(pause * 2, std::chrono::microseconds(5000));
  }
  return hold;
}

bool StoreLock::held() {
  const std::lock_guard guard(mutex_);
  return taken_;
}

void StoreLock::Release() {
  ::flock(file_, LOCK_UN);
  {
    const std::lock_guard guard(mutex_);
    taken_ = false;
  }
  released_.notify_one();
}

}  // namespace souvenance::storage
