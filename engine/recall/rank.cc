#include "engine/recall/rank.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "engine/recall/facts.h"
#include "scoring/forgetting.h"
#include "scoring/gate.h"
#include "scoring/recall_score.h"
#include "scoring/relevance.h"

namespace souvenance::recall {
namespace {

constexpr int kNeighbours = 2;  // turns on either side

// Neighbours of a turn in its session, as far as they may be seen: [0] is the turn before.
struct Neighbours {
  ItemRef previous, before_previous, next, after_next;  // document 0: none
};

Neighbours NeighboursOf(const Pool& pool, const ItemRef& item) {
  const shard::Shard& shard = pool.shard(item);
  const auto step = [&](Ordinal from, bool back) -> Ordinal {
    if (from == 0) return 0;
    const Ordinal to = back ? shard.docs[from].previous : shard.docs[from].next;
    return to != 0 && pool.Accepts(item.shard, to) ? to : 0;
  };
  const Ordinal previous = step(item.document, true);
  const Ordinal next = step(item.document, false);
  return {{item.shard, previous},
          {item.shard, step(previous, true)},
          {item.shard, next},
          {item.shard, step(next, false)}};
}

void AppendNeighbours(const Neighbours& n, std::vector<ItemRef>* out) {
  for (const ItemRef& item : {n.previous, n.before_previous, n.next, n.after_next}) {
    if (item.document != 0) out->push_back(item);
  }
}

std::string LowerTag(std::string tag) {
  for (char& c : tag) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return tag;
}

class Ranker {
 public:
  Ranker(const Pool& pool, const RecallQuery& query)
      : pool_(pool), query_(query), options_(query.options) {}

  Result<Ranking> Run();

 private:
  bool hybrid() const { return options_.preset == Preset::kHybrid; }

  Result<void> AskLegs();
  Result<void> Unite();
  void CommonFactors(Candidate* candidate);
  Result<void> ScoreHybrid();
  void ScoreSeed();
  void ScoreRrf();
  void FindLinks();
  Result<void> FindSaid();
  void TakeTagged(std::map<ItemRef, Candidate>* united) const;
  std::bitset<kMaxCueTerms> TermsIn(std::string_view text) const;
  double BestCoverage();
  void Gate();
  void Explore();
  void Order();

  const Pool& pool_;
  const RecallQuery& query_;
  const RecallOptions& options_;
  Ranking ranking_;
  std::unique_ptr<WordScorer> scorer_;
  std::vector<LegHit> words_, vectors_, graph_;
  std::map<ItemRef, double> links_;
  std::set<ItemRef> brought_;  // by an entity that few items are about
  // Cue terms that an item says without having them in its text: its speaker's name, the names of
  // the entities it is about, the facts that rest on it.
  std::map<ItemRef, std::bitset<kMaxCueTerms>> said_;
};

Result<Ranking> Ranker::Run() {
  const bool graph = options_.legs.graph == Switch::kOn || (hybrid() && options_.link > 0);
  auto cue = ReadCue(pool_, query_, graph);
  if (!cue) return Fail(cue.error());
  ranking_.cue = std::move(*cue);
  ranking_.gate.kind = options_.gate == Switch::kOff ? "off" : hybrid() ? "cue" : "item";
  if (pool_.items() == 0) {
    ranking_.reason = "empty_pool";
    return std::move(ranking_);
  }
  scorer_ =
      std::make_unique<WordScorer>(pool_, ranking_.cue, index::Bm25Params{options_.k1, options_.b});
  if (auto done = AskLegs(); !done) return Fail(done.error());
  if (auto done = Unite(); !done) return Fail(done.error());
  for (Candidate& candidate : ranking_.candidates) CommonFactors(&candidate);
  if (hybrid()) {
    if (auto done = ScoreHybrid(); !done) return Fail(done.error());
    if (auto done = FindSaid(); !done) return Fail(done.error());
  } else if (options_.preset == Preset::kSeed) {
    ScoreSeed();
  } else {
    ScoreRrf();
  }
  Gate();
  Explore();
  Order();
  if (ranking_.admitted == 0) {
    const bool windowed = pool_.when().since || pool_.when().until || pool_.when().as_of_given;
    ranking_.reason = ranking_.cue.terms.empty()                ? "no_terms"
                      : ranking_.candidates.empty() && windowed ? "nothing_in_window"
                                                                : "below_gate";
  }
  return std::move(ranking_);
}

Result<void> Ranker::AskLegs() {
  const auto status = [](Switch leg) { return leg == Switch::kOff ? "off" : "ok"; };
  ranking_.legs.bm25 = status(options_.legs.bm25);
  ranking_.legs.vector = status(options_.legs.vector);
  ranking_.legs.graph = status(options_.legs.graph);
  // A cue without a searchable word asks for nothing: the other legs have nothing to go by
  // either, unless the host brought a vector.
  if (ranking_.cue.terms.empty() && query_.vector.empty()) return {};

  // One leg's failure leaves the others' answer, marked.
  if (options_.legs.bm25 == Switch::kOn) {
    auto hits =
        WordLeg(pool_, ranking_.cue, {options_.k1, options_.b}, options_.word_pool, scorer_.get());
    if (hits) {
      words_ = std::move(*hits);
    } else {
      ranking_.legs.bm25 = "failed";
    }
  }
  if (options_.legs.vector == Switch::kOn) {
    auto hits = VectorLeg(pool_, ranking_.cue, options_.vector_pool, options_.ef);
    if (hits) {
      vectors_ = std::move(*hits);
    } else {
      ranking_.legs.vector = "failed";
    }
  }
  if (options_.legs.graph == Switch::kOn) {
    auto hits = GraphLeg(pool_, ranking_.cue, options_, words_, vectors_);
    if (hits) {
      graph_ = std::move(*hits);
    } else {
      ranking_.legs.graph = "failed";
    }
  }
  return {};
}

Result<void> Ranker::Unite() {
  std::map<ItemRef, Candidate> united;
  const auto take = [&](const std::vector<LegHit>& hits, std::uint32_t LegRanks::*rank) {
    for (std::size_t i = 0; i < hits.size(); ++i) {
      Candidate& candidate = united[hits[i].item];
      candidate.item = hits[i].item;
      candidate.ranks.*rank = static_cast<std::uint32_t>(i + 1);
    }
  };
  take(words_, &LegRanks::bm25);
  take(vectors_, &LegRanks::vector);
  take(graph_, &LegRanks::graph);
  TakeTagged(&united);
  if (hybrid()) {
    FindLinks();
    for (const ItemRef& item : brought_) united[item].item = item;
    const bool context = options_.previous > 0 || options_.next > 0 ||
                         options_.before_previous > 0 || options_.after_next > 0;
    std::vector<ItemRef> beside;
    if (context) {
      for (const LegHit& hit : words_) AppendNeighbours(NeighboursOf(pool_, hit.item), &beside);
    }
    for (const ItemRef& item : beside) united[item].item = item;
  }
  std::vector<ItemRef> to_score;
  for (auto& [item, candidate] : united) {
    to_score.push_back(item);
    if (hybrid()) AppendNeighbours(NeighboursOf(pool_, item), &to_score);
    ranking_.candidates.push_back(std::move(candidate));
  }
  return scorer_->Score(to_score);
}

// Items about an entity that the cue, or the session's last turns, named.
void Ranker::FindLinks() {
  // Every item is told to be about an entity; only one that few items are about brings them in:
  // the name of somebody who speaks in every other turn is no way to find one.
  constexpr std::size_t kMaxEdges = 2000;
  constexpr std::size_t kMaxBrought = 100;
  if (options_.link <= 0) return;
  for (const LinkedEntity& linked : ranking_.cue.linked) {
    for (const graph::ViewNode form : pool_.View().Forms(linked.node)) {
      const shard::GraphPart& part = pool_.shards()[form.shard]->Graph();
      const auto name = TermsIn(pool_.shards()[form.shard]->entities[form.node].name);
      std::size_t followed = 0;
      for (const std::uint32_t e : part.graph->EdgesAt(form.node)) {
        if (++followed > kMaxEdges) break;
        const graph::Edge& edge = part.graph->edge(e);
        const graph::Node other = edge.from == form.node ? edge.to : edge.from;
        const Ordinal document = part.node_documents[other];
        if (document == 0 || !pool_.Accepts(form.shard, document)) continue;
        if (!graph::Alive(edge, pool_.AsOf())) continue;
        double& strength = links_[{form.shard, document}];
        strength = std::max(strength, linked.strength);
        if (linked.strength >= 1) said_[{form.shard, document}] |= name;
        if (part.graph->EdgesAt(form.node).size() <= kMaxBrought) {
          brought_.insert({form.shard, document});
        }
      }
    }
  }
}

// A tag that was asked for is evidence of its own; hashtags in the cue's text are words as well.
void Ranker::TakeTagged(std::map<ItemRef, Candidate>* united) const {
  if (ranking_.cue.tags.empty()) return;
  std::size_t taken = 0;
  for (std::uint32_t s = 0; s < pool_.shards().size(); ++s) {
    const shard::Shard& shard = *pool_.shards()[s];
    std::vector<bool> wanted(shard.tag_sets.size(), false);
    for (std::size_t t = 1; t < shard.tag_sets.size(); ++t) {
      for (const std::string& tag : shard.tag_sets[t]) {
        wanted[t] = wanted[t] || std::binary_search(ranking_.cue.tags.begin(),
                                                    ranking_.cue.tags.end(), LowerTag(tag));
      }
    }
    for (std::size_t o = shard.docs.size(); o-- > 1 && taken < options_.word_pool;) {
      const auto document = static_cast<Ordinal>(o);
      const shard::Doc& doc = shard.docs[o];
      if (doc.tag_set == 0 || !wanted[doc.tag_set] || doc.host != 0) continue;
      if (!pool_.Accepts(s, document)) continue;
      (*united)[{s, document}].item = {s, document};
      ++taken;
    }
  }
}

std::bitset<kMaxCueTerms> Ranker::TermsIn(std::string_view text) const {
  std::bitset<kMaxCueTerms> present;
  const auto analysed = pool_.core().linguist->analyzer().Document(text);
  if (!analysed) return present;
  for (std::size_t t = 0; t < ranking_.cue.terms.size(); ++t) {
    for (const index::TermCount& term : analysed->terms) {
      if (term.term == ranking_.cue.terms[t].term) present.set(t);
    }
  }
  return present;
}

Result<void> Ranker::FindSaid() {
  // A speaker has many turns; the name is analysed once.
  std::map<std::pair<std::uint32_t, shard::Name>, std::bitset<kMaxCueTerms>> names;
  for (std::uint32_t s = 0; s < pool_.shards().size(); ++s) {
    for (const shard::Name name : ranking_.cue.speakers[s]) {
      names[{s, name}] = TermsIn(pool_.shards()[s]->NameText(name));
    }
  }
  for (const Candidate& candidate : ranking_.candidates) {
    const auto name = names.find({candidate.item.shard, pool_.doc(candidate.item).speaker});
    if (name != names.end()) said_[candidate.item] |= name->second;
  }
  if (options_.legs.graph == Switch::kOff) return {};
  auto facts = MatchFacts(pool_, ranking_.cue, static_cast<std::size_t>(options_.fact_seeds));
  if (!facts) return Fail(facts.error());
  for (const FactHit& fact : *facts) {
    const shard::Shard& shard = *pool_.shards()[fact.shard];
    const shard::Relation& relation = shard.relations[fact.relation];
    const auto present = TermsIn(shard::RelationText(shard, relation));
    for (const Ordinal source : relation.sources) {
      const Ordinal document = shard.verbatim_of[source];
      if (document != 0) said_[{fact.shard, document}] |= present;
    }
  }
  return {};
}

void Ranker::CommonFactors(Candidate* candidate) {
  const shard::Doc& doc = pool_.doc(candidate->item);
  Factors& f = candidate->factors;
  f.literal = scoring::Literal(scorer_->Of(candidate->item).bm25, ranking_.cue.best_possible);
  if (!ranking_.cue.tags.empty() && doc.tag_set != 0) {
    std::vector<std::string> lowered;
    for (const std::string& tag : pool_.shard(candidate->item).tag_sets[doc.tag_set]) {
      lowered.push_back(LowerTag(tag));
    }
    const std::vector<std::string_view> cue_tags(ranking_.cue.tags.begin(),
                                                 ranking_.cue.tags.end());
    const std::vector<std::string_view> item_tags(lowered.begin(), lowered.end());
    f.tag = scoring::TagShare(cue_tags, item_tags);
  }
  f.emotion =
      scoring::EmotionMatch(query_.emotion, query_.emotion_intensity,
                            pool_.Name(candidate->item, doc.emotion), doc.emotion_intensity);
  double hits = 0;
  Timestamp last = doc.event_time;
  for (const shard::Use* use : pool_.UsesOf(candidate->item)) {
    if (use->at > pool_.when().now) continue;
    hits += use->amount;
    if (use->amount > 0) last = std::max(last, use->at);
  }
  const double stability =
      scoring::StabilityDays(doc.salience, hits, doc.shape, doc.emotion_intensity);
  const double retention = scoring::Retention(scoring::AgeDays(last, pool_.when().now), stability);
  f.weight = scoring::Weight(doc.salience, retention);
  f.freshness = scoring::Freshness(scoring::AgeDays(doc.event_time, pool_.when().now));
  Timestamp recalled{};
  const bool used = pool_.UsedInViewersSession(candidate->item, &recalled);
  f.recent = scoring::RecentPenalty(used, recalled, pool_.when().now);
  if (candidate->ranks.graph != 0) f.activation = graph_[candidate->ranks.graph - 1].score;
  const double cosine = candidate->ranks.vector != 0 ? vectors_[candidate->ranks.vector - 1].score
                        : options_.legs.vector == Switch::kOn
                            ? Cosine(pool_, ranking_.cue, candidate->item)
                            : 0;
  f.semantic = scoring::Semantic(cosine, pool_.core().linguist->unrelated_similarity());
}

Result<void> Ranker::ScoreHybrid() {
  scoring::RelevanceWeights w;
  w.previous = options_.previous;
  w.previous_question = options_.previous_question;
  w.before_previous = options_.before_previous;
  w.next = options_.next;
  w.after_next = options_.after_next;
  w.session = options_.session;
  w.speaker = options_.speaker;
  w.when = options_.when;
  w.semantic = options_.semantic;
  w.date_window = options_.date_window;
  w.date_exact = options_.date_exact;
  w.link = options_.link;
  w.activation = options_.activation_weight;

  // Sessions are scored together, shard by shard.
  if (w.session > 0) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> sessions;
    for (const Candidate& candidate : ranking_.candidates) {
      const std::uint32_t number = pool_.doc(candidate.item).session_number;
      if (number != 0) sessions[candidate.item.shard].push_back(number);
    }
    for (auto& [shard, numbers] : sessions) {
      if (auto done = scorer_->ScoreSessions(shard, std::move(numbers)); !done) return done;
    }
  }
  std::vector<scoring::RelevanceInput> inputs;
  inputs.reserve(ranking_.candidates.size());
  for (const Candidate& candidate : ranking_.candidates) {
    const ItemRef& item = candidate.item;
    const shard::Doc& doc = pool_.doc(item);
    const Neighbours n = NeighboursOf(pool_, item);
    scoring::RelevanceInput in;
    in.bm25 = scorer_->Of(item).bm25;
    const auto bm25 = [&](const ItemRef& at) {
      return at.document == 0 ? 0.0 : scorer_->Of(at).bm25;
    };
    in.previous = bm25(n.previous);
    in.before_previous = bm25(n.before_previous);
    in.next = bm25(n.next);
    in.after_next = bm25(n.after_next);
    in.previous_asks = n.previous.document != 0 && pool_.doc(n.previous).asks;
    if (w.session > 0) {
      auto session = scorer_->Session(item.shard, doc.session_number);
      if (!session) return Fail(session.error());
      in.session = *session;
    }
    in.speaker_named =
        doc.speaker != 0 && (ranking_.cue.speakers[item.shard].contains(doc.speaker) ||
                             (ranking_.cue.names_viewer && !pool_.viewer().subject.empty() &&
                              pool_.Name(item, doc.speaker) == pool_.viewer().subject));
    in.when_matches = ranking_.cue.asks_when && doc.says_when;
    in.semantic = candidate.factors.semantic;
    for (const TimeSpan& window : Windows(ranking_.cue.dates, doc.event_time)) {
      in.date = std::max(in.date, scoring::DateTerm(doc.event_time, window, w));
    }
    if (const auto link = links_.find(item); link != links_.end()) in.link = link->second;
    in.activation = candidate.factors.activation;
    in.tag = candidate.factors.tag;
    in.emotion = candidate.factors.emotion;
    inputs.push_back(in);
  }
  const std::vector<scoring::RelevanceParts> parts = scoring::HybridRelevance(inputs, w);
  const scoring::HybridAgeWeights age{options_.age, 2.0 / 3, options_.recent};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Candidate& candidate = ranking_.candidates[i];
    Factors& f = candidate.factors;
    f.context = parts[i].context;
    f.session = parts[i].session;
    f.speaker = parts[i].speaker;
    f.when = parts[i].when;
    f.semantic = parts[i].semantic;
    f.date = parts[i].date;
    f.link = parts[i].link;
    f.activation = parts[i].activation;
    f.tag = parts[i].tag;
    f.emotion = parts[i].emotion;
    f.relevance = parts[i].relevance;
    candidate.evidence = parts[i].relevance;
    candidate.score =
        scoring::HybridScore(parts[i].relevance, f.weight, f.freshness, f.recent, age);
  }
  return {};
}

void Ranker::ScoreSeed() {
  const scoring::SeedWeights w;
  double top = 0;
  for (Candidate& candidate : ranking_.candidates) {
    const Factors& f = candidate.factors;
    const scoring::SeedFactors seed{f.literal,   f.tag,        f.emotion, f.weight,
                                    f.freshness, f.activation, f.recent};
    candidate.score = scoring::SeedScore(seed, w);
    candidate.evidence = scoring::SeedEvidence(seed, w);
    top = std::max(top, candidate.evidence);
  }
  for (Candidate& candidate : ranking_.candidates) {
    candidate.factors.relevance = top > 0 ? candidate.evidence / top : 0;
  }
}

void Ranker::ScoreRrf() {
  double top = 0;
  for (Candidate& candidate : ranking_.candidates) {
    const std::uint32_t ranks[] = {candidate.ranks.bm25, candidate.ranks.vector,
                                   candidate.ranks.graph};
    candidate.score = scoring::ReciprocalRankFusion(ranks);
    const Factors& f = candidate.factors;
    candidate.evidence = scoring::SeedEvidence(
        {f.literal, f.tag, f.emotion, f.weight, f.freshness, f.activation, f.recent}, {});
    top = std::max(top, candidate.score);
  }
  for (Candidate& candidate : ranking_.candidates) {
    candidate.factors.relevance = top > 0 ? candidate.score / top : 0;
  }
}

// The share of the cue's idf that the best window, an item with its neighbours, covers.
double Ranker::BestCoverage() {
  std::vector<double> idf;
  for (const CueTerm& term : ranking_.cue.terms) idf.push_back(term.idf);
  std::vector<std::uint8_t> present(idf.size());
  double best = 0;
  for (const Candidate& candidate : ranking_.candidates) {
    std::vector<ItemRef> window = {candidate.item};
    AppendNeighbours(NeighboursOf(pool_, candidate.item), &window);
    std::bitset<kMaxCueTerms> covered;
    for (const ItemRef& item : window) {
      covered |= scorer_->Of(item).present;
      if (const auto said = said_.find(item); said != said_.end()) covered |= said->second;
    }
    for (std::size_t t = 0; t < idf.size(); ++t) present[t] = covered.test(t) ? 1 : 0;
    best = std::max(best, scoring::CueCoverage(idf, present));
    // Asked for by tag, or by the very day: evidence that no word has to repeat.
    if (!query_.tags.empty()) best = std::max(best, candidate.factors.tag > 0 ? 1.0 : 0.0);
    if (candidate.factors.date > 0) best = std::max(best, 1.0);
  }
  return best;
}

void Ranker::Gate() {
  GateReport& gate = ranking_.gate;
  for (const Candidate& candidate : ranking_.candidates) {
    gate.top = std::max(gate.top, candidate.evidence);
  }
  const scoring::GateParams params{options_.gate_minimum, options_.gate_ratio,
                                   options_.gate_coverage};
  const bool on = options_.gate == Switch::kOn;
  if (hybrid()) {
    gate.coverage = BestCoverage();
    gate.threshold = params.coverage;
    const bool open = !on || scoring::CueGateOpens(gate.coverage, params);
    for (Candidate& candidate : ranking_.candidates) {
      if (!open) {
        candidate.fate = Fate::kCueGate;
      } else if (candidate.evidence <= 0 || (on && candidate.evidence < params.ratio * gate.top)) {
        candidate.fate = Fate::kItemGate;
      }
    }
    return;
  }
  gate.threshold = scoring::ItemGateThreshold(gate.top, params);
  for (Candidate& candidate : ranking_.candidates) {
    if (on && candidate.evidence < gate.threshold) candidate.fate = Fate::kItemGate;
  }
}

void Ranker::Explore() {
  if (options_.exploration == Switch::kOff || options_.gate == Switch::kOff ||
      !scoring::Explores(query_.cue)) {
    return;
  }
  Candidate* best = nullptr;
  bool any_admitted = false;
  for (Candidate& candidate : ranking_.candidates) {
    if (candidate.fate == Fate::kAdmitted) any_admitted = true;
    if (candidate.fate != Fate::kItemGate) continue;
    if (best == nullptr || candidate.score > best->score) best = &candidate;
  }
  if (any_admitted && best != nullptr) best->fate = Fate::kExplored;
}

void Ranker::Order() {
  const auto in = [](const Candidate& c) {
    return c.fate == Fate::kAdmitted || c.fate == Fate::kExplored;
  };
  std::sort(ranking_.candidates.begin(), ranking_.candidates.end(),
            [&](const Candidate& a, const Candidate& b) {
              if (in(a) != in(b)) return in(a);
              if (a.score != b.score) return a.score > b.score;
              return a.item < b.item;
            });
  ranking_.admitted = static_cast<std::size_t>(
      std::count_if(ranking_.candidates.begin(), ranking_.candidates.end(), in));
  ranking_.gate.admitted = ranking_.admitted;
  ranking_.gate.rejected = ranking_.candidates.size() - ranking_.admitted;
}

}  // namespace

Result<Ranking> Rank(const Pool& pool, const RecallQuery& query) {
  return Ranker(pool, query).Run();
}

}  // namespace souvenance::recall
