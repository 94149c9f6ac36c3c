#include <algorithm>
#include <cmath>

#include "index/lexical.h"

namespace souvenance::index {

double Bm25Idf(std::uint64_t documents, std::uint64_t document_frequency) {
  const auto n = static_cast<double>(documents);
  const auto df = static_cast<double>(std::min(documents, document_frequency));
  return std::log(1.0 + (n - df + 0.5) / (df + 0.5));
}

double Bm25TermWeight(double tf, double length, double average_length, const Bm25Params& params) {
  if (!(tf > 0)) return 0;
  const double average = average_length > 0 ? average_length : 1.0;
  const double norm = params.k1 * (1.0 - params.b + params.b * (length / average));
  return tf * (params.k1 + 1.0) / (tf + norm);
}

}  // namespace souvenance::index
