// One run of the program: where the store is, what shall be printed, how it ends.
#pragma once

#include <souvenance/engine.h>
#include <souvenance/error.h>
#include <souvenance/scope.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tools/souvenance/terminal.h"

namespace souvenance::program {

enum class Format { kText, kJson };

struct Program {
  std::string store_flag;  // --store; empty: not given
  bool json = false;       // --json
  Style style;             // of stdout
  std::string out;         // data for stdout, written when the verb is done
  int failure_exit = 0;    // in place of the error code's exit code; 0: none

  Format format() const { return json ? Format::kJson : Format::kText; }
};

// What a verb does after its flags were read; the value is the exit code.
using Action = std::function<Result<int>(Program&)>;

// --store, else SOUVENANCE_STORE, else $XDG_DATA_HOME/souvenance, else ~/.local/share/souvenance.
//
// Errors: kConfiguration  there is no home directory to look in.
Result<std::filesystem::path> StorePath(const Program& program);

// Opens the store that exists.
Result<std::unique_ptr<Engine>> OpenStore(const Program& program, Access access);

struct MadeStore {
  std::unique_ptr<Engine> engine;
  bool made = false;  // there was none before
};
// Opens the store, and makes one when the directory is missing or empty. When that fails for want
// of a place, the program ends with 73.
Result<MadeStore> OpenOrMakeStore(Program& program);

// The whole of a file, or of stdin.
//
// Errors: kNotFound, kIo; kInvalidData  more than 64 MiB.
Result<std::string> ReadFile(const std::filesystem::path& path);
Result<std::string> ReadStdin();

// Writes all of it, or leaves what was there before.
//
// Errors: kIo, kNoSpace
Result<void> WriteFile(const std::filesystem::path& path, std::string_view text);

}  // namespace souvenance::program
