// Bulk import: the reader's records through the writer, in batches.
#pragma once

#include <souvenance/error.h>
#include <souvenance/write.h>

#include "engine/core.h"

namespace souvenance::ingest {

// The caller holds core.write_mutex. Errors: see Engine; what was committed before stays.
Result<ImportAnswer> Import(Core& core, const ImportRequest& request);

}  // namespace souvenance::ingest
