#include "engine/shard/builder.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "storage/public_id.h"

namespace souvenance::shard {
namespace {

using storage::PayloadKind;

std::vector<std::string> ParseTags(std::string_view json) {
  std::vector<std::string> tags;
  const auto parsed = nlohmann::json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_array()) return tags;
  for (const auto& tag : parsed) {
    if (tag.is_string()) tags.push_back(tag.get<std::string>());
  }
  return tags;
}

}  // namespace

ShardBuilder::ShardBuilder(storage::ScopeRow scope, const Linguist& linguist,
                           std::optional<Timestamp> known_at, std::size_t exact_scan_limit)
    : scope_(std::move(scope)),
      linguist_(linguist),
      known_at_(known_at),
      exact_scan_limit_(exact_scan_limit) {
  work_.scope_id = scope_.id;
  work_.scope = scope_.scope;
  work_.scope_tag = storage::ScopeTag(scope_.scope);
  work_.record_time_past = known_at.has_value();
  work_.linguist_ = &linguist_;
  // Number 0 means "none" everywhere.
  work_.docs.push_back({});
  work_.names.push_back({});
  work_.tag_sets.push_back({});
  work_.relations.push_back({});
  work_.sessions.push_back(0);
  work_.session_last.push_back(0);
  work_.verbatim_of.push_back(0);
  work_.document_of.push_back(0);
}

Result<std::shared_ptr<const Shard>> ShardBuilder::Advance(storage::ReadTransaction& tx,
                                                           const storage::Store& store) {
  auto change = tx.ScopeChange(scope_.id);
  if (!change) return Fail(change.error());
  if (current_ && current_->change == *change) return std::shared_ptr<const Shard>(current_);

  const bool first = current_ == nullptr;
  if (first) {
    auto space = tx.ActiveEmbeddingSpace();
    if (!space) return Fail(space.error());
    if (*space && (*space)->fingerprint == linguist_.embedder_fingerprint()) {
      space_ = (*space)->id;
    }
  }
  Bound bound{*change, known_at_.value_or(kEndOfTime)};
  Ordinal vectors_after = last_revision_;
  if (first && !known_at_) {
    auto base = OpenSealedBase(tx, store, scope_.id, linguist_, exact_scan_limit_);
    if (!base) return Fail(base.error());
    dropped_ = base->dropped;
    missing_ = base->missing;
    if (base->vectors) {
      work_.vectors.push_back(base->vectors);
      work_.vector_base = true;
      vectors_after = base->vectors_last_ordinal;
    }
    if (base->documents) {
      work_.words.push_back({base->documents, base->sessions, /*base=*/true});
      if (auto done = Replay(tx, {base->words_change, kEndOfTime}, Index::kSealed); !done) {
        return Fail(done.error());
      }
      AdoptBase(*base);
    }
  }
  const Ordinal words_after = last_revision_;
  if (auto done = PrefetchNotes(tx, words_after); !done) return Fail(done.error());
  if (auto done = Replay(tx, bound, Index::kNow); !done) return Fail(done.error());
  if (auto done = ReadGraph(tx, bound); !done) return Fail(done.error());
  if (auto done = ReadUses(tx, bound); !done) return Fail(done.error());
  if (auto done = ReadVectors(tx, vectors_after); !done) return Fail(done.error());
  if (auto done = IndexTouched(tx); !done) return Fail(done.error());
  notes_.clear();

  work_.change = *change;
  work_.lazy_ = std::make_shared<Shard::Lazy>();
  current_ = std::make_shared<Shard>(work_);
  return std::shared_ptr<const Shard>(current_);
}

// What was live at the base's change number is what its segments hold.
void ShardBuilder::AdoptBase(const SealedBase& base) {
  for (const Ordinal item : touched_) {
    Doc& doc = work_.docs.Mutable(item);
    if (!doc.live || doc.host != 0) continue;
    doc.word_segment = 0;
    const std::uint8_t flags = item < base.flags.size() ? base.flags[item] : 0;
    doc.says_when = (flags & kSaysWhenFlag) != 0;
    doc.asks = (flags & kAsksFlag) != 0;
  }
  touched_.clear();
  work_.live_length = base.documents->total_length();
  work_.live_items = base.documents->documents();
}

Result<void> ShardBuilder::Replay(storage::ReadTransaction& tx, const Bound& bound, Index index) {
  if (auto done = ReadNames(tx); !done) return done;
  if (auto done = ReadSources(tx, bound); !done) return done;
  return ReadRevisions(tx, bound, index);
}

Result<void> ShardBuilder::ReadNames(storage::ReadTransaction& tx) {
  return tx.ForEachName(scope_.id, last_name_,
                        [&](PayloadId id, PayloadKind kind, std::string_view text) {
                          last_name_ = id;
                          if (kind == PayloadKind::kTags) {
                            tags_[Raw(id)] = static_cast<std::uint32_t>(work_.tag_sets.size());
                            work_.tag_sets.push_back(ParseTags(text));
                            return true;
                          }
                          names_[Raw(id)] = static_cast<Name>(work_.names.size());
                          work_.names.push_back(std::string(text));
                          return true;
                        });
}

Name ShardBuilder::NameOf(NameId id) const {
  const auto found = names_.find(Raw(id));
  return found == names_.end() ? 0 : found->second;
}

Result<void> ShardBuilder::ReadSources(storage::ReadTransaction& tx, const Bound& bound) {
  return tx.ForEachSource(scope_.id, last_source_, [&](const storage::SourceRow& row) {
    if (row.event > bound.event) return false;
    last_source_ = row.ordinal;
    // A clock that was set back may have recorded a later row at an earlier time.
    if (row.created_at > bound.recorded) return true;
    sources_[Raw(row.id)] = row.ordinal;
    work_.verbatim_of.resize(row.ordinal + 1);
    return true;
  });
}

Result<void> ShardBuilder::ReadRevisions(storage::ReadTransaction& tx, const Bound& bound,
                                         Index index) {
  std::unordered_map<Ordinal, EvidenceCount> evidence;
  auto read = tx.ForEachEvidence(scope_.id, last_revision_,
                                 [&](Ordinal revision, const storage::EvidenceRow& row) {
                                   EvidenceCount& count = evidence[revision];
                                   if (count.count++ == 0) count.first = row.source;
                                   count.all.push_back(row.source);
                                   return true;
                                 });
  if (!read) return read;
  // Rows first, work after: the work reads through the same transaction.
  std::vector<storage::RevisionRow> rows;
  read = tx.ForEachRevision(scope_.id, last_revision_, [&](const storage::RevisionRow& row) {
    if (row.event > bound.event) return false;
    rows.push_back(row);
    return true;
  });
  if (!read) return read;
  for (const storage::RevisionRow& row : rows) {
    last_revision_ = row.ordinal;
    if (row.created_at > bound.recorded) continue;
    if (auto done = AddDoc(tx, row, evidence[row.ordinal], index); !done) return done;
  }
  return {};
}

Result<void> ShardBuilder::AddDoc(storage::ReadTransaction& tx, const storage::RevisionRow& row,
                                  const EvidenceCount& evidence, Index index) {
  work_.docs.resize(row.ordinal + 1);
  work_.document_of.resize(
      std::max<std::size_t>(work_.document_of.size(), row.artifact_ordinal + 1));
  artifacts_[Raw(row.artifact)] = row.artifact_ordinal;
  const bool active = row.state == RevisionState::kActive;
  {
    Doc& doc = work_.docs.Mutable(row.ordinal);
    doc.artifact = row.artifact;
    doc.source = evidence.first;
    doc.content = row.content;
    doc.gist = row.gist;
    doc.event_time = row.event_time;
    doc.valid_at = row.valid_at.value_or(kBeginningOfTime);
    doc.invalid_at = row.invalid_at.value_or(kEndOfTime);
    doc.artifact_ordinal = row.artifact_ordinal;
    doc.revision = row.revision;
    doc.session = NameOf(row.session);
    doc.speaker = NameOf(row.speaker);
    doc.subject = NameOf(row.subject);
    doc.emotion = NameOf(row.emotion);
    if (const auto found = tags_.find(Raw(row.tags)); found != tags_.end()) {
      doc.tag_set = found->second;
    }
    doc.salience = static_cast<float>(row.salience);
    doc.sensitivity = static_cast<float>(row.sensitivity);
    doc.emotion_intensity = static_cast<float>(row.emotion_intensity);
    doc.kind = row.kind;
    doc.memory_type = row.memory_type;
    doc.shape = row.shape;
    if (evidence.count > 1) {
      auto sources = std::make_shared<std::vector<Ordinal>>();
      for (const SourceId source : evidence.all) {
        const auto found = sources_.find(Raw(source));
        if (found != sources_.end()) sources->push_back(found->second);
      }
      doc.sources = std::move(sources);
    }
    doc.verbatim = row.verbatim;
    doc.live = active;
    doc.word_segment = kNoSegment;
    doc.vector_segment = kNoSegment;
    if (doc.session != 0) {
      const auto [entry, fresh] = session_numbers_.try_emplace(
          doc.session, static_cast<std::uint32_t>(work_.sessions.size()));
      if (fresh) {
        work_.sessions.push_back(doc.session);
        work_.session_last.push_back(0);
      }
      doc.session_number = entry->second;
    }
    for (const Name person : {doc.speaker, doc.subject}) {
      if (person != 0 && persons_.insert(person).second) work_.persons.push_back(person);
    }
  }
  const Ordinal before = work_.document_of[row.artifact_ordinal];
  work_.document_of.Mutable(row.artifact_ordinal) = row.ordinal;
  if (before != 0 && work_.docs[before].live) {
    if (auto done = Retire(tx, before, active ? row.ordinal : 0, index); !done) return done;
  }
  if (!active) return {};

  const auto source = sources_.find(Raw(evidence.first));
  const Ordinal source_ordinal = source == sources_.end() ? 0 : source->second;
  if (row.verbatim) {
    LinkIntoSession(row.ordinal);
    if (source_ordinal != 0) {
      work_.verbatim_of.Mutable(source_ordinal) = row.ordinal;
      for (const Ordinal fact : facts_of_[source_ordinal]) {
        if (!work_.docs[fact].live || work_.docs[fact].host == row.ordinal) continue;
        if (auto done = Attach(tx, fact, row.ordinal, index); !done) return done;
      }
    }
  } else if (evidence.count == 1 && source_ordinal != 0) {
    facts_of_[source_ordinal].push_back(row.ordinal);
    const Ordinal host = work_.verbatim_of[source_ordinal];
    if (host != 0) return Attach(tx, row.ordinal, host, index);
  }
  return Touch(tx, row.ordinal, index);
}

Result<void> ShardBuilder::Retire(storage::ReadTransaction& tx, Ordinal ordinal, Ordinal successor,
                                  Index index) {
  if (work_.docs[ordinal].host != 0) {
    if (auto done = Detach(tx, ordinal, index); !done) return done;
  }
  if (auto done = Touch(tx, ordinal, index); !done) return done;
  std::vector<Ordinal> facts;
  for (Ordinal f = work_.docs[ordinal].first_fact; f != 0; f = work_.docs[f].next_fact) {
    facts.push_back(f);
  }
  work_.docs.Mutable(ordinal).first_fact = 0;
  for (const Ordinal fact : facts) {
    Doc& doc = work_.docs.Mutable(fact);
    doc.host = 0;
    doc.next_fact = 0;
    // Without a successor they are items of their own from now on; with one, AddDoc attaches
    // them to it.
    if (successor == 0) {
      if (auto done = Touch(tx, fact, index); !done) return done;
    }
  }
  UnlinkFromSession(ordinal);
  if (work_.docs[ordinal].verbatim) {
    const auto source = sources_.find(Raw(work_.docs[ordinal].source));
    if (source != sources_.end()) work_.verbatim_of.Mutable(source->second) = 0;
  }
  work_.docs.Mutable(ordinal).live = false;
  return {};
}

Result<void> ShardBuilder::Attach(storage::ReadTransaction& tx, Ordinal fact, Ordinal host,
                                  Index index) {
  // A fact that was an item of its own stops being one; its host's words change.
  if (work_.docs[fact].host != 0) {
    if (auto done = Detach(tx, fact, index); !done) return done;
  }
  if (auto done = Touch(tx, fact, index); !done) return done;
  if (auto done = Touch(tx, host, index); !done) return done;
  Doc& doc = work_.docs.Mutable(fact);
  doc.host = host;
  doc.next_fact = 0;
  // At the end of the list, so that facts keep their order of arrival.
  Ordinal last = work_.docs[host].first_fact;
  if (last == 0) {
    work_.docs.Mutable(host).first_fact = fact;
    return {};
  }
  while (work_.docs[last].next_fact != 0) last = work_.docs[last].next_fact;
  work_.docs.Mutable(last).next_fact = fact;
  return {};
}

Result<void> ShardBuilder::Detach(storage::ReadTransaction& tx, Ordinal fact, Index index) {
  const Ordinal host = work_.docs[fact].host;
  if (auto done = Touch(tx, host, index); !done) return done;
  const Ordinal next = work_.docs[fact].next_fact;
  if (work_.docs[host].first_fact == fact) {
    work_.docs.Mutable(host).first_fact = next;
  } else {
    Ordinal at = work_.docs[host].first_fact;
    while (work_.docs[at].next_fact != fact) at = work_.docs[at].next_fact;
    work_.docs.Mutable(at).next_fact = next;
  }
  Doc& doc = work_.docs.Mutable(fact);
  doc.host = 0;
  doc.next_fact = 0;
  return {};
}

// Turns stand in the order of arrival of their artifacts, so that a revised or recovered turn
// comes back to its place.
void ShardBuilder::LinkIntoSession(Ordinal ordinal) {
  const std::uint32_t number = work_.docs[ordinal].session_number;
  if (number == 0) return;
  const Ordinal arrival = work_.docs[ordinal].artifact_ordinal;
  Ordinal after = 0;
  Ordinal before = work_.session_last[number];
  while (before != 0 && work_.docs[before].artifact_ordinal > arrival) {
    after = before;
    before = work_.docs[before].previous;
  }
  work_.docs.Mutable(ordinal).previous = before;
  work_.docs.Mutable(ordinal).next = after;
  if (before != 0) work_.docs.Mutable(before).next = ordinal;
  if (after != 0) {
    work_.docs.Mutable(after).previous = ordinal;
  } else {
    work_.session_last.Mutable(number) = ordinal;
  }
}

void ShardBuilder::UnlinkFromSession(Ordinal ordinal) {
  const Doc doc = work_.docs[ordinal];
  if (doc.session_number == 0 || !doc.verbatim) return;
  if (doc.previous != 0) work_.docs.Mutable(doc.previous).next = doc.next;
  if (doc.next != 0) work_.docs.Mutable(doc.next).previous = doc.previous;
  if (work_.session_last[doc.session_number] == ordinal) {
    work_.session_last.Mutable(doc.session_number) = doc.previous;
  }
  Doc& own = work_.docs.Mutable(ordinal);
  own.previous = 0;
  own.next = 0;
}

Result<void> ShardBuilder::ReadUses(storage::ReadTransaction& tx, const Bound& bound) {
  std::shared_ptr<Uses> uses;
  auto read =
      tx.ForEachReinforcement(scope_.id, last_use_, [&](const storage::ReinforcementRow& row) {
        if (row.event > bound.event) return false;
        last_use_ = row.id;
        if (row.at > bound.recorded) return true;
        if (!uses) uses = std::make_shared<Uses>(*work_.uses);
        (*uses)[Raw(row.artifact)].push_back({row.kind, NameOf(row.session), row.amount, row.at});
        return true;
      });
  if (!read) return read;
  if (uses) work_.uses = uses;
  return {};
}

}  // namespace souvenance::shard
