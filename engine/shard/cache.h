// The shards in memory: built on first use, carried on when the truth has moved, closed again
// when others were used more recently.
#pragma once

#include <souvenance/error.h>
#include <souvenance/options.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/shard/builder.h"
#include "engine/shard/linguist.h"
#include "engine/shard/shard.h"
#include "storage/store.h"

namespace souvenance::shard {

// Thread-safety: thread-safe; `mutex_` guards the list, each entry's mutex its builder.
class ShardCache {
 public:
  // What counts of the options is how many scopes are kept, what is scanned, and who is told.
  ShardCache(const storage::Store& store, const Linguist& linguist, const EngineOptions& options);

  // The scope's shard at the transaction's change number, or as it was believed at `known_at`.
  // Errors: kConflict  another call has carried the shard beyond this transaction: take a new
  //                    transaction and ask again.
  Result<std::shared_ptr<const Shard>> Get(storage::ReadTransaction& tx,
                                           const storage::ScopeRow& scope,
                                           std::optional<Timestamp> known_at);

  // Forgets everything: after a reindex.
  void Clear();

 private:
  struct Key {
    std::int64_t scope = 0;
    std::int64_t known_at = 0;  // microseconds; the maximum for the latest
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return (static_cast<std::size_t>(key.scope) * 1000003U) ^
             static_cast<std::size_t>(key.known_at);
    }
  };
  struct Entry {
    Key key;
    std::mutex mutex;
    std::unique_ptr<ShardBuilder> builder;
    std::shared_ptr<const Shard> shard;
  };
  using List = std::list<std::shared_ptr<Entry>>;

  const storage::Store& store_;
  const Linguist& linguist_;
  const std::size_t capacity_;
  const std::size_t exact_scan_limit_;
  std::mutex mutex_;
  List entries_;  // most recently used first
  std::unordered_map<Key, List::iterator, KeyHash> by_key_;
  const std::function<void(std::string_view)> note_;
};

}  // namespace souvenance::shard
