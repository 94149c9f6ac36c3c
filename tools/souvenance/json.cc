#include "tools/souvenance/json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "tools/souvenance/terminal.h"

namespace souvenance::program {
namespace {

using Json = nlohmann::ordered_json;

Json Text(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json Text(const std::optional<std::string>& text) {
  return text.has_value() ? Json(*text) : Json(nullptr);
}
Json Time(Timestamp time) { return FormatTime(time); }
Json Time(const std::optional<Timestamp>& time) {
  return time.has_value() ? Json(FormatTime(*time)) : Json(nullptr);
}
template <typename Enum>
Json Named(Enum value) {
  return std::string(Name(value));
}
Json Texts(const std::vector<std::string>& texts) {
  Json array = Json::array();
  for (const std::string& text : texts) array.push_back(text);
  return array;
}
const char* Name(DisclosureLevel level) {
  return level == DisclosureLevel::kFull ? "full" : "gist";
}

// An array of what `make` makes of each value.
template <typename Values, typename Make>
Json Each(const Values& values, Make make) {
  Json array = Json::array();
  for (const auto& value : values) array.push_back(make(value));
  return array;
}

std::string Line(const Json& json) {
  return EscapeForJson(json.dump(-1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

Json Schema(std::string_view verb) {
  Json json;
  json["schema"] = fmt::format("souvenance.{}/1", verb);
  return json;
}

Json Cited(const Citation& source) {
  return {{"id", source.id},
          {"external_id", Text(source.external_id)},
          {"span", {source.begin, source.end}},
          {"commitment", source.commitment}};
}
Json Cited(const std::vector<Citation>& sources) {
  return Each(sources, [](const Citation& source) { return Cited(source); });
}

Json Of(const Receipt& receipt) {
  return {{"agent", receipt.agent}, {"sequence", receipt.sequence}, {"head", receipt.head}};
}

Json Of(const Factors& f) {
  return {{"literal", f.literal},     {"context", f.context},
          {"session", f.session},     {"speaker", f.speaker},
          {"when", f.when},           {"semantic", f.semantic},
          {"date", f.date},           {"link", f.link},
          {"relevance", f.relevance}, {"tag", f.tag},
          {"emotion", f.emotion},     {"weight", f.weight},
          {"freshness", f.freshness}, {"activation", f.activation},
          {"recent", f.recent}};
}

Json Explained(const RecallResult& r) {
  const DisclosureShare& d = r.disclosure_factors;
  return {{"session_id", Text(r.session_id)},
          {"ranks", {{"bm25", r.ranks.bm25}, {"vector", r.ranks.vector}, {"graph", r.ranks.graph}}},
          {"disclosure",
           {{"context_affinity", d.context_affinity},
            {"subject_fit", d.subject_fit},
            {"scope_prior", d.scope_prior},
            {"openness", d.openness},
            {"topic", d.topic},
            {"score", d.score}}},
          {"facts", Texts(r.facts)}};
}

Json Of(const RecallResult& r, Detail detail) {
  Json json = {{"rank", r.rank},
               {"id", r.id},
               {"external_id", Text(r.external_id)},
               {"kind", Named(r.kind)},
               {"scope", FormatScope(r.scope)},
               {"subject_id", Text(r.subject_id)},
               {"said_by", Text(r.said_by)},
               {"event_time", Time(r.event_time)},
               {"valid_at", Time(r.valid_at)},
               {"invalid_at", Time(r.invalid_at)},
               {"disclosure", Name(r.disclosure)},
               {"text", r.text},
               {"score", r.score},
               {"evidence", r.evidence},
               {"factors", Of(r.factors)},
               {"explored", r.explored},
               {"truncated", r.truncated},
               {"flags", Texts(r.flags)},
               {"sources", Cited(r.sources)}};
  if (detail == Detail::kExplain) json["explain"] = Explained(r);
  return json;
}

Json Of(const Trace& trace) {
  return {{"id", trace.id}, {"steps", Each(trace.steps, [](const TraceStep& step) {
                               return Json{{"stage", step.stage}, {"detail", step.detail}};
                             })}};
}

Json Of(const EntityHit& entity) {
  return {{"id", entity.id},
          {"name", entity.name},
          {"type", Text(entity.type)},
          {"activation", entity.activation}};
}

Json Of(const RelationHit& r) {
  return {{"id", r.id},
          {"subject", r.subject},
          {"predicate", r.predicate},
          {"object", r.object},
          {"valid_at", Time(r.valid_at)},
          {"invalid_at", Time(r.invalid_at)},
          {"created_at", Time(r.created_at)},
          {"expired_at", Time(r.expired_at)},
          {"confidence", r.confidence},
          {"sources", Cited(r.sources)}};
}

// Where there is room beside DESIGN's keys.
Json Full(const RelationHit& relation) {
  Json json = Of(relation);
  json["point"] = relation.point;
  json["current"] = relation.current;
  json["scope"] = FormatScope(relation.scope);
  return json;
}

Json TimelineOf(const std::vector<TimelineEntry>& entries,
                const std::vector<RelationHit>& relations) {
  return Each(entries, [&](const TimelineEntry& entry) {
    const bool known = entry.relation < relations.size();
    return Json{{"at", Time(entry.at)},
                {"change", entry.change},
                {"relation", known ? Json(relations[entry.relation].id) : Json(nullptr)}};
  });
}

Json Of(const RevisionView& r) {
  return {{"revision", r.revision},
          {"state", Named(r.state)},
          {"kind", Named(r.kind)},
          {"memory_type", Named(r.memory_type)},
          {"shape", Named(r.shape)},
          {"text", Text(r.text)},
          {"gist", Text(r.gist)},
          {"tags", Texts(r.tags)},
          {"emotion", r.emotion.empty()
                          ? Json(nullptr)
                          : Json{{"label", r.emotion}, {"intensity", r.emotion_intensity}}},
          {"salience", r.salience},
          {"sensitivity", r.sensitivity},
          {"confidence", r.confidence},
          {"event_time", Time(r.event_time)},
          {"valid_at", Time(r.valid_at)},
          {"invalid_at", Time(r.invalid_at)},
          {"created_at", Time(r.created_at)},
          {"sources", Cited(r.sources)}};
}

Json Of(const ItemView& item) {
  return {{"id", item.id},
          {"external_id", Text(item.external_id)},
          {"scope", FormatScope(item.scope)},
          {"subject_id", Text(item.subject_id)},
          {"said_by", Text(item.said_by)},
          {"session_id", Text(item.session_id)},
          {"current", Of(item.current)},
          {"hits", item.hits},
          {"retention", item.retention},
          {"stability_days", item.stability_days},
          {"entities", Texts(item.entities)},
          {"facts", Texts(item.facts)}};
}

Json Of(const SourceView& s) {
  const Json metadata = s.metadata_json.empty()
                            ? Json(nullptr)
                            : Json::parse(s.metadata_json, nullptr, /*allow_exceptions=*/false);
  return {{"id", s.source.id},
          {"external_id", Text(s.source.external_id)},
          {"source_type", Named(s.type)},
          {"scope", FormatScope(s.scope)},
          {"subject_id", Text(s.subject_id)},
          {"said_by", Text(s.said_by)},
          {"session_id", Text(s.session_id)},
          {"text", Text(s.text)},
          {"metadata", metadata.is_discarded() ? Json(s.metadata_json) : metadata},
          {"event_time", Time(s.event_time)},
          {"received_at", Time(s.received_at)},
          {"created_at", Time(s.created_at)},
          {"commitment", s.source.commitment},
          {"artifacts", Texts(s.artifacts)}};
}

template <typename T, typename Make>
Json OrNull(const std::optional<T>& value, Make make) {
  return value.has_value() ? make(*value) : Json(nullptr);
}

// JSON has no NaN; a number that is none is null rather than an error of the whole answer.
Json Finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

std::string RecallJson(const RecallAnswer& answer, Detail detail) {
  Json json = Schema("recall");
  json["cue"] = answer.cue;
  json["agent"] = answer.agent;
  json["now"] = Time(answer.now);
  json["as_of"] = Time(answer.as_of);
  json["known_at"] = Time(answer.known_at);
  json["preset"] = answer.preset;
  json["legs"] = {
      {"bm25", answer.legs.bm25}, {"vector", answer.legs.vector}, {"graph", answer.legs.graph}};
  json["results"] = Each(answer.results, [&](const RecallResult& r) { return Of(r, detail); });
  json["hints"] = Each(answer.hints, [](const std::string& subject) {
    return Json{{"subject_id", subject}};
  });
  json["gate"] = {{"kind", answer.gate.kind},           {"coverage", answer.gate.coverage},
                  {"threshold", answer.gate.threshold}, {"top", answer.gate.top},
                  {"admitted", answer.gate.admitted},   {"rejected", answer.gate.rejected}};
  json["reason"] = Text(answer.reason);
  if (detail == Detail::kExplain) json["cue_terms"] = Texts(answer.cue_terms);
  if (!answer.traces.empty()) {
    json["traces"] = Each(answer.traces, [](const Trace& trace) { return Of(trace); });
  }
  json["elapsed_ms"] = answer.elapsed_ms;
  return Line(json);
}

std::string ContextJson(const ContextAnswer& answer) {
  Json json = Schema("context");
  json["cue"] = answer.cue;
  json["text"] = answer.text;
  json["tokens"] = answer.tokens;
  json["budget"] = answer.budget;
  json["items"] = Each(answer.items, [](const ContextItem& item) {
    return Json{{"id", item.id},
                {"section", item.section},
                {"tokens", item.tokens},
                {"disclosure", Name(item.disclosure)},
                {"sources", Cited(item.sources)}};
  });
  json["left_out"] = Each(answer.left_out, [](const LeftOut& item) {
    return Json{{"id", item.id}, {"reason", item.reason}};
  });
  return Line(json);
}

std::string RecentJson(const RecentAnswer& answer) {
  Json json = Schema("recent");
  json["session"] = answer.session;
  json["turns"] = Each(answer.turns, [](const Turn& turn) {
    return Json{{"id", turn.id},
                {"external_id", Text(turn.external_id)},
                {"scope", FormatScope(turn.scope)},
                {"said_by", Text(turn.said_by)},
                {"event_time", Time(turn.event_time)},
                {"text", turn.text}};
  });
  return Line(json);
}

std::string LookupJson(const LookupAnswer& answer) {
  Json json = Schema("lookup");
  json["cue"] = answer.cue;
  json["as_of"] = Time(answer.as_of);
  json["known_at"] = Time(answer.known_at);
  json["entities"] = Each(answer.entities, [](const EntityHit& entity) { return Of(entity); });
  json["relations"] = Each(answer.relations, [](const RelationHit& r) { return Of(r); });
  json["timeline"] = TimelineOf(answer.timeline, answer.relations);
  json["passages"] = Each(answer.passages, [](const Passage& passage) {
    return Json{{"id", passage.id},
                {"text", passage.text},
                {"score", passage.score},
                {"said_by", Text(passage.said_by)},
                {"event_time", Time(passage.event_time)},
                {"sources", Cited(passage.sources)}};
  });
  json["evidence"] = Each(answer.evidence, [](const LookupAnswer::Evidence& evidence) {
    Json entry = Cited(evidence.source);
    entry["said_by"] = Text(evidence.said_by);
    entry["event_time"] = Time(evidence.event_time);
    entry["text"] = evidence.text;
    return entry;
  });
  return Line(json);
}

std::string TimelineJson(const TimelineAnswer& answer) {
  Json json = Schema("timeline");
  json["entity"] = answer.entity;
  json["relations"] = Each(answer.relations, [](const RelationHit& r) { return Full(r); });
  json["timeline"] = TimelineOf(answer.timeline, answer.relations);
  return Line(json);
}

std::string ShowJson(const ShowAnswer& answer) {
  Json json = Schema("show");
  json["item"] = OrNull(answer.item, [](const ItemView& item) { return Of(item); });
  json["source"] = OrNull(answer.source, [](const SourceView& source) { return Of(source); });
  json["entity"] = OrNull(answer.entity, [](const EntityHit& entity) {
    Json entry = Of(entity);
    entry["scope"] = FormatScope(entity.scope);
    return entry;
  });
  json["relation"] = OrNull(answer.relation, [](const RelationHit& r) { return Full(r); });
  return Line(json);
}

std::string HistoryJson(const HistoryAnswer& answer) {
  Json json = Schema("history");
  json["id"] = answer.id;
  json["revisions"] = Each(answer.revisions, [](const RevisionView& r) { return Of(r); });
  json["uses"] = Each(answer.uses, [](const HistoryAnswer::Use& use) {
    return Json{{"kind", Named(use.kind)}, {"at", Time(use.at)}, {"amount", use.amount}};
  });
  return Line(json);
}

std::string ListJson(const ListAnswer& answer, const ListQuery& query) {
  Json json = Schema("list");
  json["total"] = answer.total;
  json["offset"] = query.offset;
  json["limit"] = query.limit;
  json["items"] = Each(answer.items, [](const ItemView& item) { return Of(item); });
  return Line(json);
}

std::string InitJson(const InitReport& report) {
  Json json = Schema("init");
  json["store"] = report.store.string();
  json["agent"] = report.agent;
  json["made"] = report.made;
  json["receipt"] = Of(report.answer.receipt);
  return Line(json);
}

std::string RememberJson(const RememberAnswer& answer) {
  Json json = Schema("remember");
  json["source_id"] = answer.source_id;
  json["artifact_id"] = Text(answer.artifact_id);
  json["artifact_ids"] = Texts(answer.artifact_ids);
  json["relation_ids"] = Texts(answer.relation_ids);
  json["existed"] = answer.existed;
  json["flags"] = Texts(answer.flags);
  json["receipt"] = Of(answer.receipt);
  return Line(json);
}

std::string ImportJson(const ImportAnswer& answer) {
  Json json = Schema("import");
  json["imported"] = answer.imported;
  json["existed"] = answer.existed;
  json["bad"] = answer.bad;
  json["bad_lines"] = Each(answer.bad_lines, [](const BadLine& bad) {
    return Json{{"file", bad.file}, {"line", bad.line}, {"message", bad.message}};
  });
  json["receipt"] = Of(answer.receipt);
  return Line(json);
}

std::string WriteJson(std::string_view verb, const WriteAnswer& answer) {
  Json json = Schema(verb);
  json["ids"] = Texts(answer.ids);
  json["receipt"] = Of(answer.receipt);
  return Line(json);
}

std::string VerifyJson(const VerifyAnswer& answer, bool sound) {
  Json json = Schema("verify");
  json["sound"] = sound;
  json["events"] = answer.events;
  json["sources"] = answer.sources;
  json["artifacts"] = answer.artifacts;
  json["relations"] = answer.relations;
  json["erased_payloads"] = answer.erased_payloads;
  json["heads"] = Each(answer.heads, [](const Receipt& head) { return Of(head); });
  json["indexes"] = Each(answer.indexes, [](const VerifyAnswer::IndexCheck& index) {
    return Json{{"agent", index.agent},
                {"scope", FormatScope(index.scope)},
                {"kind", index.kind},
                {"status", index.status}};
  });
  json["first_problem"] = Text(answer.first_problem);
  json["bad_sequence"] = answer.bad_sequence == 0 ? Json(nullptr) : Json(answer.bad_sequence);
  json["tail"] = Text(answer.tail);
  return Line(json);
}

std::string MaintainJson(std::string_view verb, const MaintainAnswer& answer) {
  Json json = Schema(verb);
  json["sealed"] = answer.sealed;
  json["dropped"] = answer.dropped;
  json["embedded"] = answer.embedded;
  json["analysed"] = answer.analysed;
  json["checkpointed"] = answer.checkpointed;
  json["notes"] = Texts(answer.notes);
  return Line(json);
}

std::string StatsJson(const StatsAnswer& answer) {
  Json json = Schema("stats");
  json["store_id"] = answer.store_id;
  Json counts = Json::object();
  for (const auto& [table, rows] : answer.counts) counts[table] = rows;
  json["counts"] = std::move(counts);
  json["scopes"] = Each(answer.scopes, [](const StatsAnswer::ScopeStats& scope) {
    return Json{{"agent", scope.agent},        {"scope", FormatScope(scope.scope)},
                {"items", scope.items},        {"terms", scope.terms},
                {"vectors", scope.vectors},    {"entities", scope.entities},
                {"relations", scope.relations}};
  });
  json["embedder"] = Text(answer.embedder);
  json["truth_bytes"] = answer.truth_bytes;
  json["index_bytes"] = answer.index_bytes;
  return Line(json);
}

std::string EvalRunJson(const EvalRunAnswer& answer, const std::filesystem::path& run,
                        const Latency& latency) {
  Json json = Schema("eval.run");
  json["run"] = run.string();
  json["documents"] = answer.documents;
  json["queries"] = answer.queries;
  json["elapsed_ms"] = {
      {"median", latency.median_ms}, {"p95", latency.p95_ms}, {"worst", latency.worst_ms}};
  return Line(json);
}

std::string EvalScoreJson(const ScoreAnswer& answer, Queries queries) {
  Json json = Schema("eval.score");
  json["queries"] = answer.queries;
  json["missing"] = answer.missing;
  json["unjudged"] = answer.unjudged;
  json["measures"] = Each(answer.rows, [&](const ScoreRow& row) {
    Json entry = {{"measure", row.measure}, {"mean", Finite(row.mean)}, {"by_query", nullptr}};
    if (queries == Queries::kListed) {
      Json by_query = Json::object();
      for (const auto& [query, value] : row.by_query) by_query[query] = Finite(value);
      entry["by_query"] = std::move(by_query);
    }
    return entry;
  });
  return Line(json);
}

std::string ErrorJson(const Error& error) {
  Json json = Schema("error");
  json["error"] = {{"code", std::string(ErrorCodeName(error.code))},
                   {"message", error.message},
                   {"retryable", IsRetryable(error.code)},
                   {"hint", Text(error.hint)}};
  return Line(json);
}

Result<std::vector<float>> ParseVector(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_array() || json.empty()) {
    return Fail(ErrorCode::kInvalidData, "vector: not a JSON array of finite numbers",
                "write it as [0.1, -0.2, ...], or @FILE with that in it");
  }
  std::vector<float> vector;
  vector.reserve(json.size());
  for (const Json& entry : json) {
    const double value = entry.is_number() ? entry.get<double>() : std::nan("");
    // Rounding to float must not make an infinity of it either.
    if (!std::isfinite(static_cast<float>(value))) {
      return Fail(ErrorCode::kInvalidData,
                  fmt::format("vector: entry {} is no finite number", vector.size() + 1));
    }
    vector.push_back(static_cast<float>(value));
  }
  return vector;
}

Result<void> CheckObject(std::string_view text) {
  if (!Json::parse(text, nullptr, /*allow_exceptions=*/false).is_object()) {
    return Fail(ErrorCode::kInvalidData, "metadata: not a JSON object",
                R"(write it as {"key": "value"})");
  }
  return {};
}

}  // namespace souvenance::program
