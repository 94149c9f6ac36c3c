// Where a segment cuts its candidates, so that the one scorer's cut is always inside.
#pragma once

namespace souvenance::index {

// The scorer adds the same terms, perhaps in another order: its sums differ from ours by some
// units in the last place. Whatever comes this near to the k-th score may be tied with it.
inline constexpr double kTieMargin = 1e-9;

inline double CutBelow(double kth_score) { return kth_score * (1.0 - kTieMargin); }

}  // namespace souvenance::index
