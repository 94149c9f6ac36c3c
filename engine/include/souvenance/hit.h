// What the engine answers. Everything here is a function of what the viewer may see.
#pragma once

#include <souvenance/record.h>
#include <souvenance/scope.h>
#include <souvenance/time.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace souvenance {

// A head of an agent's chain: what an acknowledgement carries.
struct Receipt {
  std::string agent;
  std::int64_t sequence = 0;
  std::string head;  // 64 hexadecimal digits
};

// Bytes [begin, end) of a source's content that prove something.
struct Citation {
  std::string id;           // of the source
  std::string external_id;  // empty: none
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string commitment;  // 64 hexadecimal digits; outlives erasure
};

// All in [0, 1]. The parts of the hybrid preset's relevance (context to link, activation, tag,
// emotion) are shares of it; `literal` is the share of a perfect match of the cue.
struct Factors {
  double literal = 0;
  double context = 0;
  double session = 0;
  double speaker = 0;
  double when = 0;
  double semantic = 0;
  double date = 0;
  double link = 0;
  double relevance = 0;
  double tag = 0;
  double emotion = 0;
  double weight = 0;
  double freshness = 0;
  double activation = 0;
  double recent = 0;
};

// Ranks within the legs, from 1; 0: the leg did not bring it.
struct LegRanks {
  std::uint32_t bm25 = 0;
  std::uint32_t vector = 0;
  std::uint32_t graph = 0;
};

enum class DisclosureLevel { kFull, kGist };

struct DisclosureShare {
  double context_affinity = 1;
  double subject_fit = 1;
  double scope_prior = 1;
  double openness = 1;
  double topic = 1;
  double score = 1;
};

struct RecallResult {
  std::size_t rank = 0;  // from 1
  std::string id;
  std::string external_id;
  ArtifactKind kind = ArtifactKind::kScene;
  Scope scope;
  std::string subject_id;
  std::string said_by;
  std::string session_id;
  Timestamp event_time{};
  std::optional<Timestamp> valid_at;
  std::optional<Timestamp> invalid_at;
  DisclosureLevel disclosure = DisclosureLevel::kFull;
  std::string text;
  double score = 0;
  double evidence = 0;
  Factors factors;
  LegRanks ranks;
  DisclosureShare disclosure_factors;
  bool explored = false;
  bool truncated = false;
  std::vector<std::string> flags;  // "future", "before_1970", "duplicates:3", ...
  std::vector<std::string> facts;  // facts that rest on the same source alone
  std::vector<Citation> sources;
};

struct LegStatus {
  std::string bm25 = "off";  // ok, off, failed, late
  std::string vector = "off";
  std::string graph = "off";
};

struct GateReport {
  std::string kind;     // "cue" or "item"; "off"
  double coverage = 0;  // cue gate: of the best window
  double threshold = 0;
  double top = 0;  // evidence of the best candidate
  std::size_t admitted = 0;
  std::size_t rejected = 0;
};

// Where an id was lost on its way, for "why was this not recalled?".
struct TraceStep {
  std::string stage;   // pool, filter, legs, score, gate, disclosure, cut, result
  std::string detail;  // in words, with numbers
};
struct Trace {
  std::string id;
  std::vector<TraceStep> steps;
};

struct RecallAnswer {
  std::string cue;
  std::string agent;
  Timestamp now{};
  Timestamp as_of{};
  std::optional<Timestamp> known_at;  // empty: the latest
  std::string preset;
  LegStatus legs;
  std::vector<RecallResult> results;
  std::vector<std::string> hints;  // subject ids, each once; nothing else of them is told
  GateReport gate;
  std::vector<std::string> cue_terms;  // what was searched
  std::string reason;  // why empty: no_terms, empty_pool, below_gate, nothing_in_window, withheld
  std::vector<Trace> traces;
  double elapsed_ms = 0;
};

struct ContextItem {
  std::string id;
  std::string section;  // identity, recent, memories, facts, evidence
  std::size_t tokens = 0;
  DisclosureLevel disclosure = DisclosureLevel::kFull;
  bool truncated = false;
  std::string text;
  std::vector<Citation> sources;
};

struct LeftOut {
  std::string id;
  std::string reason;  // budget, item_limit, duplicate, recent, withheld
};

struct ContextAnswer {
  std::string cue;
  std::string text;  // the assembled block
  std::size_t tokens = 0;
  std::size_t budget = 0;
  std::vector<ContextItem> items;
  std::vector<LeftOut> left_out;
  std::string reason;  // as in RecallAnswer
};

struct Turn {
  std::string id;  // of the artifact
  std::string external_id;
  std::string said_by;
  Timestamp event_time{};
  std::string text;
  Scope scope;
};

struct RecentAnswer {
  std::string session;
  std::vector<Turn> turns;  // oldest first
};

struct EntityHit {
  std::string id;
  std::string name;
  std::string type;
  double activation = 0;  // [0, 1]
  bool linked = false;    // named by the cue
  Scope scope;
};

struct RelationHit {
  std::string id;
  std::string subject;  // names
  std::string predicate;
  std::string object;
  Timestamp valid_at{};
  std::optional<Timestamp> invalid_at;  // empty: open
  bool point = false;
  Timestamp created_at{};
  std::optional<Timestamp> expired_at;
  double confidence = 1;
  bool current = true;  // alive at the moment asked
  Scope scope;
  std::vector<Citation> sources;
};

struct TimelineEntry {
  Timestamp at{};
  std::string change;        // begins, ends, event; with history also learned, corrected
  std::size_t relation = 0;  // index into the answer's relations
};

struct Passage {
  std::string id;
  std::string text;
  double score = 0;
  Timestamp event_time{};
  std::string said_by;
  std::vector<Citation> sources;
};

struct LookupAnswer {
  std::string cue;
  Timestamp as_of{};
  std::optional<Timestamp> known_at;
  std::vector<EntityHit> entities;
  std::vector<RelationHit> relations;
  std::vector<TimelineEntry> timeline;
  std::vector<Passage> passages;
  // The raw evidence behind relations and passages: citation and text, each source once.
  struct Evidence {
    Citation source;
    std::string said_by;
    Timestamp event_time{};
    std::string text;
  };
  std::vector<Evidence> evidence;
  bool truncated = false;
  std::string reason;  // no_terms, nothing_linked
};

struct TimelineAnswer {
  std::string entity;
  std::vector<RelationHit> relations;
  std::vector<TimelineEntry> timeline;
};

struct RevisionView {
  std::uint32_t revision = 0;
  RevisionState state = RevisionState::kActive;
  ArtifactKind kind = ArtifactKind::kScene;
  MemoryType memory_type = MemoryType::kEpisodic;
  Shape shape = Shape::kPoint;
  std::optional<std::string> text;  // empty when it was erased
  std::string gist;
  std::vector<std::string> tags;
  std::string emotion;
  double emotion_intensity = 0;
  double salience = 0.5;
  double sensitivity = 0;
  double confidence = 1;
  Timestamp event_time{};
  std::optional<Timestamp> valid_at;
  std::optional<Timestamp> invalid_at;
  Timestamp created_at{};
  std::vector<Citation> sources;
};

struct ItemView {
  std::string id;
  std::string external_id;  // of its first source
  Scope scope;
  std::string subject_id;
  std::string said_by;
  std::string session_id;
  RevisionView current;
  double hits = 0;
  double retention = 0;  // at the moment asked
  double stability_days = 0;
  std::vector<std::string> entities;  // names it mentions
  std::vector<std::string> facts;     // ids of the facts that rest on the same source alone
};

// A source by its id: the raw evidence.
struct SourceView {
  Citation source;
  SourceType type = SourceType::kMessage;
  Scope scope;
  std::string session_id;
  std::string said_by;
  std::string subject_id;
  std::optional<std::string> text;
  std::string metadata_json;
  Timestamp event_time{};
  std::optional<Timestamp> received_at;
  Timestamp created_at{};
  std::vector<std::string> artifacts;  // ids
};

// What an id names: exactly one is set.
struct ShowAnswer {
  std::optional<ItemView> item;
  std::optional<SourceView> source;
  std::optional<EntityHit> entity;
  std::optional<RelationHit> relation;
};

struct HistoryAnswer {
  std::string id;
  std::vector<RevisionView> revisions;  // the first first
  struct Use {
    ReinforcementKind kind = ReinforcementKind::kRecalled;
    Timestamp at{};
    double amount = 0;
  };
  std::vector<Use> uses;
};

struct ListAnswer {
  std::vector<ItemView> items;
  std::size_t total = 0;  // that match
};

struct VerifyAnswer {
  std::int64_t events = 0;
  std::int64_t sources = 0;
  std::int64_t artifacts = 0;
  std::int64_t relations = 0;
  std::int64_t erased_payloads = 0;
  std::vector<Receipt> heads;
  struct IndexCheck {
    std::string agent;
    Scope scope;
    std::string kind;    // words, vectors
    std::string status;  // "ok", or what is wrong
  };
  std::vector<IndexCheck> indexes;
  std::string first_problem;  // empty: all is well
  std::int64_t bad_sequence = 0;
  std::string tail;  // what can be said of a removed tail
};

struct StatsAnswer {
  std::string store_id;
  std::vector<std::pair<std::string, std::int64_t>> counts;  // rows by table
  struct ScopeStats {
    std::string agent;
    Scope scope;
    std::size_t items = 0;
    std::size_t terms = 0;
    std::size_t vectors = 0;
    std::size_t entities = 0;
    std::size_t relations = 0;
  };
  std::vector<ScopeStats> scopes;
  std::string embedder;
  std::int64_t truth_bytes = 0;
  std::int64_t index_bytes = 0;
};

struct MaintainAnswer {
  std::size_t sealed = 0;    // bases written
  std::size_t dropped = 0;   // bases that did not fit and were removed
  std::size_t embedded = 0;  // vectors that had been owed
  std::size_t analysed = 0;
  bool checkpointed = false;
  std::vector<std::string> notes;
};

}  // namespace souvenance
