// Sources, artifacts, revisions and the ledger.
#include <cmath>

#include "storage/writing.h"

namespace souvenance::storage {

namespace {

constexpr char kLastSource[] = "SELECT max(id) FROM sources";
constexpr char kLastSourceOrdinal[] = "SELECT max(ordinal) FROM sources WHERE scope_id = ?1";
constexpr char kLastArtifact[] = "SELECT max(id) FROM artifacts";
constexpr char kLastArtifactOrdinal[] = "SELECT max(ordinal) FROM artifacts WHERE scope_id = ?1";
constexpr char kLastRevisionOrdinal[] =
    "SELECT max(ordinal) FROM artifact_revisions WHERE scope_id = ?1";
constexpr char kLastRevision[] =
    "SELECT max(revision) FROM artifact_revisions WHERE artifact_id = ?1";
constexpr char kLastReinforcement[] = "SELECT max(id) FROM reinforcements";

constexpr char kInsertSource[] =
    "INSERT INTO sources(id, scope_id, ordinal, event_id, source_type, content_id, external_id,"
    " request_id, session_id, said_by, subject_id, metadata_id, event_time_us, received_us,"
    " created_us) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
constexpr char kInsertArtifact[] =
    "INSERT INTO artifacts(id, scope_id, ordinal, event_id, kind, verbatim)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
constexpr char kInsertRevision[] =
    "INSERT INTO artifact_revisions(artifact_id, revision, scope_id, ordinal, event_id, state,"
    " memory_type, shape, content_id, gist_id, tags_id, emotion_id, emotion_intensity, salience,"
    " sensitivity, confidence, session_id, said_by, subject_id, event_time_us, valid_us,"
    " invalid_us, created_us, first_position) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
    " ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, 1)";
constexpr char kInsertEvidence[] =
    "INSERT INTO artifact_sources(artifact_id, revision, position, event_id, source_id,"
    " begin_byte, end_byte) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
constexpr char kInsertReinforcement[] =
    "INSERT INTO reinforcements(id, scope_id, event_id, artifact_id, kind, session_id, amount,"
    " at_us) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
constexpr char kSelectSourceFacts[] =
    "SELECT s.scope_id, s.ordinal, length(p.content) FROM sources s"
    " JOIN payloads p ON p.id = s.content_id WHERE s.id = ?1";
constexpr char kSelectArtifactFacts[] = "SELECT scope_id, ordinal FROM artifacts WHERE id = ?1";
constexpr char kSelectArtifactHead[] = "SELECT kind, verbatim FROM artifacts WHERE id = ?1";
constexpr char kSelectPayloadPlace[] = "SELECT scope_id, kind FROM payloads WHERE id = ?1";
constexpr char kSourceHasExternalId[] = "SELECT 1 FROM sources WHERE external_id = ?1";
constexpr char kSourceHasRequestId[] = "SELECT 1 FROM sources WHERE request_id = ?1";

// Identities are looked at before anything is written, so that a conflict leaves the transaction
// as it was.
void RefuseTaken(TransactionState& state, ScopeId scope, PayloadKind kind, const char* sql,
                 std::string_view id, const char* what) {
  if (id.empty()) return;
  const auto payload = FindPayload(state, state.store->Lookup(AgentId{0}, scope, kind, id));
  if (!payload) return;
  const auto statement = state.Use(sql);
  statement->Bind(*payload);
  if (statement->Step()) {
    Refuse(ErrorCode::kConflict, std::string("a source with this ") + what + " exists");
  }
}

void CheckShare(double value, const char* what) {
  if (!(value >= 0 && value <= 1)) {
    Refuse(ErrorCode::kInvalidArgument, std::string(what) + " lies outside [0, 1]");
  }
}

// A payload that the caller names must be the scope's own: anything else would show one scope's
// text in another.
void CheckOwnPayload(TransactionState& state, ScopeId scope, PayloadId id) {
  if (id == kNoPayload) return;
  const auto statement = state.Use(kSelectPayloadPlace);
  statement->Bind(id);
  if (!statement->Step() || statement->As<ScopeId>(0) != scope) {
    Refuse(ErrorCode::kInvalidArgument, "the scope has no payload " + std::to_string(Raw(id)));
  }
}

void CheckRevision(TransactionState& state, ScopeId scope, const NewRevision& revision) {
  if (revision.evidence.empty()) {
    Refuse(ErrorCode::kInvalidArgument, "nothing is believed without evidence",
           "name at least one source");
  }
  for (const NewEvidence& evidence : revision.evidence) {
    const SourceFacts& source = FactsOfSource(state, evidence.source);
    if (source.scope != scope) {
      Refuse(ErrorCode::kInvalidArgument, "a source belongs to another scope");
    }
    if (evidence.begin > evidence.end || (source.length >= 0 && evidence.end > source.length)) {
      Refuse(ErrorCode::kInvalidArgument, "a span lies outside its source");
    }
  }
  CheckShare(revision.emotion_intensity, "the emotion's intensity");
  CheckShare(revision.salience, "salience");
  CheckShare(revision.sensitivity, "sensitivity");
  CheckShare(revision.confidence, "confidence");
  if (revision.valid_at && revision.invalid_at && *revision.valid_at >= *revision.invalid_at) {
    Refuse(ErrorCode::kInvalidArgument, "invalid_at does not lie after valid_at");
  }
  CheckOwnPayload(state, scope, revision.content_payload);
  CheckOwnPayload(state, scope, revision.gist_payload);
  CheckText(revision.content, "the content");
  CheckText(revision.gist, "the gist");
  CheckText(revision.tags_json, "the tags");
  CheckText(revision.emotion, "the emotion");
  CheckText(revision.session, "the session");
  CheckText(revision.speaker, "the speaker");
  CheckText(revision.subject, "the subject");
}

void InsertEvidence(TransactionState& state, const RevisionRow& row,
                    std::span<const NewEvidence> evidence) {
  WriteState::OpenEvent& event = CurrentEvent(state);
  std::int64_t position = 0;
  for (const NewEvidence& item : evidence) {
    const auto insert = state.Use(kInsertEvidence);
    insert->Bind(row.artifact, row.revision, ++position, event.id, item.source, item.begin,
                 item.end);
    insert->Run();
    const SourceFacts& source = FactsOfSource(state, item.source);
    RowEncoder encoder(ChainTable::kArtifactSources);
    encoder.Reference(event.scope_commitment, row.artifact_ordinal)
        .Integer(row.revision)
        .Integer(position)
        .Reference(event.scope_commitment, source.ordinal)
        .Integer(item.begin)
        .Integer(item.end);
    event.rows.push_back(encoder.Take());
  }
}

void EncodeRevision(TransactionState& state, const RevisionRow& row) {
  WriteState::OpenEvent& event = CurrentEvent(state);
  RowEncoder encoder(ChainTable::kArtifactRevisions);
  encoder.Reference(event.scope_commitment, row.artifact_ordinal)
      .Integer(row.revision)
      .Commitment(event.scope_commitment)
      .Integer(row.ordinal)
      .Integer(static_cast<int>(row.state))
      .Integer(static_cast<int>(row.memory_type))
      .Integer(static_cast<int>(row.shape));
  EncodePayload(encoder, state, row.content);
  EncodePayload(encoder, state, row.gist);
  EncodePayload(encoder, state, row.tags);
  EncodePayload(encoder, state, row.emotion);
  encoder.Real(row.emotion_intensity).Real(row.salience).Real(row.sensitivity).Real(row.confidence);
  EncodePayload(encoder, state, row.session);
  EncodePayload(encoder, state, row.speaker);
  EncodePayload(encoder, state, row.subject);
  encoder.Integer(Micros(row.event_time));
  EncodeTime(encoder, row.valid_at);
  EncodeTime(encoder, row.invalid_at);
  encoder.Integer(Micros(row.created_at));
  event.rows.push_back(encoder.Take());
}

// The next revision of `row.artifact`; fills in what the revision says.
RevisionRow InsertRevision(TransactionState& state, RevisionRow row, const NewRevision& from) {
  WriteState::OpenEvent& event = CurrentEvent(state);
  row.event = event.id;
  row.ordinal = static_cast<Ordinal>(NextNumber(state, kLastRevisionOrdinal, Raw(event.scope)));
  row.revision = static_cast<std::uint32_t>(NextNumber(state, kLastRevision, Raw(row.artifact)));
  row.state = from.state;
  row.memory_type = from.memory_type;
  row.shape = from.shape;
  row.content = from.content_payload != kNoPayload
                    ? from.content_payload
                    : AddPayload(state, PayloadKind::kContent, from.content);
  row.gist = from.gist_payload;
  if (row.gist == kNoPayload && !from.gist.empty()) {
    row.gist = AddPayload(state, PayloadKind::kGist, from.gist);
  }
  row.tags = Intern(state, PayloadKind::kTags, from.tags_json);
  row.emotion = Intern(state, PayloadKind::kEmotion, from.emotion);
  row.emotion_intensity = Normal(from.emotion_intensity);
  row.salience = Normal(from.salience);
  row.sensitivity = Normal(from.sensitivity);
  row.confidence = Normal(from.confidence);
  row.session = Intern(state, PayloadKind::kSession, from.session);
  row.speaker = Intern(state, PayloadKind::kPerson, from.speaker);
  row.subject = Intern(state, PayloadKind::kPerson, from.subject);
  row.event_time = from.event_time;
  row.valid_at = from.valid_at;
  row.invalid_at = from.invalid_at;
  row.created_at = event.at;
  // The evidence first: the revision's key to it is then satisfied at once.
  InsertEvidence(state, row, from.evidence);
  const auto insert = state.Use(kInsertRevision);
  insert->Bind(row.artifact, row.revision, event.scope, row.ordinal, event.id, row.state,
               row.memory_type, row.shape, row.content, row.gist, row.tags, row.emotion,
               row.emotion_intensity, row.salience, row.sensitivity, row.confidence, row.session,
               row.speaker, row.subject, row.event_time, row.valid_at, row.invalid_at,
               row.created_at);
  insert->Run();
  if (event.revision_content == kNoPayload) event.revision_content = row.content;
  EncodeRevision(state, row);
  return row;
}

void EncodeSource(TransactionState& state, const SourceRow& row) {
  WriteState::OpenEvent& event = CurrentEvent(state);
  RowEncoder encoder(ChainTable::kSources);
  encoder.Commitment(event.scope_commitment)
      .Integer(row.ordinal)
      .Integer(static_cast<int>(row.type));
  EncodePayload(encoder, state, row.content);
  EncodePayload(encoder, state, row.external_id);
  EncodePayload(encoder, state, row.request_id);
  EncodePayload(encoder, state, row.session);
  EncodePayload(encoder, state, row.speaker);
  EncodePayload(encoder, state, row.subject);
  EncodePayload(encoder, state, row.metadata);
  encoder.Integer(Micros(row.event_time));
  EncodeTime(encoder, row.received_at);
  encoder.Integer(Micros(row.created_at));
  event.rows.push_back(encoder.Take());
}

void CheckSource(TransactionState& state, ScopeId scope, const NewSource& source) {
  CheckText(source.content, "the content");
  CheckText(source.external_id, "the external id");
  CheckText(source.request_id, "the request id");
  CheckText(source.session, "the session");
  CheckText(source.speaker, "the speaker");
  CheckText(source.subject, "the subject");
  CheckText(source.metadata_json, "the metadata");
  RefuseTaken(state, scope, PayloadKind::kExternalId, kSourceHasExternalId, source.external_id,
              "external id");
  RefuseTaken(state, scope, PayloadKind::kRequestId, kSourceHasRequestId, source.request_id,
              "request id");
}

}  // namespace

const SourceFacts& FactsOfSource(TransactionState& state, SourceId id) {
  const auto known = state.write->sources.find(Raw(id));
  if (known != state.write->sources.end()) return known->second;
  const auto statement = state.Use(kSelectSourceFacts);
  statement->Bind(id);
  if (!statement->Step()) {
    Refuse(ErrorCode::kInvalidArgument, "no source " + std::to_string(Raw(id)));
  }
  const SourceFacts facts{statement->As<ScopeId>(0), statement->As<Ordinal>(1),
                          statement->IsNull(2) ? -1 : statement->Int(2)};
  return state.write->sources.emplace(Raw(id), facts).first->second;
}

std::pair<ScopeId, Ordinal> FactsOfArtifact(TransactionState& state, ArtifactId id) {
  const auto known = state.write->artifacts.find(Raw(id));
  if (known != state.write->artifacts.end()) return known->second;
  const auto statement = state.Use(kSelectArtifactFacts);
  statement->Bind(id);
  if (!statement->Step()) {
    Refuse(ErrorCode::kNotFound, "no artifact " + std::to_string(Raw(id)));
  }
  const std::pair facts{statement->As<ScopeId>(0), statement->As<Ordinal>(1)};
  state.write->artifacts.emplace(Raw(id), facts);
  return facts;
}

Result<SourceRow> WriteTransaction::AddSource(const NewSource& source) {
  TransactionState& state = *connection_;
  return Guard(state, "add a source", [&] {
    WriteState::OpenEvent& event = CurrentScopeEvent(state);
    CheckSource(state, event.scope, source);
    SourceRow row;
    row.id = static_cast<SourceId>(NextNumber(state, kLastSource));
    row.ordinal = static_cast<Ordinal>(NextNumber(state, kLastSourceOrdinal, Raw(event.scope)));
    row.event = event.id;
    row.type = source.type;
    row.content = AddPayload(state, PayloadKind::kContent, source.content);
    row.external_id = Intern(state, PayloadKind::kExternalId, source.external_id);
    row.request_id = Intern(state, PayloadKind::kRequestId, source.request_id);
    row.session = Intern(state, PayloadKind::kSession, source.session);
    row.speaker = Intern(state, PayloadKind::kPerson, source.speaker);
    row.subject = Intern(state, PayloadKind::kPerson, source.subject);
    if (!source.metadata_json.empty()) {
      row.metadata = AddPayload(state, PayloadKind::kMetadata, source.metadata_json);
    }
    row.event_time = source.event_time;
    row.received_at = source.received_at;
    row.created_at = event.at;
    const auto insert = state.Use(kInsertSource);
    insert->Bind(row.id, event.scope, row.ordinal, event.id, row.type, row.content, row.external_id,
                 row.request_id, row.session, row.speaker, row.subject, row.metadata,
                 row.event_time, row.received_at, row.created_at);
    insert->Run();
    if (event.source_content == kNoPayload) event.source_content = row.content;
    state.write->sources[Raw(row.id)] = {event.scope, row.ordinal,
                                         static_cast<std::int64_t>(source.content.size())};
    EncodeSource(state, row);
    return row;
  });
}

Result<RevisionRow> WriteTransaction::AddArtifact(ArtifactKind kind, bool verbatim,
                                                  const NewRevision& revision) {
  TransactionState& state = *connection_;
  return Guard(state, "add an artifact", [&] {
    WriteState::OpenEvent& event = CurrentScopeEvent(state);
    CheckRevision(state, event.scope, revision);
    RevisionRow row;
    row.artifact = static_cast<ArtifactId>(NextNumber(state, kLastArtifact));
    row.artifact_ordinal =
        static_cast<Ordinal>(NextNumber(state, kLastArtifactOrdinal, Raw(event.scope)));
    row.kind = kind;
    row.verbatim = verbatim;
    const auto insert = state.Use(kInsertArtifact);
    insert->Bind(row.artifact, event.scope, row.artifact_ordinal, event.id, kind, verbatim);
    insert->Run();
    state.write->artifacts[Raw(row.artifact)] = {event.scope, row.artifact_ordinal};
    RowEncoder encoder(ChainTable::kArtifacts);
    encoder.Commitment(event.scope_commitment)
        .Integer(row.artifact_ordinal)
        .Integer(static_cast<int>(kind))
        .Integer(verbatim ? 1 : 0);
    event.rows.push_back(encoder.Take());
    return InsertRevision(state, row, revision);
  });
}

Result<RevisionRow> WriteTransaction::AddRevision(ArtifactId artifact,
                                                  const NewRevision& revision) {
  TransactionState& state = *connection_;
  return Guard(state, "add a revision", [&] {
    WriteState::OpenEvent& event = CurrentScopeEvent(state);
    const auto [scope, ordinal] = FactsOfArtifact(state, artifact);
    if (scope != event.scope) {
      Refuse(ErrorCode::kInvalidArgument, "the artifact belongs to another scope");
    }
    CheckRevision(state, event.scope, revision);
    RevisionRow row;
    row.artifact = artifact;
    row.artifact_ordinal = ordinal;
    {
      const auto statement = state.Use(kSelectArtifactHead);
      statement->Bind(artifact);
      statement->Step();
      row.kind = statement->As<ArtifactKind>(0);
      row.verbatim = statement->Int(1) != 0;
    }
    return InsertRevision(state, row, revision);
  });
}

Result<void> WriteTransaction::AddReinforcement(ArtifactId artifact, ReinforcementKind kind,
                                                std::string_view session, double amount,
                                                Timestamp at) {
  TransactionState& state = *connection_;
  return Guard(state, "add a reinforcement", [&] {
    WriteState::OpenEvent& event = CurrentScopeEvent(state);
    const auto [scope, ordinal] = FactsOfArtifact(state, artifact);
    const ScopeFacts place = FactsOfScope(state, scope);
    if (place.agent != event.agent) {
      Refuse(ErrorCode::kInvalidArgument, "the artifact belongs to another agent");
    }
    if (!(amount >= 0) || amount > 1e6) {
      Refuse(ErrorCode::kInvalidArgument, "the amount lies outside [0, 1000000]");
    }
    CheckText(session, "the session");
    const PayloadId session_id = Intern(state, PayloadKind::kSession, session);
    const std::int64_t id = NextNumber(state, kLastReinforcement);
    const auto insert = state.Use(kInsertReinforcement);
    insert->Bind(id, event.scope, event.id, artifact, kind, session_id, Normal(amount), at);
    insert->Run();
    RowEncoder encoder(ChainTable::kReinforcements);
    encoder.Commitment(event.scope_commitment)
        .Reference(place.commitment, ordinal)
        .Integer(static_cast<int>(kind));
    EncodePayload(encoder, state, session_id);
    encoder.Real(Normal(amount)).Integer(Micros(at));
    event.rows.push_back(encoder.Take());
  });
}

}  // namespace souvenance::storage
