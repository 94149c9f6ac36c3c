// Chat logs of many programs: docs/formats/import.md, "chat".
#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "engine/ingest/field_reader.h"
#include "engine/ingest/format_readers.h"
#include "engine/ingest/json_value.h"

namespace souvenance::ingest {
namespace {

constexpr std::string_view kMessageKeys[] = {"role",       "speaker", "name",       "content",
                                             "timestamp",  "time",    "created_at", "session",
                                             "session_id", "scope"};
constexpr std::string_view kSessionKeys[] = {"session_id", "session", "conversation_id", "id"};

// A message, and where it stands.
struct Place {
  std::uint64_t line = 0;
  std::string where;    // for the request id
  std::string session;  // when the message names none
  Scope scope;
};

// Seconds since 1970, or milliseconds: the seconds of a date before 5138 have fewer digits.
std::optional<Timestamp> FromEpoch(double number) {
  constexpr double kMilliseconds = 1e11;
  constexpr double kLimitSeconds = 9e11;
  const double seconds = std::abs(number) >= kMilliseconds ? number / 1000 : number;
  if (!(std::abs(seconds) < kLimitSeconds)) return std::nullopt;
  return FromMicros(std::llround(seconds * 1e6));
}

std::optional<Timestamp> TakeTime(FieldReader& fields) {
  for (const std::string_view key : {"timestamp", "time", "created_at"}) {
    const JsonValue* value = fields.Get(key);
    if (value == nullptr) continue;
    if (!value->IsNumber()) return fields.Start(key);
    const std::optional<Timestamp> time = FromEpoch(value->real);
    if (!time) fields.Refuse(key, "is no time");
    return time;
  }
  return std::nullopt;
}

// A string, or the text parts of a list of parts; images and sounds have no text to keep.
std::string TakeContent(FieldReader& fields) {
  const JsonValue* content = fields.Get("content");
  if (content == nullptr || !content->IsArray()) return fields.Text("content");
  std::string text;
  for (const JsonValue& part : content->items) {
    const JsonValue* part_text = part.Find("text");
    if (part_text == nullptr || !part_text->IsString()) continue;
    text += (text.empty() ? "" : "\n") + part_text->text;
  }
  return text;
}

SourceType TypeOfRole(const std::string& role) {
  if (role == "assistant" || role == "model" || role == "ai" || role == "bot") {
    return SourceType::kReply;
  }
  if (role == "tool" || role == "function") return SourceType::kToolResult;
  if (role == "system" || role == "developer") return SourceType::kDocument;
  return SourceType::kMessage;
}

std::string Metadata(const JsonValue& message) {
  JsonValue rest;
  rest.kind = JsonValue::Kind::kObject;
  for (std::size_t i = 0; i < message.keys.size(); ++i) {
    const auto end = std::end(kMessageKeys);
    if (std::find(std::begin(kMessageKeys), end, message.keys[i]) != end) continue;
    rest.keys.push_back(message.keys[i]);
    rest.items.push_back(message.items[i]);
  }
  return rest.keys.empty() ? std::string() : FormatJson(rest);
}

std::string FirstId(FieldReader& fields, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (std::string id = fields.Id(key); !id.empty()) return id;
  }
  return {};
}

Result<void> TakeMessage(const JsonValue& message, const Place& place, ImportSink* sink) {
  std::string problem;
  FieldReader fields(message, "", &problem);
  RememberRequest source = sink->NewSource();
  source.scope = place.scope;
  fields.TakeScope("scope", &source.scope);
  source.content = TakeContent(fields);
  const std::string role = fields.Text("role");
  for (const std::string_view key : {"speaker", "name", "role"}) {
    if (source.speaker_id.empty()) source.speaker_id = fields.Text(key);
  }
  source.source_type = TypeOfRole(role);
  source.event_time = TakeTime(fields);
  source.session_id = FirstId(fields, std::span(kSessionKeys).first(2));
  if (source.session_id.empty()) source.session_id = place.session;
  source.request_id = sink->RequestId(place.where);
  source.metadata_json = Metadata(message);
  if (problem.empty() && IsBlank(source.content)) {
    // A call of a tool has no words of its own; its result is a message that has.
    if (message.Find("tool_calls") != nullptr || message.Find("function_call") != nullptr) {
      return {};
    }
    problem = fields.Get("content") == nullptr ? "content: is missing" : "content: is blank";
  }
  if (!problem.empty()) {
    sink->Bad(place.line, std::move(problem));
    return {};
  }
  return sink->Hand(std::move(source), place.line);
}

// {"messages": [...]} with a session of its own.
Result<void> TakeConversation(const JsonValue& conversation, const Place& place, ImportSink* sink) {
  std::string problem;
  FieldReader fields(conversation, "", &problem);
  Place inner = place;
  fields.TakeScope("scope", &inner.scope);
  inner.session = FirstId(fields, kSessionKeys);
  if (inner.session.empty()) inner.session = place.session + ":" + place.where;
  const JsonValue* messages = fields.Get("messages");
  if (messages == nullptr || !messages->IsArray()) {
    fields.Refuse("messages", "must be an array of objects");
  }
  if (!problem.empty()) {
    sink->Bad(place.line, std::move(problem));
    return {};
  }
  for (std::size_t i = 0; i < messages->items.size(); ++i) {
    inner.where = place.where + "." + std::to_string(i + 1);
    if (Result<void> taken = TakeMessage(messages->items[i], inner, sink); !taken) return taken;
  }
  return {};
}

template <typename Source>
Result<void> TakeAll(Source source, ImportSink* sink) {
  Place place;
  place.scope = sink->request().scope;
  // A log that names no session is one conversation.
  const std::string session = "file:" + sink->digest().substr(0, 16);
  Piece piece;
  for (;;) {
    Result<bool> more = source.Next(&piece);
    if (!more) return Fail(more.error());
    sink->AtByte(source.bytes_done());
    if (!*more) break;
    place.line = piece.line;
    place.where = std::to_string(piece.number);
    place.session = session;
    if (!piece.problem.empty()) {
      sink->Bad(piece.line, piece.problem);
      continue;
    }
    const Result<JsonValue> value = ParseJson(piece.text);
    if (!value) {
      sink->Bad(piece.line, value.error().message);
      continue;
    }
    Result<void> taken = value->Find("messages") != nullptr ? TakeConversation(*value, place, sink)
                                                            : TakeMessage(*value, place, sink);
    if (!taken) return taken;
  }
  sink->End();
  return {};
}

}  // namespace

Result<void> ReadChat(const std::filesystem::path& file, ImportSink* sink) {
  if (Result<void> begun = sink->Begin(file); !begun) return begun;
  Result<bool> one_value = IsOneValue(file);
  if (!one_value) return Fail(one_value.error());
  if (*one_value) {
    Result<ValueSource> values = OpenValues(file);
    if (!values) return Fail(values.error());
    return TakeAll(*std::move(values), sink);
  }
  Result<LineSource> lines = OpenLines(file);
  if (!lines) return Fail(lines.error());
  return TakeAll(*std::move(lines), sink);
}

}  // namespace souvenance::ingest
