// What is asked of the engine, by whom and for which moment.
#pragma once

#include <souvenance/options.h>
#include <souvenance/scope.h>
#include <souvenance/time.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace souvenance {

inline constexpr char kDefaultAgent[] = "default";

// Who is asking. The host says who it is; nothing here is checked against a password.
struct Viewer {
  std::string agent = kDefaultAgent;
  std::vector<Scope> scopes;  // what they may see; empty means public alone
  std::string subject;        // who they are; empty: not said
  std::string session;        // where they speak; empty: not said
};

// The moment asked for. `now` is the engine's clock when not given; `as_of` (valid time) is `now`
// when not given; `known_at` (record time) is the latest when not given.
struct Moment {
  std::optional<Timestamp> now;
  std::optional<Timestamp> as_of;
  std::optional<Timestamp> known_at;
  // A hard window on the items' event time, half open.
  std::optional<Timestamp> since;
  std::optional<Timestamp> until;
};

struct RecallQuery {
  std::string cue;
  Viewer viewer;
  Moment moment;
  std::size_t k = 10;              // 1 to 10,000
  std::vector<std::string> tags;   // beside those found in the cue's text
  std::string emotion;             // label; empty: none
  double emotion_intensity = 1;    // [0, 1]
  std::vector<float> vector;       // the cue's, when the host embeds; empty: the store's embedder
  std::vector<std::string> trace;  // ids whose way through the stages is wanted
  RecallOptions options;
};

struct ContextQuery {
  RecallQuery recall;         // recall.k bounds the memories considered
  std::size_t budget = 1000;  // tokens; 0 gives an empty block
  std::size_t max_items = 50;
  double shares[5] = {0.10, 0.20, 0.50, 0.15, 0.05};  // identity, recent, memories, facts, evidence
};

struct RecentQuery {
  Viewer viewer;  // viewer.session is not used
  std::string session;
  std::size_t k = 20;
  Moment moment;
};

enum class HistoryMode { kCurrent, kAll };

struct LookupQuery {
  std::string cue;
  Viewer viewer;
  Moment moment;
  std::size_t hops = 1;        // 0 to 4
  std::size_t max_nodes = 50;  // 1 to 500
  std::size_t passages = 5;
  HistoryMode history = HistoryMode::kCurrent;
  RecallOptions options;
};

struct TimelineQuery {
  std::string entity;
  Viewer viewer;
  Moment moment;
  std::string predicate;            // empty: all
  std::optional<Timestamp> before;  // only what begins before
  enum class Pick { kAll, kLastInstant } pick = Pick::kAll;
  HistoryMode history = HistoryMode::kCurrent;
};

struct ListQuery {
  Viewer viewer;
  Moment moment;
  std::string subject;  // filters; empty: any
  std::string speaker;
  std::string session;
  std::string tag;
  std::string kind;
  std::string state = "active";  // active, forgotten, retracted, any
  std::size_t offset = 0;
  std::size_t limit = 50;
};

}  // namespace souvenance
