// lookup, timeline, show, history, list.
#include <memory>

#include "tools/souvenance/exit_codes.h"
#include "tools/souvenance/json.h"
#include "tools/souvenance/text.h"
#include "tools/souvenance/verbs.h"

namespace souvenance::program {
namespace {

constexpr char kHeading[] = "Look things up";

HistoryMode Mode(bool all) { return all ? HistoryMode::kAll : HistoryMode::kCurrent; }

struct LookupArgs {
  LookupQuery query;
  bool history = false;
};

Result<int> Lookup(Program& program, const LookupArgs& args) {
  const Result<std::unique_ptr<Engine>> engine = OpenStore(program, Access::kReadOnly);
  if (!engine) return Fail(engine.error());
  LookupQuery query = args.query;
  query.history = Mode(args.history);
  const Result<LookupAnswer> answer = (*engine)->Lookup(query);
  if (!answer) return Fail(answer.error());
  program.out += program.json ? LookupJson(*answer) : LookupText(*answer, program.style);
  return kDone;
}

void AddLookup(CommandLine* line) {
  const auto args = std::make_shared<LookupArgs>();
  LookupQuery& query = args->query;
  Verb verb = line->Add("lookup", kHeading,
                        "the graph around a cue: entities, relations, timeline, evidence",
                        "souvenance lookup \"Alice\" --hops 2 --as-of 2022\n"
                        "souvenance lookup \"小林住在哪里\" --history --json");
  verb.Argument("CUE", &query.cue, "names, or a question with names in it");
  verb.Count("--hops", &query.hops, 0, 4, "how far from the names");
  verb.Count("--max-nodes", &query.max_nodes, 1, 500, "entities at most");
  verb.Count("--passages", &query.passages, 0, 1000, "passages at most");
  verb.Flag("--history", &args->history, "also what has ended or was corrected");
  verb.RankingFlags(&query.options);
  verb.ViewerFlags(&query.viewer).MomentFlags(&query.moment);
  verb.Do([args](Program& program) { return Lookup(program, *args); });
}

struct TimelineArgs {
  TimelineQuery query;
  bool last = false;
  bool history = false;
};

Result<int> Timeline(Program& program, const TimelineArgs& args) {
  const Result<std::unique_ptr<Engine>> engine = OpenStore(program, Access::kReadOnly);
  if (!engine) return Fail(engine.error());
  TimelineQuery query = args.query;
  query.pick = args.last ? TimelineQuery::Pick::kLastInstant : TimelineQuery::Pick::kAll;
  query.history = Mode(args.history);
  const Result<TimelineAnswer> answer = (*engine)->Timeline(query);
  if (!answer) return Fail(answer.error());
  program.out += program.json ? TimelineJson(*answer) : TimelineText(*answer, program.style);
  return kDone;
}

void AddTimeline(CommandLine* line) {
  const auto args = std::make_shared<TimelineArgs>();
  TimelineQuery& query = args->query;
  Verb verb = line->Add("timeline", kHeading, "what held when, of one entity",
                        "souvenance timeline Alice --predicate lives_in --history\n"
                        "souvenance timeline 小林 --before 2024 --last");
  verb.Argument("ENTITY", &query.entity, "its name, or its id");
  verb.Text("--predicate", &query.predicate, "NAME", "only this relation");
  verb.Time("--before", &query.before, Edge::kFirst, "only what begins before");
  verb.Flag("--last", &args->last, "all of the last instant alone");
  verb.Flag("--history", &args->history, "also what has ended or was corrected");
  verb.ViewerFlags(&query.viewer).MomentFlags(&query.moment);
  verb.Do([args](Program& program) { return Timeline(program, *args); });
}

struct IdArgs {
  std::string id;
  Viewer viewer;
  Moment moment;
};

Result<int> Show(Program& program, const IdArgs& args) {
  const Result<std::unique_ptr<Engine>> engine = OpenStore(program, Access::kReadOnly);
  if (!engine) return Fail(engine.error());
  const Result<ShowAnswer> answer = (*engine)->Show(args.id, args.viewer, args.moment);
  if (!answer) return Fail(answer.error());
  program.out += program.json ? ShowJson(*answer) : ShowText(*answer, program.style);
  return kDone;
}

void AddShow(CommandLine* line) {
  const auto args = std::make_shared<IdArgs>();
  Verb verb =
      line->Add("show", kHeading, "one memory, source, entity or relation, with its lineage",
                "souvenance show a12-7k3f9q2m\n"
                "souvenance show s4-7k3f9q2m --scope private:小林 --json");
  verb.Argument("ID", &args->id, "an id as the other verbs print it");
  verb.ViewerFlags(&args->viewer).MomentFlags(&args->moment);
  verb.Do([args](Program& program) { return Show(program, *args); });
}

Result<int> History(Program& program, const IdArgs& args) {
  const Result<std::unique_ptr<Engine>> engine = OpenStore(program, Access::kReadOnly);
  if (!engine) return Fail(engine.error());
  const Result<HistoryAnswer> answer = (*engine)->History(args.id, args.viewer, args.moment);
  if (!answer) return Fail(answer.error());
  program.out += program.json ? HistoryJson(*answer) : HistoryText(*answer, program.style);
  return kDone;
}

void AddHistory(CommandLine* line) {
  const auto args = std::make_shared<IdArgs>();
  Verb verb = line->Add("history", kHeading, "the revisions and uses of a memory",
                        "souvenance history a12-7k3f9q2m\n"
                        "souvenance history a12-7k3f9q2m --known-at 2024-01 --json");
  verb.Argument("ID", &args->id, "the memory");
  verb.ViewerFlags(&args->viewer).MomentFlags(&args->moment);
  verb.Do([args](Program& program) { return History(program, *args); });
}

Result<int> List(Program& program, const ListQuery& query) {
  const Result<std::unique_ptr<Engine>> engine = OpenStore(program, Access::kReadOnly);
  if (!engine) return Fail(engine.error());
  const Result<ListAnswer> answer = (*engine)->List(query);
  if (!answer) return Fail(answer.error());
  program.out += program.json ? ListJson(*answer, query) : ListText(*answer, query, program.style);
  return kDone;
}

void AddList(CommandLine* line) {
  const auto query = std::make_shared<ListQuery>();
  // "" stands for any kind, and is not offered as a choice.
  std::vector<std::string> kinds(record_names::kArtifactKinds.begin(),
                                 record_names::kArtifactKinds.end());
  Verb verb = line->Add("list", kHeading, "browse memories, with filters",
                        "souvenance list --said-by Alice --since 2023-05 --limit 20\n"
                        "souvenance list --with-tag 饮食 --state any");
  verb.Text("--about", &query->subject, "NAME", "only what is about them");
  verb.Text("--said-by", &query->speaker, "NAME", "only what they said");
  verb.Text("--in-session", &query->session, "NAME", "only what was said there");
  verb.Text("--with-tag", &query->tag, "TAG", "only what has the tag");
  verb.Choice("--kind", &query->kind, std::move(kinds), "only this kind");
  verb.Choice("--state", &query->state, {"active", "forgotten", "retracted", "any"},
              "in which state");
  verb.Count("--offset", &query->offset, 0, 1'000'000'000, "how many to skip");
  verb.Count("--limit", &query->limit, 1, 10000, "how many at most");
  verb.ViewerFlags(&query->viewer).MomentFlags(&query->moment);
  verb.Do([query](Program& program) { return List(program, *query); });
}

}  // namespace

void AddLookVerbs(CommandLine* line) {
  AddLookup(line);
  AddTimeline(line);
  AddShow(line);
  AddHistory(line);
  AddList(line);
}

}  // namespace souvenance::program
