// Upkeep: proving that truth and indexes agree, doing the work owed, making everything derived
// again.
#pragma once

#include <souvenance/error.h>
#include <souvenance/hit.h>

#include <cstdint>
#include <functional>

#include "engine/core.h"

namespace souvenance::maintain {

Result<VerifyAnswer> Verify(const Core& core, const std::function<void(std::int64_t)>& progress);

// The caller holds core.write_mutex.
Result<MaintainAnswer> Maintain(Core& core);
Result<MaintainAnswer> Reindex(Core& core);

}  // namespace souvenance::maintain
