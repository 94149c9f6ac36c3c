// How strongly something is still held: the forgetting curve and what feeds it.
// docs/formulas/forgetting.md.
//
// Every result is finite. NaN counts as not given (salience 0.5, all else 0); what lies outside a
// range counts as its nearest end, an infinite age or number of hits as 1e9.
#pragma once

#include <souvenance/record.h>
#include <souvenance/time.h>

#include <span>
#include <vector>

namespace souvenance::scoring {

inline constexpr double kDefaultSalience = 0.5;

// point 1.0, span 1.2, pattern 3.0, rule 999.
double ShapeFactor(Shape shape);

// 1 + 0.5 × intensity; intensity is clamped to [0, 1].
double EmotionStability(double intensity);

// S in days: 30 × salience × (1 + 0.5 × hits) × shape × emotion. salience is clamped to
// [0.01, 1], hits to [0, inf).
double StabilityDays(double salience, double hits, Shape shape, double emotion_intensity);

// Days from `from` to `now`; never negative.
double AgeDays(Timestamp from, Timestamp now);

// R(t) = exp(-t / S), in [0, 1]; t = AgeDays(last_counted_hit_or_event, now). A stability that is
// not above 0 holds nothing: 1 at age 0, 0 after.
double Retention(double age_days, double stability_days);

// exp(-age_days / 14), in [0, 1].
double Freshness(double age_days);

// salience × R(t).
double Weight(double salience, double retention);

// ---- hits ----

// What one reinforcement adds: recalled 0.1, spoken 0.3, confirmed 0.2.
double ReinforcementAmount(ReinforcementKind kind);

// Recalls of one artifact count once in this time.
inline constexpr Duration kRecallCooldown = std::chrono::minutes{30};

// What a reinforcement at `at` adds, given when the artifact was last counted as recalled (in any
// order of arrival); 0 for a recall less than the cooldown away from it, on either side. Spoken and
// confirmed always count. `has_last` is false when it never was.
double CountedAmount(ReinforcementKind kind, bool has_last, Timestamp last_counted, Timestamp at);

// 1 − minutes / 30 since the last recall in the same session, within [0, 1]; 0 without one. A
// recall later than `now` counts as one just now.
double RecentPenalty(bool has_last, Timestamp last_recall, Timestamp now);

}  // namespace souvenance::scoring
