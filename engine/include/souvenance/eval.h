// Offline evaluation: data sets through the shipping recall path, and the measures of the field
// with trec_eval's definitions.
#pragma once

#include <souvenance/engine.h>
#include <souvenance/error.h>
#include <souvenance/options.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace souvenance {

struct RunLine {
  std::string document;
  double score = 0;
};
using Run = std::map<std::string, std::vector<RunLine>>;          // by query
using Qrels = std::map<std::string, std::map<std::string, int>>;  // query, document, grade

// Ranks without the gate, disclosure and exploration.
inline RecallOptions EvalOptions() {
  RecallOptions options;
  options.gate = Switch::kOff;
  options.disclosure = Switch::kOff;
  options.exploration = Switch::kOff;
  return options;
}

struct EvalRunRequest {
  std::filesystem::path data;     // a BEIR folder: corpus.jsonl, queries.jsonl
  std::filesystem::path store;    // kept there when given; a temporary one otherwise
  std::filesystem::path triples;  // as in ImportRequest
  std::filesystem::path facts;
  RecallOptions options = EvalOptions();
  std::size_t depth = 100;  // documents a query
  std::optional<Timestamp> now;
  std::function<void(std::size_t done, std::size_t total)> progress;
};

struct EvalRunAnswer {
  Run run;
  std::size_t documents = 0;  // lines of the corpus, and of the facts, that the store has
  std::size_t queries = 0;
  std::uint64_t bad = 0;           // lines of the data that were left out
  std::vector<BadLine> bad_lines;  // the first 100
  std::vector<double> latency_ms;  // by query, in the order of queries.jsonl
};

// A query's scope is its metadata.scope; a query without one sees every scope of the corpus.
Result<EvalRunAnswer> EvalRun(const EvalRunRequest& request);

// TREC run: "query Q0 document rank score tag" a line; sorted by score (as printed, with nine
// significant digits) descending. EvalRun's scores are as printed already, and where two would tie,
// the later one is lower by one unit of the ninth digit, so that the file keeps the engine's order.
std::string FormatRun(const Run& run, std::string_view tag);
// Errors: kInvalidData  a bad line (file, number and reason), a NaN score, a duplicate document.
Result<Run> ReadRun(const std::filesystem::path& file);
// TREC qrels ("query 0 document grade") or BEIR's tsv with its header line.
Result<Qrels> ReadQrels(const std::filesystem::path& file);

// Measures in ir_measures notation: nDCG@k, R@k, RR, RR@k, AP, P@k, Success@k, recall_all@k.
struct ScoreRow {
  std::string measure;
  double mean = 0;  // over the qrels' queries; a query missing from the run counts 0
  std::map<std::string, double> by_query;
};
// Ties by document id descending, scores as double, linear gain, negative grades as 0.
// Queries of the run without judgements are left out and counted in `unjudged`.
struct ScoreAnswer {
  std::vector<ScoreRow> rows;
  std::size_t queries = 0;
  std::size_t missing = 0;   // judged, not in the run
  std::size_t unjudged = 0;  // in the run, not judged
};
// Errors: kInvalidArgument  an unknown measure.
Result<ScoreAnswer> Score(const Qrels& qrels, const Run& run,
                          const std::vector<std::string>& measures);

}  // namespace souvenance
