#include "engine/ingest/import_sink.h"

#include <utility>

#include "storage/sha256.h"

namespace souvenance::ingest {
namespace {

bool IsAboutTheData(ErrorCode code) {
  return code == ErrorCode::kInvalidData || code == ErrorCode::kInvalidArgument ||
         code == ErrorCode::kConflict || code == ErrorCode::kNotFound;
}

Result<std::string> FileDigest(const std::filesystem::path& file) {
  Result<ByteSource> bytes = ByteSource::Open(file);
  if (!bytes) return Fail(bytes.error());
  storage::Sha256Stream stream;
  for (;;) {
    Result<std::string_view> window = bytes->Window();
    if (!window) return Fail(window.error());
    if (window->empty()) return storage::Hex(stream.Finish());
    stream.Update(*window);
    bytes->Consume(window->size());
  }
}

}  // namespace

ImportSink::ImportSink(const ImportRequest& request, const ReadCallbacks& callbacks,
                       std::uint64_t bytes_total)
    : request_(request), callbacks_(callbacks), bytes_total_(bytes_total) {}

Result<void> ImportSink::Begin(const std::filesystem::path& file) {
  Result<std::string> digest = FileDigest(file);
  if (!digest) return Fail(digest.error());
  file_ = file;
  digest_ = *std::move(digest);
  bytes_in_file_ = 0;
  return {};
}

void ImportSink::End() {
  bytes_before_ += bytes_in_file_;
  bytes_in_file_ = 0;
}

RememberRequest ImportSink::NewSource() const {
  RememberRequest source;
  source.agent = request_.agent;
  source.scope = request_.scope;
  source.now = request_.now;
  return source;
}

UnderstandRequest ImportSink::NewUnderstanding() const {
  UnderstandRequest understanding;
  understanding.agent = request_.agent;
  understanding.scope = request_.scope;
  understanding.now = request_.now;
  return understanding;
}

std::string ImportSink::RequestId(const std::string& where) const {
  return "file:" + digest_ + ":" + where;
}

void ImportSink::Bad(std::uint64_t line, std::string message) {
  BadIn(file_, line, std::move(message));
}

void ImportSink::BadIn(const std::filesystem::path& file, std::uint64_t line, std::string message) {
  if (callbacks_.bad_line) callbacks_.bad_line({file.string(), line, std::move(message)});
}

Result<void> ImportSink::Hand(ImportRecord&& record, std::uint64_t line) {
  if (!callbacks_.record) return {};
  const ReadProgress progress{bytes_before_ + bytes_in_file_, bytes_total_};
  Result<void> taken = callbacks_.record(std::move(record), progress);
  if (taken || !IsAboutTheData(taken.error().code)) return taken;
  Bad(line, taken.error().message);
  return {};
}

Result<LineSource> OpenLines(const std::filesystem::path& file) {
  Result<ByteSource> bytes = ByteSource::Open(file);
  if (!bytes) return Fail(bytes.error());
  return LineSource(*std::move(bytes));
}

Result<ValueSource> OpenValues(const std::filesystem::path& file) {
  Result<ByteSource> bytes = ByteSource::Open(file);
  if (!bytes) return Fail(bytes.error());
  return ValueSource(*std::move(bytes));
}

}  // namespace souvenance::ingest
