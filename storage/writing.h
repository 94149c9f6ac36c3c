// What the writing functions share. Private to this folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "storage/transaction.h"

namespace souvenance::storage {

// The event begun last. Throws kInternal when none is open.
WriteState::OpenEvent& CurrentEvent(TransactionState& state);
// The same, of a scope.
WriteState::OpenEvent& CurrentScopeEvent(TransactionState& state);

// The next number of a series that ends at what `sql` selects (bound to `key` when it is not 0).
std::int64_t NextNumber(TransactionState& state, const char* sql, std::int64_t key = 0);

// A new payload of the current event.
PayloadId AddPayload(TransactionState& state, PayloadKind kind, std::string_view content,
                     const std::optional<Digest>& lookup = std::nullopt);
// The payload of a name in the event's scope, found by `key`, made when there is none; none for
// an empty name.
PayloadId Intern(TransactionState& state, PayloadKind kind, std::string_view name,
                 std::string_view key);
inline PayloadId Intern(TransactionState& state, PayloadKind kind, std::string_view name) {
  return Intern(state, kind, name, name);
}

Digest CommitmentOfPayload(TransactionState& state, PayloadId id);  // remembered
const ScopeFacts& FactsOfScope(TransactionState& state, ScopeId id);
const SourceFacts& FactsOfSource(TransactionState& state, SourceId id);
std::pair<ScopeId, Ordinal> FactsOfArtifact(TransactionState& state, ArtifactId id);
std::pair<ScopeId, Ordinal> FactsOfEntity(TransactionState& state, EntityId id);

// Refuses text that is not UTF-8 or holds a NUL.
void CheckText(std::string_view text, const char* what);

// Encoding of references.
void EncodePayload(RowEncoder& row, TransactionState& state, PayloadId id);
void EncodeTime(RowEncoder& row, const std::optional<Timestamp>& time);

// SQLite keeps a whole number in a REAL column as an integer, which has no negative zero.
inline double Normal(double value) { return value + 0.0; }

}  // namespace souvenance::storage
