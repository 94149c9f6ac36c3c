// Scores a run for score_oracle.py: score_printer QRELS RUN MEASURE...
#include <souvenance/eval.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const auto qrels = souvenance::ReadQrels(argv[1]);
  const auto run = souvenance::ReadRun(argv[2]);
  if (!qrels || !run) {
    std::fprintf(stderr, "%s\n", (qrels ? run.error() : qrels.error()).message.c_str());
    return 1;
  }
  const auto answer = souvenance::Score(*qrels, *run, {argv + 3, argv + argc});
  if (!answer) {
    std::fprintf(stderr, "%s\n", answer.error().message.c_str());
    return 1;
  }
  for (const souvenance::ScoreRow& row : answer->rows) {
    std::printf("%s all %.17g\n", row.measure.c_str(), row.mean);
    for (const auto& [query, value] : row.by_query) {
      std::printf("%s %s %.17g\n", row.measure.c_str(), query.c_str(), value);
    }
  }
  return 0;
}
