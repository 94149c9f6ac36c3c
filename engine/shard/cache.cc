#include "engine/shard/cache.h"

#include <utility>

namespace souvenance::shard {

ShardCache::ShardCache(const storage::Store& store, const Linguist& linguist,
                       const EngineOptions& options)
    : store_(store),
      linguist_(linguist),
      capacity_(options.cached_scopes),
      exact_scan_limit_(options.exact_scan_limit),
      note_(options.note) {}

Result<std::shared_ptr<const Shard>> ShardCache::Get(storage::ReadTransaction& tx,
                                                     const storage::ScopeRow& scope,
                                                     std::optional<Timestamp> known_at) {
  const Key key{Raw(scope.id), Micros(known_at.value_or(kEndOfTime))};
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = by_key_.find(key); found != by_key_.end()) {
      entries_.splice(entries_.begin(), entries_, found->second);
      entry = entries_.front();
    } else {
      entry = std::make_shared<Entry>();
      entry->key = key;
      entries_.push_front(entry);
      by_key_[key] = entries_.begin();
      // Whoever still uses an evicted entry holds it by its pointer.
      while (entries_.size() > capacity_ && entries_.size() > 1) {
        by_key_.erase(entries_.back()->key);
        entries_.pop_back();
      }
    }
  }
  const std::lock_guard lock(entry->mutex);
  auto change = tx.ScopeChange(scope.id);
  if (!change) return Fail(change.error());
  if (entry->shard && entry->shard->change > *change) {
    return Fail(ErrorCode::kConflict, "read scope: the snapshot is older than the shard");
  }
  if (entry->shard && entry->shard->change == *change) return entry->shard;
  if (!entry->builder) {
    entry->builder = std::make_unique<ShardBuilder>(scope, linguist_, known_at, exact_scan_limit_);
  }
  auto shard = entry->builder->Advance(tx, store_);
  if (!shard) {
    // Half replayed: the next call starts over from the truth.
    entry->builder.reset();
    entry->shard.reset();
    return shard;
  }
  if (!entry->shard && note_) {
    for (const auto* notes : {&entry->builder->dropped(), &entry->builder->missing()}) {
      for (const std::string& line : *notes) note_(line);
    }
  }
  entry->shard = *shard;
  return shard;
}

void ShardCache::Clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
  by_key_.clear();
}

}  // namespace souvenance::shard
