// The command line: verbs, their flags, and what a wrong one gets to hear.
#pragma once

#include <souvenance/query.h>
#include <souvenance/time.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/souvenance/program.h"

namespace souvenance::program {

// Which end of "2023" a flag means: its first instant, or the instant after it. Of an instant both
// mean that instant.
enum class Edge { kFirst, kPastLast };

enum class Need { kOptional, kRequired };

// One verb. The variables that flags write to must live as long as the command line does; what
// they hold before parsing is the default, and help shows it.
class Verb {
 public:
  struct Impl;
  explicit Verb(Impl* impl) : impl_(impl) {}

  // Positional arguments.
  Verb& Argument(const char* name, std::string* value, const char* help);
  Verb& Arguments(const char* name, std::vector<std::string>* values, const char* help);

  // Flags with a value. Text is UTF-8 (kInvalidData otherwise); a path is taken as it is.
  Verb& Text(const char* flags, std::string* value, const char* type, const char* help,
             Need need = Need::kOptional);
  Verb& Text(const char* flags, std::optional<std::string>* value, const char* type,
             const char* help);
  Verb& Texts(const char* flags, std::vector<std::string>* values, const char* type,
              const char* help);
  Verb& Path(const char* flags, std::filesystem::path* value, const char* type, const char* help,
             Need need = Need::kOptional);
  Verb& Count(const char* flags, std::size_t* value, std::size_t least, std::size_t most,
              const char* help);
  Verb& Real(const char* flags, double* value, double least, double most, const char* help);
  Verb& Real(const char* flags, std::optional<double>* value, double least, double most,
             const char* help);
  Verb& Time(const char* flags, std::optional<Timestamp>* value, Edge edge, const char* help);
  Verb& Choice(const char* flags, std::string* value, std::vector<std::string> choices,
               const char* help);
  Verb& OneScope(const char* flags, Scope* value, const char* help);
  Verb& Scopes(const char* flags, std::vector<Scope>* values, const char* help);
  Verb& Emotion(const char* flags, std::string* label, double* intensity, const char* help);
  Verb& Flag(const char* flags, bool* value, const char* help);
  Verb& Off(const char* flags, Switch* value, const char* help);
  // Whatever else `take` reads; its error is told with the flag's name.
  Verb& Value(const char* flags, const char* type, const char* shown_default, const char* help,
              std::function<Result<void>(const std::string&)> take);
  Verb& Vector(const char* flags, std::vector<float>* value, const char* help);

  // Groups of flags that several verbs share (flag_groups.cc).
  enum class Speaks { kWithSession, kWithoutSession };
  Verb& ViewerFlags(Viewer* viewer, Speaks speaks = Speaks::kWithSession);
  Verb& MomentFlags(Moment* moment);
  Verb& RankingFlags(RecallOptions* options);  // how candidates are found and scored
  Verb& GateFlags(RecallOptions* options);     // what then is kept back
  Verb& CueFlags(RecallQuery* query);

  // The heading under which help lists the flags that follow.
  Verb& Group(const char* heading);

  void Do(Action action);

 private:
  Impl* impl_;
};

class CommandLine {
 public:
  explicit CommandLine(Program* program);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // A verb: "recall", or "eval run" for one of a family. `examples` are commands, one a line.
  Verb Add(std::string_view name, std::string_view heading, std::string_view purpose,
           std::string_view examples);

  // What to do, or what to print: help and version are actions too.
  //
  // Errors: kInvalidArgument  an unknown verb or flag, a value that does not fit
  //         kInvalidData      an argument that is not UTF-8
  Result<Action> Parse(int argc, const char* const* argv);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Values within flags.
//
// A number that is finite and within [least, most], written in decimal digits.
Result<double> ParseReal(std::string_view text, double least, double most);
Result<std::size_t> ParseCount(std::string_view text, std::size_t least, std::size_t most);
// "bm25,graph": what is named is on, the rest off.
Result<Legs> ParseLegs(std::string_view text);
Result<Preset> ParsePreset(std::string_view text);
std::string_view PresetName(Preset preset);

}  // namespace souvenance::program
