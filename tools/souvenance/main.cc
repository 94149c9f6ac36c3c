// souvenance: the program. Data goes to stdout, everything else to stderr.
#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "tools/souvenance/exit_codes.h"
#include "tools/souvenance/json.h"
#include "tools/souvenance/verbs.h"

namespace souvenance::program {
namespace {

void Tell(const Error& error, Format format) {
  if (format == Format::kJson) {
    std::fputs(ErrorJson(error).c_str(), stderr);
    return;
  }
  Notice(error.message);
  if (!error.hint.empty()) NoticeLine("  " + error.hint);
}

// A reader that has gone away (`| head`) is no failure; any other trouble is.
Result<void> Print(std::string_view text) {
  errno = 0;
  const bool whole = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (whole && std::fflush(stdout) == 0) return {};
  if (errno == EPIPE) return {};
  return Fail(errno == ENOSPC ? ErrorCode::kNoSpace : ErrorCode::kIo,
              fmt::format("write to stdout: {}", std::strerror(errno)));
}

int Run(int argc, const char* const* argv, Program& program) {
  CommandLine line(&program);
  AddIngestVerbs(&line);
  AddReadVerbs(&line);
  AddLookVerbs(&line);
  AddWriteVerbs(&line);
  AddUpkeepVerbs(&line);
  AddEvalVerbs(&line);
  const Result<Action> action = line.Parse(argc, argv);
  if (!action) {
    Tell(action.error(), program.format());
    return ExitCode(action.error().code);
  }
  const Result<int> exit = (*action)(program);
  if (!exit) {
    Tell(exit.error(), program.format());
    return program.failure_exit != 0 ? program.failure_exit : ExitCode(exit.error().code);
  }
  if (const Result<void> printed = Print(program.out); !printed) {
    Tell(printed.error(), program.format());
    return ExitCode(printed.error().code);
  }
  return *exit;
}

}  // namespace
}  // namespace souvenance::program

int main(int argc, char** argv) {
  namespace program = souvenance::program;
  std::signal(SIGPIPE, SIG_IGN);
  program::Program run;
  try {
    run.style = program::StdoutStyle();
    return program::Run(argc, argv, run);
  } catch (const std::exception& unexpected) {
    program::Tell(
        {souvenance::ErrorCode::kInternal, fmt::format("unexpected: {}", unexpected.what()),
         "this is a bug; please report the command and this message"},
        run.format());
  } catch (...) {
    program::Tell({souvenance::ErrorCode::kInternal, "unexpected", {}}, run.format());
  }
  return program::kInternalError;
}
