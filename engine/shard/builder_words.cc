// The builder's work on words and vectors: segments, what is buried, merging.
#include <algorithm>
#include <map>
#include <utility>

#include "engine/shard/builder.h"

namespace souvenance::shard {
namespace {

// Memory segments beyond this are merged into one, so that a query never asks many.
constexpr std::size_t kMaxTailSegments = 6;

std::vector<index::LexicalDocument> Flatten(std::map<std::uint32_t, TermSum> by_key) {
  std::vector<index::LexicalDocument> documents;
  documents.reserve(by_key.size());
  for (auto& [key, sum] : by_key) documents.push_back({key, sum.Take()});
  return documents;
}

}  // namespace

Result<void> ShardBuilder::Touch(storage::ReadTransaction& tx, Ordinal item, Index index) {
  Doc& doc = work_.docs.Mutable(item);
  if (doc.word_segment != kNoSegment && index == Index::kNow) {
    auto notes = ItemNotes(tx, item);
    if (!notes) return Fail(notes.error());
    work_.live_length -= notes->text.length;
    --work_.live_items;
    buried_.push_back(
        {std::move(notes->text), doc.session_number, work_.words[doc.word_segment].base});
    buried_changed_ = true;
    doc.word_segment = kNoSegment;
  }
  touched_.push_back(item);
  return {};
}

Result<TextNotes> ShardBuilder::ItemNotes(storage::ReadTransaction& tx, Ordinal item) {
  auto notes = NotesOf(tx, item);
  if (!notes) return notes;
  for (Ordinal f = work_.docs[item].first_fact; f != 0; f = work_.docs[f].next_fact) {
    auto fact = NotesOf(tx, f);
    if (!fact) return fact;
    MergeTerms(fact->text, &notes->text);
    notes->says_when = notes->says_when || fact->says_when;
  }
  return notes;
}

Result<TextNotes> ShardBuilder::NotesOf(storage::ReadTransaction& tx, Ordinal ordinal) {
  if (const auto found = notes_.find(ordinal); found != notes_.end()) return found->second;
  auto stored = tx.TermsOf(scope_.id, linguist_.analyzer().fingerprint(), ordinal);
  if (!stored) return Fail(stored.error());
  if (*stored) {
    auto notes = DecodeNotes(**stored);
    // A derived row that cannot be read is as good as none: the text is there to be read again.
    if (notes) return notes;
  }
  auto text = tx.Text(work_.docs[ordinal].content);
  if (!text) return Fail(text.error());
  if (!*text) return TextNotes{};  // erased
  return linguist_.Analyse(**text);
}

Result<void> ShardBuilder::PrefetchNotes(storage::ReadTransaction& tx, Ordinal after) {
  return tx.ForEachTerms(scope_.id, linguist_.analyzer().fingerprint(), after,
                         [&](Ordinal ordinal, std::string_view blob) {
                           auto notes = DecodeNotes(blob);
                           if (notes) notes_.emplace(ordinal, std::move(*notes));
                           return true;
                         });
}

Result<void> ShardBuilder::AddSegment(storage::ReadTransaction& tx,
                                      const std::vector<Ordinal>& items) {
  std::vector<index::LexicalDocument> documents;
  documents.reserve(items.size());
  std::map<std::uint32_t, TermSum> sessions;
  const auto segment = static_cast<std::uint16_t>(work_.words.size());
  for (const Ordinal item : items) {
    auto notes = ItemNotes(tx, item);
    if (!notes) return Fail(notes.error());
    Doc& doc = work_.docs.Mutable(item);
    doc.word_segment = segment;
    doc.says_when = notes->says_when;
    doc.asks = notes->asks;
    work_.live_length += notes->text.length;
    ++work_.live_items;
    if (doc.session_number != 0) sessions[doc.session_number].Add(notes->text);
    documents.push_back({item, std::move(notes->text)});
  }
  work_.words.push_back({index::BuildMemoryLexical(documents),
                         index::BuildMemoryLexical(Flatten(std::move(sessions))),
                         /*base=*/false});
  return {};
}

Result<void> ShardBuilder::IndexTouched(storage::ReadTransaction& tx) {
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  std::vector<Ordinal> items;
  for (const Ordinal item : touched_) {
    const Doc& doc = work_.docs[item];
    if (doc.live && doc.host == 0 && doc.word_segment == kNoSegment) items.push_back(item);
  }
  touched_.clear();
  if (!items.empty()) {
    if (auto done = AddSegment(tx, items); !done) return done;
  }
  const std::size_t bases = !work_.words.empty() && work_.words.front().base ? 1 : 0;
  if (work_.words.size() - bases > kMaxTailSegments) return MergeTail(tx);
  if (buried_changed_) RebuildDead();
  return {};
}

Result<void> ShardBuilder::MergeTail(storage::ReadTransaction& tx) {
  const bool has_base = work_.words.front().base;
  std::vector<Ordinal> items;
  for (Ordinal o = 1; o < work_.docs.size(); ++o) {
    const Doc& doc = work_.docs[o];
    if (!doc.live || doc.host != 0 || doc.word_segment == kNoSegment) continue;
    if (has_base && doc.word_segment == 0) continue;
    items.push_back(o);
  }
  if (!items.empty()) {
    if (auto done = PrefetchNotes(tx, items.front() - 1); !done) return done;
  }
  work_.words.resize(has_base ? 1 : 0);
  // AddSegment counts them again.
  work_.live_items = 0;
  work_.live_length = 0;
  std::erase_if(buried_, [](const Buried& b) { return !b.in_base; });
  if (has_base) {
    work_.live_items = work_.words[0].documents->documents();
    work_.live_length = work_.words[0].documents->total_length();
    for (const Buried& b : buried_) {
      --work_.live_items;
      work_.live_length -= b.text.length;
    }
  }
  RebuildDead();
  return items.empty() ? Result<void>{} : AddSegment(tx, items);
}

void ShardBuilder::RebuildDead() {
  buried_changed_ = false;
  work_.dead_words = {};
  if (buried_.empty()) return;
  std::vector<index::LexicalDocument> documents;
  std::map<std::uint32_t, TermSum> sessions;
  for (const Buried& b : buried_) {
    // Only frequencies are asked of it, so the numbers need but differ.
    documents.push_back({static_cast<Ordinal>(documents.size() + 1), b.text});
    if (b.session_number != 0) sessions[b.session_number].Add(b.text);
  }
  work_.dead_words.documents = index::BuildMemoryLexical(documents);
  work_.dead_words.sessions = index::BuildMemoryLexical(Flatten(std::move(sessions)));
}

Result<void> ShardBuilder::ReadVectors(storage::ReadTransaction& tx, Ordinal after) {
  // A sealed base brings the vectors of documents that were there when it was made.
  if (!work_.vectors.empty() && current_ == nullptr) {
    for (Ordinal o = 1; o < work_.docs.size() && o <= after; ++o) {
      if (!work_.vectors[0]->Vector(o).empty()) work_.docs.Mutable(o).vector_segment = 0;
    }
  }
  if (space_ == 0) return {};
  const std::uint32_t dimension = linguist_.embedder().identity().dimension;
  std::vector<Ordinal> ordinals;
  std::vector<float> matrix;
  const auto take = [&](Ordinal ordinal, std::span<const float> vector) {
    if (ordinal >= work_.docs.size()) return false;
    if (vector.size() != dimension) return true;
    ordinals.push_back(ordinal);
    matrix.insert(matrix.end(), vector.begin(), vector.end());
    return true;
  };
  if (auto read = tx.ForEachVector(scope_.id, space_, after, take); !read) return read;
  if (ordinals.empty()) return {};
  const std::size_t bases = work_.vector_base ? 1 : 0;
  if (work_.vectors.size() - bases >= kMaxTailSegments) {
    // Merge: the tails' rows and the new ones, in ascending order as they are.
    std::vector<Ordinal> all;
    std::vector<float> rows;
    for (Ordinal o = 1; o < work_.docs.size(); ++o) {
      const std::uint16_t segment = work_.docs[o].vector_segment;
      if (segment == kNoSegment || segment < bases) continue;
      const std::span<const float> vector = work_.vectors[segment]->Vector(o);
      all.push_back(o);
      rows.insert(rows.end(), vector.begin(), vector.end());
    }
    all.insert(all.end(), ordinals.begin(), ordinals.end());
    rows.insert(rows.end(), matrix.begin(), matrix.end());
    ordinals = std::move(all);
    matrix = std::move(rows);
    work_.vectors.resize(bases);
  }
  const auto segment = static_cast<std::uint16_t>(work_.vectors.size());
  for (const Ordinal o : ordinals) work_.docs.Mutable(o).vector_segment = segment;
  work_.vectors.push_back(
      index::BuildFlatVectors(dimension, std::move(ordinals), std::move(matrix)));
  return {};
}

}  // namespace souvenance::shard
