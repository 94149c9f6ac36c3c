#include <souvenance/engine.h>

#include <chrono>
#include <exception>
#include <utility>

#include "engine/browse/browse.h"
#include "engine/core.h"
#include "engine/ingest/changes.h"
#include "engine/ingest/import.h"
#include "engine/ingest/writer.h"
#include "engine/maintain/seal.h"
#include "engine/maintain/upkeep.h"
#include "engine/recall/context.h"
#include "engine/recall/lookup.h"
#include "engine/recall/recall.h"

namespace souvenance {
namespace {

storage::OpenMode ModeOf(Access access) {
  switch (access) {
    case Access::kReadOnly:
      return storage::OpenMode::kReadOnly;
    case Access::kReadWrite:
      return storage::OpenMode::kReadWrite;
    case Access::kCreate:
      return storage::OpenMode::kCreate;
  }
  return storage::OpenMode::kReadOnly;
}

// The library promises typed errors: what a library below throws all the same ends here.
template <typename Call>
auto Guarded(std::string_view doing, Call call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kUnavailable, std::string(doing) + ": out of memory");
  } catch (const std::exception& e) {
    return Fail(ErrorCode::kInternal, std::string(doing) + ": " + e.what());
  }
}

}  // namespace

class Engine::Impl {
 public:
  Core core;

  // One write in a transaction of its own, committed when `work` succeeds.
  template <typename Work>
  auto Write(Work work) -> decltype(work(std::declval<storage::WriteTransaction&>())) {
    const std::lock_guard lock(core.write_mutex);
    auto tx = core.store->Write();
    if (!tx) return Fail(tx.error());
    auto done = work(**tx);
    if (done) {
      auto committed = (*tx)->Commit();
      if (committed) return done;
      core.known_names->Clear();
      return Fail(committed.error());
    }
    // What the transaction had made is gone with it.
    core.known_names->Clear();
    return done;
  }
};

Engine::Engine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::Open(const EngineOptions& options) {
  return Guarded("open engine", [&]() -> Result<std::unique_ptr<Engine>> {
    auto impl = std::make_unique<Impl>();
    Core& core = impl->core;
    core.options = options;
    if (!core.options.clock) {
      core.options.clock = [] {
        return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
      };
    }
    storage::StoreOptions store;
    store.path = options.store;
    store.mode = ModeOf(options.access);
    store.busy_timeout = options.busy_timeout;
    store.salt = options.salt;
    auto opened = storage::Store::Open(store);
    if (!opened) return Fail(opened.error());
    core.store = std::move(*opened);
    auto linguist = shard::Linguist::Create();
    if (!linguist) return Fail(linguist.error());
    core.linguist = std::move(*linguist);
    core.cache = std::make_unique<shard::ShardCache>(*core.store, *core.linguist, core.options);
    core.known_names = std::make_unique<ingest::KnownNames>(*core.linguist);
    return std::unique_ptr<Engine>(new Engine(std::move(impl)));
  });
}

Result<WriteAnswer> Engine::Init(std::string_view agent) {
  return Guarded("init", [&] {
    return impl_->Write([&](storage::WriteTransaction& tx) -> Result<WriteAnswer> {
      ingest::Writer writer(impl_->core, tx);
      auto scope = writer.OpenScope(std::string(agent), {}, impl_->core.options.clock());
      if (!scope) return Fail(scope.error());
      if (auto space = writer.Space(); !space) return Fail(space.error());
      auto head = tx.Head(scope->agent);
      if (!head) return Fail(head.error());
      WriteAnswer answer;
      answer.receipt = *writer.ReceiptOf(std::string(agent), *head);
      return answer;
    });
  });
}

Result<RememberAnswer> Engine::Remember(const RememberRequest& request) {
  return Guarded("remember", [&] {
    return impl_->Write([&](storage::WriteTransaction& tx) {
      return ingest::Writer(impl_->core, tx).Remember(request);
    });
  });
}

Result<WriteAnswer> Engine::Understand(const UnderstandRequest& request) {
  return Guarded("understand", [&] {
    return impl_->Write([&](storage::WriteTransaction& tx) {
      return ingest::Writer(impl_->core, tx).Understand(request);
    });
  });
}

Result<WriteAnswer> Engine::DeclareEntity(const EntityRequest& request) {
  return Guarded("declare entity", [&] {
    return impl_->Write([&](storage::WriteTransaction& tx) {
      return ingest::Writer(impl_->core, tx).DeclareEntity(request);
    });
  });
}

Result<WriteAnswer> Engine::DeclarePredicate(const PredicateRequest& request) {
  return Guarded("declare predicate", [&] {
    return impl_->Write([&](storage::WriteTransaction& tx) {
      return ingest::Writer(impl_->core, tx).DeclarePredicate(request);
    });
  });
}

Result<WriteAnswer> Engine::Revise(const ReviseRequest& request) {
  return Guarded("revise", [&] {
    return impl_->Write(
        [&](storage::WriteTransaction& tx) { return ingest::Revise(impl_->core, tx, request); });
  });
}

Result<WriteAnswer> Engine::ChangeState(const StateRequest& request) {
  return Guarded("change state", [&] {
    return impl_->Write([&](storage::WriteTransaction& tx) {
      return ingest::ChangeState(impl_->core, tx, request);
    });
  });
}

Result<WriteAnswer> Engine::Reinforce(const ReinforceRequest& request) {
  return Guarded("reinforce", [&] {
    return impl_->Write(
        [&](storage::WriteTransaction& tx) { return ingest::Reinforce(impl_->core, tx, request); });
  });
}

Result<ImportAnswer> Engine::Import(const ImportRequest& request) {
  return Guarded("import", [&]() -> Result<ImportAnswer> {
    const std::lock_guard lock(impl_->core.write_mutex);
    auto answer = ingest::Import(impl_->core, request);
    if (!answer || answer->imported == 0) return answer;
    // What has grown past its threshold is sealed; without that the import is as good, only
    // slower to open.
    MaintainAnswer sealed;
    auto tx = impl_->core.store->Read();
    if (!tx) return answer;
    auto agent = (*tx)->FindAgent(request.agent);
    if (!agent || !*agent) return answer;
    auto scopes = (*tx)->Scopes(**agent);
    tx->reset();
    if (!scopes) return answer;
    for (const storage::ScopeRow& scope : *scopes) {
      if (auto done = maintain::SealScope(impl_->core, scope, &sealed); !done) break;
    }
    if (sealed.sealed > 0) impl_->core.cache->Clear();
    return answer;
  });
}

Result<RecallAnswer> Engine::Recall(const RecallQuery& query) const {
  return Guarded("recall", [&] { return recall::Recall(impl_->core, query); });
}

Result<ContextAnswer> Engine::Context(const ContextQuery& query) const {
  return Guarded("context", [&] { return recall::Context(impl_->core, query); });
}

Result<RecentAnswer> Engine::Recent(const RecentQuery& query) const {
  return Guarded("recent", [&] { return browse::Recent(impl_->core, query); });
}

Result<LookupAnswer> Engine::Lookup(const LookupQuery& query) const {
  return Guarded("lookup", [&] { return recall::Lookup(impl_->core, query); });
}

Result<TimelineAnswer> Engine::Timeline(const TimelineQuery& query) const {
  return Guarded("timeline", [&] { return recall::Timeline(impl_->core, query); });
}

Result<ShowAnswer> Engine::Show(std::string_view id, const Viewer& viewer,
                                const Moment& moment) const {
  return Guarded("show", [&] { return browse::Show(impl_->core, id, viewer, moment); });
}

Result<HistoryAnswer> Engine::History(std::string_view id, const Viewer& viewer,
                                      const Moment& moment) const {
  return Guarded("history", [&] { return browse::History(impl_->core, id, viewer, moment); });
}

Result<ListAnswer> Engine::List(const ListQuery& query) const {
  return Guarded("list", [&] { return browse::List(impl_->core, query); });
}

Result<StatsAnswer> Engine::Stats() const {
  return Guarded("stats", [&] { return browse::Stats(impl_->core); });
}

Result<std::vector<std::pair<std::string, std::vector<Scope>>>> Engine::Scopes() const {
  using Answer = std::vector<std::pair<std::string, std::vector<Scope>>>;
  return Guarded("scopes", [&]() -> Result<Answer> {
    auto tx = impl_->core.store->Read();
    if (!tx) return Fail(tx.error());
    auto agents = (*tx)->Agents();
    if (!agents) return Fail(agents.error());
    Answer answer;
    for (const auto& [agent, name] : *agents) {
      auto scopes = (*tx)->Scopes(agent);
      if (!scopes) return Fail(scopes.error());
      std::vector<Scope> list;
      for (const storage::ScopeRow& row : *scopes) list.push_back(row.scope);
      answer.emplace_back(name, std::move(list));
    }
    return answer;
  });
}

Result<VerifyAnswer> Engine::Verify(const std::function<void(std::int64_t)>& progress) const {
  return Guarded("verify", [&] { return maintain::Verify(impl_->core, progress); });
}

Result<MaintainAnswer> Engine::Maintain() {
  return Guarded("maintain", [&] {
    const std::lock_guard lock(impl_->core.write_mutex);
    return maintain::Maintain(impl_->core);
  });
}

Result<MaintainAnswer> Engine::Reindex() {
  return Guarded("reindex", [&] {
    const std::lock_guard lock(impl_->core.write_mutex);
    return maintain::Reindex(impl_->core);
  });
}

}  // namespace souvenance
