#include "engine/perceive/perceiver.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/perceive/rules.h"
#include "index/analyzer.h"

namespace souvenance::perceive {
namespace {

// Longest first, then leftmost; each must leave the bytes of those before it alone.
std::vector<Candidate> WithoutOverlaps(const CodePoints& text, std::vector<Candidate> all) {
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return std::tuple(b.past - b.first, a.first) < std::tuple(a.past - a.first, b.first);
  });
  std::vector<bool> taken(text.size(), false);
  std::vector<Candidate> kept;
  for (const Candidate& c : all) {
    // What was taken before is no shorter, so it reaches one of the ends if it touches at all.
    if (c.first >= c.past || taken[c.first] || taken[c.past - 1]) continue;
    std::fill(taken.begin() + static_cast<std::ptrdiff_t>(c.first),
              taken.begin() + static_cast<std::ptrdiff_t>(c.past), true);
    if (c.type != "url") kept.push_back(c);
  }
  std::sort(kept.begin(), kept.end(),
            [](const Candidate& a, const Candidate& b) { return a.first < b.first; });
  return kept;
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Whoever is given takes part in the exchange, named in the text or not.
void AddGiven(std::string_view name, std::vector<Perceived>& found) {
  if (name.empty()) return;
  for (const Perceived& p : found) {
    if (p.name == name && p.type == "person") return;
  }
  found.insert(found.begin(), {std::string(name), 0, 0, "person"});
}

}  // namespace

Result<std::vector<Perceived>> BuiltinPerceiver::Entities(const PerceiverInput& input) const {
  for (const std::string_view given : {input.text, input.speaker, input.addressee}) {
    if (!index::IsValidText(given)) {
      return Fail(ErrorCode::kInvalidData, "perceive: the text is not valid UTF-8");
    }
  }
  const std::string_view speaker = Trimmed(input.speaker);
  const std::string_view addressee = Trimmed(input.addressee);
  const CodePoints text(input.text);
  std::vector<Candidate> candidates;
  // At equal spans the first proposal stays: those with the better type come first.
  FindKnown(text, speaker, candidates);
  FindKnown(text, addressee, candidates);
  FindSigns(text, candidates);
  FindTags(text, candidates);
  FindQuoted(text, candidates);
  FindHan(text, candidates);
  FindCapitalised(text, candidates);

  std::vector<Perceived> found;
  for (const Candidate& c : WithoutOverlaps(text, std::move(candidates))) {
    std::string name(Trimmed(text.Slice(c.name_first, c.name_past)));
    if (c.type == "tag") name = LowerCase(name);
    // A name without a word could never be looked up.
    const Result<std::string> key = analyzer_.NameKey(name);
    if (!key) return Fail(key.error());
    if (key->empty()) continue;
    found.push_back({std::move(name), text.byte(c.first), text.byte(c.past), std::string(c.type)});
  }
  AddGiven(addressee, found);
  AddGiven(speaker, found);
  return found;
}

std::vector<std::string> BuiltinPerceiver::Tags(std::string_view text) const {
  std::vector<std::string> tags;
  if (!index::IsValidText(text)) return tags;
  const CodePoints points(text);
  std::vector<Candidate> candidates;
  FindSigns(points, candidates);
  FindTags(points, candidates);
  for (const Candidate& c : WithoutOverlaps(points, std::move(candidates))) {
    if (c.type == "tag") tags.push_back(LowerCase(points.Slice(c.name_first, c.name_past)));
  }
  // Each once, where it first stood.
  std::vector<std::size_t> order(tags.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return tags[a] < tags[b]; });
  order.erase(std::unique(order.begin(), order.end(),
                          [&](std::size_t a, std::size_t b) { return tags[a] == tags[b]; }),
              order.end());
  std::sort(order.begin(), order.end());
  std::vector<std::string> once;
  for (const std::size_t i : order) once.push_back(std::move(tags[i]));
  return once;
}

}  // namespace souvenance::perceive
