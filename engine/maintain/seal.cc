#include "engine/maintain/seal.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "engine/shard/builder.h"
#include "index/lexical.h"
#include "index/manifest.h"
#include "index/vectors.h"

namespace souvenance {
namespace maintain {
namespace {

namespace fs = std::filesystem;

constexpr char kWords[] = "words";
constexpr char kVectors[] = "vectors";
constexpr char kDocumentsFile[] = "documents.glass";
constexpr char kSessionsFile[] = "sessions.glass";
constexpr char kFlagsFile[] = "flags";
constexpr char kGraphFile[] = "vectors.hnsw";

std::string BaseName(ScopeId scope, std::string_view kind, EventId change) {
  return "scope-" + std::to_string(Raw(scope)) + "-" + std::string(kind) + "-" +
         std::to_string(Raw(change));
}

// A folder under construction, removed unless it was published.
class WorkFolder {
 public:
  static Result<WorkFolder> Make(const fs::path& index, const std::string& name) {
    std::error_code error;
    fs::create_directories(index, error);
    fs::permissions(index, fs::perms::owner_all, error);
    WorkFolder folder;
    folder.path_ = index / ("." + name + ".tmp");
    fs::remove_all(folder.path_, error);
    if (!fs::create_directory(folder.path_, error) || error) {
      return Fail(ErrorCode::kIo,
                  "seal: cannot make " + folder.path_.string() + ": " + error.message());
    }
    fs::permissions(folder.path_, fs::perms::owner_all, error);
    return folder;
  }
  WorkFolder() = default;
  WorkFolder(WorkFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  WorkFolder& operator=(WorkFolder&&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Result<void> WriteFlags(const fs::path& file, const shard::Shard& shard) {
  std::ofstream out(file, std::ios::binary);
  for (std::size_t o = 0; o < shard.docs.size(); ++o) {
    const shard::Doc& doc = shard.docs[o];
    out.put(static_cast<char>((doc.says_when ? shard::kSaysWhenFlag : 0) |
                              (doc.asks ? shard::kAsksFlag : 0)));
  }
  out.flush();
  if (!out) return Fail(ErrorCode::kIo, "seal: cannot write " + file.string());
  return {};
}

// The items' words, own and facts', in the order of their numbers.
Result<std::vector<index::LexicalDocument>> ItemTexts(storage::ReadTransaction& tx,
                                                      const Core& core, const shard::Shard& shard) {
  std::unordered_map<Ordinal, index::AnalysedText> texts;
  auto read = tx.ForEachTerms(shard.scope_id, core.linguist->analyzer().fingerprint(), 0,
                              [&](Ordinal ordinal, std::string_view blob) {
                                if (ordinal >= shard.docs.size()) return false;
                                const shard::Doc& doc = shard.docs[ordinal];
                                if (!doc.live) return true;
                                auto notes = shard::DecodeNotes(blob);
                                if (!notes) return true;  // made again from the text below
                                const Ordinal item = doc.host != 0 ? doc.host : ordinal;
                                shard::MergeTerms(notes->text, &texts[item]);
                                return true;
                              });
  if (!read) return Fail(read.error());
  std::vector<index::LexicalDocument> documents;
  for (Ordinal o = 1; o < shard.docs.size(); ++o) {
    const shard::Doc& doc = shard.docs[o];
    if (!doc.live || doc.host != 0) continue;
    auto found = texts.find(o);
    documents.push_back(
        {o, found == texts.end() ? index::AnalysedText{} : std::move(found->second)});
  }
  return documents;
}

// Publishes a folder and records its manifest; the base before it is removed.
Result<void> Publish(Core& core, const shard::Shard& shard, const WorkFolder& folder,
                     const std::string& kind, std::vector<std::string> files) {
  index::Manifest manifest;
  manifest.store_id = core.store->store_id();
  manifest.scope = Raw(shard.scope_id);
  manifest.kind = kind;
  manifest.change = Raw(shard.change);
  manifest.last_ordinal = static_cast<std::uint32_t>(shard.docs.size() - 1);
  if (kind == kWords) {
    manifest.analyzer_fingerprint = core.linguist->analyzer().fingerprint();
  } else {
    manifest.embedder_fingerprint = core.linguist->embedder_fingerprint();
  }
  for (std::string& file : files) manifest.files.push_back({std::move(file), 0, {}});
  const std::string name = BaseName(shard.scope_id, kind, shard.change);
  const fs::path target = core.store->index_path() / name;
  std::error_code ignored;
  fs::remove_all(target, ignored);  // the same change, sealed by a run that was not recorded
  auto digest = index::PublishBase(folder.path(), target, manifest);
  if (!digest) return Fail(digest.error());
  auto tx = core.store->Write();
  if (!tx) return Fail(tx.error());
  auto before = (*tx)->Manifests(shard.scope_id);
  if (!before) return Fail(before.error());
  if (auto done = (*tx)->PutManifest({shard.scope_id, kind, shard.change, name, *digest}); !done) {
    return done;
  }
  if (auto done = (*tx)->Commit(); !done) return done;
  for (const storage::ManifestRow& row : *before) {
    if (row.kind == kind && row.path != name) {
      fs::remove_all(core.store->index_path() / row.path, ignored);
    }
  }
  return {};
}

// True when a base is missing, or too much came after it.
bool NeedsSeal(std::size_t size, std::uint32_t threshold, std::size_t in_base) {
  return size > threshold && (in_base == 0 || (size - std::min(size, in_base)) * 4 > size);
}

}  // namespace

Result<void> SealScope(Core& core, const storage::ScopeRow& scope, MaintainAnswer* answer) {
  auto tx = core.store->Read();
  if (!tx) return Fail(tx.error());
  auto got = core.cache->Get(**tx, scope, std::nullopt);
  if (!got) return Fail(got.error());
  const shard::Shard& shard = **got;
  std::size_t words_in_base = 0;
  std::size_t vectors_in_base = 0;
  std::size_t vectors = 0;
  const bool word_base = !shard.words.empty() && shard.words.front().base;
  if (word_base) words_in_base = shard.words.front().documents->documents();
  for (Ordinal o = 1; o < shard.docs.size(); ++o) {
    const shard::Doc& doc = shard.docs[o];
    if (!doc.live || doc.vector_segment == shard::kNoSegment) continue;
    ++vectors;
    if (shard.vector_base && doc.vector_segment == 0) ++vectors_in_base;
  }

  if (NeedsSeal(shard.live_items, core.options.word_base_threshold, words_in_base)) {
    auto documents = ItemTexts(**tx, core, shard);
    if (!documents) return Fail(documents.error());
    std::map<std::uint32_t, shard::TermSum> by_session;
    for (const index::LexicalDocument& document : *documents) {
      const std::uint32_t number = shard.docs[document.ordinal].session_number;
      if (number != 0) by_session[number].Add(document.text);
    }
    std::vector<index::LexicalDocument> sessions;
    for (auto& [number, sum] : by_session) sessions.push_back({number, sum.Take()});
    auto folder =
        WorkFolder::Make(core.store->index_path(), BaseName(shard.scope_id, kWords, shard.change));
    if (!folder) return Fail(folder.error());
    if (auto done = index::WriteXapianLexical(folder->path() / kDocumentsFile, *documents); !done) {
      return done;
    }
    if (auto done = index::WriteXapianLexical(folder->path() / kSessionsFile, sessions); !done) {
      return done;
    }
    if (auto done = WriteFlags(folder->path() / kFlagsFile, shard); !done) return done;
    if (auto done =
            Publish(core, shard, *folder, kWords, {kDocumentsFile, kSessionsFile, kFlagsFile});
        !done) {
      return done;
    }
    ++answer->sealed;
  }
  if (NeedsSeal(vectors, core.options.vector_base_threshold, vectors_in_base)) {
    std::vector<Ordinal> ordinals;
    std::vector<float> matrix;
    for (Ordinal o = 1; o < shard.docs.size(); ++o) {
      const shard::Doc& doc = shard.docs[o];
      if (!doc.live || doc.vector_segment == shard::kNoSegment) continue;
      const std::span<const float> vector = shard.vectors[doc.vector_segment]->Vector(o);
      ordinals.push_back(o);
      matrix.insert(matrix.end(), vector.begin(), vector.end());
    }
    auto folder = WorkFolder::Make(core.store->index_path(),
                                   BaseName(shard.scope_id, kVectors, shard.change));
    if (!folder) return Fail(folder.error());
    if (auto done = index::WriteHnswVectors(folder->path() / kGraphFile,
                                            core.linguist->embedder().identity().dimension,
                                            ordinals, matrix, {}, {});
        !done) {
      return done;
    }
    if (auto done = Publish(core, shard, *folder, kVectors, {kGraphFile}); !done) return done;
    ++answer->sealed;
  }
  return {};
}

Result<void> SweepIndexFolder(Core& core, MaintainAnswer* answer) {
  std::set<std::string> named;
  auto tx = core.store->Read();
  if (!tx) return Fail(tx.error());
  auto agents = (*tx)->Agents();
  if (!agents) return Fail(agents.error());
  for (const auto& [agent, name] : *agents) {
    auto scopes = (*tx)->Scopes(agent);
    if (!scopes) return Fail(scopes.error());
    for (const storage::ScopeRow& scope : *scopes) {
      auto manifests = (*tx)->Manifests(scope.id);
      if (!manifests) return Fail(manifests.error());
      for (const storage::ManifestRow& row : *manifests) named.insert(row.path);
    }
  }
  std::error_code error;
  std::vector<fs::path> stray;
  for (const fs::directory_entry& entry : fs::directory_iterator(core.store->index_path(), error)) {
    if (!named.contains(entry.path().filename().string())) stray.push_back(entry.path());
  }
  std::sort(stray.begin(), stray.end());
  for (const fs::path& path : stray) {
    fs::remove_all(path, error);
    if (error) continue;
    ++answer->dropped;
    answer->notes.push_back("removed index/" + path.filename().string() + ": no manifest names it");
  }
  return {};
}

}  // namespace maintain

namespace shard {
namespace {

namespace fs = std::filesystem;

Result<std::vector<std::uint8_t>> ReadFlags(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<std::uint8_t> flags((std::istreambuf_iterator<char>(in)),
                                  std::istreambuf_iterator<char>());
  if (!in) return Fail(ErrorCode::kIo, "read " + file.filename().string());
  return flags;
}

}  // namespace

Result<SealedBase> OpenSealedBase(storage::ReadTransaction& tx, const storage::Store& store,
                                  ScopeId scope, const Linguist& linguist,
                                  std::size_t exact_scan_limit) {
  SealedBase base;
  auto rows = tx.Manifests(scope);
  if (!rows) return Fail(rows.error());
  for (const storage::ManifestRow& row : *rows) {
    const fs::path folder = store.index_path() / row.path;
    const auto drop = [&](const Error& error) {
      std::error_code ignored;
      if (!fs::exists(folder, ignored)) {
        base.missing.push_back("index/" + row.path + " is missing; the truth answers without it");
        return;
      }
      base.dropped.push_back("index/" + row.path + " dropped: " + error.message);
    };
    index::Manifest want;
    want.store_id = store.store_id();
    want.scope = Raw(scope);
    want.kind = row.kind;
    want.change = Raw(row.change);
    if (row.kind == "words") want.analyzer_fingerprint = linguist.analyzer().fingerprint();
    if (row.kind == "vectors") want.embedder_fingerprint = linguist.embedder_fingerprint();
    auto manifest = index::CheckBase(folder, row.digest, want);
    if (!manifest) {
      drop(manifest.error());
      continue;
    }
    if (row.kind == "words") {
      auto documents = index::OpenXapianLexical(folder / "documents.glass");
      auto sessions = index::OpenXapianLexical(folder / "sessions.glass");
      auto flags = ReadFlags(folder / "flags");
      if (!documents || !sessions || !flags) {
        drop(!documents ? documents.error() : !sessions ? sessions.error() : flags.error());
        continue;
      }
      base.documents = std::move(*documents);
      base.sessions = std::move(*sessions);
      base.flags = std::move(*flags);
      base.words_change = row.change;
      base.words_last_ordinal = manifest->last_ordinal;
    } else if (row.kind == "vectors") {
      auto vectors = index::OpenHnswVectors(folder / "vectors.hnsw", exact_scan_limit);
      if (!vectors) {
        drop(vectors.error());
        continue;
      }
      base.vectors = std::move(*vectors);
      base.vectors_last_ordinal = manifest->last_ordinal;
    }
  }
  return base;
}

}  // namespace shard
}  // namespace souvenance
