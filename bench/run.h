// The frame of every bench program.
#pragma once

#include <souvenance/error.h>

#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>

namespace souvenance::bench {

// Runs the registered benches with the flags of Google Benchmark. The output's context names the
// compiler, the build type with its flags, the processor and the seed; an unoptimised build is
// warned of. Returns the exit code.
int RunBenches(int argc, char** argv);

// Ends the program with a message: a bench that cannot be set up measures nothing.
[[noreturn]] void Stop(const std::string& message);

template <typename T>
T Must(Result<T> result) {
  if (!result) Stop(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

// A new folder, removed with everything in it at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace souvenance::bench
