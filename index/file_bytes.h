// Regular files, whole. No symbolic link, pipe, device or folder is ever followed or read.
#pragma once

#include <souvenance/error.h>

#include <functional>
#include <string>
#include <string_view>

namespace souvenance::index {

// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(other.value_) { other.value_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  int get() const { return value_; }
  explicit operator bool() const { return value_ >= 0; }

 private:
  int value_;
};

// kNoSpace or kIo, for an errno.
ErrorCode IoErrorCode(int error);

// Opens a folder; kNotFound when there is none, kIo when it is something else.
Result<Descriptor> OpenFolder(const std::string& path);
// Opens a regular file within `folder` (AT_FDCWD for a path) for reading.
// Errors: kNotFound, kIo.
Result<Descriptor> OpenRegular(int folder, const std::string& name);
// Calls `take` with the file's bytes, piece by piece; returns how many there were.
Result<std::uint64_t> ReadPieces(const Descriptor& file,
                                 const std::function<void(std::string_view)>& take);

Result<std::string> ReadFileBytes(const std::string& path);
// Writes a new file or replaces one; nothing is synced.
Result<void> WriteFileBytes(const std::string& path, std::string_view bytes);

}  // namespace souvenance::index
