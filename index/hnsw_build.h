// hnswlib builds the graph; nothing else of it is used. One .cc includes it, for its header
// defines functions that are not inline.
#pragma once

#include <functional>

#include "index/hnsw_file.h"
#include "index/vectors.h"

namespace souvenance::index {

// Fills in levels, links, entry and vectors from the distinct unit vectors of `graph.vectors`.
// Errors: kInternal.
Result<void> BuildHnswLinks(HnswGraph* graph,
                            const std::function<void(std::uint32_t done)>& progress);

}  // namespace souvenance::index
