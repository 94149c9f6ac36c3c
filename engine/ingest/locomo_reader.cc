// LoCoMo as published (snap-research/LoCoMo, locomo10.json): docs/formats/import.md, "locomo".
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>

#include "engine/ingest/field_reader.h"
#include "engine/ingest/format_readers.h"
#include "engine/ingest/json_value.h"

namespace souvenance::ingest {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) == 0) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    words.back() += static_cast<char>(std::tolower(byte));
  }
  return words;
}

int Whole(const std::string& text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

// "1:56 pm on 8 May, 2023", in UTC.
std::optional<Timestamp> ParseSessionTime(std::string_view text) {
  const std::vector<std::string> words = Words(text);
  if (words.size() != 7 || words[3] != "on") return std::nullopt;
  const bool afternoon = words[2] == "pm";
  if (!afternoon && words[2] != "am") return std::nullopt;
  const int hour = Whole(words[0]);
  const int minute = Whole(words[1]);
  const int day = Whole(words[4]);
  const int year = Whole(words[6]);
  unsigned month = 0;
  for (unsigned i = 0; i < kMonths.size(); ++i) {
    if (words[5] == kMonths[i]) month = i + 1;
  }
  if (hour < 1 || hour > 12 || minute < 0 || minute > 59 || day < 1 || year < 0) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{month},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return Timestamp{std::chrono::sys_days{date}} +
         std::chrono::hours{hour % 12 + (afternoon ? 12 : 0)} + std::chrono::minutes{minute};
}

// The numbers N of "session_N" that hold turns, ascending.
std::map<int, const JsonValue*> Sessions(const JsonValue& conversation) {
  constexpr std::string_view kPrefix = "session_";
  std::map<int, const JsonValue*> sessions;
  for (std::size_t i = 0; i < conversation.keys.size(); ++i) {
    const std::string& key = conversation.keys[i];
    if (!key.starts_with(kPrefix)) continue;
    const int number = Whole(key.substr(kPrefix.size()));
    if (number >= 0) sessions[number] = &conversation.items[i];
  }
  return sessions;
}

struct Session {
  std::string sample;
  std::string id;
  Scope scope;
  std::optional<Timestamp> time;
};

Result<void> TakeTurn(const JsonValue& turn, const Session& session, const std::string& path,
                      std::uint64_t line, ImportSink* sink) {
  std::string problem;
  FieldReader fields(turn, path, &problem);
  RememberRequest source = sink->NewSource();
  source.scope = session.scope;
  source.session_id = session.id;
  source.event_time = session.time;
  source.speaker_id = fields.RequiredText("speaker");
  source.external_id = session.sample + ":" + fields.RequiredText("dia_id");
  const std::string text = fields.Text("text");
  const std::string caption = fields.Text("blip_caption");
  if (IsBlank(text) && IsBlank(caption)) fields.Refuse("text", "is blank");
  source.content = source.speaker_id + ":";
  if (!IsBlank(text)) source.content += " " + text;
  if (!IsBlank(caption)) source.content += " (image: " + caption + ")";
  if (!problem.empty()) {
    sink->Bad(line, std::move(problem));
    return {};
  }
  return sink->Hand(std::move(source), line);
}

Result<void> TakeSample(const JsonValue& sample, std::uint64_t line, ImportSink* sink) {
  std::string problem;
  FieldReader fields(sample, "", &problem);
  Session session;
  session.sample = fields.RequiredText("sample_id");
  session.scope = {ScopeKind::kGroup, session.sample};
  const JsonValue* conversation = fields.Get("conversation");
  if (conversation == nullptr || !conversation->IsObject()) {
    fields.Refuse("conversation", "must be an object");
  }
  if (!problem.empty()) {
    sink->Bad(line, std::move(problem));
    return {};
  }
  for (const auto& [number, turns] : Sessions(*conversation)) {
    session.id = std::to_string(number);
    const std::string key = "session_" + session.id;
    const std::string path = session.sample + "." + key;
    const JsonValue* time = conversation->Find(key + "_date_time");
    session.time = time != nullptr ? ParseSessionTime(time->text) : std::nullopt;
    if (!session.time) {
      sink->Bad(line, path + "_date_time: is no time like \"1:56 pm on 8 May, 2023\"");
      continue;
    }
    if (!turns->IsArray()) {
      sink->Bad(line, path + ": must be an array of turns");
      continue;
    }
    for (std::size_t i = 0; i < turns->items.size(); ++i) {
      const std::string turn = path + "[" + std::to_string(i) + "]";
      Result<void> taken = TakeTurn(turns->items[i], session, turn, line, sink);
      if (!taken) return taken;
    }
  }
  return {};
}

}  // namespace

Result<void> ReadLocomo(const std::filesystem::path& file, ImportSink* sink) {
  if (Result<void> begun = sink->Begin(file); !begun) return begun;
  Result<ValueSource> values = OpenValues(file);
  if (!values) return Fail(values.error());
  Piece piece;
  for (;;) {
    Result<bool> more = values->Next(&piece);
    if (!more) return Fail(more.error());
    sink->AtByte(values->bytes_done());
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
    if (Result<void> taken = TakeSample(*value, piece.line, sink); !taken) return taken;
  }
  sink->End();
  return {};
}

}  // namespace souvenance::ingest
