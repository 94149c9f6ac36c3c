// The writes of DESIGN section 7 inside one transaction. Each call checks everything first, so a
// refused one has written nothing and the transaction can go on.
#pragma once

#include <souvenance/error.h>
#include <souvenance/write.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/core.h"
#include "engine/perceive/perceiver.h"
#include "storage/public_id.h"
#include "storage/store.h"

namespace souvenance::ingest {

// Thread-safety: one thread at a time. `core` and `tx` must outlive it.
class Writer {
 public:
  Writer(const Core& core, storage::WriteTransaction& tx);

  Result<RememberAnswer> Remember(const RememberRequest& request);
  Result<WriteAnswer> Understand(const UnderstandRequest& request);
  Result<WriteAnswer> DeclareEntity(const EntityRequest& request);
  Result<WriteAnswer> DeclarePredicate(const PredicateRequest& request);

  // Creates agent and scope as needed.
  Result<storage::ScopeRow> OpenScope(const std::string& agent, const Scope& scope, Timestamp now);

  // Terms, vector and mentions of a new revision, from its text. `vector` may be empty: the
  // embedder's then.
  Result<void> Derive(const storage::ScopeRow& scope, const storage::RevisionRow& row,
                      std::string_view text, std::string_view speaker, std::string_view addressee,
                      std::span<const float> vector);

  // Re-derives what holds of one subject and single-valued predicate, in new rows.
  Result<void> Supersede(const storage::ScopeRow& scope, EntityId subject, std::int64_t predicate,
                         Timestamp now);

  // The space that vectors are written into; made on first use.
  Result<std::int64_t> Space();

  Result<Receipt> ReceiptOf(const std::string& agent, const storage::ChainHead& head) const;

 private:
  Result<EntityId> EnsureEntity(ScopeId scope, const std::string& name, const std::string& type);
  Result<storage::PredicateRow> EnsurePredicate(ScopeId scope, const std::string& name);
  Result<void> AddArtifacts(const storage::ScopeRow& scope, std::span<const NewArtifact> artifacts,
                            std::span<const storage::NewEvidence> evidence,
                            const RememberRequest& source, Timestamp event_time,
                            std::vector<std::string>* ids);
  Result<void> AddRelations(const storage::ScopeRow& scope, std::span<const NewRelation> relations,
                            std::span<const SourceId> evidence, Timestamp event_time, Timestamp now,
                            std::vector<std::string>* ids);

  // What is there already with the same content and evidence: its id, or empty.
  Result<std::string> FindArtifact(const Scope& scope, const NewArtifact& artifact,
                                   std::span<const SourceId> sources);
  Result<std::string> FindRelation(const storage::ScopeRow& scope, const NewRelation& relation,
                                   std::span<const SourceId> sources, Timestamp event_time);

  const Core& core_;
  storage::WriteTransaction& tx_;
  const perceive::BuiltinPerceiver perceiver_;
  std::optional<std::int64_t> space_;
};

// Checks of what is handed over; each names the field.
// Errors: kInvalidData, kInvalidArgument.
Result<void> CheckRemember(const RememberRequest& request, std::size_t dimension);
Result<void> CheckArtifact(const NewArtifact& artifact);
Result<void> CheckRelation(const NewRelation& relation);
Result<void> CheckAgent(std::string_view name);
Result<void> CheckText(std::string_view text, std::string_view field);
Result<void> CheckName(std::string_view name, std::string_view field);
Result<void> CheckRange(double value, double low, double high, std::string_view field);

std::string PublicIdOf(storage::PublicKind kind, Ordinal ordinal, const Scope& scope);

// A JSON array of strings; empty for no tags.
std::string TagsJson(const std::vector<std::string>& tags);

}  // namespace souvenance::ingest
