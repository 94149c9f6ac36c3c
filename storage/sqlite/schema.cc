#include "storage/sqlite/schema.h"

#include <string_view>

namespace souvenance::storage {

namespace {

// Each of these columns means: written under this event, whose row follows when the event ends.
// A deferred key makes SQLite look for waiting children at every insert into the parent, so every
// deferred key here has an index on its child columns.
#define EVENT_COLUMN "event_id INTEGER NOT NULL REFERENCES events(id) DEFERRABLE INITIALLY DEFERRED"
#define PAYLOAD "INTEGER REFERENCES payloads(id)"
#define NEEDED_PAYLOAD "INTEGER NOT NULL REFERENCES payloads(id)"
#define SCOPE "INTEGER NOT NULL REFERENCES scopes(id)"

constexpr const char* kTables[] = {
    R"(CREATE TABLE store(
  id INTEGER PRIMARY KEY CHECK(id = 1),
  store_id BLOB NOT NULL CHECK(length(store_id) = 16),
  lookup_key BLOB NOT NULL CHECK(length(lookup_key) = 16),
  created_us INTEGER NOT NULL
) STRICT)",

    // agents and scopes come before the payload of their own name, hence the deferred keys.
    "CREATE TABLE agents(\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  name_id INTEGER NOT NULL UNIQUE REFERENCES payloads(id) DEFERRABLE INITIALLY DEFERRED,\n"
    "  " EVENT_COLUMN
    "\n"
    ") STRICT",

    "CREATE TABLE scopes(\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  agent_id INTEGER NOT NULL REFERENCES agents(id),\n"
    "  ordinal INTEGER NOT NULL CHECK(ordinal BETWEEN 1 AND 4294967295),\n"
    "  name_id INTEGER NOT NULL UNIQUE REFERENCES payloads(id) DEFERRABLE INITIALLY DEFERRED,\n"
    "  " EVENT_COLUMN
    ",\n"
    "  UNIQUE(agent_id, ordinal)\n"
    ") STRICT",

    "CREATE TABLE events(\n"
    "  id INTEGER PRIMARY KEY CHECK(id > 0),\n"
    "  agent_id INTEGER NOT NULL REFERENCES agents(id),\n"
    "  scope_id INTEGER REFERENCES scopes(id),\n"
    "  sequence INTEGER NOT NULL CHECK(sequence > 0),\n"
    "  kind INTEGER NOT NULL CHECK(kind BETWEEN 0 AND 255),\n"
    "  recorded_us INTEGER NOT NULL,\n"
    "  reason_id " PAYLOAD
    ",\n"
    "  commitment BLOB NOT NULL CHECK(length(commitment) = 32),\n"
    "  rows_digest BLOB NOT NULL CHECK(length(rows_digest) = 32),\n"
    "  previous_hash BLOB NOT NULL CHECK(length(previous_hash) = 32),\n"
    "  hash BLOB NOT NULL CHECK(length(hash) = 32),\n"
    "  UNIQUE(agent_id, sequence),\n"
    "  UNIQUE(agent_id, previous_hash)\n"
    ") STRICT",

    "CREATE TABLE payloads(\n"
    "  id INTEGER PRIMARY KEY CHECK(id > 0),\n"
    "  agent_id INTEGER NOT NULL REFERENCES agents(id),\n"
    "  scope_id INTEGER REFERENCES scopes(id),\n"
    "  kind INTEGER NOT NULL CHECK(kind BETWEEN 0 AND 255),\n"
    "  lookup BLOB CHECK(length(lookup) = 32),\n"
    "  salt BLOB CHECK(length(salt) = 16),\n"
    "  content BLOB,\n"
    "  commitment BLOB NOT NULL CHECK(length(commitment) = 32),\n"
    "  " EVENT_COLUMN
    ",\n"
    "  CHECK((salt IS NULL) = (content IS NULL)),\n"
    "  CHECK(lookup IS NULL OR content IS NOT NULL)\n"
    ") STRICT",

    "CREATE TABLE sources(\n"
    "  id INTEGER PRIMARY KEY CHECK(id > 0),\n"
    "  scope_id " SCOPE
    ",\n"
    "  ordinal INTEGER NOT NULL CHECK(ordinal BETWEEN 1 AND 4294967295),\n"
    "  " EVENT_COLUMN
    ",\n"
    "  source_type INTEGER NOT NULL CHECK(source_type BETWEEN 0 AND 255),\n"
    "  content_id " NEEDED_PAYLOAD
    ",\n"
    "  external_id " PAYLOAD
    ",\n"
    "  request_id " PAYLOAD
    ",\n"
    "  session_id " PAYLOAD
    ",\n"
    "  said_by " PAYLOAD
    ",\n"
    "  subject_id " PAYLOAD
    ",\n"
    "  metadata_id " PAYLOAD
    ",\n"
    "  event_time_us INTEGER NOT NULL,\n"
    "  received_us INTEGER,\n"
    "  created_us INTEGER NOT NULL,\n"
    "  UNIQUE(scope_id, ordinal)\n"
    ") STRICT",

    "CREATE TABLE artifacts(\n"
    "  id INTEGER PRIMARY KEY CHECK(id > 0),\n"
    "  scope_id " SCOPE
    ",\n"
    "  ordinal INTEGER NOT NULL CHECK(ordinal BETWEEN 1 AND 4294967295),\n"
    "  " EVENT_COLUMN
    ",\n"
    "  kind INTEGER NOT NULL CHECK(kind BETWEEN 0 AND 255),\n"
    "  verbatim INTEGER NOT NULL CHECK(verbatim IN (0, 1)),\n"
    "  UNIQUE(scope_id, ordinal)\n"
    ") STRICT",

    "CREATE TABLE artifact_revisions(\n"
    "  artifact_id INTEGER NOT NULL REFERENCES artifacts(id),\n"
    "  revision INTEGER NOT NULL CHECK(revision BETWEEN 1 AND 4294967295),\n"
    "  scope_id " SCOPE
    ",\n"
    "  ordinal INTEGER NOT NULL CHECK(ordinal BETWEEN 1 AND 4294967295),\n"
    "  " EVENT_COLUMN
    ",\n"
    "  state INTEGER NOT NULL CHECK(state BETWEEN 0 AND 255),\n"
    "  memory_type INTEGER NOT NULL CHECK(memory_type BETWEEN 0 AND 255),\n"
    "  shape INTEGER NOT NULL CHECK(shape BETWEEN 0 AND 255),\n"
    "  content_id " NEEDED_PAYLOAD
    ",\n"
    "  gist_id " PAYLOAD
    ",\n"
    "  tags_id " PAYLOAD
    ",\n"
    "  emotion_id " PAYLOAD
    ",\n"
    "  emotion_intensity REAL NOT NULL CHECK(emotion_intensity BETWEEN 0 AND 1),\n"
    "  salience REAL NOT NULL CHECK(salience BETWEEN 0 AND 1),\n"
    "  sensitivity REAL NOT NULL CHECK(sensitivity BETWEEN 0 AND 1),\n"
    "  confidence REAL NOT NULL CHECK(confidence BETWEEN 0 AND 1),\n"
    "  session_id " PAYLOAD
    ",\n"
    "  said_by " PAYLOAD
    ",\n"
    "  subject_id " PAYLOAD
    ",\n"
    "  event_time_us INTEGER NOT NULL,\n"
    "  valid_us INTEGER,\n"
    "  invalid_us INTEGER,\n"
    "  created_us INTEGER NOT NULL,\n"
    "  first_position INTEGER NOT NULL CHECK(first_position = 1),\n"
    "  PRIMARY KEY(scope_id, ordinal),\n"
    "  UNIQUE(artifact_id, revision),\n"
    "  CHECK(valid_us IS NULL OR invalid_us IS NULL OR valid_us < invalid_us),\n"
    "  FOREIGN KEY(artifact_id, revision, first_position)\n"
    "    REFERENCES artifact_sources(artifact_id, revision, position)\n"
    "    DEFERRABLE INITIALLY DEFERRED\n"
    ") STRICT, WITHOUT ROWID",

    "CREATE TABLE artifact_sources(\n"
    "  artifact_id INTEGER NOT NULL REFERENCES artifacts(id),\n"
    "  revision INTEGER NOT NULL CHECK(revision BETWEEN 1 AND 4294967295),\n"
    "  position INTEGER NOT NULL CHECK(position > 0),\n"
    "  " EVENT_COLUMN
    ",\n"
    "  source_id INTEGER NOT NULL REFERENCES sources(id),\n"
    "  begin_byte INTEGER NOT NULL CHECK(begin_byte >= 0),\n"
    "  end_byte INTEGER NOT NULL,\n"
    "  PRIMARY KEY(artifact_id, revision, position),\n"
    "  CHECK(begin_byte <= end_byte)\n"
    ") STRICT, WITHOUT ROWID",

    "CREATE TABLE reinforcements(\n"
    "  id INTEGER PRIMARY KEY CHECK(id > 0),\n"
    "  scope_id " SCOPE
    ",\n"
    "  " EVENT_COLUMN
    ",\n"
    "  artifact_id INTEGER NOT NULL REFERENCES artifacts(id),\n"
    "  kind INTEGER NOT NULL CHECK(kind BETWEEN 0 AND 255),\n"
    "  session_id " PAYLOAD
    ",\n"
    "  amount REAL NOT NULL CHECK(amount BETWEEN 0 AND 1000000),\n"
    "  at_us INTEGER NOT NULL\n"
    ") STRICT",

    "CREATE TABLE entities(\n"
    "  id INTEGER PRIMARY KEY CHECK(id > 0),\n"
    "  scope_id " SCOPE
    ",\n"
    "  ordinal INTEGER NOT NULL CHECK(ordinal BETWEEN 1 AND 4294967295),\n"
    "  " EVENT_COLUMN
    ",\n"
    "  name_id INTEGER NOT NULL UNIQUE REFERENCES payloads(id),\n"
    "  type TEXT NOT NULL,\n"
    "  UNIQUE(scope_id, ordinal)\n"
    ") STRICT",

    "CREATE TABLE entity_aliases(\n"
    "  entity_id INTEGER NOT NULL REFERENCES entities(id),\n"
    "  name_id " NEEDED_PAYLOAD
    ",\n"
    "  " EVENT_COLUMN
    ",\n"
    "  PRIMARY KEY(entity_id, name_id)\n"
    ") STRICT, WITHOUT ROWID",

    "CREATE TABLE mentions(\n"
    "  " EVENT_COLUMN
    ",\n"
    "  artifact_id INTEGER NOT NULL,\n"
    "  revision INTEGER NOT NULL,\n"
    "  entity_id INTEGER NOT NULL REFERENCES entities(id),\n"
    "  begin_byte INTEGER NOT NULL CHECK(begin_byte >= 0),\n"
    "  end_byte INTEGER NOT NULL,\n"
    "  PRIMARY KEY(event_id, artifact_id, revision, entity_id, begin_byte),\n"
    "  CHECK(begin_byte <= end_byte),\n"
    "  FOREIGN KEY(artifact_id, revision) REFERENCES artifact_revisions(artifact_id, revision)\n"
    ") STRICT, WITHOUT ROWID",

    // One row for each declaration of a predicate; the latest counts.
    "CREATE TABLE predicates(\n"
    "  id INTEGER NOT NULL CHECK(id > 0),\n"
    "  revision INTEGER NOT NULL CHECK(revision > 0),\n"
    "  scope_id " SCOPE
    ",\n"
    "  " EVENT_COLUMN
    ",\n"
    "  name_id " NEEDED_PAYLOAD
    ",\n"
    "  single_valued INTEGER NOT NULL CHECK(single_valued IN (0, 1)),\n"
    "  PRIMARY KEY(id, revision),\n"
    "  UNIQUE(name_id, revision)\n"
    ") STRICT, WITHOUT ROWID",

    "CREATE TABLE relations(\n"
    "  id INTEGER PRIMARY KEY CHECK(id > 0),\n"
    "  scope_id " SCOPE
    ",\n"
    "  ordinal INTEGER NOT NULL CHECK(ordinal BETWEEN 1 AND 4294967295),\n"
    "  " EVENT_COLUMN
    ",\n"
    "  origin INTEGER NOT NULL CHECK(origin IN (0, 1)),\n"
    "  asserted_id INTEGER NOT NULL REFERENCES relations(id),\n"
    "  subject_entity_id INTEGER NOT NULL REFERENCES entities(id),\n"
    "  predicate_id INTEGER NOT NULL,\n"
    "  object_entity_id INTEGER NOT NULL REFERENCES entities(id),\n"
    "  valid_us INTEGER NOT NULL,\n"
    "  invalid_us INTEGER,\n"
    "  point INTEGER NOT NULL CHECK(point IN (0, 1)),\n"
    "  confidence REAL NOT NULL CHECK(confidence BETWEEN 0 AND 1),\n"
    "  created_us INTEGER NOT NULL,\n"
    "  expired_us INTEGER,\n"
    "  expired_event_id INTEGER REFERENCES events(id) DEFERRABLE INITIALLY DEFERRED,\n"
    "  first_position INTEGER NOT NULL CHECK(first_position = 1),\n"
    "  UNIQUE(scope_id, ordinal),\n"
    "  CHECK((origin = 0) = (asserted_id = id)),\n"
    "  CHECK(invalid_us IS NULL OR valid_us < invalid_us),\n"
    "  CHECK((expired_us IS NULL) = (expired_event_id IS NULL)),\n"
    "  FOREIGN KEY(id, first_position) REFERENCES relation_sources(relation_id, position)\n"
    "    DEFERRABLE INITIALLY DEFERRED\n"
    ") STRICT",

    "CREATE TABLE relation_sources(\n"
    "  relation_id INTEGER NOT NULL REFERENCES relations(id) DEFERRABLE INITIALLY DEFERRED,\n"
    "  position INTEGER NOT NULL CHECK(position > 0),\n"
    "  " EVENT_COLUMN
    ",\n"
    "  source_id INTEGER NOT NULL REFERENCES sources(id),\n"
    "  PRIMARY KEY(relation_id, position),\n"
    "  UNIQUE(relation_id, source_id)\n"
    ") STRICT, WITHOUT ROWID",

    "CREATE TABLE identity_versions(\n"
    "  id INTEGER PRIMARY KEY CHECK(id > 0),\n"
    "  agent_id INTEGER NOT NULL REFERENCES agents(id),\n"
    "  version INTEGER NOT NULL CHECK(version > 0),\n"
    "  " EVENT_COLUMN
    ",\n"
    "  content_id " NEEDED_PAYLOAD
    ",\n"
    "  created_us INTEGER NOT NULL,\n"
    "  UNIQUE(agent_id, version)\n"
    ") STRICT",

    "CREATE TABLE skills(\n"
    "  id INTEGER PRIMARY KEY CHECK(id > 0),\n"
    "  scope_id " SCOPE
    ",\n"
    "  ordinal INTEGER NOT NULL CHECK(ordinal BETWEEN 1 AND 4294967295),\n"
    "  version INTEGER NOT NULL CHECK(version > 0),\n"
    "  " EVENT_COLUMN
    ",\n"
    "  name_id " NEEDED_PAYLOAD
    ",\n"
    "  content_id " NEEDED_PAYLOAD
    ",\n"
    "  state INTEGER NOT NULL CHECK(state BETWEEN 0 AND 255),\n"
    "  created_us INTEGER NOT NULL,\n"
    "  UNIQUE(scope_id, ordinal),\n"
    "  UNIQUE(name_id, version)\n"
    ") STRICT",

    "CREATE TABLE skill_change_proposals(\n"
    "  id INTEGER PRIMARY KEY CHECK(id > 0),\n"
    "  scope_id " SCOPE
    ",\n"
    "  ordinal INTEGER NOT NULL CHECK(ordinal BETWEEN 1 AND 4294967295),\n"
    "  " EVENT_COLUMN
    ",\n"
    "  skill_id INTEGER REFERENCES skills(id),\n"
    "  content_id " NEEDED_PAYLOAD
    ",\n"
    "  reason_id " PAYLOAD
    ",\n"
    "  state INTEGER NOT NULL CHECK(state BETWEEN 0 AND 255),\n"
    "  created_us INTEGER NOT NULL,\n"
    "  UNIQUE(scope_id, ordinal)\n"
    ") STRICT",

    "CREATE TABLE reflections(\n"
    "  id INTEGER PRIMARY KEY CHECK(id > 0),\n"
    "  scope_id " SCOPE
    ",\n"
    "  ordinal INTEGER NOT NULL CHECK(ordinal BETWEEN 1 AND 4294967295),\n"
    "  " EVENT_COLUMN
    ",\n"
    "  content_id " NEEDED_PAYLOAD
    ",\n"
    "  begin_us INTEGER,\n"
    "  end_us INTEGER,\n"
    "  created_us INTEGER NOT NULL,\n"
    "  UNIQUE(scope_id, ordinal),\n"
    "  CHECK(begin_us IS NULL OR end_us IS NULL OR begin_us <= end_us)\n"
    ") STRICT",

    "CREATE TABLE score_transactions(\n"
    "  id INTEGER PRIMARY KEY CHECK(id > 0),\n"
    "  scope_id " SCOPE
    ",\n"
    "  " EVENT_COLUMN
    ",\n"
    "  artifact_id INTEGER NOT NULL REFERENCES artifacts(id),\n"
    "  kind INTEGER NOT NULL CHECK(kind BETWEEN 0 AND 255),\n"
    "  amount REAL NOT NULL,\n"
    "  reason_id " PAYLOAD
    ",\n"
    "  at_us INTEGER NOT NULL\n"
    ") STRICT",

    "CREATE TABLE resource_usage(\n"
    "  id INTEGER PRIMARY KEY CHECK(id > 0),\n"
    "  agent_id INTEGER NOT NULL REFERENCES agents(id),\n"
    "  scope_id INTEGER REFERENCES scopes(id),\n"
    "  " EVENT_COLUMN
    ",\n"
    "  kind TEXT NOT NULL,\n"
    "  amount REAL NOT NULL CHECK(amount >= 0),\n"
    "  unit TEXT NOT NULL,\n"
    "  at_us INTEGER NOT NULL\n"
    ") STRICT",

    // Derived: outside the chain, made again from the truth.
    "CREATE TABLE pending(\n"
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "  scope_id " SCOPE
    ",\n"
    "  kind INTEGER NOT NULL CHECK(kind BETWEEN 0 AND 255),\n"
    "  target INTEGER NOT NULL,\n"
    "  UNIQUE(scope_id, kind, target)\n"
    ") STRICT",

    R"(CREATE TABLE analysed_terms(
  scope_id INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  terms BLOB NOT NULL,
  PRIMARY KEY(scope_id, ordinal),
  FOREIGN KEY(scope_id, ordinal) REFERENCES artifact_revisions(scope_id, ordinal)
) STRICT, WITHOUT ROWID)",

    "CREATE TABLE index_manifests(\n"
    "  scope_id " SCOPE
    ",\n"
    "  kind TEXT NOT NULL,\n"
    "  change INTEGER NOT NULL CHECK(change >= 0),\n"
    "  path TEXT NOT NULL,\n"
    "  digest BLOB NOT NULL CHECK(length(digest) = 32),\n"
    "  PRIMARY KEY(scope_id, kind)\n"
    ") STRICT, WITHOUT ROWID",

    R"(CREATE TABLE embedding_spaces(
  id INTEGER PRIMARY KEY CHECK(id > 0),
  fingerprint TEXT NOT NULL UNIQUE,
  identity TEXT NOT NULL,
  dimension INTEGER NOT NULL CHECK(dimension > 0),
  probe BLOB NOT NULL CHECK(length(probe) % (4 * dimension) = 0),
  active INTEGER NOT NULL CHECK(active IN (0, 1))
) STRICT)",

    R"(CREATE TABLE embeddings(
  id INTEGER PRIMARY KEY,
  space_id INTEGER NOT NULL REFERENCES embedding_spaces(id),
  scope_id INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  vector BLOB NOT NULL,
  UNIQUE(space_id, scope_id, ordinal),
  FOREIGN KEY(scope_id, ordinal) REFERENCES artifact_revisions(scope_id, ordinal)
) STRICT)",
};

#undef EVENT_COLUMN
#undef PAYLOAD
#undef NEEDED_PAYLOAD
#undef SCOPE

constexpr const char* kIndexes[] = {
    "CREATE INDEX events_by_scope ON events(scope_id, id)",
    // An alias's key may lead to several written forms; every other name is one payload.
    "CREATE UNIQUE INDEX payloads_by_lookup ON payloads(lookup)"
    " WHERE lookup IS NOT NULL AND kind <> 12",
    "CREATE INDEX payloads_by_alias ON payloads(lookup) WHERE lookup IS NOT NULL AND kind = 12",
    "CREATE INDEX payloads_names ON payloads(scope_id, id)"
    " WHERE kind IN (3, 8, 9, 10, 11, 12, 13)",
    "CREATE UNIQUE INDEX sources_by_external_id ON sources(external_id)"
    " WHERE external_id IS NOT NULL",
    "CREATE UNIQUE INDEX sources_by_request_id ON sources(request_id)"
    " WHERE request_id IS NOT NULL",
    "CREATE INDEX artifact_sources_by_source ON artifact_sources(source_id)",
    "CREATE INDEX reinforcements_by_scope ON reinforcements(scope_id, id)",
    "CREATE INDEX reinforcements_by_artifact ON reinforcements(artifact_id)",
    "CREATE INDEX entity_aliases_by_name ON entity_aliases(name_id)",
    "CREATE INDEX relations_by_subject ON relations(subject_entity_id, predicate_id)"
    " WHERE expired_us IS NULL",
    "CREATE INDEX relations_by_expiry ON relations(expired_event_id)",
    "CREATE UNIQUE INDEX embedding_spaces_active ON embedding_spaces(active) WHERE active = 1",
};

// Written under an event, never changed, never deleted. (`relations` and `payloads` have triggers
// of their own for the one change that each allows.)
struct ChainedTable {
  const char* name;
  bool may_change;
  bool event_index;  // false: the primary key begins with event_id
};

constexpr ChainedTable kChained[] = {
    {"agents", false, true},
    {"scopes", false, true},
    {"payloads", true, true},
    {"sources", false, true},
    {"artifacts", false, true},
    {"artifact_revisions", false, true},
    {"artifact_sources", false, true},
    {"reinforcements", false, true},
    {"entities", false, true},
    {"entity_aliases", false, true},
    {"mentions", false, false},
    {"predicates", false, true},
    {"relations", true, true},
    {"relation_sources", false, true},
    {"identity_versions", false, true},
    {"skills", false, true},
    {"skill_change_proposals", false, true},
    {"reflections", false, true},
    {"score_transactions", false, true},
    {"resource_usage", false, true},
};

constexpr const char* kTriggers[] = {
    R"(CREATE TRIGGER events_link BEFORE INSERT ON events BEGIN
  SELECT RAISE(ABORT, 'events: the sequence has a gap') WHERE NEW.sequence IS NOT
    1 + coalesce((SELECT max(sequence) FROM events WHERE agent_id = NEW.agent_id), 0);
  SELECT RAISE(ABORT, 'events: previous_hash does not name the predecessor')
    WHERE NEW.previous_hash IS NOT coalesce((SELECT hash FROM events
      WHERE agent_id = NEW.agent_id AND sequence = NEW.sequence - 1), zeroblob(32));
  SELECT RAISE(ABORT, 'events: the id is not the next one')
    WHERE NEW.id IS NOT 1 + coalesce((SELECT max(id) FROM events), 0);
END)",

    // Erasure: salt, content and lookup go together, the commitment stays.
    R"(CREATE TRIGGER payloads_no_update BEFORE UPDATE ON payloads WHEN NOT (
    NEW.id IS OLD.id AND NEW.agent_id IS OLD.agent_id AND NEW.scope_id IS OLD.scope_id
    AND NEW.kind IS OLD.kind AND NEW.commitment IS OLD.commitment
    AND NEW.event_id IS OLD.event_id AND OLD.content IS NOT NULL
    AND NEW.lookup IS NULL AND NEW.salt IS NULL AND NEW.content IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'payloads: a payload can only be erased');
END)",

    R"(CREATE TRIGGER relations_no_update BEFORE UPDATE ON relations WHEN NOT (
    NEW.id IS OLD.id AND NEW.scope_id IS OLD.scope_id AND NEW.ordinal IS OLD.ordinal
    AND NEW.event_id IS OLD.event_id AND NEW.origin IS OLD.origin
    AND NEW.asserted_id IS OLD.asserted_id AND NEW.subject_entity_id IS OLD.subject_entity_id
    AND NEW.predicate_id IS OLD.predicate_id AND NEW.object_entity_id IS OLD.object_entity_id
    AND NEW.valid_us IS OLD.valid_us AND NEW.invalid_us IS OLD.invalid_us
    AND NEW.point IS OLD.point AND NEW.confidence IS OLD.confidence
    AND NEW.created_us IS OLD.created_us AND NEW.first_position IS OLD.first_position
    AND OLD.expired_us IS NULL AND NEW.expired_us IS NOT NULL
    AND NEW.expired_event_id IS NOT NULL
    AND NOT EXISTS(SELECT 1 FROM events WHERE id = NEW.expired_event_id))
BEGIN
  SELECT RAISE(ABORT, 'relations: only expired_us changes, once');
END)",

    R"(CREATE TRIGGER artifact_revisions_next BEFORE INSERT ON artifact_revisions BEGIN
  SELECT RAISE(ABORT, 'artifact_revisions: the revision is not the next one')
    WHERE NEW.revision IS NOT 1 + coalesce((SELECT max(revision) FROM artifact_revisions
      WHERE artifact_id = NEW.artifact_id), 0);
  SELECT RAISE(ABORT, 'artifact_revisions: the artifact belongs to another scope')
    WHERE NEW.scope_id IS NOT (SELECT scope_id FROM artifacts WHERE id = NEW.artifact_id);
END)",

    R"(CREATE TRIGGER artifact_sources_open_revision BEFORE INSERT ON artifact_sources
WHEN EXISTS(SELECT 1 FROM artifact_revisions WHERE artifact_id = NEW.artifact_id
  AND revision = NEW.revision AND event_id <> NEW.event_id)
BEGIN
  SELECT RAISE(ABORT, 'artifact_sources: the revision is closed');
END)",

    R"(CREATE TRIGGER relation_sources_open_relation BEFORE INSERT ON relation_sources
WHEN EXISTS(SELECT 1 FROM relations WHERE id = NEW.relation_id AND event_id <> NEW.event_id)
BEGIN
  SELECT RAISE(ABORT, 'relation_sources: the relation is closed');
END)",

    R"(CREATE TRIGGER predicates_next BEFORE INSERT ON predicates BEGIN
  SELECT RAISE(ABORT, 'predicates: the revision is not the next one')
    WHERE NEW.revision IS NOT 1 + coalesce((SELECT max(revision) FROM predicates
      WHERE id = NEW.id), 0);
  SELECT RAISE(ABORT, 'predicates: a predicate keeps its name')
    WHERE EXISTS(SELECT 1 FROM predicates
      WHERE (id = NEW.id) <> (name_id = NEW.name_id)
        AND (id = NEW.id OR name_id = NEW.name_id));
END)",

    R"(CREATE TRIGGER relations_ends BEFORE INSERT ON relations BEGIN
  SELECT RAISE(ABORT, 'relations: an end or the predicate belongs to another scope')
    WHERE NEW.scope_id IS NOT (SELECT scope_id FROM entities WHERE id = NEW.subject_entity_id)
      OR NEW.scope_id IS NOT (SELECT scope_id FROM entities WHERE id = NEW.object_entity_id)
      OR NEW.scope_id IS NOT (SELECT scope_id FROM predicates WHERE id = NEW.predicate_id
        AND revision = 1);
  SELECT RAISE(ABORT, 'relations: a new relation is not expired')
    WHERE NEW.expired_us IS NOT NULL;
END)",
};

std::string NameOf(std::string_view sql) {
  // CREATE [UNIQUE] {TABLE|INDEX|TRIGGER} name
  std::size_t at = sql.find(' ') + 1;
  if (sql.substr(at, 6) == "UNIQUE") at = sql.find(' ', at) + 1;
  at = sql.find(' ', at) + 1;
  return std::string(sql.substr(at, sql.find_first_of(" (", at) - at));
}

std::vector<SchemaObject> Build() {
  std::vector<SchemaObject> objects;
  const auto add = [&](std::string sql) {
    std::string name = NameOf(sql);
    objects.push_back({std::move(name), std::move(sql)});
  };
  for (const char* sql : kTables) add(sql);
  for (const char* sql : kIndexes) add(sql);
  for (const char* sql : kTriggers) add(sql);
  const auto forbid = [&](const std::string& table, const char* what, const char* done) {
    std::string verb = what == std::string_view("update") ? "UPDATE" : "DELETE";
    add("CREATE TRIGGER " + table + "_no_" + what + " BEFORE " + verb + " ON " + table +
        " BEGIN\n  SELECT RAISE(ABORT, '" + table + ": rows are never " + done + "');\nEND");
  };
  for (const ChainedTable& chained : kChained) {
    const std::string table = chained.name;
    if (chained.event_index) {
      add("CREATE INDEX " + table + "_by_event ON " + table + "(event_id)");
    }
    if (!chained.may_change) forbid(table, "update", "changed");
    forbid(table, "delete", "deleted");
    add("CREATE TRIGGER " + table + "_open_event BEFORE INSERT ON " + table +
        "\nWHEN EXISTS(SELECT 1 FROM events WHERE id = NEW.event_id)\nBEGIN\n"
        "  SELECT RAISE(ABORT, '" +
        table + ": the event is closed');\nEND");
  }
  for (const char* table : {"events", "store"}) {
    forbid(table, "update", "changed");
    forbid(table, "delete", "deleted");
  }
  return objects;
}

}  // namespace

const std::vector<SchemaObject>& SchemaVersion1() {
  static const std::vector<SchemaObject> objects = Build();
  return objects;
}

}  // namespace souvenance::storage
