// The format of our own: docs/formats/import.md, "jsonl".
#include <array>
#include <string_view>
#include <utility>

#include "engine/ingest/field_reader.h"
#include "engine/ingest/format_readers.h"
#include "engine/ingest/json_value.h"

namespace souvenance::ingest {
namespace {

constexpr std::string_view kSourceKeys[] = {
    "type",      "external_id", "scope",       "session_id",  "speaker_id", "subject_id",
    "addressee", "source_type", "event_time",  "received_at", "content",    "tags",
    "emotion",   "salience",    "sensitivity", "memory_type", "shape",      "vector",
    "metadata",  "artifacts",   "relations"};
constexpr std::string_view kEmotionKeys[] = {"label", "intensity"};
constexpr std::string_view kArtifactKeys[] = {
    "kind",     "memory_type", "shape",      "content",  "gist",       "tags",
    "salience", "sensitivity", "confidence", "valid_at", "invalid_at", "subject_id"};
constexpr std::string_view kArtifactLineKeys[] = {
    "type",        "scope",      "evidence", "kind",       "memory_type",
    "shape",       "content",    "gist",     "tags",       "salience",
    "sensitivity", "confidence", "valid_at", "invalid_at", "subject_id"};
constexpr std::string_view kRelationKeys[] = {"subject",      "predicate",   "object",
                                              "subject_type", "object_type", "valid_at",
                                              "invalid_at",   "at",          "confidence"};
constexpr std::string_view kRelationLineKeys[] = {
    "type",   "scope",        "evidence",    "external_id", "event_time", "subject", "predicate",
    "object", "subject_type", "object_type", "valid_at",    "invalid_at", "at",      "confidence"};
constexpr std::string_view kEntityKeys[] = {"type", "scope", "name", "entity_type", "aliases"};
constexpr std::string_view kPredicateKeys[] = {"type", "scope", "name", "single_valued"};
constexpr std::array<std::string_view, 5> kTypes = {"source", "artifact", "relation", "entity",
                                                    "predicate"};

void TakeArtifact(FieldReader& fields, NewArtifact* artifact) {
  fields.Choice("kind", record_names::kArtifactKinds, &artifact->kind);
  fields.Choice("memory_type", record_names::kMemoryTypes, &artifact->memory_type);
  fields.Choice("shape", record_names::kShapes, &artifact->shape);
  artifact->content = fields.RequiredText("content");
  artifact->gist = fields.Text("gist");
  artifact->tags = fields.Texts("tags");
  artifact->salience = fields.Number("salience", 0.01, 1);
  artifact->sensitivity = fields.Number("sensitivity", 0, 1);
  artifact->confidence = fields.Number("confidence", 0, 1).value_or(1);
  artifact->valid_at = fields.Start("valid_at");
  artifact->invalid_at = fields.End("invalid_at");
  artifact->subject_id = fields.Text("subject_id");
  if (artifact->valid_at && artifact->invalid_at && *artifact->invalid_at <= *artifact->valid_at) {
    fields.Refuse("invalid_at", "is not after valid_at");
  }
}

void TakeRelation(FieldReader& fields, NewRelation* relation) {
  relation->subject = fields.RequiredText("subject");
  relation->predicate = fields.RequiredText("predicate");
  relation->object = fields.RequiredText("object");
  relation->subject_type = fields.Text("subject_type");
  relation->object_type = fields.Text("object_type");
  relation->valid_at = fields.Time("valid_at");
  relation->invalid_at = fields.Time("invalid_at");
  relation->at = fields.Time("at");
  relation->confidence = fields.Number("confidence", 0, 1).value_or(1);
  if (relation->at && (relation->valid_at || relation->invalid_at)) {
    fields.Refuse("at", "excludes valid_at and invalid_at");
  }
  const std::optional<Timestamp> end = fields.End("invalid_at");
  if (relation->valid_at && end && *end <= relation->valid_at->first) {
    fields.Refuse("invalid_at", "is not after valid_at");
  }
}

void TakeEmotion(FieldReader& fields, std::string* problem, RememberRequest* source) {
  const JsonValue* value = fields.Get("emotion");
  if (value == nullptr) return;
  FieldReader emotion(*value, "emotion", problem);
  emotion.OnlyKeys(kEmotionKeys);
  source->emotion = emotion.RequiredText("label");
  source->emotion_intensity = emotion.Number("intensity", 0, 1).value_or(1);
}

RememberRequest TakeSource(const JsonValue& object, const Piece& piece, const ImportSink& sink,
                           std::string* problem) {
  FieldReader fields(object, "", problem);
  fields.OnlyKeys(kSourceKeys);
  RememberRequest source = sink.NewSource();
  fields.TakeScope("scope", &source.scope);
  source.content = fields.RequiredText("content");
  source.external_id = fields.Text("external_id");
  if (source.external_id.empty()) source.request_id = sink.RequestId(std::to_string(piece.line));
  source.session_id = fields.Id("session_id");
  source.speaker_id = fields.Text("speaker_id");
  source.subject_id = fields.Text("subject_id");
  source.addressee = fields.Text("addressee");
  fields.Choice("source_type", record_names::kSourceTypes, &source.source_type);
  source.event_time = fields.Start("event_time");
  source.received_at = fields.Start("received_at");
  source.tags = fields.Texts("tags");
  TakeEmotion(fields, problem, &source);
  source.salience = fields.Number("salience", 0.01, 1);
  source.sensitivity = fields.Number("sensitivity", 0, 1).value_or(0);
  fields.Choice("memory_type", record_names::kMemoryTypes, &source.memory_type);
  fields.Choice("shape", record_names::kShapes, &source.shape);
  source.vector = fields.Vector("vector");
  if (const JsonValue* metadata = fields.Get("metadata")) {
    if (!metadata->IsObject()) fields.Refuse("metadata", "must be an object");
    source.metadata_json = FormatJson(*metadata);
  }
  for (FieldReader& artifact : fields.Objects("artifacts")) {
    artifact.OnlyKeys(kArtifactKeys);
    TakeArtifact(artifact, &source.artifacts.emplace_back());
  }
  for (FieldReader& relation : fields.Objects("relations")) {
    relation.OnlyKeys(kRelationKeys);
    TakeRelation(relation, &source.relations.emplace_back());
  }
  return source;
}

UnderstandRequest TakeArtifactLine(const JsonValue& object, const ImportSink& sink,
                                   std::string* problem) {
  FieldReader fields(object, "", problem);
  fields.OnlyKeys(kArtifactLineKeys);
  UnderstandRequest understanding = sink.NewUnderstanding();
  fields.TakeScope("scope", &understanding.scope);
  understanding.evidence = fields.Texts("evidence");
  if (understanding.evidence.empty()) {
    fields.Refuse("evidence", "an artifact rests on at least one source");
  }
  TakeArtifact(fields, &understanding.artifacts.emplace_back());
  return understanding;
}

// "Caroline lives_in Sweden (valid_at 2019)": what a fact line says, as it was said.
std::string FactText(FieldReader& fields, const NewRelation& relation) {
  std::string times;
  for (const std::string_view key : {"valid_at", "invalid_at", "at"}) {
    const std::string time = fields.Text(key);
    if (!time.empty()) times += (times.empty() ? "" : ", ") + std::string(key) + " " + time;
  }
  std::string text = relation.subject + " " + relation.predicate + " " + relation.object;
  return times.empty() ? text : text + " (" + times + ")";
}

ImportRecord TakeRelationLine(const JsonValue& object, const Piece& piece, const ImportSink& sink,
                              std::string* problem) {
  FieldReader fields(object, "", problem);
  fields.OnlyKeys(kRelationLineKeys);
  NewRelation relation;
  TakeRelation(fields, &relation);
  if (fields.Get("evidence") != nullptr) {
    UnderstandRequest understanding = sink.NewUnderstanding();
    fields.TakeScope("scope", &understanding.scope);
    understanding.evidence = fields.Texts("evidence");
    if (understanding.evidence.empty()) {
      fields.Refuse("evidence", "is empty; without the key the line is its own source");
    }
    for (const std::string_view key : {"external_id", "event_time"}) {
      if (fields.Get(key) != nullptr) fields.Refuse(key, "has no meaning beside evidence");
    }
    understanding.relations.push_back(std::move(relation));
    return understanding;
  }
  RememberRequest source = sink.NewSource();
  fields.TakeScope("scope", &source.scope);
  source.source_type = SourceType::kImport;
  source.content = FactText(fields, relation);
  source.external_id = fields.Text("external_id");
  if (source.external_id.empty()) source.request_id = sink.RequestId(std::to_string(piece.line));
  source.event_time = fields.Start("event_time");
  if (!source.event_time && relation.at) source.event_time = relation.at->first;
  if (!source.event_time && relation.valid_at) source.event_time = relation.valid_at->first;
  source.relations.push_back(std::move(relation));
  return source;
}

EntityRequest TakeEntity(const JsonValue& object, const ImportSink& sink, std::string* problem) {
  FieldReader fields(object, "", problem);
  fields.OnlyKeys(kEntityKeys);
  EntityRequest entity;
  entity.agent = sink.request().agent;
  entity.scope = sink.request().scope;
  entity.now = sink.request().now;
  fields.TakeScope("scope", &entity.scope);
  entity.name = fields.RequiredText("name");
  entity.type = fields.Text("entity_type");
  entity.aliases = fields.Texts("aliases");
  return entity;
}

PredicateRequest TakePredicate(const JsonValue& object, const ImportSink& sink,
                               std::string* problem) {
  FieldReader fields(object, "", problem);
  fields.OnlyKeys(kPredicateKeys);
  PredicateRequest predicate;
  predicate.agent = sink.request().agent;
  predicate.scope = sink.request().scope;
  predicate.now = sink.request().now;
  fields.TakeScope("scope", &predicate.scope);
  predicate.name = fields.RequiredText("name");
  predicate.single_valued = fields.Flag("single_valued");
  return predicate;
}

ImportRecord TakeRecord(const JsonValue& object, const Piece& piece, const ImportSink& sink,
                        std::string* problem) {
  std::size_t type = 0;
  FieldReader(object, "", problem).Choice("type", kTypes, &type);
  if (!problem->empty()) return RememberRequest{};
  switch (type) {
    case 1:
      return TakeArtifactLine(object, sink, problem);
    case 2:
      return TakeRelationLine(object, piece, sink, problem);
    case 3:
      return TakeEntity(object, sink, problem);
    case 4:
      return TakePredicate(object, sink, problem);
    default:
      return TakeSource(object, piece, sink, problem);
  }
}

}  // namespace

Result<void> ReadJsonl(const std::filesystem::path& file, ImportSink* sink) {
  if (Result<void> begun = sink->Begin(file); !begun) return begun;
  Result<LineSource> lines = OpenLines(file);
  if (!lines) return Fail(lines.error());
  Piece piece;
  for (;;) {
    Result<bool> more = lines->Next(&piece);
    if (!more) return Fail(more.error());
    sink->AtByte(lines->bytes_done());
    if (!*more) break;
    if (!piece.problem.empty()) {
      sink->Bad(piece.line, piece.problem);
      continue;
    }
    const Result<JsonValue> value = ParseJson(piece.text);
    if (!value) {
      sink->Bad(piece.line, value.error().message);
      continue;
    }
    std::string problem;
    ImportRecord record = TakeRecord(*value, piece, *sink, &problem);
    if (!problem.empty()) {
      sink->Bad(piece.line, std::move(problem));
      continue;
    }
    if (Result<void> taken = sink->Hand(std::move(record), piece.line); !taken) return taken;
  }
  sink->End();
  return {};
}

}  // namespace souvenance::ingest
