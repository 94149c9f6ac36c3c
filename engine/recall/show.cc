#include "engine/recall/show.h"

#include <utility>

namespace souvenance::recall {
namespace {

constexpr Timestamp kEpoch{};

// "alice" the scope is Alice's: names are compared by their keys, as entities are.
bool SameName(const Pool& pool, std::string_view a, std::string_view b) {
  if (a == b) return true;
  const index::Analyzer& analyzer = pool.core().linguist->analyzer();
  const auto key_a = analyzer.NameKey(a);
  const auto key_b = analyzer.NameKey(b);
  return key_a && key_b && !key_a->empty() && *key_a == *key_b;
}

DisclosureShare Share(const scoring::DisclosureFactors& f) {
  return {f.context_affinity, f.subject_fit, f.scope_prior, f.openness, f.topic, f.score};
}

}  // namespace

std::string Hex(const storage::Digest& digest) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(digest.size() * 2);
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

Disclosed Disclose(const Pool& pool, const ItemRef& item, double relevance) {
  const shard::Shard& shard = pool.shard(item);
  const shard::Doc& doc = pool.doc(item);
  const Viewer& viewer = pool.viewer();
  const std::string_view subject = pool.Name(item, doc.subject);
  scoring::DisclosureInput in;
  in.item_scope = shard.scope.kind;
  in.viewer_has_session = !viewer.session.empty();
  in.same_session = in.viewer_has_session && pool.Name(item, doc.session) == viewer.session;
  in.session_in_scope = in.viewer_has_session && shard.HasSession(viewer.session);
  in.viewer_has_subject = !viewer.subject.empty();
  in.subject_known = !subject.empty();
  in.about_viewer = in.viewer_has_subject && SameName(pool, subject, viewer.subject);
  in.about_agent = in.subject_known && SameName(pool, subject, viewer.agent);
  in.viewers_own_private =
      !in.viewer_has_subject || SameName(pool, shard.scope.name, viewer.subject);
  in.sensitivity = doc.sensitivity;
  in.relevance = relevance;
  Disclosed disclosed;
  const scoring::DisclosureParams params;
  disclosed.factors = scoring::DiscloseFactors(in, params);
  disclosed.level = scoring::DiscloseLevel(disclosed.factors.score, params);
  // Of a gist without a gist nothing but a hint is left.
  if (disclosed.level == scoring::Disclosure::kGist && doc.gist == kNoPayload) {
    disclosed.level = scoring::Disclosure::kHint;
  }
  return disclosed;
}

Result<std::vector<Citation>> Citations(const Pool& pool, ArtifactId artifact,
                                        std::uint32_t revision, const std::string& scope_tag) {
  auto evidence = pool.tx().Evidence(artifact, revision);
  if (!evidence) return Fail(evidence.error());
  std::vector<Citation> citations;
  for (const storage::EvidenceRow& row : *evidence) {
    auto source = pool.tx().FindSource(row.source);
    if (!source) return Fail(source.error());
    if (!*source) continue;
    Citation citation;
    citation.id =
        storage::FormatPublicId(storage::PublicKind::kSource, (*source)->ordinal, scope_tag);
    if ((*source)->external_id != kNoPayload) {
      auto external = pool.tx().Text((*source)->external_id);
      if (!external) return Fail(external.error());
      citation.external_id = external->value_or("");
    }
    citation.begin = row.begin;
    citation.end = row.end;
    auto commitment = pool.tx().Commitment((*source)->content);
    if (!commitment) return Fail(commitment.error());
    citation.commitment = Hex(*commitment);
    citations.push_back(std::move(citation));
  }
  return citations;
}

Result<Citation> CiteSource(const Pool& pool, std::uint32_t shard_number, Ordinal ordinal) {
  const shard::Shard& shard = *pool.shards()[shard_number];
  auto source = pool.tx().FindSourceByOrdinal(shard.scope_id, ordinal);
  if (!source) return Fail(source.error());
  Citation citation;
  citation.id = storage::FormatPublicId(storage::PublicKind::kSource, ordinal, shard.scope_tag);
  if (!*source) return citation;
  if ((*source)->external_id != kNoPayload) {
    auto external = pool.tx().Text((*source)->external_id);
    if (!external) return Fail(external.error());
    citation.external_id = external->value_or("");
  }
  auto content = pool.tx().Text((*source)->content);
  if (!content) return Fail(content.error());
  citation.end = *content ? static_cast<std::uint32_t>((*content)->size()) : 0;
  auto commitment = pool.tx().Commitment((*source)->content);
  if (!commitment) return Fail(commitment.error());
  citation.commitment = Hex(*commitment);
  return citation;
}

Result<std::string> DocText(const Pool& pool, const ItemRef& item) {
  auto text = pool.tx().Text(pool.doc(item).content);
  if (!text) return Fail(text.error());
  return text->value_or("");
}

Result<std::string> DocGist(const Pool& pool, const ItemRef& item) {
  if (pool.doc(item).gist == kNoPayload) return std::string();
  auto text = pool.tx().Text(pool.doc(item).gist);
  if (!text) return Fail(text.error());
  return text->value_or("");
}

Result<RecallResult> Render(const Pool& pool, const Candidate& candidate,
                            const Disclosed& disclosed) {
  const ItemRef& item = candidate.item;
  const shard::Shard& shard = pool.shard(item);
  const shard::Doc& doc = pool.doc(item);
  RecallResult result;
  result.id = pool.PublicId(item);
  result.kind = doc.kind;
  result.scope = shard.scope;
  result.subject_id = pool.Name(item, doc.subject);
  result.said_by = pool.Name(item, doc.speaker);
  result.session_id = pool.Name(item, doc.session);
  result.event_time = doc.event_time;
  if (doc.valid_at != kBeginningOfTime) result.valid_at = doc.valid_at;
  if (doc.invalid_at != kEndOfTime) result.invalid_at = doc.invalid_at;
  result.score = candidate.score;
  result.evidence = candidate.evidence;
  result.factors = candidate.factors;
  result.ranks = candidate.ranks;
  result.disclosure_factors = Share(disclosed.factors);
  result.explored = candidate.fate == Fate::kExplored;
  if (doc.event_time > pool.when().now) result.flags.push_back("future");
  if (doc.event_time < kEpoch) result.flags.push_back("before_1970");

  auto sources = Citations(pool, doc.artifact, doc.revision, shard.scope_tag);
  if (!sources) return Fail(sources.error());
  result.sources = std::move(*sources);
  if (!result.sources.empty()) result.external_id = result.sources.front().external_id;
  if (disclosed.level == scoring::Disclosure::kGist) {
    result.disclosure = DisclosureLevel::kGist;
    auto gist = DocGist(pool, item);
    if (!gist) return Fail(gist.error());
    result.text = std::move(*gist);
    return result;
  }
  auto text = DocText(pool, item);
  if (!text) return Fail(text.error());
  result.text = std::move(*text);
  for (Ordinal f = doc.first_fact; f != 0; f = shard.docs[f].next_fact) {
    const ItemRef fact{item.shard, f};
    if (!pool.Accepts(fact)) continue;
    // A fact is shown with its host only as far as it may be said itself.
    if (Disclose(pool, fact, candidate.factors.relevance).level != scoring::Disclosure::kFull) {
      continue;
    }
    auto fact_text = DocText(pool, fact);
    if (!fact_text) return Fail(fact_text.error());
    result.facts.push_back(std::move(*fact_text));
  }
  return result;
}

}  // namespace souvenance::recall
