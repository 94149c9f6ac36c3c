// The verbs, by group.
#pragma once

#include "tools/souvenance/options.h"

namespace souvenance::program {

void AddIngestVerbs(CommandLine* line);  // init, import, remember
void AddReadVerbs(CommandLine* line);    // recall, context, recent
void AddLookVerbs(CommandLine* line);    // lookup, timeline, show, history, list
void AddWriteVerbs(CommandLine* line);   // revise, retract, reinforce, forget
void AddUpkeepVerbs(CommandLine* line);  // verify, reindex, maintain, stats
void AddEvalVerbs(CommandLine* line);    // eval run, eval score

}  // namespace souvenance::program
