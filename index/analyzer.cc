#include "index/analyzer.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "index/language.h"
#include "index/normalise.h"
#include "index/pieces.h"
#include "index/terms.h"
#include "index/time_words.h"
#include "index/utf8.h"
#include "index/words.h"

namespace souvenance::index {
namespace {

// Raised whenever a rule changes what terms a text gets.
constexpr char kRules[] = "souvenance analysis 1";

// NFKC may make a text up to 18 times longer, and ICU counts in 32 bits.
constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20;

std::vector<TermCount> Counted(std::vector<std::string> terms) {
  std::sort(terms.begin(), terms.end());
  std::vector<TermCount> counts;
  for (std::string& term : terms) {
    if (!counts.empty() && counts.back().term == term) {
      ++counts.back().count;
    } else {
      counts.push_back({std::move(term), 1});
    }
  }
  return counts;
}

}  // namespace

struct Analyzer::Impl {
  struct Tools {
    Stemmer stemmer;
    std::unique_ptr<WordBreaker> breaker;
  };

  // Lends the tools to one call; they return when it ends.
  class Loan {
   public:
    Loan(const Impl& impl, std::unique_ptr<Tools> tools) : impl_(impl), tools_(std::move(tools)) {}
    Loan(Loan&&) = default;
    ~Loan() {
      if (tools_ == nullptr) return;
      const std::lock_guard lock(impl_.mutex);
      impl_.idle.push_back(std::move(tools_));
    }
    const Tools* operator->() const { return tools_.get(); }

   private:
    const Impl& impl_;
    std::unique_ptr<Tools> tools_;
  };

  static Result<std::unique_ptr<Tools>> MakeTools() {
    auto tools = std::make_unique<Tools>();
    auto breaker = WordBreaker::Create();
    if (!breaker) return Fail(breaker.error());
    tools->breaker = std::move(*breaker);
    return tools;
  }

  Result<Loan> Borrow() const {
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        std::unique_ptr<Tools> tools = std::move(idle.back());
        idle.pop_back();
        return Loan(*this, std::move(tools));
      }
    }
    auto tools = MakeTools();
    if (!tools) return Fail(tools.error());
    return Loan(*this, std::move(*tools));
  }

  Result<std::string> Normalise(std::string_view text,
                                std::vector<Normaliser::Change>* changes = nullptr) const {
    if (!IsValidText(text)) return Fail(ErrorCode::kInvalidData, "analyse: not valid UTF-8");
    if (text.size() > kMaxTextBytes) {
      return Fail(ErrorCode::kInvalidData, "analyse: the text is longer than 64 MB");
    }
    return normaliser->Normalise(text, changes);
  }

  Result<std::vector<TermCount>> Terms(std::string_view normalised, std::span<const Piece> pieces,
                                       TermUse use) const {
    auto tools = Borrow();
    if (!tools) return Fail(tools.error());
    std::vector<std::string> terms;
    CollectTerms(normalised, pieces, use, (*tools)->stemmer, *(*tools)->breaker, &terms);
    return Counted(std::move(terms));
  }

  std::unique_ptr<Normaliser> normaliser;
  std::string fingerprint;
  mutable std::mutex mutex;  // guards idle
  mutable std::vector<std::unique_ptr<Tools>> idle;
};

Analyzer::Analyzer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Analyzer::~Analyzer() = default;

Result<std::unique_ptr<Analyzer>> Analyzer::Create() {
  auto impl = std::make_unique<Impl>();
  auto normaliser = Normaliser::Create();
  if (!normaliser) return Fail(normaliser.error());
  impl->normaliser = std::move(*normaliser);
  auto tools = Impl::MakeTools();
  if (!tools) return Fail(tools.error());
  impl->idle.push_back(std::move(*tools));
  impl->fingerprint = std::string(kRules) + "; " + LanguageVersions();
  return std::unique_ptr<Analyzer>(new Analyzer(std::move(impl)));
}

const std::string& Analyzer::fingerprint() const { return impl_->fingerprint; }

Result<AnalysedText> Analyzer::Document(std::string_view text) const {
  auto normalised = impl_->Normalise(text);
  if (!normalised) return Fail(normalised.error());
  auto terms = impl_->Terms(*normalised, SplitPieces(*normalised), TermUse::kDocument);
  if (!terms) return Fail(terms.error());
  AnalysedText analysed;
  analysed.terms = std::move(*terms);
  for (const TermCount& term : analysed.terms) analysed.length += term.count;
  return analysed;
}

Result<AnalysedCue> Analyzer::Cue(std::string_view text) const {
  auto normalised = impl_->Normalise(text);
  if (!normalised) return Fail(normalised.error());
  const std::vector<Piece> pieces = SplitPieces(*normalised);
  auto terms = impl_->Terms(*normalised, pieces, TermUse::kCue);
  if (!terms) return Fail(terms.error());
  AnalysedCue cue;
  cue.terms = std::move(*terms);
  cue.asks_when = AsksWhen(*normalised, pieces);
  return cue;
}

Result<std::vector<Word>> Analyzer::Words(std::string_view text) const {
  std::vector<Normaliser::Change> changes;
  auto normalised = impl_->Normalise(text, &changes);
  if (!normalised) return Fail(normalised.error());
  auto tools = impl_->Borrow();
  if (!tools) return Fail(tools.error());
  std::vector<Word> words = CollectWords(*normalised, SplitPieces(*normalised), *(*tools)->breaker);
  if (!changes.empty()) {
    OffsetMap map(changes);
    for (Word& word : words) {
      word.begin = map.Begin(word.begin);
      word.end = map.End(word.end);
    }
  }
  return words;
}

Result<std::string> Analyzer::NameKey(std::string_view name) const {
  auto words = Words(name);
  if (!words) return Fail(words.error());
  return JoinName(*words);
}

Result<bool> Analyzer::HasTimeExpression(std::string_view text) const {
  auto normalised = impl_->Normalise(text);
  if (!normalised) return Fail(normalised.error());
  return SaysWhen(*normalised, SplitPieces(*normalised));
}

bool IsValidText(std::string_view text) {
  std::size_t at = 0;
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned>(static_cast<unsigned char>(text[i])) : 0u;
  };
  while (at < text.size()) {
    const unsigned lead = byte(at);
    if (lead == 0) return false;
    if (lead < 0x80) {
      ++at;
      continue;
    }
    // The second byte's range shuts out overlong forms, surrogates and what lies past U+10FFFF.
    unsigned low = 0x80;
    unsigned high = 0xBF;
    std::size_t length = 0;
    if (lead >= 0xC2 && lead <= 0xDF) {
      length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
      length = 3;
      if (lead == 0xE0) low = 0xA0;
      if (lead == 0xED) high = 0x9F;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
      length = 4;
      if (lead == 0xF0) low = 0x90;
      if (lead == 0xF4) high = 0x8F;
    } else {
      return false;
    }
    if (byte(at + 1) < low || byte(at + 1) > high) return false;
    for (std::size_t i = 2; i < length; ++i) {
      if (byte(at + i) < 0x80 || byte(at + i) > 0xBF) return false;
    }
    at += length;
  }
  return true;
}

}  // namespace souvenance::index
