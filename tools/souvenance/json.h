// The versioned envelopes of --json. Each is one line with a newline, keys in a fixed order,
// absent values null, numbers in the shortest form that reads back the same, UTF-8 always.
// docs/cli.md lists the schemas.
#pragma once

#include <souvenance/engine.h>
#include <souvenance/eval.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace souvenance::program {

// What --explain adds to each result: an object "explain" after "sources".
enum class Detail { kPlain, kExplain };

std::string RecallJson(const RecallAnswer& answer, Detail detail);
std::string ContextJson(const ContextAnswer& answer);
std::string RecentJson(const RecentAnswer& answer);
std::string LookupJson(const LookupAnswer& answer);
std::string TimelineJson(const TimelineAnswer& answer);
std::string ShowJson(const ShowAnswer& answer);
std::string HistoryJson(const HistoryAnswer& answer);
std::string ListJson(const ListAnswer& answer, const ListQuery& query);

struct InitReport {
  std::filesystem::path store;
  std::string agent;
  bool made = false;  // there was no store before
  WriteAnswer answer;
};
std::string InitJson(const InitReport& report);
std::string RememberJson(const RememberAnswer& answer);
std::string ImportJson(const ImportAnswer& answer);
// souvenance.VERB/1
std::string WriteJson(std::string_view verb, const WriteAnswer& answer);
std::string VerifyJson(const VerifyAnswer& answer, bool sound);
std::string MaintainJson(std::string_view verb, const MaintainAnswer& answer);
std::string StatsJson(const StatsAnswer& answer);

struct Latency {
  double median_ms = 0;
  double p95_ms = 0;
  double worst_ms = 0;
};
std::string EvalRunJson(const EvalRunAnswer& answer, const std::filesystem::path& run,
                        const Latency& latency);
enum class Queries { kLeftOut, kListed };
std::string EvalScoreJson(const ScoreAnswer& answer, Queries queries);

std::string ErrorJson(const Error& error);

// "[0.1, 0.2]". Errors: kInvalidData  no array of numbers.
Result<std::vector<float>> ParseVector(std::string_view text);
// Errors: kInvalidData  no JSON object.
Result<void> CheckObject(std::string_view text);

}  // namespace souvenance::program
