// What a careful user would write instead: SQLite's FTS5 with bm25(), an exact scan over a matrix
// of the same vectors, and reciprocal rank fusion. It gets our list of stop words, a stemmer and
// characters for Han, since a baseline without them would be a straw man.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/load.h"
#include "index/embed/embedder.h"

namespace souvenance::bench {

// Thread-safety: thread-compatible.
class Baseline {
 public:
  // `embedder` must outlive it.
  Baseline(const std::filesystem::path& file, const std::vector<Turn>& turns,
           const index::Embedder& embedder);
  ~Baseline();

  // The texts of the k best turns, best first. 400 candidates by words and 100 by vectors, as
  // RecallOptions.
  std::vector<std::string> Recall(std::string_view cue, std::size_t k) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace souvenance::bench
