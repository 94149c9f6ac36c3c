// The program on real conversations, as whole processes: import of locomo_dev, and a recall on it
// with a warm cache. Skipped with a notice where the data is not.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/run.h"

namespace souvenance::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kWarmRuns = 5;
constexpr int kRuns = 50;
constexpr double kBytesInMb = 1e6;

fs::path Data() {
  const char* root = std::getenv("SOUVENANCE_DATA");
  const fs::path base =
      root != nullptr ? fs::path(root) : fs::path(SOUVENANCE_SOURCE_DIR) / ".." / "shared" / "data";
  return base / "locomo_dev";
}

struct Run {
  double seconds = 0;
  double cpu_seconds = 0;  // user and system; less disturbed by what else the machine does
  double peak_mb = 0;
};

// Of a process, the kernel counts the memory of what it was spawned from as well. So nothing here
// holds much: the engine is never in this process.
double OwnPeakMb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / kBytesInMb;
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// The program from start to end, output thrown away.
Run RunProgram(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  std::string program = SOUVENANCE_PROGRAM;
  argv.push_back(program.data());
  std::vector<std::string> copies = arguments;
  for (std::string& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const auto start = std::chrono::steady_clock::now();
  pid_t pid = 0;
  const int spawned = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (spawned != 0) Stop(program + ": " + std::strerror(spawned));
  int status = 0;
  rusage usage{};
  while (wait4(pid, &status, 0, &usage) < 0) {
    if (errno != EINTR) Stop(std::string("wait4: ") + std::strerror(errno));
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    Stop(program + " " + arguments[0] + " failed");
  return {elapsed.count(), Seconds(usage.ru_utime) + Seconds(usage.ru_stime),
          static_cast<double>(usage.ru_maxrss) * 1024 / kBytesInMb};
}

void Import(const fs::path& store, Run* run) {
  fs::remove_all(store);
  RunProgram({"init", "--store", store});
  *run = RunProgram({"import", "--store", store, "--format", "beir", Data()});
}

// The store that recalls are asked of, made when the first asks.
const fs::path& Store() {
  static const ScratchFolder folder;
  static const fs::path store = [] {
    Run ignored;
    Import(folder.path() / "store", &ignored);
    return folder.path() / "store";
  }();
  return store;
}

struct Cue {
  std::string text;
  std::string scope;
};

// Evenly from the whole file, so that each conversation is asked.
std::vector<Cue> Cues() {
  std::vector<Cue> all;
  std::ifstream in(Data() / "queries.jsonl");
  for (std::string line; std::getline(in, line);) {
    const auto query = nlohmann::json::parse(line);
    all.push_back({query["text"], "group:" + query["metadata"]["scope"].get<std::string>()});
  }
  std::vector<Cue> cues;
  for (std::size_t i = 0; i < kRuns; ++i) cues.push_back(all[i * all.size() / kRuns]);
  return cues;
}

double Quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

// Counts what the iterations ran.
class Tally {
 public:
  explicit Tally(benchmark::State* state) : state_(state) {}
  ~Tally() {
    state_->counters["median_ms"] = Quantile(ms_, 0.5);
    state_->counters["min_ms"] = Quantile(ms_, 0);
    state_->counters["p95_ms"] = Quantile(ms_, 0.95);
    state_->counters["cpu_ms"] = Quantile(cpu_ms_, 0.5);
    state_->counters["peak_MB"] = peak_mb_;
    state_->counters["floor_MB"] = OwnPeakMb();  // a smaller peak_MB cannot be seen
  }
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;
  void Add(const Run& run) {
    state_->SetIterationTime(run.seconds);
    ms_.push_back(run.seconds * 1e3);
    cpu_ms_.push_back(run.cpu_seconds * 1e3);
    peak_mb_ = std::max(peak_mb_, run.peak_mb);
  }

 private:
  benchmark::State* state_;
  std::vector<double> ms_;
  std::vector<double> cpu_ms_;
  double peak_mb_ = 0;
};

void BM_LocomoImport(benchmark::State& state) {
  const ScratchFolder folder;
  Tally tally(&state);
  for (auto _ : state) {
    Run run;
    Import(folder.path() / "store", &run);
    tally.Add(run);
  }
}

// One conversation of the five is asked, as in use.
void BM_LocomoRecall(benchmark::State& state) {
  const std::vector<Cue> cues = Cues();
  const auto ask = [&](std::size_t i) {
    const Cue& cue = cues[i % cues.size()];
    return RunProgram({"recall", "--store", Store(), "--scope", cue.scope, "--", cue.text});
  };
  for (std::size_t i = 0; i < kWarmRuns; ++i) ask(i);
  Tally tally(&state);
  std::size_t at = 0;
  for (auto _ : state) tally.Add(ask(at++));
}

// A viewer of all five at once: every turn takes part.
void BM_LocomoRecallAllScopes(benchmark::State& state) {
  const std::vector<Cue> cues = Cues();
  std::vector<std::string> scopes;
  for (const Cue& cue : cues) {
    if (std::find(scopes.begin(), scopes.end(), cue.scope) == scopes.end()) {
      scopes.push_back(cue.scope);
    }
  }
  const auto ask = [&](std::size_t i) {
    std::vector<std::string> arguments = {"recall", "--store", Store()};
    for (const std::string& scope : scopes) {
      arguments.insert(arguments.end(), {"--scope", scope});
    }
    arguments.insert(arguments.end(), {"--", cues[i % cues.size()].text});
    return RunProgram(arguments);
  };
  for (std::size_t i = 0; i < kWarmRuns; ++i) ask(i);
  Tally tally(&state);
  std::size_t at = 0;
  for (auto _ : state) tally.Add(ask(at++));
}

// What of the above is starting and ending a process with these libraries.
void BM_ProgramVersion(benchmark::State& state) {
  for (int i = 0; i < kWarmRuns; ++i) RunProgram({"--version"});
  Tally tally(&state);
  for (auto _ : state) tally.Add(RunProgram({"--version"}));
}

void Register() {
  const auto add = [](const char* name, void (*run)(benchmark::State&), int iterations) {
    benchmark::RegisterBenchmark(name, run)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime()
        ->Iterations(iterations);
  };
  add("BM_ProgramVersion", BM_ProgramVersion, kRuns);
  if (!fs::exists(Data() / "corpus.jsonl")) {
    std::cerr << "notice: " << Data().string() << " is not here, its benches are left out\n";
    return;
  }
  add("BM_LocomoImport/turns:2760", BM_LocomoImport, 3);
  add("BM_LocomoRecall/turns:2760", BM_LocomoRecall, kRuns);
  add("BM_LocomoRecallAllScopes/turns:2760", BM_LocomoRecallAllScopes, kRuns);
}

}  // namespace
}  // namespace souvenance::bench

int main(int argc, char** argv) {
  souvenance::bench::Register();
  return souvenance::bench::RunBenches(argc, argv);
}
