// recall, context, recent.
#include <fmt/format.h>

#include <memory>

#include "tools/souvenance/exit_codes.h"
#include "tools/souvenance/json.h"
#include "tools/souvenance/text.h"
#include "tools/souvenance/verbs.h"

namespace souvenance::program {
namespace {

constexpr char kHeading[] = "Ask";
constexpr std::size_t kMostResults = 10000;

struct RecallArgs {
  RecallQuery query;
  bool explain = false;
  bool exit_status = false;
};

Result<int> Recall(Program& program, const RecallArgs& args) {
  const Result<std::unique_ptr<Engine>> engine = OpenStore(program, Access::kReadOnly);
  if (!engine) return Fail(engine.error());
  const Result<RecallAnswer> answer = (*engine)->Recall(args.query);
  if (!answer) return Fail(answer.error());
  const Detail detail = args.explain ? Detail::kExplain : Detail::kPlain;
  program.out +=
      program.json ? RecallJson(*answer, detail) : RecallText(*answer, detail, program.style);
  return args.exit_status && answer->results.empty() ? kEmpty : kDone;
}

void AddRecall(CommandLine* line) {
  const auto args = std::make_shared<RecallArgs>();
  RecallQuery& query = args->query;
  Verb verb =
      line->Add("recall", kHeading, "what should come to mind for a cue, and why",
                "souvenance recall \"where does Alice live?\" --explain\n"
                "souvenance recall \"Alice 喜欢什么\" --scope public --scope group:家人 --json");
  verb.Argument("CUE", &query.cue, "a question, a sentence or a few words");
  verb.Count("-k", &query.k, 1, kMostResults, "how many at most");
  verb.Flag("--explain", &args->explain, "show factors, ranks, disclosure, gate and sources");
  verb.Texts("--trace", &query.trace, "ID", "tell what each stage did to this memory");
  verb.Flag("--exit-status", &args->exit_status, "end with 1 when nothing is recalled");
  verb.GateFlags(&query.options);
  verb.CueFlags(&query).RankingFlags(&query.options);
  verb.ViewerFlags(&query.viewer).MomentFlags(&query.moment);
  verb.Do([args](Program& program) { return Recall(program, *args); });
}

Result<int> Context(Program& program, const ContextQuery& query) {
  const Result<std::unique_ptr<Engine>> engine = OpenStore(program, Access::kReadOnly);
  if (!engine) return Fail(engine.error());
  const Result<ContextAnswer> answer = (*engine)->Context(query);
  if (!answer) return Fail(answer.error());
  if (program.json) {
    program.out += ContextJson(*answer);
    return kDone;
  }
  program.out += ContextText(*answer);
  Notice(fmt::format("{} of {} tokens; {} items, {} left out", answer->tokens, answer->budget,
                     answer->items.size(), answer->left_out.size()));
  if (answer->items.empty() && !answer->reason.empty()) Notice(WhyEmpty(answer->reason));
  return kDone;
}

void AddContext(CommandLine* line) {
  const auto query = std::make_shared<ContextQuery>();
  Verb verb =
      line->Add("context", kHeading, "a block of memories for a prompt, within a budget",
                "souvenance context \"plan Alice's birthday\" --budget 800\n"
                "souvenance context \"周末去哪儿玩\" --session s12 --subject 小林 --budget 500");
  verb.Argument("CUE", &query->recall.cue, "what the prompt is about");
  verb.Count("--budget", &query->budget, 0, 10'000'000, "tokens, never exceeded");
  verb.Count("--max-items", &query->max_items, 0, kMostResults, "items at most");
  verb.Count("-k", &query->recall.k, 1, kMostResults, "memories considered at most");
  verb.GateFlags(&query->recall.options);
  verb.CueFlags(&query->recall).RankingFlags(&query->recall.options);
  verb.ViewerFlags(&query->recall.viewer).MomentFlags(&query->recall.moment);
  verb.Do([query](Program& program) { return Context(program, *query); });
}

Result<int> Recent(Program& program, const RecentQuery& query) {
  const Result<std::unique_ptr<Engine>> engine = OpenStore(program, Access::kReadOnly);
  if (!engine) return Fail(engine.error());
  const Result<RecentAnswer> answer = (*engine)->Recent(query);
  if (!answer) return Fail(answer.error());
  program.out += program.json ? RecentJson(*answer) : RecentText(*answer, program.style);
  return kDone;
}

void AddRecent(CommandLine* line) {
  const auto query = std::make_shared<RecentQuery>();
  Verb verb = line->Add("recent", kHeading, "the last turns of a session, as they were",
                        "souvenance recent --session s12\n"
                        "souvenance recent --session 周一例会 -k 5 --scope group:项目组");
  verb.Text("--session", &query->session, "NAME", "which session", Need::kRequired);
  verb.Count("-k", &query->k, 1, kMostResults, "how many turns at most");
  verb.ViewerFlags(&query->viewer, Verb::Speaks::kWithoutSession).MomentFlags(&query->moment);
  verb.Do([query](Program& program) { return Recent(program, *query); });
}

}  // namespace

void AddReadVerbs(CommandLine* line) {
  AddRecall(line);
  AddContext(line);
  AddRecent(line);
}

}  // namespace souvenance::program
