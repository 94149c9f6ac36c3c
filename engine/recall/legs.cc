#include "engine/recall/legs.h"

#include <algorithm>
#include <utility>

#include "index/vectors.h"

namespace souvenance::recall {
namespace {

void KeepBest(std::size_t limit, std::vector<LegHit>* hits) {
  const auto better = [](const LegHit& a, const LegHit& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.item < b.item;
  };
  if (hits->size() > limit) {
    std::nth_element(hits->begin(), hits->begin() + static_cast<std::ptrdiff_t>(limit), hits->end(),
                     better);
    hits->resize(limit);
  }
  std::sort(hits->begin(), hits->end(), better);
}

}  // namespace

WordScorer::WordScorer(const Pool& pool, const Cue& cue, index::Bm25Params params)
    : pool_(pool), cue_(cue), params_(params) {}

Result<void> WordScorer::Score(const std::vector<ItemRef>& items) {
  // By shard and segment, so that each segment is asked once a term with ascending documents.
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::vector<Ordinal>> groups;
  scores_.reserve(scores_.size() + items.size());
  for (const ItemRef& item : items) {
    const auto [entry, fresh] = scores_.try_emplace(item);
    if (!fresh) continue;
    const shard::Doc& doc = pool_.doc(item);
    if (!doc.live || doc.word_segment == shard::kNoSegment) continue;
    groups[{item.shard, doc.word_segment}].push_back(item.document);
  }
  const double average = pool_.average_length();
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint32_t> counts;
  for (auto& [key, documents] : groups) {
    const auto& [shard, segment_number] = key;
    std::sort(documents.begin(), documents.end());
    const index::LexicalSegment& segment = *pool_.shards()[shard]->words[segment_number].documents;
    lengths.assign(documents.size(), 0);
    counts.assign(documents.size(), 0);
    if (auto done = segment.Lengths(documents, lengths); !done) return done;
    std::vector<WordScore*> out;
    out.reserve(documents.size());
    for (const Ordinal document : documents) {
      out.push_back(&scores_.find(ItemRef{shard, document})->second);
    }
    for (std::size_t t = 0; t < cue_.terms.size(); ++t) {
      const CueTerm& term = cue_.terms[t];
      if (!term.known) continue;
      if (auto done = segment.TermFrequencies(term.term, documents, counts); !done) return done;
      for (std::size_t i = 0; i < documents.size(); ++i) {
        if (counts[i] == 0) continue;
        out[i]->bm25 +=
            term.weight * index::Bm25TermWeight(counts[i], lengths[i], average, params_);
        out[i]->present.set(t);
      }
    }
  }
  return {};
}

const WordScore& WordScorer::Of(const ItemRef& item) const {
  static const WordScore kNone;
  const auto found = scores_.find(item);
  return found == scores_.end() ? kNone : found->second;
}

Result<void> WordScorer::ScoreSessions(std::uint32_t shard_number,
                                       std::vector<std::uint32_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::erase_if(numbers, [&](std::uint32_t number) {
    return number == 0 || sessions_.contains({shard_number, number});
  });
  if (numbers.empty()) return {};
  const shard::Shard& shard = *pool_.shards()[shard_number];
  std::vector<std::uint64_t> lengths(numbers.size(), 0);
  std::vector<std::uint32_t> part(numbers.size());
  const auto add = [&](const auto& ask, auto* sums) -> Result<void> {
    for (const shard::WordSegment& segment : shard.words) {
      if (auto done = ask(*segment.sessions); !done) return done;
      for (std::size_t i = 0; i < numbers.size(); ++i) (*sums)[i] += part[i];
    }
    if (shard.dead_words.sessions) {
      if (auto done = ask(*shard.dead_words.sessions); !done) return done;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        (*sums)[i] -= std::min<std::uint64_t>((*sums)[i], part[i]);
      }
    }
    return {};
  };
  auto done =
      add([&](const index::LexicalSegment& s) { return s.Lengths(numbers, part); }, &lengths);
  if (!done) return done;
  std::vector<double> scores(numbers.size(), 0);
  for (const CueTerm& term : cue_.terms) {
    if (!term.known) continue;
    std::vector<std::uint64_t> counts(numbers.size(), 0);
    done = add(
        [&](const index::LexicalSegment& s) { return s.TermFrequencies(term.term, numbers, part); },
        &counts);
    if (!done) return done;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (counts[i] == 0) continue;
      scores[i] += term.weight * index::Bm25TermWeight(static_cast<double>(counts[i]),
                                                       static_cast<double>(lengths[i]),
                                                       pool_.average_session_length(), params_);
    }
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    sessions_[{shard_number, numbers[i]}] = scores[i];
  }
  return {};
}

Result<double> WordScorer::Session(std::uint32_t shard, std::uint32_t session_number) {
  if (session_number == 0) return 0.0;
  if (auto done = ScoreSessions(shard, {session_number}); !done) return Fail(done.error());
  return sessions_[{shard, session_number}];
}

Result<std::vector<LegHit>> WordLeg(const Pool& pool, const Cue& cue,
                                    const index::Bm25Params& params, std::size_t limit,
                                    WordScorer* scorer) {
  std::vector<index::WeightedTerm> terms;
  for (const CueTerm& term : cue.terms) {
    if (term.known && term.weight > 0) terms.push_back({term.term, term.weight});
  }
  std::vector<ItemRef> items;
  if (!terms.empty()) {
    for (std::uint32_t s = 0; s < pool.shards().size(); ++s) {
      const shard::Shard& shard = *pool.shards()[s];
      for (std::uint16_t g = 0; g < shard.words.size(); ++g) {
        const index::DocumentFilter accept = [&](Ordinal document) {
          return document < shard.docs.size() && shard.docs[document].word_segment == g &&
                 shard.docs[document].host == 0 && pool.Accepts(s, document);
        };
        auto found = shard.words[g].documents->Candidates(terms, pool.average_length(), params,
                                                          limit, accept);
        if (!found) return Fail(found.error());
        for (const Ordinal document : *found) items.push_back({s, document});
      }
    }
  }
  if (auto done = scorer->Score(items); !done) return Fail(done.error());
  std::vector<LegHit> hits;
  hits.reserve(items.size());
  for (const ItemRef& item : items) {
    const double score = scorer->Of(item).bm25;
    if (score > 0) hits.push_back({item, score});
  }
  KeepBest(limit, &hits);
  return hits;
}

Result<std::vector<LegHit>> VectorLeg(const Pool& pool, const Cue& cue, std::size_t limit,
                                      std::size_t ef) {
  std::map<ItemRef, double> best;
  if (!cue.vector.empty()) {
    for (std::uint32_t s = 0; s < pool.shards().size(); ++s) {
      const shard::Shard& shard = *pool.shards()[s];
      for (std::uint16_t g = 0; g < shard.vectors.size(); ++g) {
        const index::DocumentFilter accept = [&](Ordinal document) {
          if (document >= shard.docs.size()) return false;
          const shard::Doc& doc = shard.docs[document];
          return doc.vector_segment == g && pool.Accepts(s, document) &&
                 (doc.host == 0 || pool.Accepts(s, doc.host));
        };
        auto found = shard.vectors[g]->Search(cue.vector, limit, std::max(ef, limit), accept);
        if (!found) return Fail(found.error());
        for (const index::VectorHit& hit : *found) {
          if (hit.similarity <= 0) continue;
          double& known = best[pool.Host({s, hit.ordinal})];
          known = std::max(known, static_cast<double>(hit.similarity));
        }
      }
    }
  }
  std::vector<LegHit> hits;
  hits.reserve(best.size());
  for (const auto& [item, score] : best) hits.push_back({item, score});
  KeepBest(limit, &hits);
  return hits;
}

double Cosine(const Pool& pool, const Cue& cue, const ItemRef& item) {
  if (cue.vector.empty()) return 0;
  const shard::Shard& shard = pool.shard(item);
  double best = 0;
  const auto take = [&](Ordinal document) {
    const std::uint16_t segment = shard.docs[document].vector_segment;
    if (segment == shard::kNoSegment) return;
    const std::span<const float> vector = shard.vectors[segment]->Vector(document);
    if (vector.size() != cue.vector.size()) return;
    best = std::max(best, static_cast<double>(index::Dot(cue.vector, vector)));
  };
  take(item.document);
  for (Ordinal f = shard.docs[item.document].first_fact; f != 0; f = shard.docs[f].next_fact) {
    if (pool.Accepts(item.shard, f)) take(f);
  }
  return best;
}

}  // namespace souvenance::recall
