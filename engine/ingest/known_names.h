// Names that a scope knows already, so that a text which speaks of them is found to.
#pragma once

#include <souvenance/error.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/shard/linguist.h"
#include "graph/name_index.h"
#include "storage/store.h"

namespace souvenance::ingest {

// Carried on from write to write; read again from the truth after a write that failed.
//
// Thread-safety: thread-compatible; used under Core::write_mutex.
class KnownNames {
 public:
  explicit KnownNames(const shard::Linguist& linguist) : linguist_(linguist) {}

  struct Hit {
    EntityId entity{};
    std::uint32_t first_word = 0;  // half open, into `words`
    std::uint32_t past_word = 0;
  };
  // The longest known names among the words, from the left.
  Result<std::vector<Hit>> Find(storage::ReadTransaction& tx, ScopeId scope,
                                std::span<const std::string> words);
  void Clear() { scopes_.clear(); }

 private:
  struct Names {
    EventId last{};
    graph::NameIndex index;  // node: index into `entities`
    std::vector<EntityId> entities;
    std::unordered_map<std::int64_t, std::uint32_t> nodes;
  };
  Result<void> CarryOn(storage::ReadTransaction& tx, ScopeId scope, Names* names);

  const shard::Linguist& linguist_;
  std::unordered_map<std::int64_t, Names> scopes_;
};

}  // namespace souvenance::ingest
