// BEIR folders, with triples and facts beside them: docs/formats/import.md, "beir".
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include "engine/ingest/field_reader.h"
#include "engine/ingest/format_readers.h"
#include "engine/ingest/json_value.h"

namespace souvenance::ingest {
namespace {

struct DocumentTriples {
  std::uint64_t line = 0;  // where the document was named first
  std::vector<NewRelation> relations;
};
using TriplesByDocument = std::map<std::string, DocumentTriples>;

using TakeLine = std::function<Result<void>(const JsonValue&, std::uint64_t line)>;

// Each line of `file` as JSON, after the sink has begun with it.
Result<void> ForEachLine(const std::filesystem::path& file, ImportSink* sink,
                         const TakeLine& take) {
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
    if (Result<void> taken = take(*value, piece.line); !taken) return taken;
  }
  return {};
}

bool IsTriple(const JsonValue& row) {
  if (!row.IsArray() || row.items.size() != 3) return false;
  for (const JsonValue& item : row.items) {
    if (!item.IsString() || IsBlank(item.text)) return false;
  }
  return true;
}

Result<void> ReadTriples(ImportSink* sink, TriplesByDocument* triples) {
  const TakeLine take = [&](const JsonValue& object, std::uint64_t line) -> Result<void> {
    std::string problem;
    FieldReader fields(object, "", &problem);
    const std::string document = fields.RequiredText("doc");
    const JsonValue* rows = fields.Get("triples");
    if (rows == nullptr || !rows->IsArray()) {
      fields.Refuse("triples", "must be an array of [subject, predicate, object]");
    }
    if (!problem.empty()) {
      sink->Bad(line, std::move(problem));
      return {};
    }
    DocumentTriples& entry = (*triples)[document];
    if (entry.line == 0) entry.line = line;
    std::size_t bad = 0;
    for (const JsonValue& row : rows->items) {
      if (!IsTriple(row)) {
        ++bad;
        continue;
      }
      NewRelation& relation = entry.relations.emplace_back();
      relation.subject = row.items[0].text;
      relation.predicate = row.items[1].text;
      relation.object = row.items[2].text;
    }
    if (bad > 0) {
      sink->Bad(line, "triples: " + std::to_string(bad) + " of " +
                          std::to_string(rows->items.size()) +
                          " are not [subject, predicate, object]; the others were taken");
    }
    return {};
  };
  if (Result<void> read = ForEachLine(sink->request().triples, sink, take); !read) return read;
  sink->End();
  return {};
}

// What of a document's metadata has a field of its own; the rest is kept as it is.
void TakeMetadata(const JsonValue& metadata, std::string* problem, RememberRequest* source) {
  FieldReader fields(metadata, "metadata", problem);
  fields.TakeScope("scope", &source->scope);
  source->session_id = fields.Id("session");
  source->speaker_id = fields.Text("speaker");
  source->event_time = fields.Start("time");
  JsonValue rest;
  rest.kind = JsonValue::Kind::kObject;
  for (std::size_t i = 0; i < metadata.keys.size(); ++i) {
    const std::string& key = metadata.keys[i];
    if (key == "scope" || key == "session" || key == "speaker" || key == "time") continue;
    rest.keys.push_back(key);
    rest.items.push_back(metadata.items[i]);
  }
  if (!rest.keys.empty()) source->metadata_json = FormatJson(rest);
}

Result<void> TakeDocument(const JsonValue& object, std::uint64_t line, TriplesByDocument* triples,
                          ImportSink* sink) {
  std::string problem;
  FieldReader fields(object, "", &problem);
  RememberRequest source = sink->NewSource();
  source.external_id = fields.RequiredText("_id");
  const std::string title = fields.Text("title");
  const std::string text = fields.Text("text");
  source.content = IsBlank(title) ? text : IsBlank(text) ? title : title + "\n" + text;
  if (IsBlank(source.content)) fields.Refuse("text", "is blank, and so is the title");
  if (const JsonValue* metadata = fields.Get("metadata")) {
    TakeMetadata(*metadata, &problem, &source);
  }
  source.source_type = source.speaker_id.empty() ? SourceType::kDocument : SourceType::kMessage;
  if (!problem.empty()) {
    sink->Bad(line, std::move(problem));
    return {};
  }
  const auto found = triples->find(source.external_id);
  if (found != triples->end()) {
    source.relations = std::move(found->second.relations);
    triples->erase(found);
  }
  return sink->Hand(std::move(source), line);
}

// A fact rests on the documents it names; one that names none is its own source.
Result<void> TakeFact(const JsonValue& object, std::uint64_t line, ImportSink* sink) {
  std::string problem;
  FieldReader fields(object, "", &problem);
  const std::string fact = fields.RequiredText("fact");
  const std::vector<std::string> evidence = fields.Texts("evidence");
  const std::string subject = fields.Text("subject");
  const std::optional<Timestamp> time = fields.Start("time");
  Scope scope = sink->request().scope;
  fields.TakeScope("scope", &scope);
  if (!problem.empty()) {
    sink->Bad(line, std::move(problem));
    return {};
  }
  if (evidence.empty()) {
    RememberRequest source = sink->NewSource();
    source.scope = std::move(scope);
    source.content = fact;
    source.request_id = sink->RequestId(std::to_string(line));
    source.source_type = SourceType::kImport;
    source.subject_id = subject;
    source.event_time = time;
    return sink->Hand(std::move(source), line);
  }
  UnderstandRequest understanding = sink->NewUnderstanding();
  understanding.scope = std::move(scope);
  understanding.evidence = evidence;
  NewArtifact& artifact = understanding.artifacts.emplace_back();
  artifact.kind = ArtifactKind::kFact;
  artifact.content = fact;
  artifact.subject_id = subject;
  artifact.valid_at = time;
  return sink->Hand(std::move(understanding), line);
}

}  // namespace

std::filesystem::path BeirCorpus(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored) ? path / "corpus.jsonl" : path;
}

Result<void> ReadBeir(const std::filesystem::path& path, ImportSink* sink) {
  TriplesByDocument triples;
  const ImportRequest& request = sink->request();
  if (!request.triples.empty()) {
    if (Result<void> read = ReadTriples(sink, &triples); !read) return read;
  }
  const TakeLine take_document = [&](const JsonValue& object, std::uint64_t line) {
    return TakeDocument(object, line, &triples, sink);
  };
  if (auto read = ForEachLine(BeirCorpus(path), sink, take_document); !read) return read;
  sink->End();
  for (const auto& [document, entry] : triples) {
    sink->BadIn(request.triples, entry.line, "doc: \"" + document + "\" is not in the corpus");
  }
  if (request.facts.empty()) return {};
  const TakeLine take_fact = [&](const JsonValue& object, std::uint64_t line) {
    return TakeFact(object, line, sink);
  };
  if (auto read = ForEachLine(request.facts, sink, take_fact); !read) return read;
  sink->End();
  return {};
}

}  // namespace souvenance::ingest
