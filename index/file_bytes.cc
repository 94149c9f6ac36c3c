#include "index/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <vector>

namespace souvenance::index {
namespace {

tl::unexpected<Error> FailIo(const std::string& doing, int error) {
  const ErrorCode code = error == ENOENT ? ErrorCode::kNotFound : IoErrorCode(error);
  return Fail(code, doing + ": " + std::strerror(error));
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(value_, other.value_);
  return *this;
}

Descriptor::~Descriptor() {
  if (value_ >= 0) ::close(value_);
}

ErrorCode IoErrorCode(int error) {
  return error == ENOSPC || error == EDQUOT ? ErrorCode::kNoSpace : ErrorCode::kIo;
}

Result<Descriptor> OpenFolder(const std::string& path) {
  Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder) return FailIo("open folder " + path, errno);
  return folder;
}

Result<Descriptor> OpenRegular(int folder, const std::string& name) {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  Descriptor file(::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) return FailIo("open " + name, errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return FailIo("open " + name, errno);
  if (!S_ISREG(status.st_mode)) return Fail(ErrorCode::kIo, "open " + name + ": no regular file");
  return file;
}

Result<std::uint64_t> ReadPieces(const Descriptor& file,
                                 const std::function<void(std::string_view)>& take) {
  std::vector<char> buffer(std::size_t{1} << 18);
  std::uint64_t total = 0;
  while (true) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FailIo("read a file", errno);
    if (count == 0) return total;
    total += static_cast<std::uint64_t>(count);
    take({buffer.data(), static_cast<std::size_t>(count)});
  }
}

Result<std::string> ReadFileBytes(const std::string& path) {
  auto file = OpenRegular(AT_FDCWD, path);
  if (!file) return Fail(file.error());
  struct stat status {};
  std::string bytes;
  if (::fstat(file->get(), &status) == 0) bytes.reserve(static_cast<std::size_t>(status.st_size));
  auto read = ReadPieces(*file, [&](std::string_view piece) { bytes += piece; });
  if (!read) return Fail(read.error());
  return bytes;
}

Result<void> WriteFileBytes(const std::string& path, std::string_view bytes) {
  Descriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return FailIo("write " + path, errno);
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FailIo("write " + path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

}  // namespace souvenance::index
