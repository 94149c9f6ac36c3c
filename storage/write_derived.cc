// Pending work, analysed terms, embeddings and manifests: outside the chain.
#include <cmath>

#include "storage/writing.h"

namespace souvenance::storage {

namespace {

constexpr char kInsertPending[] =
    "INSERT INTO pending(scope_id, kind, target) VALUES (?1, ?2, ?3)"
    " ON CONFLICT(scope_id, kind, target) DO NOTHING";
constexpr char kDeletePending[] = "DELETE FROM pending WHERE id = ?1";
constexpr char kPutTerms[] =
    "INSERT INTO analysed_terms(scope_id, ordinal, fingerprint, terms) VALUES (?1, ?2, ?3, ?4)"
    " ON CONFLICT(scope_id, ordinal) DO UPDATE"
    " SET fingerprint = excluded.fingerprint, terms = excluded.terms";
constexpr char kSelectSpaceByFingerprint[] =
    "SELECT id FROM embedding_spaces WHERE fingerprint = ?1";
constexpr char kLastSpace[] = "SELECT max(id) FROM embedding_spaces";
constexpr char kInsertSpace[] =
    "INSERT INTO embedding_spaces(id, fingerprint, identity, dimension, probe, active)"
    " VALUES (?1, ?2, ?3, ?4, ?5, 0)";
constexpr char kDeactivateSpaces[] =
    "UPDATE embedding_spaces SET active = 0 WHERE active = 1 AND id <> ?1";
constexpr char kActivateSpace[] = "UPDATE embedding_spaces SET active = 1 WHERE id = ?1";
constexpr char kSelectSpaceDimension[] = "SELECT dimension FROM embedding_spaces WHERE id = ?1";
constexpr char kPutVector[] =
    "INSERT INTO embeddings(space_id, scope_id, ordinal, vector) VALUES (?1, ?2, ?3, ?4)"
    " ON CONFLICT(space_id, scope_id, ordinal) DO UPDATE SET vector = excluded.vector";
constexpr char kPutManifest[] =
    "INSERT INTO index_manifests(scope_id, kind, change, path, digest)"
    " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT(scope_id, kind) DO UPDATE"
    " SET change = excluded.change, path = excluded.path, digest = excluded.digest";
constexpr char kDeleteManifests[] = "DELETE FROM index_manifests WHERE scope_id = ?1";
constexpr char kDeleteTerms[] = "DELETE FROM analysed_terms WHERE scope_id = ?1";

std::string_view BytesOf(std::span<const float> floats) {
  return {reinterpret_cast<const char*>(floats.data()), floats.size_bytes()};
}

template <typename... Values>
Result<void> Run(TransactionState& state, const char* doing, const char* sql,
                 const Values&... values) {
  return Guard(state, doing, [&] {
    const auto statement = state.Use(sql);
    statement->Bind(values...);
    statement->Run();
  });
}

std::int64_t DimensionOf(TransactionState& state, std::int64_t space) {
  const auto [it, fresh] = state.write->dimensions.try_emplace(space, 0);
  if (fresh) {
    const auto statement = state.Use(kSelectSpaceDimension);
    statement->Bind(space);
    if (statement->Step()) it->second = statement->Int(0);
  }
  return it->second;
}

}  // namespace

Result<void> WriteTransaction::AddPending(PendingKind kind, std::int64_t target) {
  TransactionState& state = *connection_;
  return Guard(state, "add pending work", [&] {
    const WriteState::OpenEvent& event = CurrentScopeEvent(state);
    const auto statement = state.Use(kInsertPending);
    statement->Bind(event.scope, kind, target);
    statement->Run();
  });
}

Result<void> WriteTransaction::RemovePending(std::int64_t id) {
  return Run(*connection_, "remove pending work", kDeletePending, id);
}

Result<void> WriteTransaction::PutTerms(ScopeId scope, Ordinal revision,
                                        std::string_view fingerprint, std::string_view blob) {
  return Run(*connection_, "write analysed terms", kPutTerms, scope, revision, fingerprint,
             Blob{blob});
}

Result<std::int64_t> WriteTransaction::AddEmbeddingSpace(const EmbeddingSpaceRow& space) {
  TransactionState& state = *connection_;
  return Guard(state, "add an embedding space", [&] {
    if (space.fingerprint.empty() || space.dimension == 0) {
      Refuse(ErrorCode::kInvalidArgument, "a space has a fingerprint and a dimension");
    }
    if (space.probe.size() % space.dimension != 0) {
      Refuse(ErrorCode::kInvalidArgument, "the probe vectors have another dimension");
    }
    {
      const auto statement = state.Use(kSelectSpaceByFingerprint);
      statement->Bind(std::string_view(space.fingerprint));
      if (statement->Step()) Refuse(ErrorCode::kConflict, "a space of this fingerprint exists");
    }
    const std::int64_t id = NextNumber(state, kLastSpace);
    {
      const auto insert = state.Use(kInsertSpace);
      insert->Bind(id, std::string_view(space.fingerprint), std::string_view(space.identity),
                   space.dimension, Blob{BytesOf(space.probe)});
      insert->Run();
    }
    if (space.active) {
      for (const char* sql : {kDeactivateSpaces, kActivateSpace}) {
        const auto statement = state.Use(sql);
        statement->Bind(id);
        statement->Run();
      }
    }
    return id;
  });
}

Result<void> WriteTransaction::ActivateEmbeddingSpace(std::int64_t space) {
  TransactionState& state = *connection_;
  return Guard(state, "activate an embedding space", [&] {
    if (DimensionOf(state, space) == 0) Refuse(ErrorCode::kNotFound, "no such space");
    for (const char* sql : {kDeactivateSpaces, kActivateSpace}) {
      const auto statement = state.Use(sql);
      statement->Bind(space);
      statement->Run();
    }
  });
}

Result<void> WriteTransaction::PutVector(ScopeId scope, Ordinal revision, std::int64_t space,
                                         std::span<const float> vector) {
  TransactionState& state = *connection_;
  return Guard(state, "write a vector", [&] {
    const std::int64_t dimension = DimensionOf(state, space);
    if (dimension == 0) Refuse(ErrorCode::kInvalidArgument, "no such embedding space");
    if (static_cast<std::size_t>(dimension) != vector.size()) {
      Refuse(ErrorCode::kInvalidArgument, "the vector has " + std::to_string(vector.size()) +
                                              " dimensions, the space " +
                                              std::to_string(dimension));
    }
    for (const float value : vector) {
      if (!std::isfinite(value)) Refuse(ErrorCode::kInvalidData, "a value is not finite");
    }
    const auto statement = state.Use(kPutVector);
    statement->Bind(space, scope, revision, Blob{BytesOf(vector)});
    statement->Run();
  });
}

Result<void> WriteTransaction::PutManifest(const ManifestRow& manifest) {
  return Run(*connection_, "write an index manifest", kPutManifest, manifest.scope,
             std::string_view(manifest.kind), manifest.change, std::string_view(manifest.path),
             Blob{View(manifest.digest)});
}

Result<void> WriteTransaction::ClearDerived(ScopeId scope) {
  auto cleared = Run(*connection_, "remove index manifests", kDeleteManifests, scope);
  if (!cleared) return cleared;
  return Run(*connection_, "remove analysed terms", kDeleteTerms, scope);
}

}  // namespace souvenance::storage
