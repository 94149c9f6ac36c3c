// GraphRAG: who and what a cue is about, how they are connected, what held when, which passages
// say so, and the raw evidence.
#pragma once

#include <souvenance/error.h>
#include <souvenance/hit.h>
#include <souvenance/query.h>

#include "engine/core.h"
#include "engine/recall/pool.h"

namespace souvenance::recall {

Result<LookupAnswer> Lookup(const Core& core, const LookupQuery& query);
Result<TimelineAnswer> Timeline(const Core& core, const TimelineQuery& query);

// One relation as it is shown. `view` decides what is current at the pool's moment.
Result<RelationHit> ShowRelation(const Pool& pool, std::uint32_t shard, Ordinal relation);
EntityHit ShowEntity(const Pool& pool, std::uint32_t shard, std::uint32_t entity);

}  // namespace souvenance::recall
