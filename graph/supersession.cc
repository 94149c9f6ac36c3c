#include "graph/supersession.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <tuple>

namespace souvenance::graph {

std::vector<Period> ResolveSingleValued(std::span<const Assertion> assertions) {
  // The order of time, which is independent of the order of arrival but for `sequence`.
  std::vector<std::size_t> order(assertions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Assertion& x = assertions[a];
    const Assertion& y = assertions[b];
    return std::tie(x.valid_at, x.sequence, x.id) < std::tie(y.valid_at, y.sequence, y.id);
  });

  std::vector<Period> periods(assertions.size());
  // Backwards, the first later value of another object is known in one step: either the next
  // assertion, or what closes the next one, which has our object.
  std::optional<std::size_t> closer;
  for (std::size_t i = order.size(); i-- > 0;) {
    const Assertion& a = assertions[order[i]];
    if (i + 1 < order.size() && assertions[order[i + 1]].object != a.object) closer = order[i + 1];
    Period& period = periods[order[i]];
    period = {a.id, a.valid_at, a.invalid_at, false};
    if (closer && assertions[*closer].valid_at < a.invalid_at) {
      period.invalid_at = assertions[*closer].valid_at;
      period.closed_by_rule = true;
    }
  }
  return periods;
}

}  // namespace souvenance::graph
