#include "index/language.h"

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/ubrk.h>
#include <unicode/utext.h>
#include <unicode/uvernum.h>
#include <unicode/uversion.h>
#include <xapian.h>

namespace souvenance::index {

struct Stemmer::Impl {
  Xapian::Stem stem{"english"};
};

Stemmer::Stemmer() : impl_(std::make_unique<Impl>()) {}
Stemmer::~Stemmer() = default;

std::string Stemmer::Stem(const std::string& word) const {
  try {
    std::string stem = impl_->stem(word);
    return stem.empty() ? word : stem;
  } catch (const std::exception&) {
    return word;
  } catch (const Xapian::Error&) {
    return word;
  }
}

struct WordBreaker::Impl {
  std::unique_ptr<icu::BreakIterator> iterator;
};

WordBreaker::WordBreaker(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
WordBreaker::~WordBreaker() = default;

Result<std::unique_ptr<WordBreaker>> WordBreaker::Create() {
  UErrorCode status = U_ZERO_ERROR;
  auto impl = std::make_unique<Impl>();
  impl->iterator.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
  if (U_FAILURE(status) || impl->iterator == nullptr) {
    return Fail(ErrorCode::kUnavailable,
                std::string("open ICU's word boundaries: ") + u_errorName(status));
  }
  return std::unique_ptr<WordBreaker>(new WordBreaker(std::move(impl)));
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> WordBreaker::Split(
    std::string_view run) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> words;
  UErrorCode status = U_ZERO_ERROR;
  UText* text = utext_openUTF8(nullptr, run.data(), static_cast<std::int64_t>(run.size()), &status);
  impl_->iterator->setText(text, status);
  if (U_SUCCESS(status)) {
    std::int32_t begin = impl_->iterator->first();
    for (std::int32_t end = impl_->iterator->next(); end != icu::BreakIterator::DONE;
         begin = end, end = impl_->iterator->next()) {
      if (impl_->iterator->getRuleStatus() >= UBRK_WORD_NUMBER) {
        words.emplace_back(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end));
      }
    }
  }
  utext_close(text);
  if (words.empty()) words.emplace_back(0u, static_cast<std::uint32_t>(run.size()));
  return words;
}

std::string LanguageVersions() {
  return std::string("icu ") + U_ICU_VERSION + "; snowball english (xapian " +
         Xapian::version_string() + ")";
}

}  // namespace souvenance::index
