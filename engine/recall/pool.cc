#include "engine/recall/pool.h"

#include <algorithm>
#include <utility>

#include "index/analyzer.h"

namespace souvenance::recall {
namespace {

constexpr int kSnapshotRetries = 5;

Result<void> CheckMoment(const When& when) {
  if (when.since && when.until && *when.since >= *when.until) {
    return Fail(ErrorCode::kInvalidArgument, "read time window: it ends before it begins",
                "--since must lie before --until");
  }
  return {};
}

}  // namespace

tl::unexpected<Error> NoSuchId(std::string_view id) {
  return Fail(
      ErrorCode::kNotFound,
      "find id: nothing that you may see has the id \"" + std::string(id.substr(0, 200)) + "\"",
      "`souvenance list` shows the ids of a scope; name the scope with --scope");
}

Result<Pool> Pool::Open(const Core& core, const Viewer& viewer, const Moment& moment) {
  Pool pool;
  pool.core_ = &core;
  pool.viewer_ = viewer;
  if (pool.viewer_.scopes.empty()) pool.viewer_.scopes.push_back({});
  pool.when_.now = core.Now(moment.now);
  pool.when_.as_of = moment.as_of.value_or(pool.when_.now);
  pool.when_.as_of_given = moment.as_of.has_value();
  pool.when_.known_at = moment.known_at;
  pool.when_.since = moment.since;
  pool.when_.until = moment.until;
  if (auto checked = CheckMoment(pool.when_); !checked) return Fail(checked.error());
  for (const std::string* text : {&viewer.agent, &viewer.subject, &viewer.session}) {
    if (!index::IsValidText(*text)) {
      return Fail(ErrorCode::kInvalidData, "read viewer: a name is not valid UTF-8");
    }
  }
  // In the order of their names, each once: the order in which they are named changes nothing.
  std::sort(pool.viewer_.scopes.begin(), pool.viewer_.scopes.end());
  pool.viewer_.scopes.erase(std::unique(pool.viewer_.scopes.begin(), pool.viewer_.scopes.end()),
                            pool.viewer_.scopes.end());

  for (int attempt = 0;; ++attempt) {
    auto tx = core.store->Read();
    if (!tx) return Fail(tx.error());
    pool.tx_ = std::move(*tx);
    pool.shards_.clear();
    auto agent = pool.tx_->FindAgent(viewer.agent);
    if (!agent) return Fail(agent.error());
    if (!*agent) {
      return Fail(ErrorCode::kInvalidArgument,
                  "find agent: there is no agent \"" + viewer.agent + "\"",
                  "`souvenance stats` lists the agents; a first `remember --agent` makes one");
    }
    pool.agent_ = **agent;
    bool again = false;
    for (const Scope& scope : pool.viewer_.scopes) {
      auto row = pool.tx_->FindScope(pool.agent_, scope);
      if (!row) return Fail(row.error());
      if (!*row) {
        return Fail(ErrorCode::kInvalidArgument,
                    "find scope: there is no scope \"" + FormatScope(scope) + "\"",
                    "use public, private:NAME or group:NAME; a first write to a scope makes it");
      }
      auto shard = core.cache->Get(*pool.tx_, **row, moment.known_at);
      if (!shard) {
        if (shard.error().code == ErrorCode::kConflict && attempt < kSnapshotRetries) {
          again = true;
          break;
        }
        return Fail(shard.error());
      }
      pool.shards_.push_back(*shard);
    }
    if (!again) break;
  }

  std::uint64_t length = 0;
  std::uint64_t sessions = 0;
  for (const auto& shard : pool.shards_) {
    pool.items_ += shard->live_items;
    length += shard->live_length;
    sessions += shard->sessions.size() - 1;
  }
  if (pool.items_ > 0) {
    pool.average_length_ = static_cast<double>(length) / static_cast<double>(pool.items_);
  }
  if (sessions > 0) {
    pool.average_session_length_ = static_cast<double>(length) / static_cast<double>(sessions);
  }
  return pool;
}

bool Pool::Accepts(std::uint32_t shard, Ordinal document) const {
  const shard::Doc& doc = shards_[shard]->docs[document];
  if (!doc.live) return false;
  if (when_.as_of < doc.valid_at || when_.as_of >= doc.invalid_at) return false;
  // What had not happened yet is not valid at a moment that was asked for by name. Without one,
  // an event in the future is legal and flagged.
  if (when_.as_of_given && doc.event_time > when_.as_of) return false;
  if (when_.since && doc.event_time < *when_.since) return false;
  if (when_.until && doc.event_time >= *when_.until) return false;
  return true;
}

std::string Pool::WhyNot(const ItemRef& item) const {
  const shard::Doc& d = doc(item);
  if (!d.live) return "it was superseded, forgotten or retracted";
  if (when_.as_of < d.valid_at) return "it becomes valid at " + FormatTime(d.valid_at);
  if (when_.as_of >= d.invalid_at) return "it was valid until " + FormatTime(d.invalid_at);
  if (when_.as_of_given && d.event_time > when_.as_of) {
    return "it happened later, at " + FormatTime(d.event_time);
  }
  if (when_.since && d.event_time < *when_.since) return "it lies before --since";
  if (when_.until && d.event_time >= *when_.until) return "it lies after --until";
  return {};
}

Result<std::uint64_t> Pool::DocumentFrequency(std::string_view term) const {
  std::uint64_t total = 0;
  std::uint64_t dead = 0;
  for (const auto& shard : shards_) {
    for (const shard::WordSegment& segment : shard->words) {
      auto df = segment.documents->DocumentFrequency(term);
      if (!df) return Fail(df.error());
      total += *df;
    }
    if (shard->dead_words.documents) {
      auto df = shard->dead_words.documents->DocumentFrequency(term);
      if (!df) return Fail(df.error());
      dead += *df;
    }
  }
  return total - std::min(total, dead);
}

graph::AsOf Pool::AsOf() const {
  // The latest state of belief is what no later row has closed; a shard built for an earlier
  // record time holds nothing later.
  return {when_.as_of, kEndOfTime - Duration{1}};
}

const graph::GraphView& Pool::View() const {
  if (!view_) {
    std::vector<std::shared_ptr<const graph::ShardGraph>> graphs;
    for (const auto& shard : shards_) graphs.push_back(shard->Graph().graph);
    view_ = std::make_shared<graph::GraphView>(std::move(graphs));
  }
  return *view_;
}

std::vector<const shard::Use*> Pool::UsesOf(const ItemRef& item) const {
  std::vector<const shard::Use*> uses;
  const std::int64_t artifact = Raw(doc(item).artifact);
  for (const auto& shard : shards_) {
    const auto found = shard->uses->find(artifact);
    if (found == shard->uses->end()) continue;
    for (const shard::Use& use : found->second) uses.push_back(&use);
  }
  std::stable_sort(uses.begin(), uses.end(),
                   [](const shard::Use* a, const shard::Use* b) { return a->at < b->at; });
  return uses;
}

bool Pool::UsedInViewersSession(const ItemRef& item, Timestamp* last) const {
  if (viewer_.session.empty()) return false;
  bool any = false;
  const std::int64_t artifact = Raw(doc(item).artifact);
  for (const auto& shard : shards_) {
    const auto found = shard->uses->find(artifact);
    if (found == shard->uses->end()) continue;
    for (const shard::Use& use : found->second) {
      if (use.kind != ReinforcementKind::kRecalled) continue;
      if (shard->NameText(use.session) != viewer_.session) continue;
      if (!any || use.at > *last) *last = use.at;
      any = true;
    }
  }
  return any;
}

std::string Pool::PublicId(const ItemRef& item) const {
  return storage::FormatPublicId(storage::PublicKind::kArtifact, doc(item).artifact_ordinal,
                                 shards_[item.shard]->scope_tag);
}

Result<std::pair<std::uint32_t, storage::PublicId>> Pool::Resolve(std::string_view id) const {
  const auto parsed = storage::ParsePublicId(id);
  if (parsed) {
    std::optional<std::uint32_t> found;
    for (std::uint32_t i = 0; i < shards_.size(); ++i) {
      if (shards_[i]->scope_tag != parsed->scope_tag) continue;
      if (found) {
        return Fail(ErrorCode::kInvalidArgument,
                    "find id: \"" + std::string(id) + "\" fits two of the scopes named",
                    "name one scope with --scope");
      }
      found = i;
    }
    if (found) return std::pair(*found, *parsed);
  } else {
    // The caller's own id of a source.
    for (std::uint32_t i = 0; i < shards_.size(); ++i) {
      auto source = tx_->FindSourceByExternalId(shards_[i]->scope_id, id);
      if (!source) return Fail(source.error());
      if (*source && (*source)->ordinal < shards_[i]->verbatim_of.size()) {
        return std::pair(i, storage::PublicId{storage::PublicKind::kSource, (*source)->ordinal,
                                              shards_[i]->scope_tag});
      }
    }
  }
  return NoSuchId(id);
}

Result<ItemRef> Pool::Find(std::string_view id) const {
  auto resolved = Resolve(id);
  if (!resolved) return Fail(resolved.error());
  const auto& [at, parsed] = *resolved;
  const shard::Shard& shard = *shards_[at];
  Ordinal document = 0;
  if (parsed.kind == storage::PublicKind::kArtifact && parsed.ordinal < shard.document_of.size()) {
    document = shard.document_of[parsed.ordinal];
  } else if (parsed.kind == storage::PublicKind::kSource &&
             parsed.ordinal < shard.verbatim_of.size()) {
    document = shard.verbatim_of[parsed.ordinal];
  }
  if (document == 0) return NoSuchId(id);
  return ItemRef{at, document};
}

}  // namespace souvenance::recall
