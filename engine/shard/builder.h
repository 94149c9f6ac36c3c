// Replays the truth of one scope into a shard, and carries on from where it stopped.
#pragma once

#include <souvenance/error.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/shard/linguist.h"
#include "engine/shard/shard.h"
#include "storage/store.h"

namespace souvenance::shard {

inline constexpr std::uint8_t kSaysWhenFlag = 1;
inline constexpr std::uint8_t kAsksFlag = 2;

// Opens the sealed bases of a scope, when there are any that fit. Returns nothing for a kind that
// has none; a base that does not fit is passed over and named in `dropped`.
struct SealedBase {
  std::shared_ptr<const index::LexicalSegment> documents;
  std::shared_ptr<const index::LexicalSegment> sessions;
  std::vector<std::uint8_t> flags;  // by document number: kSaysWhenFlag, kAsksFlag
  std::shared_ptr<const index::VectorSegment> vectors;
  EventId words_change{};          // the words were sealed at this change
  Ordinal words_last_ordinal = 0;  // and hold documents up to here
  Ordinal vectors_last_ordinal = 0;
  std::vector<std::string> dropped;  // one line each: what was dropped and why
  std::vector<std::string> missing;  // one line each: what was deleted, which is anybody's right
};
Result<SealedBase> OpenSealedBase(storage::ReadTransaction& tx, const storage::Store& store,
                                  ScopeId scope, const Linguist& linguist,
                                  std::size_t exact_scan_limit);

// Thread-safety: thread-compatible; each scope has one builder, under its own mutex.
class ShardBuilder {
 public:
  // `linguist` must outlive the builder and all its shards. With `known_at`, the shard is what was
  // believed then: rows recorded later do not exist for it, and no sealed base is used.
  ShardBuilder(storage::ScopeRow scope, const Linguist& linguist, std::optional<Timestamp> known_at,
               std::size_t exact_scan_limit);

  // The shard at the transaction's change number. The transaction must not be older than the one
  // of the call before.
  Result<std::shared_ptr<const Shard>> Advance(storage::ReadTransaction& tx,
                                               const storage::Store& store);

  const std::vector<std::string>& dropped() const { return dropped_; }
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  // Rows beyond it are not read yet.
  struct Bound {
    EventId event{};
    Timestamp recorded = kEndOfTime;
  };
  enum class Index { kNow, kSealed };

  struct EvidenceCount {
    SourceId first{};
    std::uint32_t count = 0;
    std::vector<SourceId> all;  // when there are several
  };

  Result<void> Replay(storage::ReadTransaction& tx, const Bound& bound, Index index);
  void AdoptBase(const SealedBase& base);
  Result<void> ReadNames(storage::ReadTransaction& tx);
  Result<void> ReadSources(storage::ReadTransaction& tx, const Bound& bound);
  Result<void> ReadRevisions(storage::ReadTransaction& tx, const Bound& bound, Index index);
  Result<void> ReadGraph(storage::ReadTransaction& tx, const Bound& bound);
  Result<void> ReadUses(storage::ReadTransaction& tx, const Bound& bound);
  Result<void> ReadVectors(storage::ReadTransaction& tx, Ordinal after);

  Result<void> AddDoc(storage::ReadTransaction& tx, const storage::RevisionRow& row,
                      const EvidenceCount& evidence, Index index);
  // The artifact's latest document until now gives way to `successor` (0: to none).
  Result<void> Retire(storage::ReadTransaction& tx, Ordinal ordinal, Ordinal successor,
                      Index index);
  Result<void> Attach(storage::ReadTransaction& tx, Ordinal fact, Ordinal host, Index index);
  Result<void> Detach(storage::ReadTransaction& tx, Ordinal fact, Index index);
  void LinkIntoSession(Ordinal ordinal);
  void UnlinkFromSession(Ordinal ordinal);

  // Takes an item's words out of the count before they change, and marks it to be indexed again.
  Result<void> Touch(storage::ReadTransaction& tx, Ordinal item, Index index);
  // Words of an item: its own and those of its facts.
  Result<TextNotes> ItemNotes(storage::ReadTransaction& tx, Ordinal item);
  Result<TextNotes> NotesOf(storage::ReadTransaction& tx, Ordinal ordinal);
  Result<void> PrefetchNotes(storage::ReadTransaction& tx, Ordinal after);
  Result<void> IndexTouched(storage::ReadTransaction& tx);
  Result<void> AddSegment(storage::ReadTransaction& tx, const std::vector<Ordinal>& items);
  Result<void> MergeTail(storage::ReadTransaction& tx);
  void RebuildDead();

  Name NameOf(NameId id) const;

  const storage::ScopeRow scope_;
  const Linguist& linguist_;
  const std::optional<Timestamp> known_at_;
  const std::size_t exact_scan_limit_;
  std::shared_ptr<Shard> current_;  // what Advance returned last
  Shard work_;
  std::vector<std::string> dropped_;
  std::vector<std::string> missing_;

  // Cursors into the truth.
  PayloadId last_name_ = kNoPayload;
  Ordinal last_source_ = 0;
  Ordinal last_revision_ = 0;
  Ordinal last_relation_ = 0;
  EventId last_event_{};  // entities, aliases, mentions, predicates, expiries
  std::int64_t last_use_ = 0;
  std::int64_t space_ = 0;

  std::unordered_map<std::int64_t, Name> names_;          // by payload
  std::unordered_map<std::int64_t, std::uint32_t> tags_;  // by payload
  std::unordered_map<std::int64_t, Ordinal> sources_;     // by SourceId
  std::unordered_map<std::int64_t, Ordinal> artifacts_;   // by ArtifactId
  std::unordered_map<std::int64_t, std::uint32_t> entities_;
  std::unordered_map<std::int64_t, Ordinal> relations_;
  std::unordered_map<std::int64_t, std::size_t> predicates_;  // into Shard::predicates
  std::unordered_map<Name, std::uint32_t> session_numbers_;
  std::unordered_set<Name> persons_;
  std::unordered_map<Ordinal, std::vector<Ordinal>> facts_of_;  // by source ordinal

  // Items whose words have to be indexed (again).
  std::vector<Ordinal> touched_;
  struct Buried {
    index::AnalysedText text;
    std::uint32_t session_number = 0;
    bool in_base = false;
  };
  std::vector<Buried> buried_;
  bool buried_changed_ = false;
  std::unordered_map<Ordinal, TextNotes> notes_;  // read ahead, for one call of Advance
};

}  // namespace souvenance::shard
