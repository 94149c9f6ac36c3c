// Signed feature hashing (Weinberger et al., 2009): docs/formulas/embedder.md. Frozen: another
// behaviour needs another revision.
#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <utility>

#include "index/embed/embedder.h"
#include "index/pieces.h"
#include "index/siphash.h"
#include "index/stop_words.h"
#include "index/utf8.h"

namespace souvenance::index {
namespace {

constexpr std::uint32_t kDimension = 512;
constexpr std::size_t kShortestGram = 3;
constexpr std::size_t kLongestGram = 5;
constexpr std::size_t kMaxGramWord = 64;  // characters of a word that make n-grams
constexpr double kWordWeight = 1.0;
constexpr double kGramWeight = 0.3;

// One letter in front of a feature keeps the kinds apart.
constexpr char kWordFeature = 'w';
constexpr char kGramFeature = 'g';
constexpr char kPairFeature = 'p';

bool IsCharacter(std::string_view word) {
  const std::vector<Piece> pieces = SplitPieces(word);
  return !pieces.empty() && pieces.front().kind == PieceKind::kCjk;
}

bool IsStopWord(std::string_view word) {
  if (static_cast<unsigned char>(word.front()) < 0x80) return IsEnglishStopWord(word);
  std::size_t at = 0;
  const char32_t c = NextCodePoint(word, &at);
  return at == word.size() && IsFunctionCharacter(c);
}

class Features {
 public:
  // Collects the features of `words`, stop words included or not.
  Features(std::span<const Word> words, bool stop_words) {
    const Word* before = nullptr;  // the character right before this one
    bool before_stops = false;
    for (const Word& word : words) {
      const bool stops = IsStopWord(word.text);
      const bool skip = stops && !stop_words;
      const bool character =
          static_cast<unsigned char>(word.text.front()) >= 0x80 && IsCharacter(word.text);
      if (!skip) Add(kWordFeature, word.text);
      if (!character) {
        if (!skip) AddGrams(word.text);
        before = nullptr;
        continue;
      }
      if (before != nullptr && before->end == word.begin && !(skip && before_stops)) {
        Add(kPairFeature, before->text + word.text);
      }
      before = &word;
      before_stops = stops;
    }
  }

  bool empty() const { return features_.empty(); }

  // The sums run in the order of the features' bytes.
  std::vector<float> Hashed() {
    std::sort(features_.begin(), features_.end());
    double sums[kDimension] = {};
    for (std::size_t i = 0; i < features_.size();) {
      std::size_t next = i;
      while (next < features_.size() && features_[next] == features_[i]) ++next;
      const double weight = features_[i].front() == kGramFeature ? kGramWeight : kWordWeight;
      const double value = weight * (1.0 + std::log(static_cast<double>(next - i)));
      const std::uint64_t hash = SipHash(features_[i]);
      sums[hash % kDimension] += (hash >> 63) != 0 ? -value : value;
      i = next;
    }
    double squares = 0;
    for (const double sum : sums) squares += sum * sum;
    if (!(squares > 0)) return {};
    const double norm = std::sqrt(squares);
    std::vector<float> vector(kDimension);
    for (std::size_t i = 0; i < kDimension; ++i) vector[i] = static_cast<float>(sums[i] / norm);
    return vector;
  }

 private:
  void Add(char kind, std::string_view text) {
    features_.emplace_back(1, kind);
    features_.back() += text;
  }

  void AddGrams(std::string_view word) {
    std::string framed = "<";
    std::vector<std::size_t> bounds = {0};  // where each character of `framed` begins
    std::size_t at = 0;
    while (at < word.size() && bounds.size() <= kMaxGramWord) {
      const std::size_t begin = at;
      NextCodePoint(word, &at);
      bounds.push_back(framed.size());
      framed += word.substr(begin, at - begin);
    }
    bounds.push_back(framed.size());
    framed += '>';
    bounds.push_back(framed.size());
    const std::size_t characters = bounds.size() - 1;
    for (std::size_t size = kShortestGram; size <= kLongestGram; ++size) {
      for (std::size_t first = 0; first + size <= characters; ++first) {
        Add(kGramFeature,
            std::string_view(framed).substr(bounds[first], bounds[first + size] - bounds[first]));
      }
    }
  }

  std::vector<std::string> features_;
};

class HashEmbedder final : public Embedder {
 public:
  explicit HashEmbedder(const Analyzer& analyzer) : analyzer_(analyzer) {
    identity_.provider = "builtin";
    identity_.model = "hash-512";
    identity_.revision = "1";
    identity_.dimension = kDimension;
    identity_.tokenizer = analyzer.fingerprint();
  }

  const EmbedderIdentity& identity() const override { return identity_; }

  Result<std::vector<EmbeddedRow>> Embed(std::span<const std::string_view> texts, EmbedRole,
                                         std::chrono::milliseconds) const override {
    std::vector<EmbeddedRow> rows;
    rows.reserve(texts.size());
    for (const std::string_view text : texts) rows.push_back(Row(text));
    return rows;
  }

 private:
  EmbeddedRow Row(std::string_view text) const {
    EmbeddedRow row;
    const auto words = analyzer_.Words(text);
    if (!words) {
      row.error = words.error();
      return row;
    }
    Features features(*words, false);
    if (features.empty()) features = Features(*words, true);
    row.vector = features.Hashed();
    if (row.vector.empty()) {
      row.error = {ErrorCode::kInvalidData, "embed: the text has no word", ""};
    }
    return row;
  }

  const Analyzer& analyzer_;
  EmbedderIdentity identity_;
};

}  // namespace

std::unique_ptr<Embedder> BuiltinEmbedder(const Analyzer& analyzer) {
  return std::make_unique<HashEmbedder>(analyzer);
}

}  // namespace souvenance::index
