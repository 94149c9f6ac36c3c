#include "engine/recall/cue.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "engine/ingest/blank.h"
#include "index/analyzer.h"
#include "index/lexical.h"
#include "scoring/relevance.h"

namespace souvenance::recall {
namespace {

Result<void> WeighTerms(const Pool& pool, const RecallQuery& query, Cue* cue) {
  auto analysed = pool.core().linguist->analyzer().Cue(query.cue);
  if (!analysed) return Fail(analysed.error());
  cue->asks_when = analysed->asks_when;
  const double highest = index::Bm25Idf(pool.items(), 0);
  for (const index::TermCount& term : analysed->terms) {
    auto df = pool.DocumentFrequency(term.term);
    if (!df) return Fail(df.error());
    CueTerm weighted;
    weighted.term = term.term;
    weighted.known = *df > 0;
    weighted.idf = *df > 0 ? index::Bm25Idf(pool.items(), *df) : highest;
    weighted.weight = weighted.idf * term.count;
    cue->terms.push_back(std::move(weighted));
  }
  if (cue->terms.size() > kMaxCueTerms) {
    std::stable_sort(cue->terms.begin(), cue->terms.end(), [](const CueTerm& a, const CueTerm& b) {
      // Terms that nothing has can find nothing; they go first.
      if (a.known != b.known) return a.known;
      return a.idf > b.idf;
    });
    cue->terms.resize(kMaxCueTerms);
    std::sort(cue->terms.begin(), cue->terms.end(),
              [](const CueTerm& a, const CueTerm& b) { return a.term < b.term; });
  }
  for (const CueTerm& term : cue->terms) {
    cue->best_possible += (query.options.k1 + 1) * term.weight;
    cue->idf_sum += term.idf;
  }
  return {};
}

// Keeps, of overlapping hits of several shards, the longest at each place.
struct Span {
  std::uint32_t first = 0;
  std::uint32_t past = 0;
};

void LinkEntities(const Pool& pool, const std::vector<std::string>& words, Cue* cue) {
  struct Hit {
    Span span;
    graph::ViewNode node;
  };
  std::vector<Hit> hits;
  for (std::uint32_t s = 0; s < pool.shards().size(); ++s) {
    const shard::GraphPart& part = pool.shards()[s]->Graph();
    for (const graph::NameHit& hit : part.names.Link(words)) {
      hits.push_back({{hit.first_word, hit.past_word}, {s, part.entity_nodes[hit.node]}});
    }
  }
  std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
    if (a.span.first != b.span.first) return a.span.first < b.span.first;
    return a.span.past > b.span.past;
  });
  std::map<graph::ViewNode, double> strengths;
  Span kept;
  bool any = false;
  for (const Hit& hit : hits) {
    const bool same = any && hit.span.first == kept.first && hit.span.past == kept.past;
    if (any && !same && hit.span.first < kept.past) continue;
    kept = hit.span;
    any = true;
    strengths[pool.View().Canonical(hit.node)] = 1;
  }
  for (const auto& [node, strength] : strengths) cue->linked.push_back({node, strength});
}

// What the session spoke of in its last turns is still in the air: "and what about hers?".
void CarryOver(const Pool& pool, double decay, Cue* cue) {
  if (pool.viewer().session.empty() || decay <= 0) return;
  scoring::RelevanceWeights weights;
  weights.link_decay = decay;
  std::map<graph::ViewNode, double> strengths;
  for (const LinkedEntity& linked : cue->linked) strengths[linked.node] = linked.strength;
  for (std::uint32_t s = 0; s < pool.shards().size(); ++s) {
    const shard::Shard& shard = *pool.shards()[s];
    for (std::size_t number = 1; number < shard.sessions.size(); ++number) {
      if (shard.NameText(shard.sessions[number]) != pool.viewer().session) continue;
      const shard::GraphPart& part = shard.Graph();
      Ordinal turn = shard.session_last[number];
      for (unsigned back = 1; back <= scoring::kLinkTurns && turn != 0; ++back) {
        const double strength = scoring::LinkTerm(back, weights);
        const auto node = part.document_nodes.find(turn);
        if (node != part.document_nodes.end()) {
          for (const std::uint32_t e : part.graph->EdgesAt(node->second)) {
            const graph::Edge& edge = part.graph->edge(e);
            const graph::Node other = edge.from == node->second ? edge.to : edge.from;
            if (!part.graph->node(other).is_entity) continue;
            double& known = strengths[pool.View().Canonical({s, other})];
            known = std::max(known, strength);
          }
        }
        turn = shard.docs[turn].previous;
      }
    }
  }
  cue->linked.clear();
  for (const auto& [node, strength] : strengths) cue->linked.push_back({node, strength});
}

void NameSpeakers(const Pool& pool, const std::vector<std::string>& words, Cue* cue) {
  for (const std::string& word : words) {
    if (word == "i" || word == "my" || word == "me" || word == "mine" || word == "我") {
      cue->names_viewer = true;
    }
  }
  for (const auto& shard : pool.shards()) {
    std::unordered_set<shard::Name> named;
    for (const graph::NameHit& hit : shard->Persons().Link(words)) named.insert(hit.node);
    cue->speakers.push_back(std::move(named));
  }
}

// Hashtags of the cue, and tags given; compared in lower case.
std::vector<std::string> CueTags(const RecallQuery& query) {
  std::vector<std::string> tags = query.tags;
  const std::string& text = query.cue;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '#') continue;
    std::size_t end = i + 1;
    while (end < text.size() && text[end] != ' ' && text[end] != '#' && text[end] != '\n' &&
           text[end] != ',' && text[end] != '.' && text[end] != '?') {
      ++end;
    }
    if (end > i + 1) tags.push_back(text.substr(i + 1, end - i - 1));
    i = end;
  }
  for (std::string& tag : tags) {
    for (char& c : tag) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
  }
  std::sort(tags.begin(), tags.end());
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  return tags;
}

Result<void> EmbedCue(const Pool& pool, const RecallQuery& query, Cue* cue) {
  if (query.options.legs.vector == Switch::kOff) return {};
  const shard::Linguist& linguist = *pool.core().linguist;
  if (!query.vector.empty()) {
    const std::size_t dimension = linguist.embedder().identity().dimension;
    if (query.vector.size() != dimension) {
      return Fail(ErrorCode::kInvalidData,
                  "read the cue's vector: it has " + std::to_string(query.vector.size()) +
                      " dimensions, the store's vectors have " + std::to_string(dimension),
                  "give a vector of the store's embedder, or none");
    }
    auto unit = index::Normalise(query.vector);
    if (!unit) return Fail(unit.error());
    cue->vector = std::move(*unit);
    return {};
  }
  auto vector = linguist.Embed(query.cue, index::EmbedRole::kQuery);
  if (!vector) return Fail(vector.error());
  cue->vector = std::move(*vector);
  return {};
}

}  // namespace

Result<void> CheckCue(std::string_view cue) {
  if (!index::IsValidText(cue)) {
    return Fail(ErrorCode::kInvalidData, "read cue: it is not valid UTF-8, or holds a NUL byte",
                "convert the text to UTF-8 first");
  }
  if (ingest::IsBlank(cue)) {
    return Fail(ErrorCode::kInvalidArgument, "read cue: it is blank",
                "say what should come to mind, as in `souvenance recall \"green tea\"`");
  }
  return {};
}

Result<Cue> ReadCue(const Pool& pool, const RecallQuery& query, bool needs_graph) {
  Cue cue;
  cue.text = query.cue;
  if (auto done = WeighTerms(pool, query, &cue); !done) return Fail(done.error());
  cue.dates = FindDates(query.cue);
  cue.tags = CueTags(query);
  const std::vector<std::string> words = pool.core().linguist->WordTexts(query.cue);
  NameSpeakers(pool, words, &cue);
  if (needs_graph) {
    LinkEntities(pool, words, &cue);
    CarryOver(pool, query.options.link_decay, &cue);
  }
  if (auto done = EmbedCue(pool, query, &cue); !done) return Fail(done.error());
  return cue;
}

}  // namespace souvenance::recall
