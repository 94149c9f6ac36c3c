// The measures of the field, by trec_eval's definitions. docs/evaluation.md.
#include <souvenance/eval.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "engine/eval/ranking.h"

namespace souvenance {
namespace {

enum class MeasureKind { kNdcg, kRecall, kPrecision, kReciprocalRank, kAp, kSuccess, kRecallAll };

struct Measure {
  MeasureKind kind = MeasureKind::kNdcg;
  std::size_t cut = 0;  // 0: the whole ranking
};

struct MeasureName {
  std::string_view name;
  MeasureKind kind;
  bool with_cut;
  bool without_cut;
};

constexpr MeasureName kMeasures[] = {
    {"nDCG", MeasureKind::kNdcg, true, false},
    {"R", MeasureKind::kRecall, true, false},
    {"P", MeasureKind::kPrecision, true, false},
    {"RR", MeasureKind::kReciprocalRank, true, true},
    {"AP", MeasureKind::kAp, false, true},
    {"Success", MeasureKind::kSuccess, true, false},
    {"recall_all", MeasureKind::kRecallAll, true, false},
};

Result<Measure> ParseMeasure(std::string_view text) {
  const std::size_t sign = text.find('@');
  const std::string_view name = text.substr(0, sign);
  const bool has_cut = sign != std::string_view::npos;
  std::size_t cut = 0;
  bool valid_cut = !has_cut;
  if (has_cut) {
    const std::string_view digits = text.substr(sign + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), cut);
    valid_cut = error == std::errc() && end == digits.data() + digits.size() && cut >= 1;
  }
  for (const MeasureName& known : kMeasures) {
    if (known.name != name || !valid_cut) continue;
    if (has_cut ? known.with_cut : known.without_cut) return Measure{known.kind, cut};
  }
  return Fail(ErrorCode::kInvalidArgument, "score: unknown measure \"" + std::string(text) + "\"",
              "use nDCG@k, R@k, P@k, RR, RR@k, AP, Success@k or recall_all@k, with k >= 1");
}

// A query's ranking as the measures see it.
struct Judged {
  std::vector<int> gains;  // of the ranked documents, in order; 0: unjudged or not relevant
  std::vector<int> ideal;  // the positive grades, descending

  std::size_t Within(std::size_t cut) const {
    return cut == 0 ? gains.size() : std::min(cut, gains.size());
  }
  std::size_t RelevantWithin(std::size_t cut) const {
    const auto end = gains.begin() + static_cast<std::ptrdiff_t>(Within(cut));
    return static_cast<std::size_t>(
        std::count_if(gains.begin(), end, [](int gain) { return gain > 0; }));
  }
};

double Dcg(const std::vector<int>& gains, std::size_t cut) {
  double sum = 0;
  for (std::size_t i = 0; i < std::min(cut, gains.size()); ++i) {
    sum += gains[i] / std::log2(static_cast<double>(i) + 2);
  }
  return sum;
}

double ReciprocalRank(const Judged& judged, std::size_t cut) {
  for (std::size_t i = 0; i < judged.Within(cut); ++i) {
    if (judged.gains[i] > 0) return 1 / static_cast<double>(i + 1);
  }
  return 0;
}

double AveragePrecision(const Judged& judged) {
  double sum = 0;
  std::size_t found = 0;
  for (std::size_t i = 0; i < judged.gains.size(); ++i) {
    if (judged.gains[i] <= 0) continue;
    ++found;
    sum += static_cast<double>(found) / static_cast<double>(i + 1);
  }
  return sum / static_cast<double>(judged.ideal.size());
}

// A query without any relevant document is worth 0 by every measure, as in trec_eval.
double Value(const Measure& measure, const Judged& judged) {
  if (judged.ideal.empty()) return 0;
  const auto relevant = static_cast<double>(judged.ideal.size());
  const auto found = static_cast<double>(judged.RelevantWithin(measure.cut));
  switch (measure.kind) {
    case MeasureKind::kNdcg:
      return Dcg(judged.gains, measure.cut) / Dcg(judged.ideal, measure.cut);
    case MeasureKind::kRecall:
      return found / relevant;
    case MeasureKind::kPrecision:
      return found / static_cast<double>(measure.cut);
    case MeasureKind::kReciprocalRank:
      return ReciprocalRank(judged, measure.cut);
    case MeasureKind::kAp:
      return AveragePrecision(judged);
    case MeasureKind::kSuccess:
      return found > 0 ? 1 : 0;
    case MeasureKind::kRecallAll:
      return found == relevant ? 1 : 0;
  }
  return 0;
}

Result<Judged> Judge(const std::string& query, std::vector<RunLine> lines,
                     const std::map<std::string, int>& grades) {
  std::set<std::string_view> seen;
  for (const RunLine& line : lines) {
    if (std::isnan(line.score)) {
      return Fail(ErrorCode::kInvalidData, "score: the document \"" + line.document +
                                               "\" of the query \"" + query +
                                               "\" has no number as its score");
    }
    if (!seen.insert(line.document).second) {
      return Fail(ErrorCode::kInvalidData, "score: the document \"" + line.document +
                                               "\" occurs twice for the query \"" + query + "\"");
    }
  }
  eval::Rank(&lines);
  Judged judged;
  for (const RunLine& line : lines) {
    const auto grade = grades.find(line.document);
    judged.gains.push_back(grade == grades.end() ? 0 : std::max(grade->second, 0));
  }
  for (const auto& [document, grade] : grades) {
    if (grade > 0) judged.ideal.push_back(grade);
  }
  std::sort(judged.ideal.rbegin(), judged.ideal.rend());
  return judged;
}

}  // namespace

Result<ScoreAnswer> Score(const Qrels& qrels, const Run& run,
                          const std::vector<std::string>& measures) {
  std::vector<Measure> parsed;
  ScoreAnswer answer;
  for (const std::string& name : measures) {
    Result<Measure> measure = ParseMeasure(name);
    if (!measure) return Fail(measure.error());
    parsed.push_back(*measure);
    answer.rows.push_back({name, 0, {}});
  }
  answer.queries = qrels.size();
  for (const auto& [query, lines] : run) {
    if (!qrels.contains(query)) ++answer.unjudged;
  }
  for (const auto& [query, grades] : qrels) {
    const auto lines = run.find(query);
    if (lines == run.end()) ++answer.missing;
    Result<Judged> judged =
        Judge(query, lines == run.end() ? std::vector<RunLine>() : lines->second, grades);
    if (!judged) return Fail(judged.error());
    for (std::size_t i = 0; i < parsed.size(); ++i) {
      const double value = Value(parsed[i], *judged);
      answer.rows[i].by_query[query] = value;
      answer.rows[i].mean += value;
    }
  }
  if (!qrels.empty()) {
    for (ScoreRow& row : answer.rows) row.mean /= static_cast<double>(qrels.size());
  }
  return answer;
}

}  // namespace souvenance
