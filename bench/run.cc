#include "bench/run.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <system_error>

#include "bench/load.h"

namespace souvenance::bench {
namespace {

std::string Processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

constexpr bool kIsOptimised =
#if defined(__OPTIMIZE__) && defined(NDEBUG)
    true;
#else
    false;
#endif

}  // namespace

int RunBenches(int argc, char** argv) {
  benchmark::AddCustomContext("compiler", SOUVENANCE_COMPILER);
  benchmark::AddCustomContext("build_type", SOUVENANCE_BUILD_TYPE);
  benchmark::AddCustomContext("cpu", Processor());
  benchmark::AddCustomContext("seed", std::to_string(kSeed));
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  if (!kIsOptimised) {
    std::cerr << "***WARNING*** not an optimised build: these numbers say nothing about speed\n";
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

void Stop(const std::string& message) {
  std::cerr << "bench: " << message << '\n';
  std::exit(1);
}

ScratchFolder::ScratchFolder() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  std::string pattern = (parent / "souvenance-bench-XXXXXX").string();
  if (error || mkdtemp(pattern.data()) == nullptr) Stop("cannot make a temporary directory");
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace souvenance::bench
