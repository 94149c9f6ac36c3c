// One scope in memory: an immutable snapshot of what is believed there, built from the truth up
// to one change number. Columns for scoring, segments for words and vectors, the graph.
#pragma once

#include <souvenance/ids.h>
#include <souvenance/record.h>
#include <souvenance/scope.h>
#include <souvenance/time.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/shard/cow_vector.h"
#include "graph/name_index.h"
#include "graph/temporal_graph.h"
#include "index/lexical.h"
#include "index/vectors.h"
#include "storage/rows.h"

namespace souvenance::shard {

class Linguist;

// An index into Shard::names; 0 means none.
using Name = std::uint32_t;

// A document: the latest revision of an artifact. Its number is the revision's ordinal.
struct Doc {
  ArtifactId artifact{};
  SourceId source{};  // the first that it rests on
  PayloadId content = kNoPayload;
  PayloadId gist = kNoPayload;
  Timestamp event_time{};
  Timestamp valid_at = kBeginningOfTime;
  Timestamp invalid_at = kEndOfTime;
  Ordinal artifact_ordinal = 0;
  std::uint32_t revision = 0;
  Name session = 0;
  std::uint32_t session_number = 0;  // from 1, by first appearance; 0: none
  Name speaker = 0;
  Name subject = 0;
  Name emotion = 0;
  // The sources of an artifact that rests on several, by ordinal; null for all others.
  std::shared_ptr<const std::vector<Ordinal>> sources;
  std::uint32_t tag_set = 0;  // index into Shard::tag_sets; 0: none
  Ordinal previous = 0;       // neighbours in the session, by arrival; 0: none
  Ordinal next = 0;
  Ordinal host = 0;        // the document whose extra text this is; 0: an item of its own
  Ordinal first_fact = 0;  // facts that are extra text of this one, linked through next_fact
  Ordinal next_fact = 0;
  float salience = 0.5F;
  float sensitivity = 0;
  float emotion_intensity = 0;
  ArtifactKind kind = ArtifactKind::kScene;
  MemoryType memory_type = MemoryType::kEpisodic;
  Shape shape = Shape::kPoint;
  std::uint16_t word_segment = 0;    // which segment holds its words
  std::uint16_t vector_segment = 0;  // kNoSegment: it has no vector
  bool live = false;                 // the latest revision, active
  bool verbatim = false;
  bool says_when = false;  // has a time expression
  bool asks = false;       // ends in a question
};
inline constexpr std::uint16_t kNoSegment = 0xffff;

// Words of some documents, of their sessions, and what of it no longer counts.
struct WordSegment {
  std::shared_ptr<const index::LexicalSegment> documents;
  std::shared_ptr<const index::LexicalSegment> sessions;  // numbered by session
  bool base = false;                                      // sealed, from disk
};

struct Entity {
  EntityId id{};
  Ordinal ordinal = 0;
  std::string name;
  std::string key;
  std::string type;
};

struct Relation {
  RelationId id{};
  RelationId asserted{};
  std::uint32_t subject = 0;  // index into Shard::entities
  std::uint32_t object = 0;
  Name predicate = 0;  // its name
  Timestamp valid_at{};
  Timestamp invalid_at = kEndOfTime;
  Timestamp created_at{};
  Timestamp expired_at = kEndOfTime;
  float confidence = 1;
  bool point = false;
  bool derived = false;
  std::vector<Ordinal> sources;  // by the source's ordinal
};

// One use of an artifact, given in this scope.
struct Use {
  ReinforcementKind kind = ReinforcementKind::kRecalled;
  Name session = 0;
  double amount = 0;
  Timestamp at{};
};
using Uses = std::unordered_map<std::int64_t, std::vector<Use>>;  // by ArtifactId, any scope's

struct Alias {
  std::uint32_t entity = 0;
  Name name = 0;
};

struct Predicate {
  Name name = 0;
  bool single_valued = false;
};

struct Mention {
  std::uint32_t entity = 0;
  Ordinal artifact = 0;  // its ordinal
  std::uint32_t revision = 0;
};

// The graph with its names, built when first asked for.
struct GraphPart {
  std::shared_ptr<const graph::ShardGraph> graph;
  graph::NameIndex names;                                   // node: index into Shard::entities
  std::vector<graph::Node> entity_nodes;                    // by entity index
  std::unordered_map<Ordinal, graph::Node> document_nodes;  // by document number
  std::vector<Ordinal> node_documents;                      // by node; 0 for entities
  // Relation texts as documents numbered by relation (index + 1), for seeds by facts.
  std::shared_ptr<const index::LexicalSegment> facts;
  // How many passages an entity has, by entity index.
  std::vector<std::uint32_t> passages;
};

// Thread-safety: immutable (the graph part is built once, under its own mutex).
class Shard {
 public:
  ScopeId scope_id{};
  Scope scope;
  std::string scope_tag;
  EventId change{};

  CowVector<Doc> docs;  // by document number; [0] is unused
  CowVector<std::string> names;
  CowVector<std::vector<std::string>> tag_sets;
  std::vector<WordSegment> words;
  // What is in the segments and no longer counts (superseded, forgotten, replaced): subtracted
  // from their statistics.
  WordSegment dead_words;
  std::vector<std::shared_ptr<const index::VectorSegment>> vectors;
  bool vector_base = false;  // vectors[0] is sealed, from disk
  CowVector<Entity> entities;
  CowVector<Relation> relations;  // by ordinal; [0] is unused
  CowVector<Alias> aliases;
  CowVector<Mention> mentions;
  std::vector<Predicate> predicates;  // by first declaration
  std::shared_ptr<const Uses> uses = std::make_shared<Uses>();
  CowVector<Name> sessions;         // by session number; [0] is unused
  CowVector<Ordinal> session_last;  // the last turn, by session number; 0: none is live
  // The document of a source's verbatim artifact, by the source's ordinal; 0: none is live.
  CowVector<Ordinal> verbatim_of;
  CowVector<Ordinal> document_of;  // the latest revision's, by the artifact's ordinal; [0] unused
  // Names that speak or are spoken of, for "the cue names the speaker".
  std::vector<Name> persons;
  bool record_time_past = false;  // built as it was known at an earlier time

  std::uint32_t live_items = 0;  // ranked documents
  std::uint64_t live_length = 0;

  const std::string& NameText(Name name) const { return names[name]; }

  // The graph and the names of entities and persons; built on first use.
  const GraphPart& Graph() const;
  const graph::NameIndex& Persons() const;  // node: the Name

  bool HasSession(std::string_view session) const;

 private:
  friend class ShardBuilder;

  struct Lazy {
    std::mutex mutex;
    std::unique_ptr<GraphPart> graph;
    std::unique_ptr<graph::NameIndex> persons;
  };
  std::shared_ptr<Lazy> lazy_ = std::make_shared<Lazy>();
  const Linguist* linguist_ = nullptr;
};

// "subject predicate object": a relation as the short text that a cue can match.
std::string RelationText(const Shard& shard, const Relation& relation);

}  // namespace souvenance::shard
