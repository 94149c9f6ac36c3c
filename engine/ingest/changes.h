// Changes to what is there: revisions, states, reinforcements.
#pragma once

#include <souvenance/error.h>
#include <souvenance/write.h>

#include "engine/core.h"
#include "storage/store.h"

namespace souvenance::ingest {

// Each runs in a transaction of its own. Errors: see Engine.
Result<WriteAnswer> Revise(const Core& core, storage::WriteTransaction& tx,
                           const ReviseRequest& request);
Result<WriteAnswer> ChangeState(const Core& core, storage::WriteTransaction& tx,
                                const StateRequest& request);
Result<WriteAnswer> Reinforce(const Core& core, storage::WriteTransaction& tx,
                              const ReinforceRequest& request);

}  // namespace souvenance::ingest
