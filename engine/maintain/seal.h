// Sealed bases: written from a shard, opened beside the truth.
#pragma once

#include <souvenance/error.h>
#include <souvenance/hit.h>

#include <string>
#include <vector>

#include "engine/core.h"
#include "engine/shard/shard.h"
#include "storage/store.h"

namespace souvenance::maintain {

// Writes the bases that a scope's size calls for, unless the ones that are there are recent
// enough: a base is made anew when a quarter of the documents came after it. Adds to `answer`.
// Errors: kIo, kNoSpace, kBusy; what was there before stays in use.
Result<void> SealScope(Core& core, const storage::ScopeRow& scope, MaintainAnswer* answer);

// Removes what lies in the index folder and no manifest names.
Result<void> SweepIndexFolder(Core& core, MaintainAnswer* answer);

}  // namespace souvenance::maintain
