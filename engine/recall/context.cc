#include "engine/recall/context.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "engine/recall/recall.h"
#include "scoring/budget.h"

namespace souvenance::recall {
namespace {

using scoring::Section;

constexpr std::string_view kSectionNames[] = {"identity", "recent", "memories", "facts",
                                              "evidence"};
constexpr std::string_view kTitles[] = {"## Identity", "## Recent turns", "## Memories", "## Facts",
                                        "## Evidence"};
constexpr std::size_t kRecentTurns = 6;
constexpr std::size_t kShortest = 12;  // tokens of an excerpt that still says something

// An item on its way into the block.
struct Entry {
  ContextItem item;
  Section section = Section::kMemories;
  std::string prefix;  // before the text: citation, time, speaker
  std::string text;    // escaped
};

std::string Day(Timestamp time) { return FormatTime(time).substr(0, 10); }

std::string Cited(const std::vector<Citation>& sources) {
  std::string text;
  for (const Citation& source : sources) {
    if (!text.empty()) text += ' ';
    text += source.id + '[' + std::to_string(source.begin) + ':' + std::to_string(source.end) + ']';
  }
  return text;
}

Entry Make(Section section, std::string id, const std::vector<Citation>& sources,
           std::string_view who, std::string_view when, std::string_view text) {
  Entry entry;
  entry.section = section;
  entry.item.id = std::move(id);
  entry.item.section = kSectionNames[static_cast<std::size_t>(section)];
  entry.item.sources = sources;
  entry.prefix = "- [" + Cited(sources) + "]";
  if (!when.empty()) entry.prefix += " " + std::string(when);
  if (!who.empty()) entry.prefix += " " + EscapeForContext(who) + ":";
  entry.prefix += ' ';
  entry.text = EscapeForContext(text);
  return entry;
}

class Assembler {
 public:
  Assembler(const Pool& pool, const ContextQuery& query, const Ranking& ranking)
      : pool_(pool), query_(query), ranking_(ranking) {}

  Result<ContextAnswer> Run();

 private:
  Result<void> AddRecent();
  Result<void> AddMemories();
  bool Fresh(const ItemRef& item, const std::string& text);
  void Pack(ContextAnswer* answer);

  const Pool& pool_;
  const ContextQuery& query_;
  const Ranking& ranking_;
  std::vector<Entry> entries_;
  std::vector<LeftOut> left_out_;
  std::set<ItemRef> taken_;
  std::set<std::string> texts_;
};

// False when the same item or the same words are in already.
bool Assembler::Fresh(const ItemRef& item, const std::string& text) {
  if (!taken_.insert(item).second) return false;
  return texts_.insert(text).second;
}

Result<void> Assembler::AddRecent() {
  const std::string& session = pool_.viewer().session;
  if (session.empty()) return {};
  std::vector<Entry> turns;  // newest first
  for (std::uint32_t s = 0; s < pool_.shards().size(); ++s) {
    const shard::Shard& shard = *pool_.shards()[s];
    for (std::size_t number = 1; number < shard.sessions.size(); ++number) {
      if (shard.NameText(shard.sessions[number]) != session) continue;
      Ordinal turn = shard.session_last[number];
      for (std::size_t i = 0; i < kRecentTurns && turn != 0; turn = shard.docs[turn].previous) {
        const ItemRef item{s, turn};
        if (!pool_.Accepts(item)) continue;
        if (Disclose(pool_, item, 1).level != scoring::Disclosure::kFull) continue;
        auto text = DocText(pool_, item);
        if (!text) return Fail(text.error());
        auto sources =
            Citations(pool_, shard.docs[turn].artifact, shard.docs[turn].revision, shard.scope_tag);
        if (!sources) return Fail(sources.error());
        if (Fresh(item, *text)) {
          turns.push_back(Make(Section::kRecent, pool_.PublicId(item), *sources,
                               pool_.Name(item, shard.docs[turn].speaker),
                               Day(shard.docs[turn].event_time), *text));
        }
        ++i;
      }
    }
  }
  for (Entry& turn : turns) entries_.push_back(std::move(turn));
  return {};
}

Result<void> Assembler::AddMemories() {
  const Shown shown = DiscloseRanking(pool_, ranking_, query_.recall.options, query_.recall.k);
  for (const Shown::Entry& entry : shown.entries) {
    const ItemRef& item = entry.candidate->item;
    auto result = Render(pool_, *entry.candidate, entry.disclosed);
    if (!result) return Fail(result.error());
    if (!Fresh(item, result->text)) {
      left_out_.push_back({result->id, "duplicate"});
      continue;
    }
    const bool identity = result->kind == ArtifactKind::kPersona ||
                          pool_.doc(item).memory_type == MemoryType::kIdentity;
    Entry made = Make(identity ? Section::kIdentity : Section::kMemories, result->id,
                      result->sources, result->said_by, Day(result->event_time), result->text);
    made.item.disclosure = result->disclosure;
    entries_.push_back(std::move(made));
    const shard::Shard& shard = pool_.shard(item);
    for (Ordinal f = pool_.doc(item).first_fact; f != 0; f = shard.docs[f].next_fact) {
      const ItemRef fact{item.shard, f};
      if (!pool_.Accepts(fact)) continue;
      if (Disclose(pool_, fact, entry.candidate->factors.relevance).level !=
          scoring::Disclosure::kFull) {
        continue;
      }
      auto text = DocText(pool_, fact);
      if (!text) return Fail(text.error());
      if (!Fresh(fact, *text)) continue;
      auto sources =
          Citations(pool_, shard.docs[f].artifact, shard.docs[f].revision, shard.scope_tag);
      if (!sources) return Fail(sources.error());
      entries_.push_back(Make(Section::kFacts, pool_.PublicId(fact), *sources, {}, {}, *text));
    }
  }
  return {};
}

void Assembler::Pack(ContextAnswer* answer) {
  // A section's title is paid for by its first item, whichever that turns out to be, so the sum
  // can only be lower than what was packed.
  std::vector<scoring::PackItem> items;
  for (const Entry& entry : entries_) {
    const auto section = static_cast<std::size_t>(entry.section);
    const std::size_t title = scoring::EstimateTokens(kTitles[section]);
    const std::size_t frame = scoring::EstimateTokens(entry.prefix) + title;
    const std::size_t text = scoring::EstimateTokens(entry.text);
    items.push_back({entry.section, frame + text, frame + std::min(text, kShortest)});
  }
  scoring::BudgetShares shares;
  std::copy(std::begin(query_.shares), std::end(query_.shares), std::begin(shares.share));
  const auto packed = scoring::Pack(items, query_.budget, query_.max_items, shares);
  std::vector<std::string> words;
  for (const CueTerm& term : ranking_.cue.terms) {
    if (term.known) words.push_back(term.term);
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (packed[i].reason != scoring::PackReason::kPacked) {
      left_out_.push_back({entry.item.id, packed[i].reason == scoring::PackReason::kBudget
                                              ? "budget"
                                              : "item_limit"});
      continue;
    }
    const std::size_t frame = items[i].tokens - scoring::EstimateTokens(entry.text);
    Excerpt excerpt = ExcerptAround(entry.text, words, packed[i].tokens - frame);
    if (excerpt.text.empty() && !entry.text.empty()) {
      left_out_.push_back({entry.item.id, "budget"});
      continue;
    }
    entry.item.truncated = excerpt.truncated;
    entry.item.text = entry.prefix + excerpt.text;
    entry.item.tokens = scoring::EstimateTokens(entry.item.text);
    order.push_back(i);
  }
  for (std::size_t section = 0; section < scoring::kSections; ++section) {
    std::vector<std::size_t> members;
    for (const std::size_t i : order) {
      if (static_cast<std::size_t>(entries_[i].section) == section) members.push_back(i);
    }
    if (members.empty()) continue;
    // Turns are read oldest first, whatever the order of packing.
    if (static_cast<Section>(section) == Section::kRecent) {
      std::reverse(members.begin(), members.end());
    }
    answer->text += std::string(kTitles[section]) + "\n";
    for (const std::size_t i : members) {
      answer->text += entries_[i].item.text + "\n";
      answer->items.push_back(std::move(entries_[i].item));
    }
  }
  answer->tokens = scoring::EstimateTokens(answer->text);
}

Result<ContextAnswer> Assembler::Run() {
  ContextAnswer answer;
  answer.cue = query_.recall.cue;
  answer.budget = query_.budget;
  answer.reason = ranking_.reason;
  if (auto done = AddMemories(); !done) return Fail(done.error());
  if (auto done = AddRecent(); !done) return Fail(done.error());
  Pack(&answer);
  answer.left_out = std::move(left_out_);
  if (!answer.items.empty()) {
    answer.reason.clear();
  } else if (answer.reason.empty()) {
    answer.reason = entries_.empty() ? "withheld" : "budget";
  }
  return answer;
}

}  // namespace

Result<ContextAnswer> Context(const Core& core, const ContextQuery& query) {
  if (auto checked = CheckRecall(query.recall); !checked) return Fail(checked.error());
  double sum = 0;
  for (const double share : query.shares) {
    if (!std::isfinite(share) || share < 0) {
      return Fail(ErrorCode::kInvalidArgument, "read budget: a share is negative");
    }
    sum += share;
  }
  if (sum > 1.0 + 1e-9) {
    return Fail(ErrorCode::kInvalidArgument, "read budget: the shares sum to more than 1");
  }
  auto pool = Pool::Open(core, query.recall.viewer, query.recall.moment);
  if (!pool) return Fail(pool.error());
  auto ranking = Rank(*pool, query.recall);
  if (!ranking) return Fail(ranking.error());
  return Assembler(*pool, query, *ranking).Run();
}

}  // namespace souvenance::recall
