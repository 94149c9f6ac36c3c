// Compares the formulas with tests/scoring/formulas.py, which computes the same tables from
// docs/formulas/*.md with Python's standard library.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "scoring/budget.h"
#include "scoring/disclosure.h"
#include "scoring/forgetting.h"
#include "scoring/gate.h"
#include "scoring/recall_score.h"
#include "scoring/relevance.h"

namespace souvenance::scoring {
namespace {

// The words of one row before the `=`, read in order.
class Row {
 public:
  explicit Row(std::vector<std::string> words) : words_(std::move(words)) {}

  std::string Word() { return words_.at(next_++); }
  double Number() { return std::strtod(Word().c_str(), nullptr); }
  std::size_t Count() { return std::stoul(Word()); }
  bool Flag() { return Word() == "1"; }
  Timestamp Time() { return FromMicros(std::stoll(Word())); }
  std::string Text() {
    const std::string hex = Word().substr(1);
    std::string text;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
      text += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return text;
  }
  bool AtEnd() const { return next_ == words_.size(); }

 private:
  std::vector<std::string> words_;
  std::size_t next_ = 0;
};

using Values = std::vector<double>;

Values Forgetting(Row& row) {
  const double salience = row.Number();
  const double hits = row.Number();
  const Shape shape = static_cast<Shape>(row.Count());
  const double stability = StabilityDays(salience, hits, shape, row.Number());
  const Timestamp from = row.Time();
  const double age = AgeDays(from, row.Time());
  const double retention = Retention(age, stability);
  return {stability, age, retention, Freshness(age), Weight(salience, retention)};
}

Values Counted(Row& row) {
  const auto kind = static_cast<ReinforcementKind>(row.Count());
  const bool has_last = row.Flag();
  const Timestamp last = row.Time();
  return {CountedAmount(kind, has_last, last, row.Time())};
}

Values Recent(Row& row) {
  const bool has_last = row.Flag();
  const Timestamp last = row.Time();
  return {RecentPenalty(has_last, last, row.Time())};
}

Values Seed(Row& row) {
  SeedFactors f;
  for (double* factor :
       {&f.literal, &f.tag, &f.emotion, &f.weight, &f.freshness, &f.activation, &f.recent}) {
    *factor = row.Number();
  }
  return {SeedScore(f, {}), SeedEvidence(f, {})};
}

Values LiteralRow(Row& row) {
  const double bm25 = row.Number();
  return {Literal(bm25, row.Number())};
}

Values SemanticRow(Row& row) {
  const double cosine = row.Number();
  return {Semantic(cosine, row.Number())};
}

Values Emotion(Row& row) {
  const std::string cue = row.Text();
  const double cue_intensity = row.Number();
  const std::string item = row.Text();
  return {EmotionMatch(cue, cue_intensity, item, row.Number())};
}

Values Tags(Row& row) {
  std::vector<std::string> cue(row.Count());
  for (std::string& tag : cue) tag = row.Text();
  std::vector<std::string> item(row.Count());
  for (std::string& tag : item) tag = row.Text();
  const std::vector<std::string_view> cue_tags(cue.begin(), cue.end());
  const std::vector<std::string_view> item_tags(item.begin(), item.end());
  return {TagShare(cue_tags, item_tags)};
}

Values Rrf(Row& row) {
  const double k = row.Number();
  std::vector<std::uint32_t> ranks(row.Count());
  for (std::uint32_t& rank : ranks) rank = static_cast<std::uint32_t>(row.Count());
  return {ReciprocalRankFusion(ranks, k)};
}

Values Relevance(Row& row) {
  std::vector<RelevanceInput> pool(row.Count());
  for (RelevanceInput& in : pool) {
    for (double* score : {&in.bm25, &in.previous, &in.before_previous, &in.next, &in.after_next}) {
      *score = row.Number();
    }
    in.previous_asks = row.Flag();
    in.session = row.Number();
    in.speaker_named = row.Flag();
    in.when_matches = row.Flag();
    for (double* term : {&in.semantic, &in.date, &in.link, &in.activation, &in.tag, &in.emotion}) {
      *term = row.Number();
    }
  }
  Values values;
  for (const RelevanceParts& p : HybridRelevance(pool, {})) {
    values.insert(values.end(), {p.literal, p.context, p.session, p.speaker, p.when, p.semantic,
                                 p.date, p.link, p.activation, p.tag, p.emotion, p.relevance});
  }
  return values;
}

Values Hybrid(Row& row) {
  const double relevance = row.Number();
  const double weight = row.Number();
  const double freshness = row.Number();
  return {HybridScore(relevance, weight, freshness, row.Number(), {})};
}

Values Date(Row& row) {
  const Timestamp time = row.Time();
  const Timestamp first = row.Time();
  return {DateTerm(time, {first, row.Time()}, {})};
}

Values Link(Row& row) { return {LinkTerm(static_cast<unsigned>(row.Count()), {})}; }

Values ItemGate(Row& row) { return {ItemGateThreshold(row.Number(), {})}; }

Values Coverage(Row& row) {
  Values idf(row.Count());
  std::vector<std::uint8_t> present(idf.size());
  for (std::size_t i = 0; i < idf.size(); ++i) {
    idf[i] = row.Number();
    present[i] = row.Flag() ? 1 : 0;
  }
  return {CueCoverage(idf, present)};
}

Values ExploresRow(Row& row) { return {Explores(row.Text()) ? 1.0 : 0.0}; }

Values DisclosureRow(Row& row) {
  DisclosureInput in;
  in.item_scope = static_cast<ScopeKind>(row.Count());
  for (bool* flag :
       {&in.viewer_has_session, &in.same_session, &in.session_in_scope, &in.viewer_has_subject,
        &in.subject_known, &in.about_viewer, &in.about_agent, &in.viewers_own_private}) {
    *flag = row.Flag();
  }
  in.sensitivity = row.Number();
  in.relevance = row.Number();
  const DisclosureFactors f = DiscloseFactors(in, {});
  return {f.context_affinity,
          f.subject_fit,
          f.scope_prior,
          f.openness,
          f.topic,
          f.score,
          static_cast<double>(DiscloseLevel(f.score, {}))};
}

Values Tokens(Row& row) { return {static_cast<double>(EstimateTokens(row.Text()))}; }

const std::map<std::string, std::function<Values(Row&)>>& Formulas() {
  static const std::map<std::string, std::function<Values(Row&)>> formulas = {
      {"forgetting", Forgetting},
      {"counted", Counted},
      {"recent", Recent},
      {"seed", Seed},
      {"literal", LiteralRow},
      {"semantic", SemanticRow},
      {"emotion", Emotion},
      {"tags", Tags},
      {"rrf", Rrf},
      {"relevance", Relevance},
      {"hybrid", Hybrid},
      {"date", Date},
      {"link", Link},
      {"item_gate", ItemGate},
      {"coverage", Coverage},
      {"explores", ExploresRow},
      {"disclosure", DisclosureRow},
      {"tokens", Tokens},
  };
  return formulas;
}

std::string OutputOf(const std::string& command, int* status) {
  std::string output;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    *status = -1;
    return output;
  }
  char buffer[1 << 16];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    output.append(buffer, n);
  }
  *status = pclose(pipe);
  return output;
}

TEST(FormulaOracle, AgreesWithTheTablesComputedInPython) {
  int status = 0;
  OutputOf("python3 -c pass 2>/dev/null", &status);
  if (status != 0) GTEST_SKIP() << "python3 is not there";
  const std::string table =
      OutputOf("python3 '" SOUVENANCE_SOURCE_DIR "/tests/scoring/formulas.py'", &status);
  ASSERT_EQ(status, 0);

  std::map<std::string, std::size_t> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    const auto formula = Formulas().find(name);
    ASSERT_NE(formula, Formulas().end()) << "no such formula: " << name;
    std::vector<std::string> inputs;
    for (std::string word; words >> word && word != "=";) inputs.push_back(word);
    Row row(inputs);
    const Values actual = formula->second(row);
    ASSERT_TRUE(row.AtEnd()) << line;
    Values expected;
    for (double value = 0; words >> value;) expected.push_back(value);
    ASSERT_EQ(actual.size(), expected.size()) << line;
    for (std::size_t i = 0; i < actual.size(); ++i) {
      // Relative for what is large (a stability in days), absolute for factors.
      EXPECT_NEAR(actual[i], expected[i], 1e-12 * std::max(1.0, std::abs(expected[i])))
          << "value " << i << " of " << line.substr(0, 400);
    }
    ++rows[name];
  }
  for (const auto& [name, formula] : Formulas()) {
    EXPECT_GT(rows[name], 0u) << "the table has no row for " << name;
  }
}

}  // namespace
}  // namespace souvenance::scoring
