// Writes files into a directory of its own, reads them as an import, and keeps what came.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ingest/reader.h"

namespace souvenance::ingest {

inline Timestamp At(std::string_view text) { return ParseTime(text).value().first; }

class ReaderTest : public testing::Test {
 protected:
  ReaderTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "souvenance-reader-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    directory_ = pattern;
  }
  ~ReaderTest() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path Write(const std::string& name, std::string_view content) {
    const std::filesystem::path path = directory_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  Result<void> Read(const ImportRequest& request) {
    ReadCallbacks callbacks;
    callbacks.record = [&](ImportRecord&& record, const ReadProgress& progress) -> Result<void> {
      progress_.push_back(progress);
      if (refusal_) return Fail(*refusal_);
      records_.push_back(std::move(record));
      return {};
    };
    callbacks.bad_line = [&](BadLine&& bad) { bad_.push_back(std::move(bad)); };
    return ReadImport(request, callbacks);
  }

  Result<void> ReadText(std::string_view content, ImportFormat format,
                        const std::string& name = "in.jsonl") {
    ImportRequest request;
    request.files = {Write(name, content)};
    request.format = format;
    return Read(request);
  }

  // The one source that was read.
  const RememberRequest& Source(std::size_t i = 0) {
    static const RememberRequest none;
    if (i >= records_.size() || !std::holds_alternative<RememberRequest>(records_[i])) {
      ADD_FAILURE() << "no source " << i << " among " << records_.size() << " records"
                    << (bad_.empty() ? "" : "; " + bad_[0].message);
      return none;
    }
    return std::get<RememberRequest>(records_[i]);
  }

  std::vector<std::string> Contents() {
    std::vector<std::string> contents;
    for (const ImportRecord& record : records_) {
      contents.push_back(std::holds_alternative<RememberRequest>(record)
                             ? std::get<RememberRequest>(record).content
                             : "?");
    }
    return contents;
  }

  std::filesystem::path directory_;
  std::vector<ImportRecord> records_;
  std::vector<BadLine> bad_;
  std::vector<ReadProgress> progress_;
  std::optional<Error> refusal_;
};

}  // namespace souvenance::ingest
