// Identities. Inside, 64-bit integers of distinct types, so that swapped ids fail to compile.
//
// A person sees another form, PublicId, which depends on the scope's name and the ordinal within
// that scope alone: nothing in another scope can move it. docs/formats/ids.md describes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace souvenance {

enum class AgentId : std::int64_t {};     // > 0, never reused
enum class ScopeId : std::int64_t {};     // > 0, never reused
enum class EventId : std::int64_t {};     // > 0; also the store's change number
enum class PayloadId : std::int64_t {};   // > 0; 0 means none
enum class SourceId : std::int64_t {};    // > 0
enum class ArtifactId : std::int64_t {};  // > 0
enum class EntityId : std::int64_t {};    // > 0
enum class RelationId : std::int64_t {};  // > 0

// A name (session, speaker, subject, label) stored apart as a payload; 0 means none.
using NameId = PayloadId;
inline constexpr PayloadId kNoPayload{0};

// The position of something within its scope, from 1, in the order of arrival. Sources,
// artifacts, revisions, entities and relations each count for themselves.
using Ordinal = std::uint32_t;

template <typename Id>
constexpr std::int64_t Raw(Id id) {
  return static_cast<std::int64_t>(id);
}

}  // namespace souvenance
