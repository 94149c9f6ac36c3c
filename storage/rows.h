// The rows of the truth as the rest of the engine reads and writes them. Texts and names are
// payloads, apart from the rows (docs/formats/schema.md); a row holds their ids.
#pragma once

#include <souvenance/ids.h>
#include <souvenance/record.h>
#include <souvenance/scope.h>
#include <souvenance/time.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace souvenance::storage {

using Digest = std::array<std::uint8_t, 32>;  // SHA-256

enum class EventKind : std::uint8_t {
  kAgentCreated = 0,
  kScopeCreated = 1,
  kRemembered = 2,
  kRevised = 3,
  kRetracted = 4,
  kForgotten = 5,
  kRecovered = 6,  // forget --undo
  kReinforced = 7,
  kEntityDeclared = 8,
  kPredicateDeclared = 9,
  kErased = 10,
  kMaintained = 11,
  kRelationRetracted = 12,
  kEntityMerged = 13,
  kEntitySplit = 14,
};

// What a payload is; part of its lookup key, so that a session and a person of the same name
// stay two. The numbers are stored.
enum class PayloadKind : std::uint8_t {
  kContent = 0,  // text of a source or revision
  kGist = 1,
  kMetadata = 2,  // JSON object of a source
  kTags = 3,      // JSON array of strings
  kAgentName = 4,
  kScopeName = 5,
  kExternalId = 6,
  kRequestId = 7,
  kSession = 8,
  kPerson = 9,       // speakers and subjects
  kEmotion = 10,     // an emotion's label
  kEntityName = 11,  // looked up by its key, see NewEntity
  kAlias = 12,
  kPredicateName = 13,
  kReason = 14,  // why a write happened
};

struct ScopeRow {
  ScopeId id{};
  AgentId agent{};
  Ordinal ordinal = 0;
  Scope scope;
};

struct SourceRow {
  SourceId id{};
  Ordinal ordinal = 0;
  EventId event{};
  SourceType type = SourceType::kMessage;
  PayloadId content = kNoPayload;
  PayloadId external_id = kNoPayload;  // the caller's id
  PayloadId request_id = kNoPayload;   // identity without an external id (request, or file:line)
  NameId session = kNoPayload;
  NameId speaker = kNoPayload;
  NameId subject = kNoPayload;
  PayloadId metadata = kNoPayload;
  Timestamp event_time{};
  std::optional<Timestamp> received_at;  // the host's word
  Timestamp created_at{};                // record time
};

// One revision of an artifact. A revision is never changed; a new one supersedes it.
struct RevisionRow {
  ArtifactId artifact{};
  Ordinal artifact_ordinal = 0;
  Ordinal ordinal = 0;  // of the revision, within the scope; the document number of the indexes
  std::uint32_t revision = 0;  // from 1, within the artifact
  EventId event{};
  ArtifactKind kind = ArtifactKind::kScene;
  bool verbatim = false;  // says what its one source says
  RevisionState state = RevisionState::kActive;
  MemoryType memory_type = MemoryType::kEpisodic;
  Shape shape = Shape::kPoint;
  PayloadId content = kNoPayload;
  PayloadId gist = kNoPayload;
  PayloadId tags = kNoPayload;
  NameId emotion = kNoPayload;
  double emotion_intensity = 0;  // [0, 1]
  double salience = 0.5;         // [0.01, 1]
  double sensitivity = 0;        // [0, 1]
  double confidence = 1;         // [0, 1]
  NameId session = kNoPayload;
  NameId speaker = kNoPayload;
  NameId subject = kNoPayload;
  Timestamp event_time{};
  std::optional<Timestamp> valid_at;
  std::optional<Timestamp> invalid_at;
  Timestamp created_at{};  // record time; it was believed until the next revision's created_at
};

// A revision rests on bytes [begin, end) of a source's content.
struct EvidenceRow {
  ArtifactId artifact{};
  std::uint32_t revision = 0;
  SourceId source{};
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct ReinforcementRow {
  std::int64_t id = 0;
  ScopeId scope{};        // where it was given; it counts for viewers of this scope
  ArtifactId artifact{};  // may belong to another scope
  EventId event{};
  ReinforcementKind kind = ReinforcementKind::kRecalled;
  NameId session = kNoPayload;
  double amount = 0;  // what it adds to the hits; 0 within the cooldown
  Timestamp at{};
};

struct EntityRow {
  EntityId id{};
  Ordinal ordinal = 0;
  EventId event{};
  PayloadId name = kNoPayload;  // as first written; the key is derived from it
  std::string type;             // "person", "place", ...; empty when unknown
};

struct AliasRow {
  EntityId entity{};
  EventId event{};
  PayloadId name = kNoPayload;
};

// Where an artifact speaks of an entity, bytes [begin, end) of its text.
struct MentionRow {
  ArtifactId artifact{};
  std::uint32_t revision = 0;
  EntityId entity{};
  EventId event{};
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

enum class RelationOrigin : std::uint8_t {
  kAsserted = 0,  // what a source said
  kDerived = 1,   // an asserted row whose end followed from a single-valued predicate
};

struct RelationRow {
  RelationId id{};
  Ordinal ordinal = 0;
  EventId event{};
  RelationOrigin origin = RelationOrigin::kAsserted;
  RelationId asserted{};  // the asserted row that a derived one restates; itself otherwise
  EntityId subject{};
  std::int64_t predicate = 0;
  EntityId object{};
  Timestamp valid_at{};
  Timestamp invalid_at = kEndOfTime;  // kEndOfTime: open
  bool point = false;                 // a point event: `at` was given instead of the two ends
  double confidence = 1;              // [0, 1]
  Timestamp created_at{};
  std::optional<Timestamp> expired_at;  // the one column that ever changes, once
};

struct RelationHistoryRow {
  RelationRow row;
  bool retracted = false;  // expired by a retraction, not by a later fact
};

struct PredicateRow {
  std::int64_t id = 0;
  EventId event{};
  PayloadId name = kNoPayload;
  bool single_valued = false;
};

// A head of a chain: what an acknowledgement carries and `verify` can be held against.
struct ChainHead {
  std::int64_t sequence = 0;  // 0: no event yet
  Digest hash{};
};

// Work owed, and why it could not be done yet.
enum class PendingKind : std::uint8_t { kPerceive = 0, kEmbed = 1, kMaintain = 2 };
struct PendingRow {
  std::int64_t id = 0;
  ScopeId scope{};
  PendingKind kind = PendingKind::kPerceive;
  std::int64_t target = 0;  // SourceId or ArtifactId by kind
};

// One embedding space: all vectors of one model under one fingerprint.
struct EmbeddingSpaceRow {
  std::int64_t id = 0;
  std::string fingerprint;
  std::string identity;  // JSON of the embedder's identity
  std::uint32_t dimension = 0;
  std::vector<float> probe;  // the probe texts' vectors, row by row
  bool active = false;
};

struct ManifestRow {
  ScopeId scope{};
  std::string kind;  // "words" or "vectors"
  EventId change{};  // built from the truth up to here
  std::string path;  // relative to the store's index folder
  Digest digest{};   // of the manifest file's bytes
};

// ---- What a write hands over ----

struct NewSource {
  SourceType type = SourceType::kMessage;
  std::string_view content;
  std::string_view external_id;  // empty: none
  std::string_view request_id;
  std::string_view session;
  std::string_view speaker;
  std::string_view subject;
  std::string_view metadata_json;  // empty: none
  Timestamp event_time{};
  std::optional<Timestamp> received_at;
};

struct NewEvidence {
  SourceId source{};
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct NewRevision {
  RevisionState state = RevisionState::kActive;
  MemoryType memory_type = MemoryType::kEpisodic;
  Shape shape = Shape::kPoint;
  // The text: a payload that exists already (a verbatim artifact shares its source's), or new.
  PayloadId content_payload = kNoPayload;
  std::string_view content;
  PayloadId gist_payload = kNoPayload;
  std::string_view gist;
  std::string_view tags_json;
  std::string_view emotion;
  double emotion_intensity = 0;
  double salience = 0.5;
  double sensitivity = 0;
  double confidence = 1;
  std::string_view session;
  std::string_view speaker;
  std::string_view subject;
  Timestamp event_time{};
  std::optional<Timestamp> valid_at;
  std::optional<Timestamp> invalid_at;
  std::span<const NewEvidence> evidence;  // at least one
};

struct NewRelation {
  RelationOrigin origin = RelationOrigin::kAsserted;
  RelationId asserted{};  // for a derived row
  EntityId subject{};
  std::int64_t predicate = 0;
  EntityId object{};
  Timestamp valid_at{};
  Timestamp invalid_at = kEndOfTime;
  bool point = false;
  double confidence = 1;
  std::span<const SourceId> evidence;  // at least one
};

}  // namespace souvenance::storage
