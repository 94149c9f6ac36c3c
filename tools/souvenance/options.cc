#include "tools/souvenance/options.h"

#include <fmt/format.h>
#include <souvenance/version.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <list>
#include <map>

#include "tools/souvenance/suggest.h"

namespace souvenance::program {
namespace {

// Carries an error with its own code through CLI11's parser.
struct ValueError {
  Error error;
};

[[noreturn]] void Throw(std::string_view flag, Error error) {
  error.message = fmt::format("{}: {}", flag, error.message);
  throw ValueError{std::move(error)};
}

std::string PathOf(const CLI::App* app) {
  std::string path = app->get_name();
  for (const CLI::App* up = app->get_parent(); up != nullptr; up = up->get_parent()) {
    path = up->get_name() + " " + path;
  }
  return path;
}

constexpr char kArguments[] = "Arguments";
constexpr char kEverywhere[] = "Everywhere";

// Help with defaults in words, what belongs to the verb first and what belongs to all last.
class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat() { column_width(34); }

  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    std::string usage = PathOf(app) + " [FLAGS]";
    for (const CLI::Option* option : app->get_options()) {
      if (!option->get_positional()) continue;
      const bool many = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
      usage += " " + option->get_name(true, false) + (many ? "..." : "");
    }
    std::string text = fmt::format("{}\n\nUsage: {}\n", app->get_description(), usage);
    std::vector<std::string> groups = app->get_groups();
    std::stable_sort(groups.begin(), groups.end(), [](const std::string& a, const std::string& b) {
      return Place(a) < Place(b);
    });
    for (const std::string& group : groups) {
      const auto options =
          app->get_options([&](const CLI::Option* option) { return option->get_group() == group; });
      if (options.empty()) continue;
      text += make_group(group, group == kArguments, options);
    }
    for (const CLI::App* verb : app->get_subcommands([](const CLI::App*) { return true; })) {
      text += fmt::format("\n  {:<32}{}", verb->get_name(), verb->get_description());
    }
    if (!app->get_footer().empty()) text += "\n" + app->get_footer();
    return text + "\n";
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text;
    if (option->get_positional()) return text;
    if (option->get_type_size() != 0) text = " " + option->get_type_name();
    if (option->get_required()) text += " (required)";
    return text;
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description();
    const bool many = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    if (many && !option->get_positional()) text += " (repeatable)";
    if (const std::string value = option->get_default_str(); !value.empty()) {
      text += fmt::format(" (default {})", value);
    }
    return text;
  }

 private:
  static int Place(const std::string& group) {
    if (group == kArguments) return 0;
    if (group == "Flags") return 1;
    return group == kEverywhere ? 3 : 2;
  }
};

std::string Shortest(double value) { return fmt::format("{}", value); }

std::vector<std::string> FlagsOf(const CLI::App* app) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app->get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
  }
  return flags;
}

std::string HelpHint(const CLI::App* app) { return fmt::format("see `{} --help`", PathOf(app)); }

}  // namespace

struct Verb::Impl {
  CLI::App* app = nullptr;
  std::string group = "Flags";
  Action action;

  CLI::Option* Add(const std::string& flags, const char* type, const char* help,
                   std::function<void(const std::string&)> take) {
    CLI::App* owner = app;
    const bool positional = flags[0] != '-';
    CLI::callback_t callback = [take = std::move(take), owner, positional,
                                flags](const CLI::results_t& values) {
      const std::vector<std::string> known = FlagsOf(owner);
      for (const std::string& value : values) {
        // "--scope --json": the value was forgotten, and --json is not a scope.
        if (!positional && std::find(known.begin(), known.end(), value) != known.end()) {
          throw ValueError{{ErrorCode::kInvalidArgument,
                            fmt::format("{}: a value is missing before {}", flags, value),
                            HelpHint(owner)}};
        }
        take(value);
      }
      return true;
    };
    CLI::Option* option = app->add_option(flags, std::move(callback), help);
    return option->type_name(type)->type_size(1)->expected(1)->group(positional ? "" : group);
  }

  CLI::Option* AddMany(const std::string& flags, const char* type, const char* help,
                       std::function<void(const std::string&)> take) {
    return Add(flags, type, help, std::move(take))->take_all();
  }
};

namespace {

void CheckText(std::string_view flag, const std::string& value) {
  if (!IsCleanUtf8(value))
    Throw(flag, {ErrorCode::kInvalidData, "the text is not valid UTF-8", {}});
}

Scope TakeScope(std::string_view flag, const std::string& value) {
  CheckText(flag, value);
  Result<Scope> scope = ParseScope(value);
  if (!scope) Throw(flag, scope.error());
  return *scope;
}

double TakeReal(std::string_view flag, const std::string& value, double least, double most) {
  const Result<double> number = ParseReal(value, least, most);
  if (!number) Throw(flag, number.error());
  return *number;
}

}  // namespace

Verb& Verb::Argument(const char* name, std::string* value, const char* help) {
  impl_
      ->Add(name, "", help,
            [=](const std::string& text) {
              CheckText(name, text);
              *value = text;
            })
      ->required()
      ->group(kArguments);
  return *this;
}

Verb& Verb::Arguments(const char* name, std::vector<std::string>* values, const char* help) {
  impl_->AddMany(name, "", help, [=](const std::string& text) { values->push_back(text); })
      ->required()
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->allow_extra_args(true)
      ->group(kArguments);
  return *this;
}

Verb& Verb::Text(const char* flags, std::string* value, const char* type, const char* help,
                 Need need) {
  impl_
      ->Add(flags, type, help,
            [=](const std::string& text) {
              CheckText(flags, text);
              *value = text;
            })
      ->required(need == Need::kRequired)
      ->default_str(*value);
  return *this;
}

Verb& Verb::Text(const char* flags, std::optional<std::string>* value, const char* type,
                 const char* help) {
  impl_->Add(flags, type, help, [=](const std::string& text) {
    CheckText(flags, text);
    *value = text;
  });
  return *this;
}

Verb& Verb::Texts(const char* flags, std::vector<std::string>* values, const char* type,
                  const char* help) {
  impl_->AddMany(flags, type, help, [=](const std::string& text) {
    CheckText(flags, text);
    values->push_back(text);
  });
  return *this;
}

Verb& Verb::Path(const char* flags, std::filesystem::path* value, const char* type,
                 const char* help, Need need) {
  impl_->Add(flags, type, help, [=](const std::string& text) { *value = text; })
      ->required(need == Need::kRequired);
  return *this;
}

Verb& Verb::Count(const char* flags, std::size_t* value, std::size_t least, std::size_t most,
                  const char* help) {
  impl_
      ->Add(flags, "N", help,
            [=](const std::string& text) {
              const Result<std::size_t> number = ParseCount(text, least, most);
              if (!number) Throw(flags, number.error());
              *value = *number;
            })
      ->default_str(std::to_string(*value));
  return *this;
}

Verb& Verb::Real(const char* flags, double* value, double least, double most, const char* help) {
  impl_
      ->Add(flags, "X", help,
            [=](const std::string& text) { *value = TakeReal(flags, text, least, most); })
      ->default_str(Shortest(*value));
  return *this;
}

Verb& Verb::Real(const char* flags, std::optional<double>* value, double least, double most,
                 const char* help) {
  impl_->Add(flags, "X", help,
             [=](const std::string& text) { *value = TakeReal(flags, text, least, most); });
  return *this;
}

Verb& Verb::Time(const char* flags, std::optional<Timestamp>* value, Edge edge, const char* help) {
  impl_->Add(flags, "TIME", help, [=](const std::string& text) {
    CheckText(flags, text);
    const Result<TimeSpan> span = ParseTime(text);
    if (!span) Throw(flags, span.error());
    // A date or a year as an end holds through its last instant; an instant is the end itself.
    const bool instant = span->past_last - span->first == Duration{1};
    *value = edge == Edge::kFirst || instant ? span->first : span->past_last;
  });
  return *this;
}

Verb& Verb::Choice(const char* flags, std::string* value, std::vector<std::string> choices,
                   const char* help) {
  const std::string type = fmt::format("{}", fmt::join(choices, "|"));
  impl_
      ->Add(flags, type.c_str(), help,
            [=](const std::string& text) {
              if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
                Throw(flags, {ErrorCode::kInvalidArgument,
                              fmt::format("\"{}\" is none of {}", text, fmt::join(choices, ", ")),
                              DidYouMean(text, choices)});
              }
              *value = text;
            })
      ->default_str(*value);
  return *this;
}

Verb& Verb::OneScope(const char* flags, Scope* value, const char* help) {
  impl_
      ->Add(flags, "SCOPE", help, [=](const std::string& text) { *value = TakeScope(flags, text); })
      ->default_str(FormatScope(*value));
  return *this;
}

Verb& Verb::Scopes(const char* flags, std::vector<Scope>* values, const char* help) {
  impl_->AddMany(flags, "SCOPE", help,
                 [=](const std::string& text) { values->push_back(TakeScope(flags, text)); });
  return *this;
}

Verb& Verb::Emotion(const char* flags, std::string* label, double* intensity, const char* help) {
  impl_->Add(flags, "LABEL[:X]", help, [=](const std::string& text) {
    CheckText(flags, text);
    const std::size_t colon = text.rfind(':');
    *label = text.substr(0, colon);
    *intensity = 1;
    if (colon != std::string::npos) *intensity = TakeReal(flags, text.substr(colon + 1), 0, 1);
    if (label->empty()) Throw(flags, {ErrorCode::kInvalidArgument, "the label is missing", {}});
  });
  return *this;
}

Verb& Verb::Flag(const char* flags, bool* value, const char* help) {
  impl_->app
      ->add_flag_callback(
          flags, [value] { *value = true; }, help)
      ->group(impl_->group);
  return *this;
}

Verb& Verb::Off(const char* flags, Switch* value, const char* help) {
  impl_->app
      ->add_flag_callback(
          flags, [value] { *value = Switch::kOff; }, help)
      ->group(impl_->group);
  return *this;
}

Verb& Verb::Value(const char* flags, const char* type, const char* shown_default, const char* help,
                  std::function<Result<void>(const std::string&)> take) {
  impl_
      ->Add(flags, type, help,
            [flags, take = std::move(take)](const std::string& text) {
              if (const Result<void> taken = take(text); !taken) Throw(flags, taken.error());
            })
      ->default_str(shown_default);
  return *this;
}

Verb& Verb::Group(const char* heading) {
  impl_->group = heading;
  return *this;
}

void Verb::Do(Action action) { impl_->action = std::move(action); }

struct CommandLine::Impl {
  Program* program = nullptr;
  bool version = false;
  CLI::App root{"A recall engine for agents that live long.", "souvenance"};
  std::list<Verb::Impl> verbs;
  std::map<std::string, CLI::App*> families;
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>> overview;

  void AddGlobals(CLI::App* app) {
    app->set_help_flag("-h,--help", "print this")->group(kEverywhere);
    app->add_option(
           "--store",
           [this](const CLI::results_t& values) {
             program->store_flag = values.back();
             return !values.back().empty();
           },
           "the store; else SOUVENANCE_STORE, else $XDG_DATA_HOME/souvenance")
        ->type_name("DIR")
        ->expected(1)
        ->take_last()
        ->group(kEverywhere);
    app->add_flag_callback(
           "--json", [this] { program->json = true; }, "one line of JSON, with a versioned schema")
        ->group(kEverywhere);
  }

  std::string Overview() const {
    std::string text =
        "souvenance: what should come to mind, how much of it may be said, and what proves it.\n\n"
        "Usage: souvenance [--store DIR] [--json] VERB ...\n";
    for (const auto& [heading, entries] : overview) {
      text += fmt::format("\n{}\n", heading);
      for (const auto& [name, purpose] : entries)
        text += fmt::format("  {:<12} {}\n", name, purpose);
    }
    text +=
        "\nThe store is --store, else SOUVENANCE_STORE, else $XDG_DATA_HOME/souvenance.\n"
        "`souvenance VERB --help` lists a verb's flags and shows two commands to try.\n";
    return text;
  }

  const CLI::App* Deepest() const {
    const CLI::App* app = &root;
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    return app;
  }

  bool TakesVerbs(const CLI::App* app) const {
    return app == &root || families.count(app->get_name()) != 0;
  }

  Error Unknown(const std::string& word, const CLI::App* at, bool flag) const;
  Error Explain(const CLI::ParseError& error) const;
};

CommandLine::CommandLine(Program* program) : impl_(std::make_unique<Impl>()) {
  impl_->program = program;
  impl_->root.formatter(std::make_shared<HelpFormat>());
  impl_->root.require_subcommand(0, 1);
  impl_->AddGlobals(&impl_->root);
  impl_->root
      .add_flag_callback(
          "--version", [this] { impl_->version = true; }, "print the version")
      ->group(kEverywhere);
}

CommandLine::~CommandLine() = default;

Verb CommandLine::Add(std::string_view name, std::string_view heading, std::string_view purpose,
                      std::string_view examples) {
  CLI::App* parent = &impl_->root;
  std::string leaf(name);
  if (const std::size_t space = name.find(' '); space != std::string_view::npos) {
    const std::string family(name.substr(0, space));
    leaf = name.substr(space + 1);
    CLI::App*& app = impl_->families[family];
    if (app == nullptr) {
      app = impl_->root.add_subcommand(family, std::string(heading));
      app->require_subcommand(0, 1);
      app->formatter(std::make_shared<HelpFormat>());
      impl_->AddGlobals(app);
    }
    parent = app;
  }
  Verb::Impl& verb = impl_->verbs.emplace_back();
  verb.app = parent->add_subcommand(leaf, std::string(purpose));
  verb.app->formatter(std::make_shared<HelpFormat>());
  std::string footer = "EXAMPLES\n";
  std::string_view rest = examples;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    footer += fmt::format("  {}\n", rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  footer.pop_back();
  verb.app->footer(footer);
  impl_->AddGlobals(verb.app);
  auto& groups = impl_->overview;
  auto group = std::find_if(groups.begin(), groups.end(),
                            [&](const auto& entry) { return entry.first == heading; });
  if (group == groups.end()) group = groups.insert(groups.end(), {std::string(heading), {}});
  group->second.emplace_back(name, purpose);
  return Verb(&verb);
}

Error CommandLine::Impl::Unknown(const std::string& word, const CLI::App* at, bool flag) const {
  const std::string name = word.substr(0, flag ? word.find('=') : std::string::npos);
  std::vector<std::string> known;
  if (flag) {
    known = FlagsOf(Deepest());
    const bool later = std::find(known.begin(), known.end(), name) != known.end();
    std::string hint = later ? name + " belongs after the verb" : DidYouMean(name, known);
    if (hint.empty()) hint = HelpHint(at);
    return {ErrorCode::kInvalidArgument, "unknown flag " + name, std::move(hint)};
  }
  if (TakesVerbs(at)) {
    for (const CLI::App* verb : at->get_subcommands([](const CLI::App*) { return true; })) {
      known.push_back(verb->get_name());
    }
    std::string hint = DidYouMean(name, known);
    if (hint.empty()) hint = "`souvenance` alone lists the verbs";
    return {ErrorCode::kInvalidArgument, "unknown verb " + name, std::move(hint)};
  }
  return {ErrorCode::kInvalidArgument,
          fmt::format("{}: \"{}\" is one argument too many", at->get_name(), word),
          "put a text of several words in quotes"};
}

Error CommandLine::Impl::Explain(const CLI::ParseError& error) const {
  // An unknown word explains most other complaints (a value that became the cue), so it is told
  // first; a flag before a stray word.
  const CLI::App* app = &root;
  while (app != nullptr) {
    std::vector<std::string> left = app->remaining(false);
    const auto mark = std::find(left.begin(), left.end(), "--");  // no flags after it
    const auto flag = std::find_if(left.begin(), mark, [](const std::string& word) {
      return word.size() > 1 && word[0] == '-';
    });
    const bool verb_first = TakesVerbs(app) && !left.empty() && left.front()[0] != '-';
    if (flag != mark && !verb_first) return Unknown(*flag, app, true);
    if (mark != left.end()) left.erase(mark);
    if (!left.empty()) return Unknown(left.front(), app, false);
    app = app->get_subcommands().empty() ? nullptr : app->get_subcommands().front();
  }
  std::string message = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const std::string tail = " is required";
    if (const std::size_t at = message.find(tail); at != std::string::npos) message.resize(at);
    message += " is missing";
  }
  return {ErrorCode::kInvalidArgument, fmt::format("{}: {}", Deepest()->get_name(), message),
          HelpHint(Deepest())};
}

Result<Action> CommandLine::Parse(int argc, const char* const* argv) {
  std::vector<std::string> args(argv + std::min(argc, 1), argv + argc);
  if (!args.empty() && args[0] == "help") {
    args.erase(args.begin());
    args.emplace_back("--help");
  }
  // An error must know it before parsing has come that far.
  const auto flags_end = std::find(args.begin(), args.end(), "--");
  impl_->program->json = std::find(args.begin(), flags_end, "--json") != flags_end;
  const auto print = [](std::string text) -> Action {
    return [text = std::move(text)](Program& program) -> Result<int> {
      program.out += text;
      return 0;
    };
  };
  const auto help = [&]() -> Action {
    const CLI::App* app = impl_->Deepest();
    return print(app == &impl_->root ? impl_->Overview() : app->help());
  };
  try {
    std::reverse(args.begin(), args.end());
    impl_->root.parse(args);
  } catch (const CLI::CallForHelp&) {
    return help();
  } catch (const CLI::ParseError& error) {
    return Fail(impl_->Explain(error));
  } catch (const ValueError& error) {
    return Fail(error.error);
  }
  if (impl_->version) {
    return print(fmt::format("souvenance {}\n", kVersion));
  }
  const CLI::App* chosen = impl_->Deepest();
  for (const Verb::Impl& verb : impl_->verbs) {
    if (verb.app == chosen) return verb.action;
  }
  if (chosen != &impl_->root) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: say what to do", chosen->get_name()),
                HelpHint(chosen));
  }
  return help();
}

}  // namespace souvenance::program
