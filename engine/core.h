// What all parts of an open engine share.
#pragma once

#include <souvenance/engine.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/ingest/known_names.h"
#include "engine/shard/cache.h"
#include "engine/shard/linguist.h"
#include "storage/store.h"

namespace souvenance {

// Thread-safety: thread-safe. The store, the linguist and the cache are; `write_mutex` lets one
// write of this engine run at a time.
struct Core {
  EngineOptions options;
  std::unique_ptr<storage::Store> store;
  std::unique_ptr<shard::Linguist> linguist;
  std::unique_ptr<shard::ShardCache> cache;
  std::unique_ptr<ingest::KnownNames> known_names;  // guarded by write_mutex
  std::mutex write_mutex;

  Timestamp Now(const std::optional<Timestamp>& given) const {
    return given ? *given : options.clock();
  }
};

}  // namespace souvenance
