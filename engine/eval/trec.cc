// The files of TREC: runs and judgements.
#include <souvenance/eval.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <set>
#include <string_view>
#include <vector>

#include "engine/eval/ranking.h"

namespace souvenance {
namespace {

using Fields = std::vector<std::string_view>;

std::string At(const std::filesystem::path& file, std::uint64_t line) {
  return file.string() + ":" + std::to_string(line) + ": ";
}

Fields SplitAtSpaces(std::string_view line) {
  constexpr std::string_view kSpaces = " \t\r\v\f";
  Fields fields;
  for (std::size_t at = line.find_first_not_of(kSpaces); at != std::string_view::npos;) {
    const std::size_t end = line.find_first_of(kSpaces, at);
    fields.push_back(line.substr(at, end == std::string_view::npos ? end : end - at));
    at = end == std::string_view::npos ? end : line.find_first_not_of(kSpaces, end);
  }
  return fields;
}

// An id of a tsv file may hold spaces.
Fields SplitAtTabs(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  Fields fields;
  for (;;) {
    const std::size_t end = line.find('\t');
    fields.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

template <typename Number>
bool ParseNumber(std::string_view text, Number* out) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}

// Calls `take` with each line that is not blank; what it returns ends the reading when it is an
// error.
Result<void> ForEachLine(
    const std::filesystem::path& file,
    const std::function<Result<void>(const std::string&, std::uint64_t)>& take) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    return Fail(ErrorCode::kNotFound, "read " + file.string() + ": there is no such file");
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file, error)) {
    return Fail(ErrorCode::kIo, "read " + file.string() + ": cannot open it");
  }
  std::string line;
  for (std::uint64_t number = 1; std::getline(stream, line); ++number) {
    if (number == 1 && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (Result<void> taken = take(line, number); !taken) return taken;
  }
  if (stream.bad()) return Fail(ErrorCode::kIo, "read " + file.string() + ": the read failed");
  return {};
}

// "query-id  corpus-id  score": BEIR's header, or any first line whose grade is a word.
bool IsHeader(const Fields& fields) {
  int grade = 0;
  return fields.size() == 3 && !ParseNumber(fields[2], &grade);
}

}  // namespace

std::string FormatRun(const Run& run, std::string_view tag) {
  std::string text;
  for (const auto& [query, lines] : run) {
    std::vector<RunLine> ranked = lines;
    for (RunLine& line : ranked) line.score = eval::AsPrinted(line.score);
    eval::Rank(&ranked);
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      text += query + " Q0 " + ranked[i].document + " " + std::to_string(i + 1) + " " +
              eval::PrintScore(ranked[i].score) + " ";
      text.append(tag);
      text += '\n';
    }
  }
  return text;
}

Result<Run> ReadRun(const std::filesystem::path& file) {
  Run run;
  std::map<std::string, std::set<std::string>> seen;
  const auto take = [&](const std::string& line, std::uint64_t number) -> Result<void> {
    const Fields fields = SplitAtSpaces(line);
    if (fields.size() != 6) {
      return Fail(ErrorCode::kInvalidData,
                  At(file, number) +
                      "a run has 6 fields a line (query Q0 document rank score "
                      "tag), here are " +
                      std::to_string(fields.size()));
    }
    RunLine entry{std::string(fields[2]), 0};
    if (!ParseNumber(fields[4], &entry.score) || !std::isfinite(entry.score)) {
      return Fail(ErrorCode::kInvalidData, At(file, number) + "the score \"" +
                                               std::string(fields[4]) + "\" is no finite number");
    }
    const std::string query(fields[0]);
    if (!seen[query].insert(entry.document).second) {
      return Fail(ErrorCode::kInvalidData, At(file, number) + "the document \"" + entry.document +
                                               "\" occurs twice for the query \"" + query + "\"");
    }
    run[query].push_back(std::move(entry));
    return {};
  };
  if (Result<void> read = ForEachLine(file, take); !read) return Fail(read.error());
  return run;
}

Result<Qrels> ReadQrels(const std::filesystem::path& file) {
  Qrels qrels;
  bool first = true;
  bool tsv = false;
  const auto take = [&](const std::string& line, std::uint64_t number) -> Result<void> {
    if (first) tsv = SplitAtTabs(line).size() == 3;
    const Fields fields = tsv ? SplitAtTabs(line) : SplitAtSpaces(line);
    const bool header = first && tsv && IsHeader(fields);
    first = false;
    if (header) return {};
    if (fields.size() != (tsv ? 3u : 4u)) {
      return Fail(
          ErrorCode::kInvalidData,
          At(file, number) +
              (tsv ? "3 fields (query, document, grade)" : "4 fields (query 0 document grade)") +
              " a line, here are " + std::to_string(fields.size()));
    }
    int grade = 0;
    if (!ParseNumber(fields.back(), &grade)) {
      return Fail(
          ErrorCode::kInvalidData,
          At(file, number) + "the grade \"" + std::string(fields.back()) + "\" is no whole number");
    }
    const std::string query(fields[0]);
    const std::string document(fields[tsv ? 1 : 2]);
    if (!qrels[query].emplace(document, grade).second) {
      return Fail(ErrorCode::kInvalidData, At(file, number) + "the document \"" + document +
                                               "\" is judged twice for the query \"" + query +
                                               "\"");
    }
    return {};
  };
  if (Result<void> read = ForEachLine(file, take); !read) return Fail(read.error());
  return qrels;
}

}  // namespace souvenance
