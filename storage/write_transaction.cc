// Events: begun, given their rows, ended. The rows are in write_rows.cc and write_graph.cc.
#include <openssl/rand.h>

#include <algorithm>
#include <cstring>

#include "storage/writing.h"

namespace souvenance::storage {

namespace {

constexpr std::size_t kSaltBytes = 16;

constexpr char kLastPayload[] = "SELECT max(id) FROM payloads";
constexpr char kLastAgent[] = "SELECT max(id) FROM agents";
constexpr char kLastScope[] = "SELECT max(id) FROM scopes";
constexpr char kLastScopeOrdinal[] = "SELECT max(ordinal) FROM scopes WHERE agent_id = ?1";
constexpr char kCountPayloads[] = "SELECT count(*) FROM payloads WHERE scope_id = ?1";
constexpr char kCountAgentPayloads[] =
    "SELECT count(*) FROM payloads WHERE agent_id = ?1 AND scope_id IS NULL";

constexpr char kInsertPayload[] =
    "INSERT INTO payloads(id, agent_id, scope_id, kind, lookup, salt, content, commitment,"
    " event_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
constexpr char kInsertAgent[] = "INSERT INTO agents(id, name_id, event_id) VALUES (?1, ?2, ?3)";
constexpr char kInsertScope[] =
    "INSERT INTO scopes(id, agent_id, ordinal, name_id, event_id) VALUES (?1, ?2, ?3, ?4, ?5)";
constexpr char kInsertEvent[] =
    "INSERT INTO events(id, agent_id, scope_id, sequence, kind, recorded_us, reason_id,"
    " commitment, rows_digest, previous_hash, hash)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
constexpr char kSelectScopeFacts[] =
    "SELECT s.agent_id, p.content, p.commitment FROM scopes s"
    " JOIN payloads p ON p.id = s.name_id WHERE s.id = ?1";
constexpr char kSelectAgentExists[] = "SELECT 1 FROM agents WHERE id = ?1";
constexpr char kSelectAlias[] =
    "SELECT id FROM payloads WHERE lookup = ?1 AND lookup IS NOT NULL AND kind = 12"
    " AND content = ?2";
constexpr char kSelectAgentName[] =
    "SELECT p.commitment FROM agents a JOIN payloads p ON p.id = a.name_id WHERE a.id = ?1";

Salt DrawSalt(TransactionState& state, ScopeId scope) {
  Salt salt{};
  if (state.store->options.salt) {
    const std::int64_t count =
        Raw(scope) == 0 ? NextNumber(state, kCountAgentPayloads, Raw(CurrentEvent(state).agent))
                        : NextNumber(state, kCountPayloads, Raw(scope));
    const std::string name = Raw(scope) == 0 ? "" : FactsOfScope(state, scope).name;
    return state.store->options.salt(name, static_cast<std::uint64_t>(count));
  }
  // One call for many salts: each costs more than the hashing.
  std::string& random = state.write->random;
  if (random.size() < kSaltBytes) {
    random.resize(4096);
    if (RAND_bytes(reinterpret_cast<unsigned char*>(random.data()),
                   static_cast<int>(random.size())) != 1) {
      Throw(ErrorCode::kUnavailable, "the system gives no random numbers");
    }
  }
  std::memcpy(salt.data(), random.data() + random.size() - kSaltBytes, kSaltBytes);
  random.resize(random.size() - kSaltBytes);
  return salt;
}

Digest AgentCommitment(TransactionState& state, AgentId agent) {
  const auto statement = state.Use(kSelectAgentName);
  statement->Bind(agent);
  if (!statement->Step()) return kZeroDigest;
  return ToDigest(statement->Bytes(0));
}

// A payload with a given id; agents and scopes have theirs before it exists.
void InsertPayload(TransactionState& state, PayloadId id, ScopeId scope, PayloadKind kind,
                   std::string_view content, const std::optional<Digest>& lookup) {
  WriteState::OpenEvent& event = CurrentEvent(state);
  const Salt salt = DrawSalt(state, scope);
  const Digest commitment = Commit(salt, content);
  std::optional<Blob> key;
  if (lookup) key = Blob{View(*lookup)};
  const auto insert = state.Use(kInsertPayload);
  insert->Bind(id, event.agent, scope, kind, key, Blob{View(salt)}, Blob{content},
               Blob{View(commitment)}, event.id);
  insert->Run();
  state.write->commitments[Raw(id)] = commitment;

  // The names of agents and scopes commit to themselves.
  const Digest agent = kind == PayloadKind::kAgentName ? commitment : event.agent_commitment;
  if (kind == PayloadKind::kAgentName) event.agent_commitment = commitment;
  if (kind == PayloadKind::kScopeName) {
    event.scope_commitment = commitment;
    state.write->scopes[Raw(scope)].commitment = commitment;
  }
  RowEncoder row(ChainTable::kPayloads);
  row.Commitment(agent);
  if (Raw(scope) == 0) {
    row.Null();
  } else {
    row.Commitment(event.scope_commitment);
  }
  row.Integer(static_cast<int>(kind)).Commitment(commitment);
  event.rows.push_back(row.Take());
}

void Begin(TransactionState& state, AgentId agent, ScopeId scope, EventKind kind, Timestamp now) {
  if (state.write->event) Throw(ErrorCode::kInternal, "the event before it was not ended");
  WriteState::OpenEvent event;
  auto head = state.write->heads.find(Raw(agent));
  if (head == state.write->heads.end()) {
    head = state.write->heads.emplace(Raw(agent), HeadOf(state, agent)).first;
  }
  event.previous = head->second;
  event.id = static_cast<EventId>(NextNumber(state, kSelectLastEvent));
  event.agent = agent;
  event.scope = scope;
  event.kind = kind;
  event.at = now;
  event.agent_commitment = AgentCommitment(state, agent);
  if (Raw(scope) != 0) event.scope_commitment = FactsOfScope(state, scope).commitment;
  state.write->event = std::move(event);
}

ChainHead End(TransactionState& state) {
  WriteState::OpenEvent& event = CurrentEvent(state);
  const PayloadId main =
      event.source_content != kNoPayload ? event.source_content : event.revision_content;
  EventImage image;
  image.sequence = event.previous.sequence + 1;
  image.kind = static_cast<std::uint8_t>(event.kind);
  image.scope = event.scope_commitment;
  image.recorded_us = Micros(event.at);
  if (event.reason != kNoPayload) image.reason = CommitmentOfPayload(state, event.reason);
  if (main != kNoPayload) image.content = CommitmentOfPayload(state, main);
  image.rows = RowsDigest(event.rows);
  const ChainHead head{image.sequence, EventHash(event.previous.hash, image)};
  const auto insert = state.Use(kInsertEvent);
  insert->Bind(event.id, event.agent, event.scope, image.sequence, event.kind, event.at,
               event.reason, Blob{View(image.content)}, Blob{View(image.rows)},
               Blob{View(event.previous.hash)}, Blob{View(head.hash)});
  insert->Run();
  state.write->heads[Raw(event.agent)] = head;
  state.write->event.reset();
  return head;
}

AgentId CreateAgent(TransactionState& state, std::string_view name, Timestamp now) {
  const auto agent = static_cast<AgentId>(NextNumber(state, kLastAgent));
  Begin(state, agent, ScopeId{0}, EventKind::kAgentCreated, now);
  const auto payload = static_cast<PayloadId>(NextNumber(state, kLastPayload));
  {
    const auto insert = state.Use(kInsertAgent);
    insert->Bind(agent, payload, CurrentEvent(state).id);
    insert->Run();
  }
  const Digest lookup = state.store->Lookup(AgentId{0}, ScopeId{0}, PayloadKind::kAgentName, name);
  InsertPayload(state, payload, ScopeId{0}, PayloadKind::kAgentName, name, lookup);
  RowEncoder row(ChainTable::kAgents);
  EncodePayload(row, state, payload);
  CurrentEvent(state).rows.push_back(row.Take());
  End(state);
  return agent;
}

ScopeRow CreateScope(TransactionState& state, AgentId agent, const Scope& scope, Timestamp now) {
  const std::string name = FormatScope(scope);
  const auto id = static_cast<ScopeId>(NextNumber(state, kLastScope));
  state.write->scopes[Raw(id)] = {agent, name, {}};
  Begin(state, agent, id, EventKind::kScopeCreated, now);
  const auto payload = static_cast<PayloadId>(NextNumber(state, kLastPayload));
  const std::int64_t ordinal = NextNumber(state, kLastScopeOrdinal, Raw(agent));
  {
    const auto insert = state.Use(kInsertScope);
    insert->Bind(id, agent, ordinal, payload, CurrentEvent(state).id);
    insert->Run();
  }
  const Digest lookup = state.store->Lookup(agent, ScopeId{0}, PayloadKind::kScopeName, name);
  InsertPayload(state, payload, id, PayloadKind::kScopeName, name, lookup);
  RowEncoder row(ChainTable::kScopes);
  row.Commitment(CurrentEvent(state).agent_commitment).Integer(ordinal);
  EncodePayload(row, state, payload);
  CurrentEvent(state).rows.push_back(row.Take());
  End(state);
  return {id, agent, static_cast<Ordinal>(ordinal), scope};
}

// The length of the UTF-8 sequence at the front of a text, 0 when it is none.
std::size_t SequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return lead == 0 ? 0 : 1;
  const std::size_t length = lead >= 0xf0 ? 4 : (lead >= 0xe0 ? 3 : 2);
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte(1);
  if (lead == 0xe0 && second < 0xa0) return 0;  // written longer than needed
  if (lead == 0xed && second > 0x9f) return 0;  // half of a surrogate pair
  if (lead == 0xf0 && second < 0x90) return 0;
  if (lead == 0xf4 && second > 0x8f) return 0;  // beyond U+10FFFF
  return length;
}

}  // namespace

WriteState::OpenEvent& CurrentEvent(TransactionState& state) {
  if (!state.write || !state.write->event) {
    throw Failure{{ErrorCode::kInternal, "no event was begun", {}}, true};
  }
  return *state.write->event;
}

WriteState::OpenEvent& CurrentScopeEvent(TransactionState& state) {
  WriteState::OpenEvent& event = CurrentEvent(state);
  if (Raw(event.scope) == 0) {
    throw Failure{{ErrorCode::kInternal, "the event belongs to no scope", {}}, true};
  }
  return event;
}

std::int64_t NextNumber(TransactionState& state, const char* sql, std::int64_t key) {
  const auto [it, fresh] = state.write->counters.try_emplace({sql, key}, 0);
  if (fresh) {
    const auto statement = state.Use(sql);
    if (key != 0) statement->Bind(key);
    statement->Step();
    it->second = statement->Int(0);
  }
  return ++it->second;
}

PayloadId AddPayload(TransactionState& state, PayloadKind kind, std::string_view content,
                     const std::optional<Digest>& lookup) {
  const auto id = static_cast<PayloadId>(NextNumber(state, kLastPayload));
  InsertPayload(state, id, CurrentEvent(state).scope, kind, content, lookup);
  return id;
}

PayloadId Intern(TransactionState& state, PayloadKind kind, std::string_view name,
                 std::string_view key) {
  if (name.empty()) return kNoPayload;
  const ScopeId scope = CurrentEvent(state).scope;
  const Digest lookup = state.store->Lookup(AgentId{0}, scope, kind, key);
  // Two aliases may share a key and be written differently.
  std::string cache_key(View(lookup));
  if (kind == PayloadKind::kAlias) cache_key += name;
  const auto cached = state.write->interned.find(cache_key);
  if (cached != state.write->interned.end()) return cached->second;
  std::optional<PayloadId> found;
  if (kind == PayloadKind::kAlias) {
    const auto statement = state.Use(kSelectAlias);
    statement->Bind(Blob{View(lookup)}, Blob{name});
    if (statement->Step()) found = statement->As<PayloadId>(0);
  } else {
    found = FindPayload(state, lookup);
  }
  const PayloadId id = found ? *found : AddPayload(state, kind, name, lookup);
  state.write->interned.emplace(std::move(cache_key), id);
  return id;
}

Digest CommitmentOfPayload(TransactionState& state, PayloadId id) {
  const auto known = state.write->commitments.find(Raw(id));
  if (known != state.write->commitments.end()) return known->second;
  const Digest commitment = CommitmentOf(state, id);
  state.write->commitments.emplace(Raw(id), commitment);
  return commitment;
}

const ScopeFacts& FactsOfScope(TransactionState& state, ScopeId id) {
  const auto known = state.write->scopes.find(Raw(id));
  if (known != state.write->scopes.end()) return known->second;
  const auto statement = state.Use(kSelectScopeFacts);
  statement->Bind(id);
  if (!statement->Step()) {
    Refuse(ErrorCode::kInvalidArgument, "no scope " + std::to_string(Raw(id)));
  }
  ScopeFacts facts{statement->As<AgentId>(0), std::string(statement->Bytes(1)),
                   ToDigest(statement->Bytes(2))};
  return state.write->scopes.emplace(Raw(id), std::move(facts)).first->second;
}

void CheckText(std::string_view text, const char* what) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = SequenceLength(text.substr(at));
    if (length == 0) {
      Refuse(ErrorCode::kInvalidData, std::string(what) + ": byte " + std::to_string(at) +
                                          (text[at] == '\0' ? " is a NUL" : " is not UTF-8"));
    }
    at += length;
  }
}

void EncodePayload(RowEncoder& row, TransactionState& state, PayloadId id) {
  if (id == kNoPayload) {
    row.Null();
  } else {
    row.Commitment(CommitmentOfPayload(state, id));
  }
}

void EncodeTime(RowEncoder& row, const std::optional<Timestamp>& time) {
  if (time) {
    row.Integer(Micros(*time));
  } else {
    row.Null();
  }
}

WriteTransaction::~WriteTransaction() = default;

Result<AgentId> WriteTransaction::EnsureAgent(std::string_view name, Timestamp now) {
  const auto found = FindAgent(name);
  if (!found) return Fail(found.error());
  if (*found) return **found;
  TransactionState& state = *connection_;
  return Guard(state, "create an agent", [&] {
    if (name.find_first_not_of(' ') == std::string_view::npos) {
      Refuse(ErrorCode::kInvalidArgument, "the name is blank");
    }
    CheckText(name, "the agent's name");
    return CreateAgent(state, name, now);
  });
}

Result<ScopeRow> WriteTransaction::EnsureScope(AgentId agent, const Scope& scope, Timestamp now) {
  const auto found = FindScope(agent, scope);
  if (!found) return Fail(found.error());
  if (*found) return **found;
  TransactionState& state = *connection_;
  return Guard(state, "create a scope", [&] {
    {
      const auto statement = state.Use(kSelectAgentExists);
      statement->Bind(agent);
      if (!statement->Step()) Refuse(ErrorCode::kInvalidArgument, "no such agent");
    }
    CheckText(scope.name, "the scope's name");
    // A name that cannot be read back as this scope is none.
    const auto again = ParseScope(FormatScope(scope));
    if (!again || *again != scope) {
      Refuse(ErrorCode::kInvalidArgument, "\"" + FormatScope(scope) + "\" names no scope");
    }
    return CreateScope(state, agent, scope, now);
  });
}

Result<EventId> WriteTransaction::BeginEvent(AgentId agent, ScopeId scope, EventKind kind,
                                             Timestamp now, std::string_view reason) {
  TransactionState& state = *connection_;
  return Guard(state, "begin an event", [&] {
    CheckText(reason, "the reason");
    if (Raw(scope) != 0 && FactsOfScope(state, scope).agent != agent) {
      Refuse(ErrorCode::kInvalidArgument, "the scope belongs to another agent");
    }
    Begin(state, agent, scope, kind, now);
    if (!reason.empty()) {
      CurrentEvent(state).reason = AddPayload(state, PayloadKind::kReason, reason);
    }
    return CurrentEvent(state).id;
  });
}

Result<ChainHead> WriteTransaction::EndEvent() {
  TransactionState& state = *connection_;
  return Guard(state, "end an event", [&] { return End(state); });
}

}  // namespace souvenance::storage
