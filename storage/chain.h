// The canonical encoding of what happened, and its digests. docs/formats/chain.md describes it
// byte by byte; a store is checked against it by `verify` and by any program that reads that page.
#pragma once

#include <souvenance/ids.h>
#include <souvenance/time.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/rows.h"
#include "storage/sha256.h"

namespace souvenance::storage {

inline constexpr std::uint8_t kChainFormat = 1;
inline constexpr Digest kZeroDigest{};

// The tables whose rows an event commits to. The numbers are part of the format.
enum class ChainTable : std::uint8_t {
  kPayloads = 1,
  kAgents = 2,
  kScopes = 3,
  kSources = 4,
  kArtifacts = 5,
  kArtifactRevisions = 6,
  kArtifactSources = 7,
  kReinforcements = 8,
  kEntities = 9,
  kEntityAliases = 10,
  kMentions = 11,
  kPredicates = 12,
  kRelations = 13,
  kRelationSources = 14,
  kRelationExpiries = 15,  // an event that sets expired_us; rows of `relations`
  kIdentityVersions = 16,
  kSkills = 17,
  kSkillChangeProposals = 18,
  kReflections = 19,
  kScoreTransactions = 20,
  kResourceUsage = 21,
};

// What a column holds, and so how it is encoded.
enum class ColumnKind : std::uint8_t {
  kInteger,
  kReal,
  kText,
  kDigest,     // 32 bytes, as they are
  kPayload,    // id of a payload: its commitment
  kAgent,      // the commitment of the agent's name
  kScope,      // the commitment of the scope's name
  kPredicate,  // the commitment of the predicate's name
  kSource,     // these: the commitment of the scope's name and the ordinal within it
  kArtifact,
  kEntity,
  kRelation,
  kSkill,
};

struct ChainColumn {
  const char* name;
  ColumnKind kind;
};

struct ChainTableSpec {
  ChainTable table;
  const char* name;          // in the database
  const char* event_column;  // which event wrote the row
  std::span<const ChainColumn> columns;
};

// Every table of the chain, in the order of their numbers.
std::span<const ChainTableSpec> ChainTables();

// One row, value by value in the order of its table's columns.
class RowEncoder {
 public:
  explicit RowEncoder(ChainTable table) : bytes_(1, static_cast<char>(table)) {}

  RowEncoder& Null();
  RowEncoder& Integer(std::int64_t value);
  RowEncoder& Real(double value);
  RowEncoder& Text(std::string_view value);
  RowEncoder& Commitment(const Digest& value);
  RowEncoder& Reference(const Digest& scope, std::int64_t ordinal);
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// The digest of all rows of one event. Sorts them.
Digest RowsDigest(std::vector<std::string>& rows);

struct EventImage {
  std::int64_t sequence = 0;
  std::uint8_t kind = 0;
  Digest scope{};  // the commitment of the scope's name; zeros for an event of the agent
  std::int64_t recorded_us = 0;
  Digest reason{};
  Digest content{};
  Digest rows{};
};

std::string EncodeEvent(const EventImage& event);
Digest EventHash(const Digest& previous, const EventImage& event);

// SHA-256(salt, content).
Digest Commit(std::span<const std::uint8_t> salt, std::string_view content);

}  // namespace souvenance::storage
