// The truth: what happened, what is believed, and the proof. One directory holds `truth.db`
// (SQLite) and `index/`, which can be deleted at any time. docs/formats/schema.md and
// docs/formats/chain.md describe what is written.
//
// All names that can name a person, and all text, lie in the table `payloads`; the rows hold
// references, the events hold commitments.
#pragma once

#include <souvenance/error.h>

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/rows.h"

namespace souvenance::storage {

using Salt = std::array<std::uint8_t, 16>;

enum class OpenMode {
  kReadOnly,   // never creates, never writes; works on a read-only disk
  kReadWrite,  // the store must exist
  kCreate,     // makes the store when the directory is missing or empty
};

struct StoreOptions {
  std::filesystem::path path;
  OpenMode mode = OpenMode::kReadOnly;
  std::chrono::milliseconds busy_timeout{10000};
  // Where salts come from. By default the system's randomness. Tests pass a function of the
  // scope's name and a count within the scope, so that two stores can be compared byte by byte.
  std::function<Salt(std::string_view scope_name, std::uint64_t count)> salt;
};

// The result of a full check. `first_problem` names the first thing that is wrong, in words;
// empty when all is well.
struct VerifyReport {
  std::int64_t events = 0;
  std::int64_t sources = 0;
  std::int64_t artifacts = 0;
  std::int64_t relations = 0;
  std::int64_t erased_payloads = 0;
  std::vector<std::pair<std::string, ChainHead>> heads;  // by agent name
  std::string first_problem;
  std::int64_t bad_sequence = 0;  // of the event where it was found; 0 when it is not an event's
};

class ReadTransaction;
class WriteTransaction;

// Thread-safety: thread-safe. Each transaction has a connection of its own, taken from a pool,
// and belongs to one thread at a time. `Store` must outlive its transactions.
class Store {
 public:
  // Errors: kNotFound       no such directory (kReadOnly, kReadWrite)
  //         kInvalidArgument the directory is no store (its truth.db is missing or another file)
  //         kConfiguration  a newer schema version
  //         kCorruption     the file is damaged, or its schema is not ours
  //         kIo, kBusy
  static Result<std::unique_ptr<Store>> Open(const StoreOptions& options);
  ~Store();

  // One snapshot of the truth, held until the object is destroyed. Never waits for a writer.
  Result<std::unique_ptr<ReadTransaction>> Read() const;

  // Waits for other writers up to the busy timeout, in this process and in others. Dropped
  // without Commit(), nothing of it remains.
  //
  // Errors: kBusy, kIo, kNoSpace, kUnsupported (opened read-only)
  Result<std::unique_ptr<WriteTransaction>> Write();

  // The change number of the latest committed event of any scope, cheap to ask: the question
  // that a reader asks before it takes a new snapshot.
  Result<EventId> Change() const;

  // 16 random bytes, as 32 hexadecimal digits, made when the store was.
  const std::string& store_id() const;
  const std::filesystem::path& path() const;
  std::filesystem::path index_path() const;  // path() / "index"
  bool read_only() const;

  // Moves the WAL into the database when no one holds the lock, and truncates it; false when
  // somebody does. Called by the destructor too.
  Result<bool> Checkpoint();

 private:
  friend class ReadTransaction;
  friend class WriteTransaction;
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Reads within one snapshot. The callbacks of ForEach* return false to stop early.
//
// Thread-safety: one thread at a time.
class ReadTransaction {
 public:
  virtual ~ReadTransaction();
  ReadTransaction();
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;

  // --- agents, scopes, changes ---
  Result<std::optional<AgentId>> FindAgent(std::string_view name);
  Result<std::vector<std::pair<AgentId, std::string>>> Agents();  // by id
  Result<std::optional<ScopeRow>> FindScope(AgentId agent, const Scope& scope);
  Result<std::vector<ScopeRow>> Scopes(AgentId agent);  // by ordinal
  Result<EventId> Change();                             // of the whole store
  // The last event of the store that was recorded at `time` or before; 0 when none was.
  Result<EventId> LastEventUntil(Timestamp time);
  // Of one scope: the last event that wrote rows that this scope sees as its own.
  Result<EventId> ScopeChange(ScopeId scope);
  Result<ChainHead> Head(AgentId agent);

  // --- payloads ---
  // nullopt when the payload was erased. Views are valid within the callback.
  Result<std::optional<std::string>> Text(PayloadId id);
  // In the order asked; nullopt for an erased or unknown one. One statement, many rows.
  Result<std::vector<std::optional<std::string>>> Texts(std::span<const PayloadId> ids);
  // The commitment, which outlives erasure.
  Result<Digest> Commitment(PayloadId id);
  // Every name-like payload (session, person, emotion, tags, entity, alias, predicate) of a
  // scope after an id.
  Result<void> ForEachName(
      ScopeId scope, PayloadId after,
      const std::function<bool(PayloadId, PayloadKind, std::string_view)>& visit);

  // --- rows of a scope, each in ascending order of its key, after what the caller has ---
  Result<void> ForEachSource(ScopeId scope, Ordinal after,
                             const std::function<bool(const SourceRow&)>& visit);
  // Ordered by the revision's ordinal.
  Result<void> ForEachRevision(ScopeId scope, Ordinal after,
                               const std::function<bool(const RevisionRow&)>& visit);
  // Evidence of the revisions whose ordinal is greater than `after`, in their order.
  Result<void> ForEachEvidence(ScopeId scope, Ordinal after,
                               const std::function<bool(Ordinal, const EvidenceRow&)>& visit);
  // Ledger lines given in this scope, whatever scope their artifact belongs to.
  Result<void> ForEachReinforcement(ScopeId scope, std::int64_t after,
                                    const std::function<bool(const ReinforcementRow&)>& visit);
  Result<void> ForEachEntity(ScopeId scope, EventId after,
                             const std::function<bool(const EntityRow&)>& visit);
  Result<void> ForEachAlias(ScopeId scope, EventId after,
                            const std::function<bool(const AliasRow&)>& visit);
  Result<void> ForEachMention(ScopeId scope, EventId after,
                              const std::function<bool(const MentionRow&)>& visit);
  Result<void> ForEachRelation(ScopeId scope, Ordinal after,
                               const std::function<bool(const RelationRow&)>& visit);
  // Relations that were expired by an event after `after`: their id and expired_at.
  Result<void> ForEachExpiry(ScopeId scope, EventId after,
                             const std::function<bool(RelationId, Timestamp)>& visit);
  Result<void> ForEachRelationSource(ScopeId scope, Ordinal after_relation,
                                     const std::function<bool(RelationId, SourceId)>& visit);
  Result<void> ForEachPredicate(ScopeId scope, EventId after,
                                const std::function<bool(const PredicateRow&)>& visit);

  // --- single rows ---
  Result<std::optional<SourceRow>> FindSource(SourceId id);
  Result<std::optional<SourceRow>> FindSourceByOrdinal(ScopeId scope, Ordinal ordinal);
  // By the caller's id (external) or by request id.
  Result<std::optional<SourceRow>> FindSourceByExternalId(ScopeId scope, std::string_view id);
  Result<std::optional<SourceRow>> FindSourceByRequestId(ScopeId scope, std::string_view id);
  Result<std::optional<ArtifactId>> FindArtifactByOrdinal(ScopeId scope, Ordinal ordinal);
  // All revisions of one artifact, the first first.
  Result<std::vector<RevisionRow>> Revisions(ArtifactId artifact);
  Result<std::vector<EvidenceRow>> Evidence(ArtifactId artifact, std::uint32_t revision);
  // The artifacts whose latest revision rests on this source.
  Result<std::vector<ArtifactId>> ArtifactsOfSource(SourceId source);
  Result<std::vector<ReinforcementRow>> Reinforcements(ArtifactId artifact);
  // Looked up by the entity's key, in names and aliases.
  Result<std::optional<EntityId>> FindEntity(ScopeId scope, std::string_view key);
  Result<std::optional<PredicateRow>> FindPredicate(ScopeId scope, std::string_view name);
  // The current (not expired) relations of a subject and predicate, asserted and derived alike.
  Result<std::vector<RelationRow>> RelationsOf(EntityId subject, std::int64_t predicate);
  // Every row of a subject and predicate, expired ones too, with what expired them.
  Result<std::vector<RelationHistoryRow>> RelationHistory(EntityId subject, std::int64_t predicate);
  Result<std::vector<SourceId>> RelationEvidence(RelationId relation);
  // Whether the latest declaration of a predicate says so; false for an unknown one.
  Result<bool> IsSingleValued(std::int64_t predicate);
  Result<std::optional<RelationRow>> FindRelationByOrdinal(ScopeId scope, Ordinal ordinal);
  Result<std::optional<ScopeId>> ScopeOfArtifact(ArtifactId artifact);

  // --- derived tables ---
  // Analysed terms by revision ordinal, as the analyzer with this fingerprint wrote them.
  // `blob` is opaque here. Revisions without a row of this fingerprint are not visited.
  Result<void> ForEachTerms(ScopeId scope, std::string_view fingerprint, Ordinal after,
                            const std::function<bool(Ordinal, std::string_view blob)>& visit);
  // Of one revision; nullopt when that analyzer wrote none.
  Result<std::optional<std::string>> TermsOf(ScopeId scope, std::string_view fingerprint,
                                             Ordinal revision);
  Result<std::optional<EmbeddingSpaceRow>> ActiveEmbeddingSpace();
  // Vectors by revision ordinal; `vector` is valid within the callback.
  Result<void> ForEachVector(ScopeId scope, std::int64_t space, Ordinal after,
                             const std::function<bool(Ordinal, std::span<const float>)>& visit);
  Result<std::vector<ManifestRow>> Manifests(ScopeId scope);
  Result<std::vector<PendingRow>> Pending(ScopeId scope);

  // --- the chain ---
  // Recomputes every hash, every commitment whose salt is still there, every rows digest and the
  // lineage, and counts rows that no event wrote. `progress` may be empty; it gets events done.
  Result<VerifyReport> Verify(const std::function<void(std::int64_t)>& progress);
  // Row counts by table name, for `stats`.
  Result<std::vector<std::pair<std::string, std::int64_t>>> Counts();

 protected:
  friend class Store;
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

// Writes: each event is begun, given its rows, and ended, which computes its digest and links it
// to the chain. Everything becomes visible at Commit(), or nothing does. Reads through a
// WriteTransaction see its own writes.
class WriteTransaction : public ReadTransaction {
 public:
  ~WriteTransaction() override;

  // Creates what is missing, with an event each.
  Result<AgentId> EnsureAgent(std::string_view name, Timestamp now);
  Result<ScopeRow> EnsureScope(AgentId agent, const Scope& scope, Timestamp now);

  // `scope` may be ScopeId{0} for an event of the agent. One event at a time.
  Result<EventId> BeginEvent(AgentId agent, ScopeId scope, EventKind kind, Timestamp now,
                             std::string_view reason = {});
  // The receipt: the chain's head after this event.
  Result<ChainHead> EndEvent();

  // All of these belong to the event begun last, and to its scope.
  // Errors: kConflict (the identity is taken), kInvalidArgument (no evidence), kInternal.
  Result<SourceRow> AddSource(const NewSource& source);
  Result<RevisionRow> AddArtifact(ArtifactKind kind, bool verbatim, const NewRevision& revision);
  Result<RevisionRow> AddRevision(ArtifactId artifact, const NewRevision& revision);
  Result<void> AddReinforcement(ArtifactId artifact, ReinforcementKind kind,
                                std::string_view session, double amount, Timestamp at);
  // `key` is the normalised form under which the entity is looked up.
  Result<EntityId> AddEntity(std::string_view name, std::string_view key, std::string_view type);
  Result<void> AddAlias(EntityId entity, std::string_view name, std::string_view key);
  Result<void> AddMention(const MentionRow& mention);  // `event` is filled in
  Result<std::int64_t> AddPredicate(std::string_view name, bool single_valued);
  Result<RelationRow> AddRelation(const NewRelation& relation);
  // Sets expired_at, once. Errors: kConflict when it is set already.
  Result<void> ExpireRelation(RelationId relation, Timestamp at);
  Result<void> AddPending(PendingKind kind, std::int64_t target);
  Result<void> RemovePending(std::int64_t id);

  // Derived tables; outside the chain.
  Result<void> PutTerms(ScopeId scope, Ordinal revision, std::string_view fingerprint,
                        std::string_view blob);
  Result<std::int64_t> AddEmbeddingSpace(const EmbeddingSpaceRow& space);  // `id` is filled in
  Result<void> ActivateEmbeddingSpace(std::int64_t space);
  Result<void> PutVector(ScopeId scope, Ordinal revision, std::int64_t space,
                         std::span<const float> vector);
  Result<void> PutManifest(const ManifestRow& manifest);  // replaces the scope's one of that kind
  Result<void> ClearDerived(ScopeId scope);               // terms and manifests of a scope

  // Acknowledged means: on disk, at synchronous=FULL. The transaction is over either way.
  Result<void> Commit();
};

}  // namespace souvenance::storage
