// One reader for each format. Each hands its records to the sink and reports bad lines there.
#pragma once

#include <souvenance/error.h>

#include <filesystem>

#include "engine/ingest/import_sink.h"

namespace souvenance::ingest {

// Errors of all: kNotFound, kIo, and what the sink's caller returned.
Result<void> ReadJsonl(const std::filesystem::path& file, ImportSink* sink);
Result<void> ReadChat(const std::filesystem::path& file, ImportSink* sink);
// `path` is the folder, or its corpus.jsonl. Triples and facts are those of the sink's request.
Result<void> ReadBeir(const std::filesystem::path& path, ImportSink* sink);
Result<void> ReadLocomo(const std::filesystem::path& file, ImportSink* sink);

// The corpus.jsonl of a folder; the path itself otherwise.
std::filesystem::path BeirCorpus(const std::filesystem::path& path);

// Whether the whole file is read as JSON values (an array, or an object over several lines)
// rather than as lines.
// Errors: kNotFound, kIo
Result<bool> IsOneValue(const std::filesystem::path& file);

}  // namespace souvenance::ingest
