// Looking at what is there: one item, its revisions, lists, the last turns of a session.
#pragma once

#include <souvenance/error.h>
#include <souvenance/hit.h>
#include <souvenance/query.h>

#include <string_view>

#include "engine/core.h"

namespace souvenance::browse {

Result<ShowAnswer> Show(const Core& core, std::string_view id, const Viewer& viewer,
                        const Moment& moment);
Result<HistoryAnswer> History(const Core& core, std::string_view id, const Viewer& viewer,
                              const Moment& moment);
Result<ListAnswer> List(const Core& core, const ListQuery& query);
Result<RecentAnswer> Recent(const Core& core, const RecentQuery& query);
Result<StatsAnswer> Stats(const Core& core);

}  // namespace souvenance::browse
