// The flags that several verbs share.
#include <utility>

#include "tools/souvenance/json.h"
#include "tools/souvenance/options.h"

namespace souvenance::program {
namespace {

Result<std::vector<float>> TakeVector(const std::string& text) {
  if (text.empty() || text[0] != '@') return ParseVector(text);
  const Result<std::string> json = ReadFile(text.substr(1));
  if (!json) return Fail(json.error());
  return ParseVector(*json);
}

}  // namespace

Verb& Verb::Vector(const char* flags, std::vector<float>* value, const char* help) {
  return Value(flags, "JSON|@FILE", "", help, [value](const std::string& text) -> Result<void> {
    Result<std::vector<float>> vector = TakeVector(text);
    if (!vector) return Fail(vector.error());
    *value = std::move(*vector);
    return {};
  });
}

Verb& Verb::ViewerFlags(Viewer* viewer, Speaks speaks) {
  Group("Who asks");
  Text("--agent", &viewer->agent, "NAME", "whose memory");
  Scopes("--scope", &viewer->scopes, "what may be seen; public alone when not given");
  Text("--subject", &viewer->subject, "NAME", "who asks");
  if (speaks == Speaks::kWithSession) {
    Text("--session", &viewer->session, "NAME", "where they speak");
  }
  return Group("Flags");
}

Verb& Verb::MomentFlags(Moment* moment) {
  Group("Which moment (RFC 3339, a date or a year; UTC)");
  Time("--now", &moment->now, Edge::kFirst, "the clock, for reproducible runs");
  Time("--as-of", &moment->as_of, Edge::kFirst, "what was true then; now when not given");
  Time("--known-at", &moment->known_at, Edge::kFirst, "what had been recorded by then");
  Time("--since", &moment->since, Edge::kFirst, "only what happened then or later");
  Time("--until", &moment->until, Edge::kPastLast, "only what happened by the end of then");
  return Group("Flags");
}

Verb& Verb::RankingFlags(RecallOptions* options) {
  Group("Ranking");
  Value("--preset", "hybrid|seed|rrf", "hybrid", "how a score is made",
        [options](const std::string& text) -> Result<void> {
          const Result<Preset> preset = ParsePreset(text);
          if (!preset) return Fail(preset.error());
          options->preset = *preset;
          return {};
        });
  Value("--legs", "LIST", "bm25,vector,graph", "sources of candidates, with commas",
        [options](const std::string& text) -> Result<void> {
          const Result<Legs> legs = ParseLegs(text);
          if (!legs) return Fail(legs.error());
          options->legs = *legs;
          return {};
        });
  Real("--k1", &options->k1, 0, 1000, "BM25: how soon a repeated word counts no more");
  Real("--b", &options->b, 0, 1, "BM25: how much a long text is held back");
  return Group("Flags");
}

Verb& Verb::GateFlags(RecallOptions* options) {
  Off("--no-gate", &options->gate, "let weak evidence in");
  return Off("--no-disclosure", &options->disclosure, "show everything in full, whoever asks");
}

Verb& Verb::CueFlags(RecallQuery* query) {
  Group("Cue");
  Texts("--tag", &query->tags, "TAG", "a tag of the cue, beside those in its text");
  Emotion("--emotion", &query->emotion, &query->emotion_intensity, "an emotion, as joy:0.6");
  Vector("--vector", &query->vector, "the cue's own vector; else the store's embedder makes it");
  return Group("Flags");
}

}  // namespace souvenance::program
