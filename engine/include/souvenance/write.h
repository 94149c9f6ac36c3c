// What is handed to the engine to be kept.
#pragma once

#include <souvenance/hit.h>
#include <souvenance/query.h>
#include <souvenance/record.h>
#include <souvenance/scope.h>
#include <souvenance/time.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace souvenance {

struct NewArtifact {
  ArtifactKind kind = ArtifactKind::kFact;
  MemoryType memory_type = MemoryType::kLongTerm;
  Shape shape = Shape::kPoint;
  std::string content;
  std::string gist;
  std::vector<std::string> tags;
  std::optional<double> salience;     // [0.01, 1]; the source's when not given
  std::optional<double> sensitivity;  // [0, 1]; never below the source's
  double confidence = 1;              // [0, 1]
  std::optional<Timestamp> valid_at;
  std::optional<Timestamp> invalid_at;  // > valid_at
  std::string subject_id;               // the source's when empty
};

// A fact of the graph. `at` makes a point event and excludes the two ends.
struct NewRelation {
  std::string subject;
  std::string predicate;
  std::string object;
  std::string subject_type;
  std::string object_type;
  std::optional<TimeSpan> valid_at;  // its first instant counts; missing: the source's event time
  // Of a date or year its last instant counts, an instant is the end itself; missing: open.
  std::optional<TimeSpan> invalid_at;
  std::optional<TimeSpan> at;
  double confidence = 1;  // [0, 1]
};

// One source with what is understood of it already. Only `content` is required.
struct RememberRequest {
  std::string agent = kDefaultAgent;
  Scope scope;
  std::string content;
  std::string external_id;  // unique within the scope; same id and content: the same source
  std::string request_id;   // identity of the call when there is no external id
  SourceType source_type = SourceType::kMessage;
  std::string session_id;
  std::string speaker_id;
  std::string subject_id;
  std::string addressee;
  std::optional<Timestamp> event_time;  // now when missing
  std::optional<Timestamp> received_at;
  std::vector<std::string> tags;
  std::string emotion;
  double emotion_intensity = 0;    // [0, 1]
  std::optional<double> salience;  // [0.01, 1], 0.5 when missing
  double sensitivity = 0;          // [0, 1]
  MemoryType memory_type = MemoryType::kEpisodic;
  Shape shape = Shape::kPoint;
  std::vector<float> vector;  // the host's, in the store's space; empty: the store's embedder
  std::string metadata_json;  // kept, shown, never ranked
  std::vector<NewArtifact> artifacts;
  std::vector<NewRelation> relations;
  std::optional<Timestamp> now;  // the clock when missing
};

struct RememberAnswer {
  std::string source_id;
  std::string artifact_id;                // the verbatim artifact
  std::vector<std::string> artifact_ids;  // the others
  std::vector<std::string> relation_ids;
  bool existed = false;            // the same source was there already; nothing was written
  std::vector<std::string> flags;  // "future", "before_1970"
  Receipt receipt;
};

// Understanding that rests on sources which are there already: artifacts and relations with
// their evidence by source id or external id (at least one).
struct UnderstandRequest {
  std::string agent = kDefaultAgent;
  Scope scope;
  std::vector<std::string> evidence;
  std::vector<NewArtifact> artifacts;
  std::vector<NewRelation> relations;
  std::optional<Timestamp> now;
};

struct EntityRequest {
  std::string agent = kDefaultAgent;
  Scope scope;
  std::string name;
  std::string type;
  std::vector<std::string> aliases;
  std::optional<Timestamp> now;
};

struct PredicateRequest {
  std::string agent = kDefaultAgent;
  Scope scope;
  std::string name;
  bool single_valued = false;
  std::optional<Timestamp> now;
};

struct WriteAnswer {
  std::vector<std::string> ids;
  bool existed = false;  // it was all there already; nothing was written
  Receipt receipt;
};

// A new revision. Fields that are not given stay as they are.
struct ReviseRequest {
  Viewer viewer;
  std::string id;
  std::optional<std::string> content;
  std::optional<std::string> gist;
  std::optional<std::vector<std::string>> tags;
  std::optional<double> salience;
  std::optional<double> sensitivity;
  std::optional<double> confidence;
  std::optional<Timestamp> valid_at;
  std::optional<Timestamp> invalid_at;
  std::optional<MemoryType> memory_type;
  std::optional<Shape> shape;
  std::vector<std::string> evidence;  // further sources, by id or external id
  std::string reason;
  std::optional<Timestamp> now;
};

enum class StateChange { kRetract, kForget, kRecover };

struct StateRequest {
  Viewer viewer;
  std::vector<std::string> ids;  // artifacts; retract takes relations too
  StateChange change = StateChange::kForget;
  std::string reason;
  std::optional<Timestamp> now;
};

struct ReinforceRequest {
  Viewer viewer;  // given in the first of viewer.scopes
  std::vector<std::string> ids;
  ReinforcementKind kind = ReinforcementKind::kRecalled;
  std::optional<Timestamp> now;
};

enum class ImportFormat { kAuto, kJsonl, kChat, kBeir, kLocomo };

struct ImportProgress {
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;
  std::uint64_t items = 0;
};

struct ImportRequest {
  std::vector<std::filesystem::path> files;  // a folder for beir
  ImportFormat format = ImportFormat::kAuto;
  std::string agent = kDefaultAgent;
  Scope scope;                    // for what names none
  std::filesystem::path triples;  // beir: {"doc", "triples": [[s, p, o]]} a line
  std::filesystem::path facts;    // beir: {"fact", "evidence": [ids]} a line
  std::size_t batch = 1000;       // sources a transaction
  std::function<void(const ImportProgress&)> progress;
  std::optional<Timestamp> now;
};

struct BadLine {
  std::string file;
  std::uint64_t line = 0;  // from 1
  std::string message;
};

struct ImportAnswer {
  std::uint64_t imported = 0;      // lines that wrote something
  std::uint64_t existed = 0;       // lines that were there already
  std::vector<BadLine> bad_lines;  // the first 100
  std::uint64_t bad = 0;
  Receipt receipt;
};

}  // namespace souvenance
