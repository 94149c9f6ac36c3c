// The whole recall through the public API, beside what a user would write instead, in one process
// and on the same conversations, so that a speed-up is a ratio.
#include <benchmark/benchmark.h>
#include <souvenance/engine.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/baseline.h"
#include "bench/load.h"
#include "bench/run.h"
#include "index/analyzer.h"
#include "index/embed/embedder.h"

namespace souvenance::bench {
namespace {

constexpr std::size_t kQuestions = 200;
constexpr std::size_t kResults = 10;

using SteadyClock = std::chrono::steady_clock;

double Micros(SteadyClock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Memories {
 public:
  explicit Memories(std::size_t n) : turns_(Conversations(n)) {
    const std::filesystem::path file = folder_.path() / "turns.jsonl";
    std::ofstream out(file);
    for (std::size_t i = 0; i < n; ++i) {
      const Turn& turn = turns_[i];
      out << nlohmann::json{{"type", "source"},
                            {"external_id", "t" + std::to_string(i)},
                            {"session_id", turn.session},
                            {"speaker_id", turn.speaker},
                            {"event_time", FormatTime(turn.time)},
                            {"content", turn.text}}
          << '\n';
    }
    out.close();
    EngineOptions options;
    options.store = folder_.path() / "store";
    options.access = Access::kCreate;
    engine_ = Must(Engine::Open(options));
    ImportRequest import;
    import.files = {file};
    import.format = ImportFormat::kJsonl;
    const auto start = SteadyClock::now();
    const ImportAnswer imported = Must(engine_->Import(import));
    import_seconds_ = Micros(SteadyClock::now() - start) / 1e6;
    if (imported.imported != n) Stop("not every turn was imported");
    analyzer_ = Must(index::Analyzer::Create());
    embedder_ = index::Checked(index::BuiltinEmbedder(*analyzer_));
    baseline_ = std::make_unique<Baseline>(folder_.path() / "baseline.db", turns_, *embedder_);
    questions_ = Questions(turns_, kQuestions);
  }

  static const Memories& Of(std::int64_t n) {
    static std::map<std::int64_t, std::unique_ptr<Memories>> made;
    std::unique_ptr<Memories>& slot = made[n];
    if (slot == nullptr) slot = std::make_unique<Memories>(static_cast<std::size_t>(n));
    return *slot;
  }

  RecallAnswer Recall(std::size_t question, const Legs& legs = {}) const {
    RecallQuery query;
    query.options.legs = legs;
    query.cue = questions_[question % kQuestions].cue;
    query.k = kResults;
    query.moment.now = turns_.back().time + std::chrono::hours(24);
    return Must(engine_->Recall(query));
  }
  std::vector<std::string> RecallBaseline(std::size_t question) const {
    return baseline_->Recall(questions_[question % kQuestions].cue, kResults);
  }

  // The share of questions whose turn is among the results. Also fills every cache.
  double Success() const {
    std::size_t found = 0;
    for (std::size_t i = 0; i < kQuestions; ++i) {
      const std::string id = "t" + std::to_string(questions_[i].turn);
      const RecallAnswer answer = Recall(i);
      if (answer.legs.bm25 != "ok" || answer.legs.vector != "ok" || answer.legs.graph != "ok") {
        Stop("a leg did not take part");
      }
      found += std::any_of(answer.results.begin(), answer.results.end(),
                           [&](const RecallResult& result) { return result.external_id == id; });
    }
    return static_cast<double>(found) / kQuestions;
  }
  double SuccessOfBaseline() const {
    std::size_t found = 0;
    for (std::size_t i = 0; i < kQuestions; ++i) {
      const std::vector<std::string> texts = RecallBaseline(i);
      found += std::count(texts.begin(), texts.end(), turns_[questions_[i].turn].text) > 0;
    }
    return static_cast<double>(found) / kQuestions;
  }
  double import_seconds() const { return import_seconds_; }

 private:
  ScratchFolder folder_;  // goes last
  std::vector<Turn> turns_;
  std::vector<Question> questions_;
  std::unique_ptr<Engine> engine_;
  double import_seconds_ = 0;
  std::unique_ptr<index::Analyzer> analyzer_;
  std::unique_ptr<index::Embedder> embedder_;
  std::unique_ptr<Baseline> baseline_;
};

void BM_Recall(benchmark::State& state, std::int64_t n) {
  const Memories& memories = Memories::Of(n);
  const double success = memories.Success();
  std::size_t at = 0;
  for (auto _ : state) benchmark::DoNotOptimize(memories.Recall(at++));
  state.counters["Success@10"] = success;
  state.counters["import_s"] = memories.import_seconds();
}

// Which leg the time goes to. What ranks, gates and cites is the same.
void BM_RecallOfLegs(benchmark::State& state, std::int64_t n, Legs legs) {
  const Memories& memories = Memories::Of(n);
  for (std::size_t i = 0; i < kQuestions; ++i) memories.Recall(i, legs);
  std::size_t at = 0;
  for (auto _ : state) benchmark::DoNotOptimize(memories.Recall(at++, legs));
}

void BM_Baseline(benchmark::State& state, std::int64_t n) {
  const Memories& memories = Memories::Of(n);
  const double success = memories.SuccessOfBaseline();
  std::size_t at = 0;
  for (auto _ : state) benchmark::DoNotOptimize(memories.RecallBaseline(at++));
  state.counters["Success@10"] = success;
}

// Both in turn, each first every other time, so that what else the machine does hits both alike.
// The time of an iteration is that of the pair.
void BM_RecallBesideBaseline(benchmark::State& state, std::int64_t n) {
  const Memories& memories = Memories::Of(n);
  memories.Success();
  memories.SuccessOfBaseline();
  std::vector<double> ours;
  std::vector<double> theirs;
  const auto ask_ours = [&](std::size_t at) {
    const auto start = SteadyClock::now();
    benchmark::DoNotOptimize(memories.Recall(at));
    ours.push_back(Micros(SteadyClock::now() - start));
  };
  const auto ask_theirs = [&](std::size_t at) {
    const auto start = SteadyClock::now();
    benchmark::DoNotOptimize(memories.RecallBaseline(at));
    theirs.push_back(Micros(SteadyClock::now() - start));
  };
  std::size_t at = 0;
  for (auto _ : state) {
    if (at % 2 == 0) ask_ours(at);
    ask_theirs(at);
    if (at % 2 == 1) ask_ours(at);
    ++at;
  }
  state.counters["recall_us"] = Median(ours);
  state.counters["baseline_us"] = Median(theirs);
  state.counters["speed_up"] = Median(theirs) / Median(ours);
}

void Register() {
  for (const std::int64_t n : {1000, 10000}) {
    const std::string size = "/n:" + std::to_string(n);
    const auto add = [&](const std::string& name, void (*run)(benchmark::State&, std::int64_t)) {
      benchmark::RegisterBenchmark((name + size).c_str(), run, n)
          ->Unit(benchmark::kMicrosecond)
          ->UseRealTime();
    };
    const auto add_legs = [&](const std::string& name, Legs legs) {
      benchmark::RegisterBenchmark(("BM_RecallOfLegs/" + name + size).c_str(), BM_RecallOfLegs, n,
                                   legs)
          ->Unit(benchmark::kMicrosecond)
          ->UseRealTime();
    };
    add("BM_Recall", BM_Recall);
    add_legs("bm25", {.bm25 = Switch::kOn, .vector = Switch::kOff, .graph = Switch::kOff});
    add_legs("bm25+vector", {.bm25 = Switch::kOn, .vector = Switch::kOn, .graph = Switch::kOff});
    add_legs("bm25+graph", {.bm25 = Switch::kOn, .vector = Switch::kOff, .graph = Switch::kOn});
    add("BM_Baseline", BM_Baseline);
    add("BM_RecallBesideBaseline", BM_RecallBesideBaseline);
  }
}

}  // namespace
}  // namespace souvenance::bench

int main(int argc, char** argv) {
  souvenance::bench::Register();
  return souvenance::bench::RunBenches(argc, argv);
}
