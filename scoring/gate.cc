#include "scoring/gate.h"

#include <algorithm>

#include "scoring/finite.h"

namespace souvenance::scoring {

double ItemGateThreshold(double top_evidence, const GateParams& params) {
  return std::max(NotNegative(params.minimum),
                  NotNegative(params.ratio) * NotNegative(top_evidence));
}

double CueCoverage(std::span<const double> idf, std::span<const std::uint8_t> present) {
  double all = 0;
  double covered = 0;
  for (std::size_t i = 0; i < idf.size(); ++i) {
    const double weight = NotNegative(idf[i]);
    all += weight;
    if (i < present.size() && present[i] != 0) covered += weight;
  }
  return all > 0 ? Unit(covered / all) : 0;
}

bool CueGateOpens(double best_coverage, const GateParams& params) {
  return Unit(best_coverage) >= NotNegative(params.coverage);
}

bool Explores(std::string_view cue) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : cue) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return hash % 10 == 0;
}

}  // namespace souvenance::scoring
