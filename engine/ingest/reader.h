// Reads what people bring: our JSONL, chat logs, BEIR folders, LoCoMo. Streams; a bad line is
// reported and the reading goes on. docs/formats/import.md.
#pragma once

#include <souvenance/error.h>
#include <souvenance/write.h>

#include <cstdint>
#include <functional>
#include <variant>

namespace souvenance::ingest {

using ImportRecord =
    std::variant<RememberRequest, UnderstandRequest, EntityRequest, PredicateRequest>;

struct ReadProgress {
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;
};

struct ReadCallbacks {
  // A record; the agent, the default scope and `now` are filled in, and a source without an
  // external id has the request id "file:DIGEST:LINE". An error that is returned for a record's
  // data (kInvalidData, kInvalidArgument, kConflict, kNotFound) makes it a bad line; any other
  // ends the reading.
  std::function<Result<void>(ImportRecord&&, const ReadProgress&)> record;
  std::function<void(BadLine&&)> bad_line;
};

// Errors: kNotFound (a file is missing), kInvalidArgument (an unknown format, or kAuto cannot
// tell; triples or facts without exactly one beir folder; no regular file), kIo, and what `record`
// returned. Missing files and unknown formats are found before the first record.
Result<void> ReadImport(const ImportRequest& request, const ReadCallbacks& callbacks);

}  // namespace souvenance::ingest
