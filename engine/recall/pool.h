// The visible pool: what one viewer may see at one moment, as one snapshot. Everything that an
// answer is made of comes from here, so nothing outside can influence it.
#pragma once

#include <souvenance/error.h>
#include <souvenance/query.h>

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core.h"
#include "engine/shard/shard.h"
#include "graph/temporal_graph.h"
#include "storage/public_id.h"
#include "storage/store.h"

namespace souvenance::recall {

// A document of the pool. Ordered by the viewer's scopes, then by arrival.
struct ItemRef {
  std::uint32_t shard = 0;
  Ordinal document = 0;
  auto operator<=>(const ItemRef&) const = default;
};

// The moment, with everything filled in.
struct When {
  Timestamp now{};
  Timestamp as_of{};
  bool as_of_given = false;
  std::optional<Timestamp> known_at;
  std::optional<Timestamp> since;
  std::optional<Timestamp> until;
};

// Thread-safety: one call's own.
class Pool {
 public:
  // Errors: kInvalidArgument (unknown agent or scope; since after until), and the store's.
  static Result<Pool> Open(const Core& core, const Viewer& viewer, const Moment& moment);

  const Core& core() const { return *core_; }
  storage::ReadTransaction& tx() const { return *tx_; }
  AgentId agent() const { return agent_; }
  const Viewer& viewer() const { return viewer_; }
  const When& when() const { return when_; }
  const std::vector<std::shared_ptr<const shard::Shard>>& shards() const { return shards_; }

  const shard::Shard& shard(const ItemRef& item) const { return *shards_[item.shard]; }
  const shard::Doc& doc(const ItemRef& item) const {
    return shards_[item.shard]->docs[item.document];
  }
  // The document that is ranked for this one.
  ItemRef Host(const ItemRef& item) const {
    return doc(item).host == 0 ? item : ItemRef{item.shard, doc(item).host};
  }
  std::string_view Name(const ItemRef& item, shard::Name name) const {
    return shards_[item.shard]->NameText(name);
  }

  // Live and valid for the moment asked, inside the time window. Facts that are extra text of
  // another document pass by their own validity.
  bool Accepts(std::uint32_t shard, Ordinal document) const;
  bool Accepts(const ItemRef& item) const { return Accepts(item.shard, item.document); }
  // Why not, in words; empty when it is accepted.
  std::string WhyNot(const ItemRef& item) const;

  // Statistics of the pool: its live items, whatever the moment asked.
  std::uint64_t items() const { return items_; }
  double average_length() const { return average_length_; }
  double average_session_length() const { return average_session_length_; }
  Result<std::uint64_t> DocumentFrequency(std::string_view term) const;

  graph::AsOf AsOf() const;
  // The union of the shards' graphs; built on first use.
  const graph::GraphView& View() const;

  // Uses of an artifact that this viewer sees, in order of time.
  std::vector<const shard::Use*> UsesOf(const ItemRef& item) const;
  // The session's name of a use, for the viewer's own.
  bool UsedInViewersSession(const ItemRef& item, Timestamp* last) const;

  std::string PublicId(const ItemRef& item) const;
  // The item that an id names among the viewer's scopes; also by external id of its source.
  // Errors: kNotFound, the same for a missing and a foreign id.
  Result<ItemRef> Find(std::string_view id) const;
  // The scope and ordinal of any kind of id. Errors as Find.
  Result<std::pair<std::uint32_t, storage::PublicId>> Resolve(std::string_view id) const;

 private:
  const Core* core_ = nullptr;
  std::shared_ptr<storage::ReadTransaction> tx_;
  AgentId agent_{};
  Viewer viewer_;
  When when_;
  std::vector<std::shared_ptr<const shard::Shard>> shards_;
  std::uint64_t items_ = 0;
  double average_length_ = 0;
  double average_session_length_ = 0;
  mutable std::shared_ptr<graph::GraphView> view_;
};

// The error for an id that the viewer cannot see.
tl::unexpected<Error> NoSuchId(std::string_view id);

}  // namespace souvenance::recall
