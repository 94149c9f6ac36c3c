// What held when, of one subject and one single-valued predicate. Pure: assertions in, periods
// out, whatever the order of arrival. docs/graph.md.
#pragma once

#include <souvenance/time.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace souvenance::graph {

// One asserted, not retracted, fact.
struct Assertion {
  std::uint64_t id = 0;      // the caller's; returned in Period
  std::uint64_t object = 0;  // equal numbers mean the same object
  Timestamp valid_at;
  Timestamp invalid_at = kEndOfTime;  // as asserted
  std::uint64_t sequence = 0;         // order of arrival; breaks ties of valid_at (later wins)
};

struct Period {
  std::uint64_t id = 0;
  Timestamp valid_at;
  Timestamp invalid_at;         // <= as asserted; == valid_at when nothing of it is left
  bool closed_by_rule = false;  // ends earlier than asserted
};

// Each assertion's period: a later value (by valid_at; at equal times the later sequence) closes
// the earlier ones at its own valid_at. Two disjoint periods of one fact stay two; an assertion
// with the same object does not close its equal, but two that overlap stay as asserted. Returned
// in the order of `assertions`.
std::vector<Period> ResolveSingleValued(std::span<const Assertion> assertions);

}  // namespace souvenance::graph
