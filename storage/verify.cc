// The proof: the chain is computed again from the rows, and the rules that the database cannot
// state are asked as queries that must find nothing.
#include <bit>
#include <unordered_map>

#include "storage/transaction.h"

namespace souvenance::storage {

namespace {

constexpr char kSelectEvents[] =
    "SELECT id, agent_id, scope_id, sequence, kind, recorded_us, reason_id, commitment,"
    " rows_digest, previous_hash, hash FROM events ORDER BY id";
constexpr char kSelectPayloads[] =
    "SELECT id, agent_id, scope_id, kind, lookup, salt, content, commitment, event_id"
    " FROM payloads ORDER BY id";
constexpr char kSelectCommitment[] = "SELECT commitment FROM payloads WHERE id = ?1";
constexpr char kSelectAgent[] =
    "SELECT p.commitment FROM agents a JOIN payloads p ON p.id = a.name_id WHERE a.id = ?1";
constexpr char kSelectScope[] =
    "SELECT p.commitment FROM scopes s JOIN payloads p ON p.id = s.name_id WHERE s.id = ?1";
constexpr char kSelectPredicate[] =
    "SELECT p.commitment FROM predicates r JOIN payloads p ON p.id = r.name_id"
    " WHERE r.id = ?1 LIMIT 1";
constexpr char kSelectSource[] = "SELECT scope_id, ordinal FROM sources WHERE id = ?1";
constexpr char kSelectArtifact[] = "SELECT scope_id, ordinal FROM artifacts WHERE id = ?1";
constexpr char kSelectEntity[] = "SELECT scope_id, ordinal FROM entities WHERE id = ?1";
constexpr char kSelectRelation[] = "SELECT scope_id, ordinal FROM relations WHERE id = ?1";
constexpr char kSelectSkill[] = "SELECT scope_id, ordinal FROM skills WHERE id = ?1";
constexpr char kSelectSequence[] = "SELECT sequence FROM events WHERE id = ?1";
constexpr char kSelectMainContent[] =
    "SELECT coalesce("
    " (SELECT content_id FROM sources WHERE event_id = ?1 ORDER BY id LIMIT 1),"
    " (SELECT content_id FROM artifact_revisions WHERE event_id = ?1 ORDER BY ordinal LIMIT 1))";
constexpr char kSelectAgentNames[] =
    "SELECT a.id, coalesce(p.content, '') FROM agents a JOIN payloads p ON p.id = a.name_id"
    " ORDER BY a.id";

// What must find nothing. The first column is an event's id or 0, the second names the row.
struct Rule {
  const char* sql;
  const char* says;
};

// Ordinals count from 1 without a gap.
#define NO_GAP(table)                                                                              \
  {                                                                                                \
    "SELECT 0, scope_id FROM " table " GROUP BY scope_id HAVING max(ordinal) <> count(*) LIMIT 1", \
        table ": the ordinals of a scope have a gap, scope"                                        \
  }
// A row lies in the scope of its event.
#define SAME_SCOPE(table)                                                               \
  {                                                                                     \
    "SELECT e.id, t.rowid FROM " table                                                  \
    " t JOIN events e ON e.id = t.event_id WHERE t.scope_id IS NOT e.scope_id LIMIT 1", \
        table ": a row lies in another scope than its event, row"                       \
  }

constexpr Rule kRules[] = {
    {"SELECT e.id, e.id FROM events e JOIN scopes s ON s.id = e.scope_id"
     " WHERE s.agent_id <> e.agent_id LIMIT 1",
     "events: an event lies in the scope of another agent, event"},
    {"SELECT e.id, a.id FROM agents a JOIN events e ON e.id = a.event_id"
     " WHERE e.agent_id <> a.id LIMIT 1",
     "agents: an agent was created by an event of another, agent"},
    {"SELECT e.id, s.id FROM scopes s JOIN events e ON e.id = s.event_id"
     " WHERE e.agent_id <> s.agent_id OR e.scope_id IS NOT s.id LIMIT 1",
     "scopes: a scope was created by an event of another, scope"},
    {"SELECT e.id, t.id FROM payloads t JOIN events e ON e.id = t.event_id"
     " WHERE t.agent_id <> e.agent_id OR t.scope_id IS NOT e.scope_id LIMIT 1",
     "payloads: a payload lies elsewhere than its event, payload"},
    SAME_SCOPE("sources"),
    SAME_SCOPE("artifacts"),
    SAME_SCOPE("reinforcements"),
    SAME_SCOPE("entities"),
    SAME_SCOPE("relations"),
    {"SELECT e.id, t.artifact_id FROM artifact_revisions t JOIN events e ON e.id = t.event_id"
     " JOIN artifacts a ON a.id = t.artifact_id"
     " WHERE t.scope_id IS NOT e.scope_id OR a.scope_id IS NOT t.scope_id LIMIT 1",
     "artifact_revisions: a revision lies in another scope than its artifact, artifact"},
    {"SELECT e.id, t.id FROM predicates t JOIN events e ON e.id = t.event_id"
     " WHERE t.scope_id IS NOT e.scope_id LIMIT 1",
     "predicates: a row lies in another scope than its event, predicate"},
    NO_GAP("sources"),
    NO_GAP("artifacts"),
    NO_GAP("artifact_revisions"),
    NO_GAP("entities"),
    NO_GAP("relations"),
    {"SELECT 0, artifact_id FROM artifact_revisions GROUP BY artifact_id"
     " HAVING max(revision) <> count(*) LIMIT 1",
     "artifact_revisions: the revisions of an artifact have a gap, artifact"},
    {"SELECT event_id, artifact_id FROM artifact_revisions WHERE first_position <> 1 LIMIT 1",
     "artifact_revisions: a revision does not name its first evidence, artifact"},
    {"SELECT event_id, id FROM relations WHERE first_position <> 1"
     " OR (expired_us IS NULL) <> (expired_event_id IS NULL) LIMIT 1",
     "relations: a relation does not name its first evidence or its expiry, relation"},
    {"SELECT 0, id FROM predicates GROUP BY id HAVING max(revision) <> count(*)"
     " OR min(name_id) <> max(name_id) LIMIT 1",
     "predicates: the declarations of a predicate have a gap or two names, predicate"},
    {"SELECT r.event_id, r.id FROM relations r LEFT JOIN predicates p ON p.id = r.predicate_id"
     " AND p.revision = 1 WHERE p.scope_id IS NOT r.scope_id LIMIT 1",
     "relations: a relation has no predicate in its scope, relation"},
    {"SELECT a.event_id, a.id FROM artifacts a WHERE NOT EXISTS(SELECT 1 FROM"
     " artifact_revisions r WHERE r.artifact_id = a.id) LIMIT 1",
     "artifacts: an artifact has no revision, artifact"},
    {"SELECT r.event_id, r.artifact_id FROM artifact_revisions r WHERE NOT EXISTS(SELECT 1"
     " FROM artifact_sources s WHERE s.artifact_id = r.artifact_id"
     " AND s.revision = r.revision) LIMIT 1",
     "artifact_revisions: a revision has no evidence, artifact"},
    {"SELECT t.event_id, t.artifact_id FROM artifact_sources t WHERE NOT EXISTS(SELECT 1 FROM"
     " artifact_revisions r WHERE r.artifact_id = t.artifact_id AND r.revision = t.revision"
     " AND r.event_id = t.event_id) LIMIT 1",
     "artifact_sources: evidence without its revision, artifact"},
    {"SELECT t.event_id, t.artifact_id FROM artifact_sources t"
     " JOIN artifacts a ON a.id = t.artifact_id JOIN sources s ON s.id = t.source_id"
     " WHERE a.scope_id <> s.scope_id OR s.event_id > t.event_id LIMIT 1",
     "artifact_sources: the evidence lies in another scope or later, artifact"},
    {"SELECT t.event_id, t.artifact_id FROM artifact_sources t"
     " JOIN sources s ON s.id = t.source_id JOIN payloads p ON p.id = s.content_id"
     " WHERE t.end_byte > length(p.content) LIMIT 1",
     "artifact_sources: the evidence lies outside its source, artifact"},
    {"SELECT r.event_id, r.id FROM relations r WHERE NOT EXISTS(SELECT 1 FROM"
     " relation_sources s WHERE s.relation_id = r.id) LIMIT 1",
     "relations: a relation has no evidence, relation"},
    {"SELECT t.event_id, t.relation_id FROM relation_sources t"
     " JOIN relations r ON r.id = t.relation_id JOIN sources s ON s.id = t.source_id"
     " WHERE r.scope_id <> s.scope_id OR r.event_id <> t.event_id LIMIT 1",
     "relation_sources: the evidence lies in another scope or event, relation"},
    {"SELECT r.event_id, r.id FROM relations r JOIN entities a ON a.id = r.subject_entity_id"
     " JOIN entities b ON b.id = r.object_entity_id JOIN relations o ON o.id = r.asserted_id"
     " WHERE a.scope_id <> r.scope_id OR b.scope_id <> r.scope_id"
     " OR o.scope_id <> r.scope_id LIMIT 1",
     "relations: an end lies in another scope, relation"},
    {"SELECT r.expired_event_id, r.id FROM relations r"
     " JOIN events e ON e.id = r.expired_event_id"
     " WHERE e.scope_id IS NOT r.scope_id OR r.expired_event_id < r.event_id LIMIT 1",
     "relations: a relation was expired elsewhere or before it was written, relation"},
    {"SELECT m.event_id, m.artifact_id FROM mentions m"
     " JOIN artifacts a ON a.id = m.artifact_id JOIN entities n ON n.id = m.entity_id"
     " WHERE a.scope_id <> n.scope_id LIMIT 1",
     "mentions: an artifact mentions an entity of another scope, artifact"},
    {"SELECT t.event_id, t.id FROM reinforcements t JOIN artifacts a ON a.id = t.artifact_id"
     " JOIN scopes s ON s.id = a.scope_id JOIN scopes o ON o.id = t.scope_id"
     " WHERE s.agent_id <> o.agent_id LIMIT 1",
     "reinforcements: the artifact belongs to another agent, reinforcement"},
};

#undef NO_GAP
#undef SAME_SCOPE

// A problem ends the check: the first one is what the report names.
struct Problem {
  std::string says;
  std::int64_t sequence = 0;
};

class Verifier {
 public:
  Verifier(TransactionState& state, VerifyReport& report,
           const std::function<void(std::int64_t)>& progress)
      : state_(state), report_(report), progress_(progress) {}

  void Run() {
    CheckDatabase();
    CheckPayloads();
    OpenCursors();
    CheckEvents();
    CheckRules();
  }

 private:
  // The rows of one table in the order of their events.
  struct Cursor {
    const ChainTableSpec* spec = nullptr;
    std::unique_ptr<Statement> statement;
    std::int64_t event = 0;
    bool more = false;
  };
  struct Head {
    std::int64_t sequence = 0;
    Digest hash{};
  };

  void CheckDatabase() {
    const auto integrity = state_.connection->Prepare("PRAGMA integrity_check(1)");
    if (integrity->Step() && integrity->Bytes(0) != "ok") {
      throw Problem{"the database is damaged: " + std::string(integrity->Bytes(0))};
    }
    const auto keys = state_.connection->Prepare("PRAGMA foreign_key_check");
    if (keys->Step()) {
      throw Problem{std::string(keys->Bytes(0)) + ": row " + std::to_string(keys->Int(1)) +
                    " names a row of " + std::string(keys->Bytes(2)) + " that does not exist"};
    }
  }

  std::int64_t SequenceOf(std::int64_t event) {
    const auto statement = state_.Use(kSelectSequence);
    statement->Bind(event);
    return statement->Step() ? statement->Int(0) : 0;
  }

  // The lookup of a payload whose key is its own text; entities and aliases are found by a key
  // that is not stored.
  static bool HasOwnKey(PayloadKind kind) {
    switch (kind) {
      case PayloadKind::kTags:
      case PayloadKind::kAgentName:
      case PayloadKind::kScopeName:
      case PayloadKind::kExternalId:
      case PayloadKind::kRequestId:
      case PayloadKind::kSession:
      case PayloadKind::kPerson:
      case PayloadKind::kEmotion:
      case PayloadKind::kPredicateName:
        return true;
      default:
        return false;
    }
  }

  void CheckPayloads() {
    const auto row = state_.Use(kSelectPayloads);
    while (row->Step()) {
      if (row->IsNull(6)) {
        ++report_.erased_payloads;
        continue;
      }
      const std::string_view salt = row->Bytes(5);
      const std::string_view content = row->Bytes(6);
      const Digest commitment =
          Commit({reinterpret_cast<const std::uint8_t*>(salt.data()), salt.size()}, content);
      if (View(commitment) != row->Bytes(7)) {
        throw Problem{"payload " + std::to_string(row->Int(0)) +
                          ": the content does not match its commitment",
                      SequenceOf(row->Int(8))};
      }
      const auto kind = row->As<PayloadKind>(3);
      const bool named = kind == PayloadKind::kEntityName || kind == PayloadKind::kAlias;
      bool right = row->IsNull(4) != (named || HasOwnKey(kind));
      if (HasOwnKey(kind)) {
        const bool agent = kind == PayloadKind::kScopeName;
        const bool scope = kind != PayloadKind::kScopeName && kind != PayloadKind::kAgentName;
        const Digest lookup =
            state_.store->Lookup(agent ? row->As<AgentId>(1) : AgentId{0},
                                 scope ? row->As<ScopeId>(2) : ScopeId{0}, kind, content);
        right = View(lookup) == row->Bytes(4);
      }
      if (!right) {
        throw Problem{"payload " + std::to_string(row->Int(0)) + ": it cannot be looked up",
                      SequenceOf(row->Int(8))};
      }
    }
  }

  void OpenCursors() {
    for (const ChainTableSpec& spec : ChainTables()) {
      std::string sql = std::string("SELECT ") + spec.event_column;
      for (const ChainColumn& column : spec.columns) sql += std::string(", ") + column.name;
      sql += std::string(" FROM ") + spec.name + " WHERE " + spec.event_column +
             " IS NOT NULL ORDER BY " + spec.event_column;
      cursors_.push_back({&spec, state_.connection->Prepare(sql), 0, false});
      Advance(cursors_.back());
    }
  }

  static void Advance(Cursor& cursor) {
    cursor.more = cursor.statement->Step();
    cursor.event = cursor.more ? cursor.statement->Int(0) : 0;
  }

  std::optional<Digest> CommitmentBy(const char* sql, std::int64_t id) {
    const auto statement = state_.Use(sql);
    statement->Bind(id);
    if (!statement->Step()) return std::nullopt;
    return ToDigest(statement->Bytes(0));
  }

  // Of the scopes and agents there are few, and every row names one.
  const Digest& Remembered(std::unordered_map<std::int64_t, Digest>& known, const char* sql,
                           std::int64_t id) {
    const auto it = known.find(id);
    if (it != known.end()) return it->second;
    return known.emplace(id, CommitmentBy(sql, id).value_or(kZeroDigest)).first->second;
  }
  const Digest& ScopeOf(std::int64_t id) { return Remembered(scopes_, kSelectScope, id); }
  const Digest& AgentOf(std::int64_t id) { return Remembered(agents_, kSelectAgent, id); }

  void EncodeReference(RowEncoder& out, const char* sql, std::int64_t id) {
    const auto statement = state_.Use(sql);
    statement->Bind(id);
    if (statement->Step()) {
      out.Reference(ScopeOf(statement->Int(0)), statement->Int(1));
    } else {
      out.Reference(kZeroDigest, 0);
    }
  }

  void EncodeValue(RowEncoder& out, ColumnKind kind, const Statement& row, int column) {
    if (row.IsNull(column)) {
      out.Null();
      return;
    }
    switch (kind) {
      case ColumnKind::kInteger:
        out.Integer(row.Int(column));
        return;
      case ColumnKind::kReal:
        out.Real(row.Real(column));
        return;
      case ColumnKind::kText:
        out.Text(row.Bytes(column));
        return;
      case ColumnKind::kDigest:
        out.Commitment(ToDigest(row.Bytes(column)));
        return;
      case ColumnKind::kPayload:
        out.Commitment(CommitmentBy(kSelectCommitment, row.Int(column)).value_or(kZeroDigest));
        return;
      case ColumnKind::kAgent:
        out.Commitment(AgentOf(row.Int(column)));
        return;
      case ColumnKind::kScope:
        out.Commitment(ScopeOf(row.Int(column)));
        return;
      case ColumnKind::kPredicate:
        out.Commitment(CommitmentBy(kSelectPredicate, row.Int(column)).value_or(kZeroDigest));
        return;
      case ColumnKind::kSource:
        EncodeReference(out, kSelectSource, row.Int(column));
        return;
      case ColumnKind::kArtifact:
        EncodeReference(out, kSelectArtifact, row.Int(column));
        return;
      case ColumnKind::kEntity:
        EncodeReference(out, kSelectEntity, row.Int(column));
        return;
      case ColumnKind::kRelation:
        EncodeReference(out, kSelectRelation, row.Int(column));
        return;
      case ColumnKind::kSkill:
        EncodeReference(out, kSelectSkill, row.Int(column));
        return;
    }
  }

  // Encodes what every table holds of this event, and stops at a row that no event wrote.
  Digest RowsOf(std::int64_t event) {
    std::vector<std::string> rows;
    for (Cursor& cursor : cursors_) {
      while (cursor.more && cursor.event <= event) {
        if (cursor.event < event) NoEvent(cursor);
        RowEncoder row(cursor.spec->table);
        int column = 0;
        for (const ChainColumn& spec : cursor.spec->columns) {
          EncodeValue(row, spec.kind, *cursor.statement, ++column);
        }
        rows.push_back(row.Take());
        Advance(cursor);
      }
    }
    return RowsDigest(rows);
  }

  [[noreturn]] static void NoEvent(const Cursor& cursor) {
    throw Problem{std::string(cursor.spec->name) + ": a row names the event " +
                  std::to_string(cursor.event) + ", which does not exist"};
  }

  void CheckEvents() {
    const auto row = state_.Use(kSelectEvents);
    std::int64_t done = 0;
    while (row->Step()) {
      CheckEvent(*row);
      if (progress_) progress_(++done);
    }
    for (const Cursor& cursor : cursors_) {
      if (cursor.more) NoEvent(cursor);
    }
    const auto names = state_.Use(kSelectAgentNames);
    while (names->Step()) {
      const Head& head = heads_[names->Int(0)];
      report_.heads.emplace_back(std::string(names->Bytes(1)), ChainHead{head.sequence, head.hash});
    }
  }

  void CheckEvent(const Statement& row) {
    const std::int64_t id = row.Int(0);
    Head& head = heads_[row.Int(1)];
    const std::int64_t sequence = row.Int(3);
    const auto problem = [&](const std::string& says) {
      throw Problem{"event " + std::to_string(sequence) + ": " + says, sequence};
    };
    if (sequence != head.sequence + 1) {
      problem("the event " + std::to_string(head.sequence + 1) + " is missing before it");
    }
    if (ToDigest(row.Bytes(9)) != head.hash) problem("it does not follow its predecessor");
    EventImage image;
    image.sequence = sequence;
    image.kind = row.As<std::uint8_t>(4);
    if (!row.IsNull(2)) image.scope = ScopeOf(row.Int(2));
    image.recorded_us = row.Int(5);
    if (!row.IsNull(6)) {
      image.reason = CommitmentBy(kSelectCommitment, row.Int(6)).value_or(kZeroDigest);
    }
    {
      const auto main = state_.Use(kSelectMainContent);
      main->Bind(id);
      if (main->Step() && !main->IsNull(0)) {
        image.content = CommitmentBy(kSelectCommitment, main->Int(0)).value_or(kZeroDigest);
      }
    }
    if (ToDigest(row.Bytes(7)) != image.content) problem("the content is another one");
    image.rows = RowsOf(id);
    if (ToDigest(row.Bytes(8)) != image.rows) {
      problem("the rows that it wrote do not match their digest");
    }
    const Digest hash = EventHash(head.hash, image);
    if (ToDigest(row.Bytes(10)) != hash) problem("the hash does not match");
    head = {sequence, hash};
  }

  void CheckRules() {
    for (const Rule& rule : kRules) {
      const auto statement = state_.connection->Prepare(rule.sql);
      if (statement->Step()) {
        throw Problem{std::string(rule.says) + " " + std::to_string(statement->Int(1)),
                      SequenceOf(statement->Int(0))};
      }
    }
  }

  TransactionState& state_;
  VerifyReport& report_;
  const std::function<void(std::int64_t)>& progress_;
  std::vector<Cursor> cursors_;
  std::unordered_map<std::int64_t, Head> heads_;
  std::unordered_map<std::int64_t, Digest> scopes_;
  std::unordered_map<std::int64_t, Digest> agents_;
};

}  // namespace

Result<VerifyReport> ReadTransaction::Verify(const std::function<void(std::int64_t)>& progress) {
  TransactionState& state = *connection_;
  return Guard(state, "verify", [&] {
    VerifyReport report;
    const std::pair<const char*, std::int64_t*> counts[] = {
        {"SELECT count(*) FROM events", &report.events},
        {"SELECT count(*) FROM sources", &report.sources},
        {"SELECT count(*) FROM artifacts", &report.artifacts},
        {"SELECT count(*) FROM relations", &report.relations}};
    try {
      for (const auto& [sql, count] : counts) {
        const auto statement = state.connection->Prepare(sql);
        statement->Step();
        *count = statement->Int(0);
      }
      Verifier(state, report, progress).Run();
    } catch (const Problem& problem) {
      report.first_problem = problem.says;
      report.bad_sequence = problem.sequence;
    } catch (const Failure& failure) {
      // A damaged page is what `verify` looks for, not a reason to say nothing.
      if (failure.error.code != ErrorCode::kCorruption) throw;
      report.first_problem = "the database is damaged: " + failure.error.message;
    }
    return report;
  });
}

}  // namespace souvenance::storage
