// May a candidate come in at all? docs/formulas/gate.md.
//
// What is negative or no number counts as 0, what is above 1e9 as 1e9.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace souvenance::scoring {

struct GateParams {
  double minimum = 0.5;     // item gate: admit when evidence >= max(minimum, ratio × top)
  double ratio = 0.3;       // both gates
  double coverage = 0.265;  // cue gate: share of the cue's idf that the best window covers
};

// The table's gate, asked of every item: max(minimum, ratio × top). Admit what is at least that.
double ItemGateThreshold(double top_evidence, const GateParams& params);

// The share of the cue's idf weight that a window covers: sum of idf of the cue's terms present
// (each once) over the sum of all (unknown terms at the highest idf of the pool); 0 for a cue
// without terms. In [0, 1]. `present` is parallel to `idf`; what it lacks is absent.
double CueCoverage(std::span<const double> idf, std::span<const std::uint8_t> present);

// The hybrid preset's gate, asked once per cue: is there evidence in the pool at all?
bool CueGateOpens(double best_coverage, const GateParams& params);

// ---- exploration ----

// True for one cue text in ten, by a stable hash (FNV-1a, 64 bits) of the text. Not random: the
// same cue always gives the same answer.
bool Explores(std::string_view cue);

}  // namespace souvenance::scoring
