// eval run, eval score.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "tools/souvenance/exit_codes.h"
#include "tools/souvenance/json.h"
#include "tools/souvenance/suggest.h"
#include "tools/souvenance/text.h"
#include "tools/souvenance/verbs.h"

namespace souvenance::program {
namespace {

constexpr char kHeading[] = "Measure";

// What --set can name.
struct Weight {
  const char* name;
  double RecallOptions::*member;
};
constexpr std::array kWeights = std::to_array<Weight>({
    {"k1", &RecallOptions::k1},
    {"b", &RecallOptions::b},
    {"gate_coverage", &RecallOptions::gate_coverage},
    {"gate_ratio", &RecallOptions::gate_ratio},
    {"gate_minimum", &RecallOptions::gate_minimum},
    {"previous", &RecallOptions::previous},
    {"previous_question", &RecallOptions::previous_question},
    {"before_previous", &RecallOptions::before_previous},
    {"next", &RecallOptions::next},
    {"after_next", &RecallOptions::after_next},
    {"session", &RecallOptions::session},
    {"speaker", &RecallOptions::speaker},
    {"when", &RecallOptions::when},
    {"semantic", &RecallOptions::semantic},
    {"date_window", &RecallOptions::date_window},
    {"date_exact", &RecallOptions::date_exact},
    {"link", &RecallOptions::link},
    {"link_decay", &RecallOptions::link_decay},
    {"activation_weight", &RecallOptions::activation_weight},
    {"age", &RecallOptions::age},
    {"recent", &RecallOptions::recent},
    {"restart", &RecallOptions::restart},
    {"hub_exponent", &RecallOptions::hub_exponent},
    {"fact_seeds", &RecallOptions::fact_seeds},
    {"passage_seed", &RecallOptions::passage_seed},
});

struct Size {
  const char* name;
  std::size_t RecallOptions::*member;
};
constexpr std::array kSizes = std::to_array<Size>({
    {"word_pool", &RecallOptions::word_pool},
    {"vector_pool", &RecallOptions::vector_pool},
    {"graph_pool", &RecallOptions::graph_pool},
    {"ef", &RecallOptions::ef},
});

tl::unexpected<Error> Unset(std::string_view name, Error error) {
  error.message = fmt::format("--set {}: {}", name, error.message);
  return Fail(std::move(error));
}

// "semantic=0.2"
Result<void> Set(RecallOptions* options, std::string_view assignment) {
  const std::size_t sign = assignment.find('=');
  const std::string_view name = assignment.substr(0, sign);
  const std::string_view value =
      sign == std::string_view::npos ? std::string_view() : assignment.substr(sign + 1);
  std::vector<std::string> known;
  for (const Weight& weight : kWeights) {
    known.emplace_back(weight.name);
    if (name != weight.name) continue;
    const Result<double> number = ParseReal(value, 0, 1e6);
    if (!number) return Unset(name, number.error());
    options->*weight.member = *number;
    return {};
  }
  for (const Size& size : kSizes) {
    known.emplace_back(size.name);
    if (name != size.name) continue;
    const Result<std::size_t> number = ParseCount(value, 1, 1'000'000);
    if (!number) return Unset(name, number.error());
    options->*size.member = *number;
    return {};
  }
  known.emplace_back("activation");
  if (name == "activation" && (value == "push" || value == "spreading")) {
    options->activation = value == "push" ? ActivationKind::kPush : ActivationKind::kSpreading;
    return {};
  }
  if (name == "activation") {
    return Fail(ErrorCode::kInvalidArgument, "--set activation: push or spreading");
  }
  std::string hint = DidYouMean(name, known);
  if (hint.empty()) hint = fmt::format("known are {}", fmt::join(known, ", "));
  return Fail(ErrorCode::kInvalidArgument, fmt::format("--set: there is no weight \"{}\"", name),
              std::move(hint));
}

// ---- run ----

struct RunArgs {
  EvalRunRequest request;
  std::string data;
  std::filesystem::path run;
  std::string gate = "off";
  std::vector<std::string> sets;
};

Latency LatencyOf(std::vector<double> times) {
  if (times.empty()) return {};
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {  // nearest rank
    const double rank = share * static_cast<double>(times.size());
    auto index = static_cast<std::size_t>(rank);
    if (static_cast<double>(index) < rank) ++index;
    return times[index == 0 ? 0 : index - 1];
  };
  return {.median_ms = at(0.5), .p95_ms = at(0.95), .worst_ms = times.back()};
}

Result<int> EvalRunVerb(Program& program, const RunArgs& args) {
  EvalRunRequest request = args.request;
  request.data = args.data;
  // Only what --store names: an evaluation must not end up in the user's own store.
  request.store = program.store_flag;
  request.options.gate = args.gate == "on" ? Switch::kOn : Switch::kOff;
  request.options.disclosure = Switch::kOff;
  request.options.exploration = Switch::kOff;
  for (const std::string& assignment : args.sets) {
    if (const Result<void> set = Set(&request.options, assignment); !set) return Fail(set.error());
  }
  Result<EvalRunAnswer> answer = Fail(ErrorCode::kInternal, "eval run: not run");
  {
    Progress bar("evaluating");
    request.progress = [&bar](std::size_t done, std::size_t total) {
      bar.Update(done, total, fmt::format("{} of {}", done, total));
    };
    answer = EvalRun(request);
  }
  if (!answer) return Fail(answer.error());
  const std::string tag = fmt::format("souvenance-{}", PresetName(request.options.preset));
  const Result<void> written = WriteFile(args.run, FormatRun(answer->run, tag));
  if (!written) return Fail(written.error());
  const Latency latency = LatencyOf(answer->latency_ms);
  program.out += program.json ? EvalRunJson(*answer, args.run, latency)
                              : EvalRunText(*answer, args.run, latency);
  return kDone;
}

void AddRun(CommandLine* line) {
  const auto args = std::make_shared<RunArgs>();
  EvalRunRequest& request = args->request;
  Verb verb =
      line->Add("eval run", kHeading, "ask every query of a BEIR folder; write a TREC run",
                "souvenance eval run ./locomo_dev --run hybrid.run\n"
                "souvenance eval run ./musique --triples triples.jsonl --legs bm25 --set k1=1.2 "
                "--set b=0.75 --run bm25.run");
  verb.Argument("DATA", &args->data, "a folder with corpus.jsonl and queries.jsonl");
  verb.Path("--run", &args->run, "OUT", "the run's file", Need::kRequired);
  verb.Path("--triples", &request.triples, "FILE", "relations of the documents");
  verb.Path("--facts", &request.facts, "FILE", "facts with their evidence");
  verb.Count("-k,--depth", &request.depth, 1, 10000, "documents for a query");
  verb.Choice("--gate", &args->gate, {"on", "off"}, "the evidence gate");
  verb.RankingFlags(&request.options);
  verb.Texts("--set", &args->sets, "NAME=VALUE", "a weight of the ranking, as semantic=0");
  verb.Time("--now", &request.now, Edge::kFirst, "the clock, for reproducible runs");
  verb.Do([args](Program& program) { return EvalRunVerb(program, *args); });
}

// ---- score ----

struct ScoreArgs {
  std::string qrels;
  std::string run;
  std::vector<std::string> measures;
  bool by_query = false;
};

Result<int> EvalScoreVerb(Program& program, const ScoreArgs& args) {
  const Result<Qrels> qrels = ReadQrels(args.qrels);
  if (!qrels) return Fail(qrels.error());
  const Result<Run> run = ReadRun(args.run);
  if (!run) return Fail(run.error());
  const std::vector<std::string> usual = {"nDCG@10", "R@5", "R@10", "RR"};
  const Result<ScoreAnswer> answer =
      Score(*qrels, *run, args.measures.empty() ? usual : args.measures);
  if (!answer) return Fail(answer.error());
  const Queries queries = args.by_query ? Queries::kListed : Queries::kLeftOut;
  program.out += program.json ? EvalScoreJson(*answer, queries) : EvalScoreText(*answer, queries);
  return kDone;
}

void AddScore(CommandLine* line) {
  const auto args = std::make_shared<ScoreArgs>();
  Verb verb =
      line->Add("eval score", kHeading, "measure a run against judgements, as trec_eval does",
                "souvenance eval score qrels/test.tsv hybrid.run\n"
                "souvenance eval score qrels/test.tsv hybrid.run -m nDCG@10 -m R@5 --by-query");
  verb.Argument("QRELS", &args->qrels, "TREC qrels, or BEIR's tsv");
  verb.Argument("RUN", &args->run, "a TREC run");
  verb.Texts("-m,--measure", &args->measures, "NAME",
             "nDCG@k, R@k, RR, RR@k, AP, P@k, Success@k, recall_all@k");
  verb.Flag("--by-query", &args->by_query, "every query's value too");
  verb.Do([args](Program& program) { return EvalScoreVerb(program, *args); });
}

}  // namespace

void AddEvalVerbs(CommandLine* line) {
  AddRun(line);
  AddScore(line);
}

}  // namespace souvenance::program
