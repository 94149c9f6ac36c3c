// Souvenance: given this cue, this viewer and this moment, what should come to mind, how much of
// it may be said, and what proves it?
#pragma once

#include <souvenance/error.h>
#include <souvenance/hit.h>
#include <souvenance/options.h>
#include <souvenance/query.h>
#include <souvenance/version.h>
#include <souvenance/write.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace souvenance {

// One store, open. Any number of processes may have the same store open.
//
// Thread-safety: thread-safe. Reads run side by side and never wait for a writer; writes of one
// engine run one after another.
//
// Errors common to all calls:
//   kInvalidArgument  an unknown agent or scope (reads), a value out of its range, a blank cue
//   kInvalidData      text that is not valid UTF-8 or holds a NUL byte; a vector that is not
//                     finite, has norm zero or another dimension than the store's
//   kNotFound         an id that the viewer cannot see; a missing and a foreign one look the same
//   kBusy             another writer held the store for longer than the busy timeout
//   kIo, kNoSpace, kCorruption, kInternal
// A call that fails has written nothing.
class Engine {
 public:
  // Errors: kNotFound        there is no store (kReadOnly, kReadWrite)
  //         kInvalidArgument the directory is no store
  //         kConfiguration   the store is of a newer version, or its vectors are of a model that
  //                          this engine does not have
  static Result<std::unique_ptr<Engine>> Open(const EngineOptions& options);
  ~Engine();

  // ---- writes; the first write to an agent or scope creates it ----
  // Makes `agent` and its public scope.
  Result<WriteAnswer> Init(std::string_view agent = kDefaultAgent);
  Result<RememberAnswer> Remember(const RememberRequest& request);
  Result<WriteAnswer> Understand(const UnderstandRequest& request);
  Result<WriteAnswer> DeclareEntity(const EntityRequest& request);
  Result<WriteAnswer> DeclarePredicate(const PredicateRequest& request);
  Result<WriteAnswer> Revise(const ReviseRequest& request);
  Result<WriteAnswer> ChangeState(const StateRequest& request);
  Result<WriteAnswer> Reinforce(const ReinforceRequest& request);
  // A bad line is reported and the rest imported; batches are committed as they fill.
  Result<ImportAnswer> Import(const ImportRequest& request);

  // ---- reads ----
  Result<RecallAnswer> Recall(const RecallQuery& query) const;
  Result<ContextAnswer> Context(const ContextQuery& query) const;
  Result<RecentAnswer> Recent(const RecentQuery& query) const;
  Result<LookupAnswer> Lookup(const LookupQuery& query) const;
  Result<TimelineAnswer> Timeline(const TimelineQuery& query) const;
  Result<ShowAnswer> Show(std::string_view id, const Viewer& viewer, const Moment& moment) const;
  Result<HistoryAnswer> History(std::string_view id, const Viewer& viewer,
                                const Moment& moment) const;
  Result<ListAnswer> List(const ListQuery& query) const;
  Result<StatsAnswer> Stats() const;
  // Agents and their scopes, for "unknown scope, there are ...". By name.
  Result<std::vector<std::pair<std::string, std::vector<Scope>>>> Scopes() const;

  // ---- upkeep ----
  // Recomputes the chain, the lineage and the agreement of truth and indexes. `progress` (may be
  // empty) gets the number of events done.
  Result<VerifyAnswer> Verify(const std::function<void(std::int64_t)>& progress) const;
  // Seals what has grown past its threshold, does the work owed, checkpoints.
  Result<MaintainAnswer> Maintain();
  // Drops every base and derived table, and makes them again from the truth.
  Result<MaintainAnswer> Reindex();

 private:
  class Impl;
  explicit Engine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace souvenance
