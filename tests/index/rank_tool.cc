// Ranks a BEIR folder by BM25 alone and prints R@5, R@10 and nDCG@10 (trec_eval's definitions): the
// measure by which the rules of analysis were chosen. docs/formulas/analysis.md holds the numbers.
//
//   index_rank_tool FOLDER K1 B [text|title] [qrels-name] [scope-key] [skipped category]
//
// Queries without a judged document are skipped.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "index/analyzer.h"
#include "index/lexical.h"

namespace {

using nlohmann::json;
using souvenance::Ordinal;
namespace index = souvenance::index;

struct Scope {
  std::vector<std::string> ids;  // by ordinal - 1
  std::vector<index::LexicalDocument> documents;
  std::unique_ptr<index::LexicalSegment> segment;
};

using Qrels = std::map<std::string, std::map<std::string, int>>;

Qrels ReadQrels(const std::string& file) {
  Qrels qrels;
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string query;
    std::string document;
    int grade = 0;
    fields >> query >> document >> grade;
    if (grade > 0) qrels[query][document] = grade;
  }
  return qrels;
}

std::vector<Ordinal> Rank(const Scope& scope, const index::AnalysedCue& cue,
                          const index::Bm25Params& params, std::size_t k) {
  const double average =
      static_cast<double>(scope.segment->total_length()) / scope.segment->documents();
  std::vector<index::WeightedTerm> terms;
  for (const auto& term : cue.terms) {
    const auto df = scope.segment->DocumentFrequency(term.term).value();
    terms.push_back({term.term, index::Bm25Idf(scope.segment->documents(), df) * term.count});
  }
  const auto documents =
      scope.segment->Candidates(terms, average, params, k, [](Ordinal) { return true; }).value();
  std::vector<double> scores(documents.size());
  std::vector<std::uint32_t> tf(documents.size());
  std::vector<std::uint32_t> lengths(documents.size());
  (void)scope.segment->Lengths(documents, lengths);
  for (const auto& term : terms) {
    (void)scope.segment->TermFrequencies(term.term, documents, tf);
    for (std::size_t i = 0; i < documents.size(); ++i) {
      scores[i] += term.weight * index::Bm25TermWeight(tf[i], lengths[i], average, params);
    }
  }
  std::vector<std::size_t> order(documents.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  std::vector<Ordinal> ranked;
  for (const std::size_t i : order) {
    if (ranked.size() < k) ranked.push_back(documents[i]);
  }
  return ranked;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::string folder = argv[1];
  const index::Bm25Params params{std::atof(argv[2]), std::atof(argv[3])};
  const std::string fields = argc > 4 ? argv[4] : "text";
  const std::string judged = argc > 5 ? argv[5] : "test";
  const std::string scope_key = argc > 6 ? argv[6] : "scope";
  const std::string skipped = argc > 7 ? argv[7] : "adversarial";
  const auto analyzer = std::move(index::Analyzer::Create().value());
  std::map<std::string, Scope> scopes;
  std::string line;
  std::size_t count = 0;
  double seconds = 0;
  for (std::ifstream in(folder + "/corpus.jsonl"); std::getline(in, line);) {
    const json row = json::parse(line);
    Scope& scope = scopes[row["metadata"].value(scope_key, std::string())];
    std::string text = row["text"].get<std::string>();
    if (fields == "title") text = row["title"].get<std::string>() + "\n" + text;
    scope.ids.push_back(row["_id"].get<std::string>());
    const auto start = std::chrono::steady_clock::now();
    scope.documents.push_back(
        {static_cast<Ordinal>(scope.ids.size()), analyzer->Document(text).value()});
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ++count;
  }
  for (auto& [name, scope] : scopes) scope.segment = index::BuildMemoryLexical(scope.documents);
  const Qrels qrels = ReadQrels(folder + "/qrels/" + judged + ".tsv");
  std::size_t queries = 0;
  double r5 = 0;
  double r10 = 0;
  double ndcg = 0;
  for (std::ifstream in(folder + "/queries.jsonl"); std::getline(in, line);) {
    const json row = json::parse(line);
    const json metadata = row.value("metadata", json::object());
    const auto relevant = qrels.find(row["_id"].get<std::string>());
    if (relevant == qrels.end() || metadata.value("category", std::string()) == skipped) continue;
    ++queries;
    const Scope& scope = scopes[metadata.value(scope_key, std::string())];
    const auto cue = analyzer->Cue(row["text"].get<std::string>()).value();
    const auto ranked = Rank(scope, cue, params, 10);
    double gain = 0;
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      const auto found = relevant->second.find(scope.ids[ranked[i] - 1]);
      if (found == relevant->second.end()) continue;
      const auto share = 1.0 / static_cast<double>(relevant->second.size());
      if (i < 5) r5 += share;
      r10 += share;
      gain += found->second / std::log2(static_cast<double>(i) + 2);
    }
    std::vector<int> grades;
    for (const auto& [id, grade] : relevant->second) grades.push_back(grade);
    std::sort(grades.rbegin(), grades.rend());
    double ideal = 0;
    for (std::size_t i = 0; i < grades.size() && i < 10; ++i) {
      ideal += grades[i] / std::log2(static_cast<double>(i) + 2);
    }
    ndcg += gain / ideal;
  }
  const auto n = static_cast<double>(queries);
  std::printf("%-40s R@5 %.3f R@10 %.3f nDCG@10 %.3f  (%zu queries; %.0f documents/s)\n",
              folder.c_str(), r5 / n, r10 / n, ndcg / n, queries,
              static_cast<double>(count) / seconds);
  return 0;
}
