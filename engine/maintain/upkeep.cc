#include "engine/maintain/upkeep.h"

#include <cmath>
#include <unordered_set>
#include <utility>

#include "engine/ingest/writer.h"
#include "engine/maintain/seal.h"
#include "engine/shard/builder.h"
#include "storage/public_id.h"
#include "storage/sha256.h"

namespace souvenance::maintain {
namespace {

constexpr std::size_t kBatch = 1000;
constexpr double kUnitTolerance = 1e-3;

struct ScopeOf {
  std::string agent;
  storage::ScopeRow row;
};

Result<std::vector<ScopeOf>> AllScopes(storage::ReadTransaction& tx) {
  std::vector<ScopeOf> all;
  auto agents = tx.Agents();
  if (!agents) return Fail(agents.error());
  for (const auto& [agent, name] : *agents) {
    auto scopes = tx.Scopes(agent);
    if (!scopes) return Fail(scopes.error());
    for (const storage::ScopeRow& row : *scopes) all.push_back({name, row});
  }
  return all;
}

std::string ArtifactId_(const storage::RevisionRow& row, const Scope& scope) {
  return storage::FormatPublicId(storage::PublicKind::kArtifact, row.artifact_ordinal,
                                 storage::ScopeTag(scope));
}

// Whether the analysed terms of a scope are those of its texts, and its vectors are unit vectors
// of the store's dimension. Empty when they are, else what is wrong with the first.
Result<std::string> CheckDerived(storage::ReadTransaction& tx, const Core& core,
                                 const storage::ScopeRow& scope) {
  std::vector<storage::RevisionRow> rows;
  auto read = tx.ForEachRevision(scope.id, 0, [&](const storage::RevisionRow& row) {
    rows.push_back(row);
    return true;
  });
  if (!read) return Fail(read.error());
  const std::string& fingerprint = core.linguist->analyzer().fingerprint();
  for (const storage::RevisionRow& row : rows) {
    if (row.state != RevisionState::kActive) continue;
    auto stored = tx.TermsOf(scope.id, fingerprint, row.ordinal);
    if (!stored) return Fail(stored.error());
    if (!*stored) continue;  // made from the text when it is needed
    auto text = tx.Text(row.content);
    if (!text) return Fail(text.error());
    if (!*text) return "terms of " + ArtifactId_(row, scope.scope) + " are left, its text is gone";
    auto notes = core.linguist->Analyse(**text);
    if (!notes) return Fail(notes.error());
    if (shard::EncodeNotes(*notes) != **stored) {
      return "the terms of " + ArtifactId_(row, scope.scope) + " are not those of its text";
    }
  }
  auto space = tx.ActiveEmbeddingSpace();
  if (!space) return Fail(space.error());
  std::string problem;
  if (*space) {
    // A host may have brought a vector of its own, so that only its form can be held against it.
    read = tx.ForEachVector(scope.id, (*space)->id, 0,
                            [&](Ordinal ordinal, std::span<const float> vector) {
                              double norm = 0;
                              for (const float v : vector) norm += static_cast<double>(v) * v;
                              if (vector.size() == (*space)->dimension &&
                                  std::abs(std::sqrt(norm) - 1) < kUnitTolerance) {
                                return true;
                              }
                              problem = "the vector of revision " + std::to_string(ordinal) +
                                        " is no unit vector of the store's dimension";
                              return false;
                            });
    if (!read) return Fail(read.error());
  }
  return problem;
}

// Whether a shard that rests on sealed bases says of every document what a fresh one says.
Result<std::string> CompareWithFresh(storage::ReadTransaction& tx, const Core& core,
                                     const storage::ScopeRow& scope, std::string* dropped,
                                     std::vector<std::string>* missing) {
  shard::ShardBuilder with_base(scope, *core.linguist, std::nullopt, core.options.exact_scan_limit);
  auto based = with_base.Advance(tx, *core.store);
  if (!based) return Fail(based.error());
  for (const std::string& line : with_base.dropped()) {
    if (!dropped->empty()) *dropped += "; ";
    *dropped += line;
  }
  *missing = with_base.missing();
  if ((*based)->words.empty() || !(*based)->words.front().base) return std::string();
  // The end of time as the record time: everything is known, and no base is used.
  shard::ShardBuilder from_truth(scope, *core.linguist, kEndOfTime - Duration{1},
                                 core.options.exact_scan_limit);
  auto fresh = from_truth.Advance(tx, *core.store);
  if (!fresh) return Fail(fresh.error());
  if ((*based)->live_items != (*fresh)->live_items ||
      (*based)->live_length != (*fresh)->live_length) {
    return std::string("the base counts other documents than the truth");
  }
  std::vector<Ordinal> one(1);
  std::vector<std::uint32_t> a(1);
  std::vector<std::uint32_t> b(1);
  for (Ordinal o = 1; o < (*fresh)->docs.size(); ++o) {
    const shard::Doc& doc = (*fresh)->docs[o];
    const shard::Doc& other = (*based)->docs[o];
    if (doc.live != other.live || doc.host != other.host ||
        (doc.word_segment == shard::kNoSegment) != (other.word_segment == shard::kNoSegment)) {
      return "document " + std::to_string(o) + " of the base is not that of the truth";
    }
    if (doc.word_segment == shard::kNoSegment) continue;
    one[0] = o;
    for (auto [of, segment, out] : {std::tuple(&**fresh, doc.word_segment, &a),
                                    std::tuple(&**based, other.word_segment, &b)}) {
      if (auto done = of->words[segment].documents->Lengths(one, *out); !done) {
        return Fail(done.error());
      }
    }
    if (a[0] != b[0]) {
      return "document " + std::to_string(o) + " of the base has another length than the truth";
    }
  }
  return std::string();
}

// Terms and vectors that the truth lacks for live revisions.
Result<void> Catchup(Core& core, const storage::ScopeRow& scope, MaintainAnswer* answer) {
  std::vector<storage::RevisionRow> rows;
  std::unordered_set<Ordinal> with_terms;
  std::unordered_set<Ordinal> with_vector;
  {
    auto tx = core.store->Read();
    if (!tx) return Fail(tx.error());
    auto space = (*tx)->ActiveEmbeddingSpace();
    if (!space) return Fail(space.error());
    auto read = (*tx)->ForEachRevision(scope.id, 0, [&](const storage::RevisionRow& row) {
      if (row.state == RevisionState::kActive) rows.push_back(row);
      return true;
    });
    if (!read) return Fail(read.error());
    read = (*tx)->ForEachTerms(scope.id, core.linguist->analyzer().fingerprint(), 0,
                               [&](Ordinal ordinal, std::string_view) {
                                 with_terms.insert(ordinal);
                                 return true;
                               });
    if (!read) return Fail(read.error());
    if (*space && (*space)->fingerprint == core.linguist->embedder_fingerprint()) {
      read = (*tx)->ForEachVector(scope.id, (*space)->id, 0,
                                  [&](Ordinal ordinal, std::span<const float>) {
                                    with_vector.insert(ordinal);
                                    return true;
                                  });
      if (!read) return Fail(read.error());
    }
  }
  std::size_t at = 0;
  while (at < rows.size()) {
    auto tx = core.store->Write();
    if (!tx) return Fail(tx.error());
    ingest::Writer writer(core, **tx);
    auto space = writer.Space();
    if (!space) return Fail(space.error());
    for (std::size_t i = 0; i < kBatch && at < rows.size(); ++i, ++at) {
      const storage::RevisionRow& row = rows[at];
      const bool terms = !with_terms.contains(row.ordinal);
      const bool vector = !with_vector.contains(row.ordinal);
      if (!terms && !vector) continue;
      auto text = (*tx)->Text(row.content);
      if (!text) return Fail(text.error());
      if (!*text) continue;
      if (terms) {
        auto notes = core.linguist->Analyse(**text);
        if (!notes) return Fail(notes.error());
        if (auto done =
                (*tx)->PutTerms(scope.id, row.ordinal, core.linguist->analyzer().fingerprint(),
                                shard::EncodeNotes(*notes));
            !done) {
          return done;
        }
        ++answer->analysed;
      }
      if (vector) {
        auto embedded = core.linguist->Embed(**text, index::EmbedRole::kDocument);
        if (!embedded) return Fail(embedded.error());
        if (embedded->empty()) continue;  // a text without a feature has no vector
        if (auto done = (*tx)->PutVector(scope.id, row.ordinal, *space, *embedded); !done) {
          return done;
        }
        ++answer->embedded;
      }
    }
    if (auto done = (*tx)->Commit(); !done) return done;
  }
  return {};
}

}  // namespace

Result<VerifyAnswer> Verify(const Core& core, const std::function<void(std::int64_t)>& progress) {
  auto tx = core.store->Read();
  if (!tx) return Fail(tx.error());
  auto report = (*tx)->Verify(progress);
  if (!report) return Fail(report.error());
  VerifyAnswer answer;
  answer.events = report->events;
  answer.sources = report->sources;
  answer.artifacts = report->artifacts;
  answer.relations = report->relations;
  answer.erased_payloads = report->erased_payloads;
  answer.first_problem = report->first_problem;
  answer.bad_sequence = report->bad_sequence;
  for (const auto& [agent, head] : report->heads) {
    answer.heads.push_back({agent, head.sequence, storage::Hex(head.hash)});
  }
  answer.tail =
      "a chain cannot prove that its newest events were not cut off; hold it against a receipt";
  // Of a truth that does not hold, nothing derived can be asked.
  if (!answer.first_problem.empty()) return answer;
  auto scopes = AllScopes(**tx);
  if (!scopes) return Fail(scopes.error());
  for (const ScopeOf& scope : *scopes) {
    std::string dropped;
    auto derived = CheckDerived(**tx, core, scope.row);
    if (!derived) return Fail(derived.error());
    std::vector<std::string> missing;
    auto compared = CompareWithFresh(**tx, core, scope.row, &dropped, &missing);
    if (!compared) return Fail(compared.error());
    VerifyAnswer::IndexCheck check{scope.agent, scope.row.scope, "index", "ok"};
    // Deleted is not damaged: `maintain` brings it back.
    if (!missing.empty()) check.status = missing.front();
    for (const std::string* problem : {&*derived, &dropped, &*compared}) {
      if (problem->empty()) continue;
      check.status = *problem;
      if (answer.first_problem.empty()) {
        answer.first_problem = "scope " + FormatScope(scope.row.scope) + " of agent " +
                               scope.agent + ": " + *problem + "; `souvenance reindex` mends it";
      }
      break;
    }
    answer.indexes.push_back(std::move(check));
  }
  return answer;
}

Result<MaintainAnswer> Maintain(Core& core) {
  MaintainAnswer answer;
  std::vector<ScopeOf> scopes;
  {
    auto tx = core.store->Read();
    if (!tx) return Fail(tx.error());
    auto all = AllScopes(**tx);
    if (!all) return Fail(all.error());
    scopes = std::move(*all);
  }
  for (const ScopeOf& scope : scopes) {
    if (auto done = Catchup(core, scope.row, &answer); !done) return Fail(done.error());
  }
  if (answer.embedded > 0 || answer.analysed > 0) core.cache->Clear();
  for (const ScopeOf& scope : scopes) {
    if (auto done = SealScope(core, scope.row, &answer); !done) return Fail(done.error());
  }
  if (auto done = SweepIndexFolder(core, &answer); !done) return Fail(done.error());
  if (answer.sealed > 0) core.cache->Clear();
  auto checkpointed = core.store->Checkpoint();
  if (!checkpointed) return Fail(checkpointed.error());
  answer.checkpointed = *checkpointed;
  return answer;
}

Result<MaintainAnswer> Reindex(Core& core) {
  {
    auto tx = core.store->Write();
    if (!tx) return Fail(tx.error());
    auto scopes = AllScopes(**tx);
    if (!scopes) return Fail(scopes.error());
    for (const ScopeOf& scope : *scopes) {
      if (auto done = (*tx)->ClearDerived(scope.row.id); !done) return Fail(done.error());
    }
    // Vectors of this embedder stay: a host may have brought its own. Those of another one give
    // way to a space of ours, which the catching up fills.
    auto space = (*tx)->ActiveEmbeddingSpace();
    if (!space) return Fail(space.error());
    if (*space && (*space)->fingerprint != core.linguist->embedder_fingerprint()) {
      storage::EmbeddingSpaceRow row;
      row.fingerprint = core.linguist->embedder_fingerprint();
      row.identity = index::IdentityJson(core.linguist->embedder().identity());
      row.dimension = core.linguist->embedder().identity().dimension;
      auto probe = index::ProbeVectors(core.linguist->embedder());
      if (!probe) return Fail(probe.error());
      row.probe = std::move(*probe);
      auto id = (*tx)->AddEmbeddingSpace(row);
      if (!id) return Fail(id.error());
      if (auto done = (*tx)->ActivateEmbeddingSpace(*id); !done) return Fail(done.error());
    }
    if (auto done = (*tx)->Commit(); !done) return Fail(done.error());
  }
  core.cache->Clear();
  return Maintain(core);
}

}  // namespace souvenance::maintain
