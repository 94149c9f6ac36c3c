#include "engine/shard/linguist.h"

#include <algorithm>
#include <utility>

namespace souvenance::shard {
namespace {

constexpr std::chrono::milliseconds kEmbedDeadline{30000};
constexpr char kSaysWhen = 1;
constexpr char kAsks = 2;

// A question ends in a question mark, full width or not, or in a Chinese question particle.
bool EndsInQuestion(std::string_view text) {
  constexpr std::string_view kEnds[] = {"?", "？", "吗", "呢"};
  constexpr std::string_view kSkip[] = {" ", "\n", "\r", "\t", "\"", "'",
                                        ")", "。", "）", "”",  "!"};
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view skip : kSkip) {
      if (text.ends_with(skip)) {
        text.remove_suffix(skip.size());
        again = true;
      }
    }
  }
  for (const std::string_view end : kEnds) {
    if (text.ends_with(end)) return true;
  }
  return false;
}

}  // namespace

Result<std::unique_ptr<Linguist>> Linguist::Create() {
  auto linguist = std::make_unique<Linguist>();
  auto analyzer = index::Analyzer::Create();
  if (!analyzer) return Fail(analyzer.error());
  linguist->analyzer_ = std::move(*analyzer);
  linguist->embedder_ = index::Checked(index::BuiltinEmbedder(*linguist->analyzer_));
  linguist->embedder_fingerprint_ = index::Fingerprint(linguist->embedder_->identity());
  auto unrelated = index::UnrelatedSimilarity(*linguist->embedder_);
  if (!unrelated) return Fail(unrelated.error());
  linguist->unrelated_similarity_ = *unrelated;
  return linguist;
}

Result<TextNotes> Linguist::Analyse(std::string_view text) const {
  TextNotes notes;
  auto terms = analyzer_->Document(text);
  if (!terms) return Fail(terms.error());
  notes.text = std::move(*terms);
  auto says_when = analyzer_->HasTimeExpression(text);
  if (!says_when) return Fail(says_when.error());
  notes.says_when = *says_when;
  notes.asks = EndsInQuestion(text);
  return notes;
}

Result<std::vector<float>> Linguist::Embed(std::string_view text, index::EmbedRole role) const {
  auto rows = EmbedAll(std::span<const std::string_view>(&text, 1), role);
  if (!rows) return Fail(rows.error());
  return std::move(rows->front());
}

Result<std::vector<std::vector<float>>> Linguist::EmbedAll(std::span<const std::string_view> texts,
                                                           index::EmbedRole role) const {
  auto rows = embedder_->Embed(texts, role, kEmbedDeadline);
  if (!rows) return Fail(rows.error());
  std::vector<std::vector<float>> vectors;
  vectors.reserve(rows->size());
  for (index::EmbeddedRow& row : *rows) vectors.push_back(std::move(row.vector));
  return vectors;
}

std::vector<std::string> Linguist::WordTexts(std::string_view text) const {
  std::vector<std::string> texts;
  auto words = analyzer_->Words(text);
  if (!words) return texts;
  texts.reserve(words->size());
  for (index::Word& word : *words) texts.push_back(std::move(word.text));
  return texts;
}

std::string EncodeNotes(const TextNotes& notes) {
  const char flags =
      static_cast<char>((notes.says_when ? kSaysWhen : 0) | (notes.asks ? kAsks : 0));
  return flags + index::EncodeTerms(notes.text);
}

Result<TextNotes> DecodeNotes(std::string_view blob) {
  if (blob.empty() || (blob[0] & ~(kSaysWhen | kAsks)) != 0) {
    return Fail(ErrorCode::kCorruption, "read analysed terms: unknown flags",
                "run `souvenance reindex`");
  }
  TextNotes notes;
  notes.says_when = (blob[0] & kSaysWhen) != 0;
  notes.asks = (blob[0] & kAsks) != 0;
  auto terms = index::DecodeTerms(blob.substr(1));
  if (!terms) return Fail(terms.error());
  notes.text = std::move(*terms);
  return notes;
}

void MergeTerms(const index::AnalysedText& extra, index::AnalysedText* text) {
  std::vector<index::TermCount> merged;
  merged.reserve(text->terms.size() + extra.terms.size());
  auto a = text->terms.begin();
  auto b = extra.terms.begin();
  while (a != text->terms.end() || b != extra.terms.end()) {
    if (b == extra.terms.end() || (a != text->terms.end() && a->term < b->term)) {
      merged.push_back(std::move(*a++));
    } else if (a == text->terms.end() || b->term < a->term) {
      merged.push_back(*b++);
    } else {
      merged.push_back(std::move(*a++));
      merged.back().count += (b++)->count;
    }
  }
  text->terms = std::move(merged);
  text->length += extra.length;
}

void TermSum::Add(const index::AnalysedText& text) {
  sum_.terms.insert(sum_.terms.end(), text.terms.begin(), text.terms.end());
  sum_.length += text.length;
}

index::AnalysedText TermSum::Take() {
  std::sort(sum_.terms.begin(), sum_.terms.end(),
            [](const index::TermCount& a, const index::TermCount& b) { return a.term < b.term; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sum_.terms.size(); ++i) {
    if (kept > 0 && sum_.terms[kept - 1].term == sum_.terms[i].term) {
      sum_.terms[kept - 1].count += sum_.terms[i].count;
    } else {
      if (kept != i) sum_.terms[kept] = std::move(sum_.terms[i]);
      ++kept;
    }
  }
  sum_.terms.resize(kept);
  return std::exchange(sum_, {});
}

}  // namespace souvenance::shard
