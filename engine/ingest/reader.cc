#include "engine/ingest/reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/ingest/format_readers.h"
#include "engine/ingest/import_sink.h"
#include "engine/ingest/json_value.h"
#include "engine/ingest/text_source.h"

namespace souvenance::ingest {
namespace {

// Enough to get past a damaged beginning, little enough to be quick.
constexpr int kLinesToLookAt = 100;

bool HasAny(const JsonValue& object, std::initializer_list<std::string_view> keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](std::string_view key) { return object.Find(key) != nullptr; });
}

// The format that an object belongs to; kAuto when it tells nothing.
ImportFormat FormatOf(const JsonValue& object) {
  if (!object.IsObject()) return ImportFormat::kAuto;
  if (HasAny(object, {"conversation"}) && HasAny(object, {"sample_id", "qa"})) {
    return ImportFormat::kLocomo;
  }
  if (HasAny(object, {"messages"})) return ImportFormat::kChat;
  if (HasAny(object, {"_id"}) && HasAny(object, {"text"})) return ImportFormat::kBeir;
  if (const JsonValue* type = object.Find("type"); type != nullptr && type->IsString()) {
    constexpr std::array<std::string_view, 5> kTypes = {"source", "artifact", "relation", "entity",
                                                        "predicate"};
    if (std::find(kTypes.begin(), kTypes.end(), type->text) != kTypes.end()) {
      return ImportFormat::kJsonl;
    }
  }
  if (!HasAny(object, {"content"})) return ImportFormat::kAuto;
  const bool chat =
      HasAny(object, {"role", "speaker", "name", "timestamp", "time", "created_at", "session"});
  return chat ? ImportFormat::kChat : ImportFormat::kJsonl;
}

template <typename Source>
Result<ImportFormat> FormatOfFirst(Source source) {
  Piece piece;
  for (int i = 0; i < kLinesToLookAt; ++i) {
    Result<bool> more = source.Next(&piece);
    if (!more) return Fail(more.error());
    if (!*more) break;
    if (!piece.problem.empty()) continue;
    const Result<JsonValue> value = ParseJson(piece.text);
    if (!value) continue;
    const ImportFormat format = FormatOf(*value);
    if (format != ImportFormat::kAuto) return format;
  }
  return ImportFormat::kAuto;
}

Result<ImportFormat> Detect(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return ImportFormat::kBeir;
  Result<bool> one_value = IsOneValue(path);
  if (!one_value) return Fail(one_value.error());
  Result<ImportFormat> format = ImportFormat::kAuto;
  if (*one_value) {
    Result<ValueSource> values = OpenValues(path);
    if (!values) return Fail(values.error());
    format = FormatOfFirst(*std::move(values));
  } else {
    Result<LineSource> lines = OpenLines(path);
    if (!lines) return Fail(lines.error());
    format = FormatOfFirst(*std::move(lines));
  }
  if (!format || *format != ImportFormat::kAuto) return format;
  // Nothing in it told; its name says at least that there is one value a line.
  if (path.extension() == ".jsonl") return ImportFormat::kJsonl;
  return Fail(ErrorCode::kInvalidArgument, "import " + path.string() + ": cannot tell its format",
              "name one with --format: jsonl, chat, beir or locomo");
}

// The files that a path stands for, each of which must be there before the first is read.
Result<std::uint64_t> SizeOf(const std::filesystem::path& path) {
  const std::filesystem::path file = BeirCorpus(path);
  if (Result<ByteSource> bytes = ByteSource::Open(file); !bytes) return Fail(bytes.error());
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) return Fail(ErrorCode::kIo, "read " + file.string() + ": " + error.message());
  return static_cast<std::uint64_t>(size);
}

Result<void> ReadOne(const std::filesystem::path& path, ImportFormat format, ImportSink* sink) {
  switch (format) {
    case ImportFormat::kJsonl:
      return ReadJsonl(path, sink);
    case ImportFormat::kChat:
      return ReadChat(path, sink);
    case ImportFormat::kBeir:
      return ReadBeir(path, sink);
    case ImportFormat::kLocomo:
      return ReadLocomo(path, sink);
    case ImportFormat::kAuto:
      break;
  }
  return Fail(ErrorCode::kInvalidArgument, "import " + path.string() + ": unknown format");
}

}  // namespace

Result<bool> IsOneValue(const std::filesystem::path& file) {
  Result<LineSource> lines = OpenLines(file);
  if (!lines) return Fail(lines.error());
  Piece piece;
  Result<bool> more = lines->Next(&piece);
  if (!more) return more;
  if (!*more || !piece.problem.empty()) return false;
  const std::size_t first = piece.text.find_first_not_of(" \t\r");
  if (piece.text[first] == '[') return true;
  // An object that goes on over the line's end has its brackets still open there. A damaged first
  // line looks the same, unless the second is whole.
  if (piece.text[first] != '{' || ParseJson(piece.text)) return false;
  more = lines->Next(&piece);
  if (!more) return more;
  return *more && piece.problem.empty() && !ParseJson(piece.text);
}

Result<void> ReadImport(const ImportRequest& request, const ReadCallbacks& callbacks) {
  std::vector<std::filesystem::path> all = request.files;
  if (!request.triples.empty()) all.push_back(request.triples);
  if (!request.facts.empty()) all.push_back(request.facts);
  std::uint64_t bytes_total = 0;
  for (const std::filesystem::path& path : all) {
    Result<std::uint64_t> size = SizeOf(path);
    if (!size) return Fail(size.error());
    bytes_total += *size;
  }
  std::vector<ImportFormat> formats;
  for (const std::filesystem::path& path : request.files) {
    Result<ImportFormat> format = request.format;
    if (request.format == ImportFormat::kAuto) format = Detect(path);
    if (!format) return Fail(format.error());
    formats.push_back(*format);
  }
  const bool beside = !request.triples.empty() || !request.facts.empty();
  if (beside && (formats.size() != 1 || formats[0] != ImportFormat::kBeir)) {
    return Fail(ErrorCode::kInvalidArgument,
                "import: triples and facts go with exactly one folder of the beir format");
  }
  ImportSink sink(request, callbacks, bytes_total);
  for (std::size_t i = 0; i < request.files.size(); ++i) {
    Result<void> read = ReadOne(request.files[i], formats[i], &sink);
    if (!read) return read;
  }
  return {};
}

}  // namespace souvenance::ingest
