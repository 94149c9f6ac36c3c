#include "engine/recall/recall.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <set>
#include <utility>

#include "index/analyzer.h"

namespace souvenance::recall {
namespace {

constexpr std::size_t kMaxK = 10000;

std::string PresetName(Preset preset) {
  switch (preset) {
    case Preset::kHybrid:
      return "hybrid";
    case Preset::kSeed:
      return "seed";
    case Preset::kRrf:
      return "rrf";
  }
  return "hybrid";
}

Result<void> InRange(double value, double low, double high, std::string_view name) {
  if (std::isfinite(value) && value >= low && value <= high) return {};
  char text[160];
  std::snprintf(text, sizeof text, "read options: %.*s must lie in [%g, %g]",
                static_cast<int>(name.size()), name.data(), low, high);
  return Fail(ErrorCode::kInvalidArgument, text);
}

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

std::string RankText(const LegRanks& ranks) {
  std::string text;
  const auto add = [&](std::string_view leg, std::uint32_t rank) {
    if (rank == 0) return;
    if (!text.empty()) text += ", ";
    text += std::string(leg) + " rank " + std::to_string(rank);
  };
  add("bm25", ranks.bm25);
  add("vector", ranks.vector);
  add("graph", ranks.graph);
  return text.empty() ? "beside a hit, by its neighbours" : text;
}

// The way of one id through the stages.
Result<Trace> TraceOf(const Pool& pool, const Ranking& ranking, const Shown& shown,
                      const RecallQuery& query, const std::string& id) {
  Trace trace;
  trace.id = id;
  auto found = pool.Find(id);
  if (!found) return Fail(found.error());
  const ItemRef host = pool.Host(*found);
  trace.steps.push_back(
      {"pool", "in scope " + FormatScope(pool.shard(host).scope) +
                   (host == *found ? "" : ", as extra text of " + pool.PublicId(host))});
  if (const std::string why = pool.WhyNot(host); !why.empty()) {
    trace.steps.push_back({"filter", "lost here: " + why});
    return trace;
  }
  trace.steps.push_back({"filter", "passed: live and valid at the moment asked"});
  const auto at = std::find_if(ranking.candidates.begin(), ranking.candidates.end(),
                               [&](const Candidate& c) { return c.item == host; });
  if (at == ranking.candidates.end()) {
    trace.steps.push_back({"legs",
                           "lost here: no leg brought it: it shares no searched word with the "
                           "cue, nor do its neighbours, and nothing links it to the cue"});
    return trace;
  }
  trace.steps.push_back({"legs", RankText(at->ranks)});
  trace.steps.push_back(
      {"score", "score " + Number(at->score) + ", evidence " + Number(at->evidence)});
  if (at->fate == Fate::kCueGate) {
    trace.steps.push_back({"gate", "lost here: the best window covers " +
                                       Number(ranking.gate.coverage) + " of the cue, below " +
                                       Number(ranking.gate.threshold) +
                                       "; a cue with more of the memory's own words, or a lower "
                                       "gate coverage, would let it in"});
    return trace;
  }
  if (at->fate == Fate::kItemGate) {
    const double needed = ranking.gate.kind == "cue" ? query.options.gate_ratio * ranking.gate.top
                                                     : ranking.gate.threshold;
    trace.steps.push_back({"gate", "lost here: evidence " + Number(at->evidence) + " is below " +
                                       Number(needed) + " (the best has " +
                                       Number(ranking.gate.top) + ")"});
    return trace;
  }
  trace.steps.push_back(
      {"gate", at->fate == Fate::kExplored ? "let in by exploration" : "admitted"});
  const auto rank = static_cast<std::size_t>(at - ranking.candidates.begin()) + 1;
  for (std::size_t i = 0; i < shown.entries.size(); ++i) {
    if (shown.entries[i].candidate->item == host) {
      trace.steps.push_back({"result", "shown at rank " + std::to_string(i + 1)});
      return trace;
    }
  }
  const Disclosed disclosed = Disclose(pool, host, at->factors.relevance);
  if (query.options.disclosure == Switch::kOn && disclosed.level != scoring::Disclosure::kFull &&
      disclosed.level != scoring::Disclosure::kGist) {
    trace.steps.push_back(
        {"disclosure",
         "lost here: disclosure " + Number(disclosed.factors.score) + " is too low to say it"});
    return trace;
  }
  trace.steps.push_back({"cut", "lost here: it is number " + std::to_string(rank) +
                                    " of the admitted, and -k is " + std::to_string(query.k)});
  return trace;
}

}  // namespace

Result<void> CheckRecall(const RecallQuery& query) {
  if (auto checked = CheckCue(query.cue); !checked) return checked;
  if (query.k < 1 || query.k > kMaxK) {
    return Fail(ErrorCode::kInvalidArgument,
                "read query: k is " + std::to_string(query.k) + ", it must lie in [1, 10000]");
  }
  const RecallOptions& o = query.options;
  struct Bound {
    double value, low, high;
    std::string_view name;
  };
  const Bound bounds[] = {
      {o.k1, 0, 100, "k1"},
      {o.b, 0, 1, "b"},
      {o.gate_coverage, 0, 1, "gate_coverage"},
      {o.gate_ratio, 0, 1, "gate_ratio"},
      {o.gate_minimum, 0, 100, "gate_minimum"},
      {o.previous, 0, 100, "previous"},
      {o.previous_question, 0, 100, "previous_question"},
      {o.before_previous, 0, 100, "before_previous"},
      {o.next, 0, 100, "next"},
      {o.after_next, 0, 100, "after_next"},
      {o.session, 0, 100, "session"},
      {o.speaker, 0, 100, "speaker"},
      {o.when, 0, 100, "when"},
      {o.semantic, 0, 100, "semantic"},
      {o.date_window, 0, 1, "date_window"},
      {o.date_exact, 0, 1, "date_exact"},
      {o.link, 0, 100, "link"},
      {o.link_decay, 0, 1, "link_decay"},
      {o.activation_weight, 0, 100, "activation_weight"},
      {o.age, 0, 1, "age"},
      {o.recent, 0, 1, "recent"},
      {o.restart, 0.001, 1, "restart"},
      {o.hub_exponent, 0, 4, "hub_exponent"},
      {o.fact_seeds, 0, 1000, "fact_seeds"},
      {o.passage_seed, 0, 1, "passage_seed"},
      {query.emotion_intensity, 0, 1, "emotion intensity"},
  };
  for (const Bound& bound : bounds) {
    if (auto ok = InRange(bound.value, bound.low, bound.high, bound.name); !ok) return ok;
  }
  for (const std::string& tag : query.tags) {
    if (!index::IsValidText(tag)) {
      return Fail(ErrorCode::kInvalidData, "read tag: it is not valid UTF-8");
    }
  }
  return {};
}

Shown DiscloseRanking(const Pool& pool, const Ranking& ranking, const RecallOptions& options,
                      std::size_t k) {
  Shown shown;
  std::set<std::string> hints;
  for (std::size_t i = 0; i < ranking.admitted && shown.entries.size() < k; ++i) {
    const Candidate& candidate = ranking.candidates[i];
    Disclosed disclosed;
    if (options.disclosure == Switch::kOn) {
      disclosed = Disclose(pool, candidate.item, candidate.factors.relevance);
    }
    if (disclosed.level == scoring::Disclosure::kHint) {
      const std::string_view subject = pool.Name(candidate.item, pool.doc(candidate.item).subject);
      if (!subject.empty()) hints.emplace(subject);
      shown.withheld.push_back(&candidate);
    } else if (disclosed.level == scoring::Disclosure::kWithheld) {
      shown.withheld.push_back(&candidate);
    } else {
      shown.entries.push_back({&candidate, disclosed});
    }
  }
  shown.hints.assign(hints.begin(), hints.end());
  return shown;
}

Result<RecallAnswer> Recall(const Core& core, const RecallQuery& query) {
  const auto started = std::chrono::steady_clock::now();
  if (auto checked = CheckRecall(query); !checked) return Fail(checked.error());
  auto pool = Pool::Open(core, query.viewer, query.moment);
  if (!pool) return Fail(pool.error());
  auto ranking = Rank(*pool, query);
  if (!ranking) return Fail(ranking.error());

  RecallAnswer answer;
  answer.cue = query.cue;
  answer.agent = query.viewer.agent;
  answer.now = pool->when().now;
  answer.as_of = pool->when().as_of;
  answer.known_at = pool->when().known_at;
  answer.preset = PresetName(query.options.preset);
  answer.legs = ranking->legs;
  answer.gate = ranking->gate;
  answer.reason = ranking->reason;
  for (const CueTerm& term : ranking->cue.terms) answer.cue_terms.push_back(term.term);

  const Shown shown = DiscloseRanking(*pool, *ranking, query.options, query.k);
  answer.hints = shown.hints;
  for (const Shown::Entry& entry : shown.entries) {
    auto result = Render(*pool, *entry.candidate, entry.disclosed);
    if (!result) return Fail(result.error());
    result->rank = answer.results.size() + 1;
    answer.results.push_back(std::move(*result));
  }
  if (answer.results.empty() && answer.reason.empty()) answer.reason = "withheld";
  for (const std::string& id : query.trace) {
    auto trace = TraceOf(*pool, *ranking, shown, query, id);
    if (!trace) return Fail(trace.error());
    answer.traces.push_back(std::move(*trace));
  }
  answer.elapsed_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
  return answer;
}

}  // namespace souvenance::recall
