// Where the readers of all formats put what they read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/ingest/reader.h"
#include "engine/ingest/text_source.h"

namespace souvenance::ingest {

// Fills in what every record has, reports bad lines, and turns a refused record into one.
// `request` and `callbacks` must outlive it.
class ImportSink {
 public:
  ImportSink(const ImportRequest& request, const ReadCallbacks& callbacks,
             std::uint64_t bytes_total);

  const ImportRequest& request() const { return request_; }

  // Begins a file: its digest is part of the identity of sources without an id.
  // Errors: kNotFound, kIo
  Result<void> Begin(const std::filesystem::path& file);
  // Ends it; what was read of it counts as done.
  void End();
  // How far the current file has been read.
  void AtByte(std::uint64_t bytes) { bytes_in_file_ = bytes; }

  const std::string& digest() const { return digest_; }  // of the current file, hexadecimal

  // With the agent, the default scope and the moment.
  RememberRequest NewSource() const;
  UnderstandRequest NewUnderstanding() const;
  // "file:DIGEST:WHERE"
  std::string RequestId(const std::string& where) const;

  void Bad(std::uint64_t line, std::string message);
  // The same for a line of another file.
  void BadIn(const std::filesystem::path& file, std::uint64_t line, std::string message);
  // Errors: what the caller's `record` returned, unless it is about the record's data.
  Result<void> Hand(ImportRecord&& record, std::uint64_t line);

 private:
  const ImportRequest& request_;
  const ReadCallbacks& callbacks_;
  std::filesystem::path file_;
  std::string digest_;
  std::uint64_t bytes_before_ = 0;   // of the files that are done
  std::uint64_t bytes_in_file_ = 0;  // of the current one
  std::uint64_t bytes_total_ = 0;
};

// Opens the current file of the sink as lines, or as values.
Result<LineSource> OpenLines(const std::filesystem::path& file);
Result<ValueSource> OpenValues(const std::filesystem::path& file);

}  // namespace souvenance::ingest
