// revise, retract, reinforce, forget.
#include <fmt/format.h>

#include <memory>

#include "tools/souvenance/exit_codes.h"
#include "tools/souvenance/json.h"
#include "tools/souvenance/text.h"
#include "tools/souvenance/verbs.h"

namespace souvenance::program {
namespace {

constexpr char kHeading[] = "Change";

int Report(Program& program, std::string_view verb, std::string_view done,
           const WriteAnswer& answer, const std::vector<std::string>& asked) {
  program.out += program.json ? WriteJson(verb, answer) : WriteText(done, answer, asked);
  return kDone;
}

// ---- revise ----

struct ReviseArgs {
  ReviseRequest request;
  std::vector<std::string> tags;
};

bool Changes(const ReviseRequest& r) {
  return r.content || r.gist || r.tags || r.salience || r.sensitivity || r.confidence ||
         r.valid_at || r.invalid_at || !r.evidence.empty();
}

Result<int> Revise(Program& program, const ReviseArgs& args) {
  ReviseRequest request = args.request;
  if (!args.tags.empty()) {
    // `--tag ""` alone takes all tags away.
    request.tags.emplace();
    for (const std::string& tag : args.tags) {
      if (!tag.empty()) request.tags->push_back(tag);
    }
  }
  if (!Changes(request)) {
    return Fail(ErrorCode::kInvalidArgument, "revise: there is nothing to change",
                "say what with --content, --gist, --tag, --salience or --valid-at");
  }
  const Result<std::unique_ptr<Engine>> engine = OpenStore(program, Access::kReadWrite);
  if (!engine) return Fail(engine.error());
  const Result<WriteAnswer> answer = (*engine)->Revise(request);
  if (!answer) return Fail(answer.error());
  return Report(program, "revise", "revised", *answer, {request.id});
}

void AddRevise(CommandLine* line) {
  const auto args = std::make_shared<ReviseArgs>();
  ReviseRequest& r = args->request;
  Verb verb = line->Add(
      "revise", kHeading, "a new revision of a memory; the old one stays",
      "souvenance revise a12-7k3f9q2m --content \"Alice lives in Berlin\" --reason moved\n"
      "souvenance revise a7-7k3f9q2m --tag 饮食 --tag 茶 --salience 0.8");
  verb.Argument("ID", &r.id, "the memory");
  verb.Text("--content", &r.content, "TEXT", "what it says now");
  verb.Text("--gist", &r.gist, "TEXT", "what may be said when the whole may not");
  verb.Texts("--tag", &args->tags, "TAG", "its tags from now on; \"\" for none");
  verb.Real("--salience", &r.salience, 0.01, 1, "how much it matters");
  verb.Real("--sensitivity", &r.sensitivity, 0, 1, "how much it is to be kept back");
  verb.Real("--confidence", &r.confidence, 0, 1, "how sure it is");
  verb.Time("--valid-at", &r.valid_at, Edge::kFirst, "true from then");
  verb.Time("--invalid-at", &r.invalid_at, Edge::kPastLast, "true until the end of then");
  verb.Texts("--evidence", &r.evidence, "ID", "a further source, by id or external id");
  verb.Text("--reason", &r.reason, "TEXT", "why");
  verb.Time("--now", &r.now, Edge::kFirst, "the clock, for reproducible runs");
  verb.ViewerFlags(&r.viewer);
  verb.Do([args](Program& program) { return Revise(program, *args); });
}

// ---- retract and forget ----

struct StateArgs {
  StateRequest request;
  bool yes = false;
  bool undo = false;
};

// Who an agent is should not go by a slip of the hand.
Result<void> CheckIdentity(const Engine& engine, const StateRequest& request) {
  Moment moment;
  moment.now = request.now;
  for (const std::string& id : request.ids) {
    const Result<ShowAnswer> answer = engine.Show(id, request.viewer, moment);
    if (!answer) return Fail(answer.error());
    if (answer->item && answer->item->current.memory_type == MemoryType::kIdentity) {
      return Fail(ErrorCode::kRefused, fmt::format("retract: {} is a memory of identity", id),
                  "say --yes when it is meant");
    }
  }
  return {};
}

Result<int> Retract(Program& program, const StateArgs& args) {
  const Result<std::unique_ptr<Engine>> engine = OpenStore(program, Access::kReadWrite);
  if (!engine) return Fail(engine.error());
  StateRequest request = args.request;
  request.change = StateChange::kRetract;
  if (!args.yes) {
    if (const Result<void> free = CheckIdentity(**engine, request); !free)
      return Fail(free.error());
  }
  const Result<WriteAnswer> answer = (*engine)->ChangeState(request);
  if (!answer) return Fail(answer.error());
  return Report(program, "retract", "retracted", *answer, request.ids);
}

Result<int> Forget(Program& program, const StateArgs& args) {
  const Result<std::unique_ptr<Engine>> engine = OpenStore(program, Access::kReadWrite);
  if (!engine) return Fail(engine.error());
  StateRequest request = args.request;
  request.change = args.undo ? StateChange::kRecover : StateChange::kForget;
  const Result<WriteAnswer> answer = (*engine)->ChangeState(request);
  if (!answer) return Fail(answer.error());
  return Report(program, "forget", args.undo ? "recovered" : "forgot", *answer, request.ids);
}

void AddRetract(CommandLine* line) {
  const auto args = std::make_shared<StateArgs>();
  StateRequest& r = args->request;
  Verb verb = line->Add("retract", kHeading, "stop believing memories or relations",
                        "souvenance retract a12-7k3f9q2m --reason \"a misunderstanding\"\n"
                        "souvenance retract r3-7k3f9q2m --scope group:家人");
  verb.Arguments("ID", &r.ids, "memories or relations");
  verb.Text("--reason", &r.reason, "TEXT", "why");
  verb.Flag("--yes", &args->yes, "also a memory of identity");
  verb.Time("--now", &r.now, Edge::kFirst, "the clock, for reproducible runs");
  verb.ViewerFlags(&r.viewer);
  verb.Do([args](Program& program) { return Retract(program, *args); });
}

void AddForget(CommandLine* line) {
  const auto args = std::make_shared<StateArgs>();
  StateRequest& r = args->request;
  Verb verb = line->Add("forget", kHeading, "take memories out of recall; the truth keeps them",
                        "souvenance forget a12-7k3f9q2m --reason outdated\n"
                        "souvenance forget a12-7k3f9q2m --undo");
  verb.Arguments("ID", &r.ids, "memories");
  verb.Flag("--undo", &args->undo, "bring them back");
  verb.Text("--reason", &r.reason, "TEXT", "why");
  verb.Time("--now", &r.now, Edge::kFirst, "the clock, for reproducible runs");
  verb.ViewerFlags(&r.viewer);
  verb.Do([args](Program& program) { return Forget(program, *args); });
}

// ---- reinforce ----

struct ReinforceArgs {
  ReinforceRequest request;
  bool recalled = false;
  bool spoken = false;
  bool confirmed = false;
};

Result<int> Reinforce(Program& program, const ReinforceArgs& args) {
  if (int{args.recalled} + int{args.spoken} + int{args.confirmed} > 1) {
    return Fail(ErrorCode::kInvalidArgument,
                "reinforce: one of --recalled, --spoken and --confirmed");
  }
  const Result<std::unique_ptr<Engine>> engine = OpenStore(program, Access::kReadWrite);
  if (!engine) return Fail(engine.error());
  ReinforceRequest request = args.request;
  if (args.spoken) request.kind = ReinforcementKind::kSpoken;
  if (args.confirmed) request.kind = ReinforcementKind::kConfirmed;
  const Result<WriteAnswer> answer = (*engine)->Reinforce(request);
  if (!answer) return Fail(answer.error());
  return Report(program, "reinforce", "reinforced", *answer, request.ids);
}

void AddReinforce(CommandLine* line) {
  const auto args = std::make_shared<ReinforceArgs>();
  ReinforceRequest& r = args->request;
  Verb verb = line->Add("reinforce", kHeading, "tell what was used, so that it fades more slowly",
                        "souvenance reinforce a12-7k3f9q2m a3-7k3f9q2m --spoken --session s12\n"
                        "souvenance reinforce a12-7k3f9q2m --confirmed");
  verb.Arguments("ID", &r.ids, "memories");
  verb.Flag("--recalled", &args->recalled, "they came to mind (this when none is given)");
  verb.Flag("--spoken", &args->spoken, "they were said");
  verb.Flag("--confirmed", &args->confirmed, "somebody confirmed them");
  verb.Time("--now", &r.now, Edge::kFirst, "the clock, for reproducible runs");
  verb.ViewerFlags(&r.viewer);
  verb.Do([args](Program& program) { return Reinforce(program, *args); });
}

}  // namespace

void AddWriteVerbs(CommandLine* line) {
  AddRevise(line);
  AddRetract(line);
  AddReinforce(line);
  AddForget(line);
}

}  // namespace souvenance::program
