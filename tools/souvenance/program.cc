#include "tools/souvenance/program.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "tools/souvenance/exit_codes.h"

namespace souvenance::program {
namespace fs = std::filesystem;
namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

constexpr std::size_t kMostBytes = 64U << 20;

ErrorCode CodeOf(int error) {
  if (error == ENOENT || error == ENOTDIR) return ErrorCode::kNotFound;
  return error == ENOSPC || error == EDQUOT ? ErrorCode::kNoSpace : ErrorCode::kIo;
}

tl::unexpected<Error> FileError(const char* doing, const std::string& name, int error) {
  return Fail(CodeOf(error), fmt::format("{} {}: {}", doing, name, std::strerror(error)));
}

Result<std::string> ReadAll(std::FILE* file, const std::string& name) {
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const std::size_t count = std::fread(buffer, 1, sizeof buffer, file);
    text.append(buffer, count);
    if (text.size() > kMostBytes) {
      return Fail(ErrorCode::kInvalidData, fmt::format("read {}: more than 64 MiB", name));
    }
    if (count == 0) break;
  }
  if (std::ferror(file) != 0) return FileError("read", name, errno);
  return text;
}

// Nothing is there, or nothing but what the making of a store leaves when it is cut short.
bool Missing(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return true;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name != "lock" && !name.starts_with("truth.db.new")) return false;
  }
  return !ignored && fs::is_directory(path, ignored);
}

}  // namespace

Result<fs::path> StorePath(const Program& program) {
  if (!program.store_flag.empty()) return fs::path(program.store_flag);
  if (const std::string store = Environment("SOUVENANCE_STORE"); !store.empty()) {
    return fs::path(store);
  }
  // The XDG specification: a relative path there is to be ignored.
  if (const fs::path data = Environment("XDG_DATA_HOME"); data.is_absolute()) {
    return data / "souvenance";
  }
  if (const fs::path home = Environment("HOME"); home.is_absolute()) {
    return home / ".local" / "share" / "souvenance";
  }
  return Fail(ErrorCode::kConfiguration, "find the store: HOME is not set",
              "name one with --store DIR or SOUVENANCE_STORE");
}

Result<std::unique_ptr<Engine>> OpenStore(const Program& program, Access access) {
  const Result<fs::path> path = StorePath(program);
  if (!path) return Fail(path.error());
  EngineOptions options;
  options.store = *path;
  options.access = access;
  options.note = [](std::string_view line) { Notice(std::string(line)); };
  Result<std::unique_ptr<Engine>> engine = Engine::Open(options);
  if (!engine && engine.error().code == ErrorCode::kNotFound && engine.error().hint.empty()) {
    Error error = engine.error();
    error.hint = "make one with `souvenance init`, or name another with --store DIR";
    return Fail(std::move(error));
  }
  return engine;
}

Result<MadeStore> OpenOrMakeStore(Program& program) {
  const Result<fs::path> path = StorePath(program);
  if (!path) return Fail(path.error());
  const bool missing = Missing(*path);
  EngineOptions options;
  options.store = *path;
  options.note = [](std::string_view line) { Notice(std::string(line)); };
  options.access = missing ? Access::kCreate : Access::kReadWrite;
  Result<std::unique_ptr<Engine>> engine = Engine::Open(options);
  if (engine) return MadeStore{std::move(*engine), missing};
  Error error = engine.error();
  const bool impossible = error.code == ErrorCode::kIo || error.code == ErrorCode::kNotFound;
  if (missing && impossible) {
    // For a caller this is "cannot create", not a disk that failed.
    program.failure_exit = kCannotCreate;
    if (error.hint.empty())
      error.hint = "choose a directory that you may write to with --store DIR";
  }
  return Fail(std::move(error));
}

Result<std::string> ReadFile(const fs::path& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (file == nullptr) return FileError("read", path.string(), errno);
  return ReadAll(file.get(), path.string());
}

Result<std::string> ReadStdin() { return ReadAll(stdin, "stdin"); }

Result<void> WriteFile(const fs::path& path, std::string_view text) {
  // A device or a pipe is written to; renaming a file onto it would replace it.
  std::error_code ignored;
  const bool special = fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
  const fs::path part = special ? path : fs::path(path.string() + ".part");
  std::FILE* file = std::fopen(part.c_str(), "wb");
  if (file == nullptr) return FileError("write", part.string(), errno);
  bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int error = whole ? 0 : errno;
  if (std::fclose(file) != 0 && whole) {
    whole = false;
    error = errno;
  }
  if (whole && (special || std::rename(part.c_str(), path.c_str()) == 0)) return {};
  if (whole) error = errno;
  if (!special) std::remove(part.c_str());
  return FileError("write", path.string(), error);
}

}  // namespace souvenance::program
