#include <fmt/format.h>

#include <array>
#include <utility>

#include "tools/souvenance/text.h"

namespace souvenance::program {
namespace {

constexpr std::size_t kIndent = 4;

// "bm25 1, graph 4"
std::string Ranks(const LegRanks& ranks) {
  std::string text;
  const auto add = [&](const char* leg, std::uint32_t rank) {
    if (rank == 0) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", leg, rank);
  };
  add("bm25", ranks.bm25);
  add("vector", ranks.vector);
  add("graph", ranks.graph);
  return text.empty() ? "by none" : text;
}

// The factors that are not zero, four a line.
std::string FactorTable(const Factors& f) {
  const std::array<std::pair<const char*, double>, 15> all = {{
      {"literal", f.literal},
      {"context", f.context},
      {"session", f.session},
      {"speaker", f.speaker},
      {"when", f.when},
      {"semantic", f.semantic},
      {"date", f.date},
      {"link", f.link},
      {"relevance", f.relevance},
      {"tag", f.tag},
      {"emotion", f.emotion},
      {"weight", f.weight},
      {"freshness", f.freshness},
      {"activation", f.activation},
      {"recent", f.recent},
  }};
  std::string text;
  std::string line;
  std::size_t cells = 0;
  const auto end_line = [&] {
    while (!line.empty() && line.back() == ' ') line.pop_back();
    if (!line.empty()) text += std::string(kIndent + 2, ' ') + line + "\n";
    line.clear();
  };
  for (const auto& [name, value] : all) {
    if (value == 0) continue;
    line += fmt::format("{:<10} {:<7}  ", name, Number(value));
    if (++cells % 4 == 0) end_line();
  }
  end_line();
  return text;
}

std::string Explanation(const RecallResult& r, const Style& style) {
  const std::string margin(kIndent + 2, ' ');
  const DisclosureShare& d = r.disclosure_factors;
  std::string text = FactorTable(r.factors);
  text += fmt::format("{}evidence {}; ranks: {}\n", margin, Number(r.evidence), Ranks(r.ranks));
  text +=
      fmt::format("{}disclosure {}: context {} x subject {} x scope {} x openness {} x topic {}\n",
                  margin, Number(d.score), Number(d.context_affinity), Number(d.subject_fit),
                  Number(d.scope_prior), Number(d.openness), Number(d.topic));
  for (const Citation& source : r.sources) {
    text += fmt::format("{}source {}\n", margin, Dim(style, CitationText(source)));
  }
  return text;
}

std::string ResultText(const RecallResult& r, Detail detail, const Style& style) {
  const std::string who = r.said_by.empty() ? "nobody named" : Sanitize(r.said_by);
  std::string text = fmt::format("{} {}  {}  {}\n", Bold(style, fmt::format("{:>3}", r.rank)),
                                 fmt::format("{:<6}", Number(r.score)), Accent(style, who),
                                 ShortTime(r.event_time));
  text += Wrap(r.text, style.width, kIndent);
  for (const std::string& fact : r.facts) text += Wrap("- " + fact, style.width, kIndent);
  std::string marks = fmt::format("{}  {}", r.id, Sanitize(FormatScope(r.scope)));
  if (!r.external_id.empty()) marks += "  " + Sanitize(r.external_id);
  if (r.disclosure == DisclosureLevel::kGist) marks += "  gist only";
  if (r.truncated) marks += "  shortened";
  if (r.explored) marks += "  explored";
  if (const std::string valid = Validity(r.valid_at, r.invalid_at); !valid.empty()) {
    marks += "  " + valid;
  }
  for (const std::string& flag : r.flags) marks += "  " + Sanitize(flag);
  text += std::string(kIndent, ' ') + Dim(style, marks) + "\n";
  if (detail == Detail::kExplain) text += Explanation(r, style);
  return text;
}

std::string GateText(const RecallAnswer& answer) {
  const GateReport& gate = answer.gate;
  std::string terms;
  for (const std::string& term : answer.cue_terms) terms += " " + Sanitize(term);
  return fmt::format(
      "searched:{}\nlegs: bm25 {}, vector {}, graph {}; preset {}\n"
      "gate ({}): coverage {}, threshold {}, top evidence {}; {} admitted, {} rejected\n",
      terms.empty() ? " nothing" : terms, answer.legs.bm25, answer.legs.vector, answer.legs.graph,
      answer.preset, gate.kind, Number(gate.coverage), Number(gate.threshold), Number(gate.top),
      gate.admitted, gate.rejected);
}

std::string TraceText(const Trace& trace, const Style& style) {
  std::string text = fmt::format("\n{}\n", Bold(style, "trace of " + Sanitize(trace.id)));
  for (const TraceStep& step : trace.steps) {
    text += fmt::format("  {:<11} {}\n", Sanitize(step.stage), Sanitize(step.detail));
  }
  return text;
}

std::string RelationLine(const RelationHit& r, const Style& style) {
  std::string when = r.point ? "at " + ShortTime(r.valid_at) : Validity(r.valid_at, r.invalid_at);
  if (!r.current) when += "  (not so at the moment asked)";
  return fmt::format("  {}  {}  {}\n", Sentence(r), when, Dim(style, r.id));
}

std::string TimelineLines(const std::vector<TimelineEntry>& timeline,
                          const std::vector<RelationHit>& relations) {
  std::string text;
  for (const TimelineEntry& entry : timeline) {
    if (entry.relation >= relations.size()) continue;
    text += fmt::format("  {}  {:<9}  {}\n", Pad(ShortTime(entry.at), 16), entry.change,
                        Sentence(relations[entry.relation]));
  }
  return text;
}

std::string Heading(const char* name, const Style& style) {
  return fmt::format("{}\n", Bold(style, name));
}

}  // namespace

std::string WhyEmpty(std::string_view reason) {
  if (reason == "no_terms") {
    return "Nothing in the cue can be searched: only stop words or signs. Name a person, a place "
           "or a thing.";
  }
  if (reason == "empty_pool") {
    return "This viewer sees no memories at all. Try another --scope or --agent, or bring some in "
           "with `souvenance import`.";
  }
  if (reason == "below_gate") {
    return "Nothing here is evidence for this cue. Try other words; --no-gate shows what was "
           "turned away.";
  }
  if (reason == "nothing_in_window") {
    return "Nothing lies in the time asked for. Widen --since and --until, or ask for another "
           "--as-of.";
  }
  if (reason == "withheld") {
    return "What matches may not be said to this viewer. Ask from the session it belongs to "
           "(--session), or as whom it is about (--subject).";
  }
  if (reason == "nothing_linked") {
    return "The cue names nobody and nothing that is known here. Try a name as it was written; "
           "`souvenance recall` searches the texts.";
  }
  return "There is nothing.";
}

std::string RecallText(const RecallAnswer& answer, Detail detail, const Style& style) {
  std::string text;
  for (const RecallResult& result : answer.results) {
    if (!text.empty()) text += "\n";
    text += ResultText(result, detail, style);
  }
  if (answer.results.empty()) text += Wrap(WhyEmpty(answer.reason), style.width, 0);
  for (const std::string& subject : answer.hints) {
    const std::string who = subject.empty() ? "this" : Sanitize(subject);
    text += Wrap("There is something about " + who + " that may not be said here.", style.width, 0);
  }
  if (detail == Detail::kExplain) text += "\n" + GateText(answer);
  for (const Trace& trace : answer.traces) text += TraceText(trace, style);
  return text;
}

std::string ContextText(const ContextAnswer& answer) {
  std::string text = Sanitize(answer.text, Lines::kKeep);
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}

std::string RecentText(const RecentAnswer& answer, const Style& style) {
  if (answer.turns.empty()) {
    return fmt::format("No turn of the session {} is seen by this viewer.\n",
                       Sanitize(answer.session));
  }
  std::string text;
  for (const Turn& turn : answer.turns) {
    const std::string who = turn.said_by.empty() ? "nobody named" : Sanitize(turn.said_by);
    text += fmt::format("{}  {}  {}\n", Accent(style, who), ShortTime(turn.event_time),
                        Dim(style, turn.id + "  " + Sanitize(FormatScope(turn.scope))));
    text += Wrap(turn.text, style.width, kIndent);
  }
  return text;
}

std::string LookupText(const LookupAnswer& answer, const Style& style) {
  if (answer.entities.empty() && answer.relations.empty() && answer.passages.empty()) {
    return Wrap(WhyEmpty(answer.reason), style.width, 0);
  }
  std::string text = Heading("Entities", style);
  for (const EntityHit& entity : answer.entities) {
    const std::string type = entity.type.empty() ? "" : " (" + Sanitize(entity.type) + ")";
    text += fmt::format("  {}{}{}  {}  {}\n", entity.linked ? "* " : "  ", Sanitize(entity.name),
                        type, Number(entity.activation), Dim(style, entity.id));
  }
  if (!answer.relations.empty()) text += "\n" + Heading("Relations", style);
  for (const RelationHit& relation : answer.relations) text += RelationLine(relation, style);
  if (!answer.timeline.empty()) text += "\n" + Heading("Timeline", style);
  text += TimelineLines(answer.timeline, answer.relations);
  if (!answer.passages.empty()) text += "\n" + Heading("Passages", style);
  for (const Passage& passage : answer.passages) {
    text += fmt::format(
        "  {}  {}  {}\n",
        Accent(style, passage.said_by.empty() ? "nobody named" : Sanitize(passage.said_by)),
        ShortTime(passage.event_time), Dim(style, passage.id));
    text += Wrap(passage.text, style.width, kIndent);
  }
  if (!answer.evidence.empty()) text += "\n" + Heading("Evidence", style);
  for (const LookupAnswer::Evidence& evidence : answer.evidence) {
    text += fmt::format("  {}  {}\n", Dim(style, CitationText(evidence.source)),
                        ShortTime(evidence.event_time));
    text += Wrap(evidence.text, style.width, kIndent);
  }
  if (answer.truncated) text += "\nThere is more: raise --max-nodes.\n";
  return text;
}

std::string TimelineText(const TimelineAnswer& answer, const Style& style) {
  if (answer.relations.empty()) {
    return fmt::format("Nothing is known about {} for this viewer and moment.\n",
                       Sanitize(answer.entity));
  }
  std::string text;
  for (const RelationHit& relation : answer.relations) text += RelationLine(relation, style);
  if (!answer.timeline.empty()) text += "\n" + Heading("What began and ended", style);
  return text + TimelineLines(answer.timeline, answer.relations);
}

}  // namespace souvenance::program
