// From a ranked item to what is shown: disclosure, text, citations, names.
#pragma once

#include <souvenance/error.h>
#include <souvenance/hit.h>

#include <cstdint>
#include <string>
#include <vector>

#include "engine/recall/pool.h"
#include "engine/recall/rank.h"
#include "scoring/disclosure.h"

namespace souvenance::recall {

// How much of an item may be said to this viewer.
struct Disclosed {
  scoring::Disclosure level = scoring::Disclosure::kFull;
  scoring::DisclosureFactors factors;
};
Disclosed Disclose(const Pool& pool, const ItemRef& item, double relevance);

// The sources that a revision rests on, with spans and commitments.
Result<std::vector<Citation>> Citations(const Pool& pool, ArtifactId artifact,
                                        std::uint32_t revision, const std::string& scope_tag);
// One source's citation over its whole content, by ordinal within the shard's scope.
Result<Citation> CiteSource(const Pool& pool, std::uint32_t shard, Ordinal source);

// Text of a document, or its gist; empty when it was erased.
Result<std::string> DocText(const Pool& pool, const ItemRef& item);
Result<std::string> DocGist(const Pool& pool, const ItemRef& item);

// Everything of a result but its rank. `level` decides whether text or gist is shown.
Result<RecallResult> Render(const Pool& pool, const Candidate& candidate,
                            const Disclosed& disclosed);

std::string Hex(const storage::Digest& digest);

}  // namespace souvenance::recall
