#include "index/normalise.h"

#include <unicode/bytestream.h>
#include <unicode/edits.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>

#include <algorithm>
#include <string>

#include "index/utf8.h"

namespace souvenance::index {
namespace {

constexpr std::string_view kJoiner = "\xE2\x80\x8D";

// Most English text: nothing to do but lower-case it, and no offset moves.
bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string LowerAscii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// Unicode's stream-safe limit (UAX 15): no language puts more marks on a letter, and sorting a
// longer sequence takes quadratic time.
constexpr std::size_t kMaxMarks = 30;

// Where the piece that starts at `begin` ends: at the text's end, or inside a sequence of marks
// that is over the limit.
std::size_t SafePiece(std::string_view text, std::size_t begin) {
  std::size_t marks = 0;
  for (std::size_t at = begin; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0xCC) {  // below U+0300 there is no mark
      marks = 0;
      at += static_cast<unsigned char>(text[at]) < 0x80 ? 1 : 2;
      continue;
    }
    if (static_cast<unsigned char>(text[at]) >= 0xE4 &&
        static_cast<unsigned char>(text[at]) <= 0xE9) {  // Han
      marks = 0;
      at += 3;
      continue;
    }
    const char32_t c = NextCodePoint(text, &at);
    marks = u_getCombiningClass(static_cast<UChar32>(c)) != 0 ? marks + 1 : 0;
    if (marks > kMaxMarks) return at;
  }
  return text.size();
}

}  // namespace

struct Normaliser::Impl {
  const icu::Normalizer2* plain = nullptr;  // ICU's own, never deleted
  icu::UnicodeSet all_but_joiner;
  std::unique_ptr<icu::FilteredNormalizer2> keeping_joiners;

  // Appends text[begin, end), normalised, and what it changed.
  static Result<void> Append(const icu::Normalizer2& normalizer, std::string_view text,
                             std::size_t begin, std::size_t end, std::string* result,
                             std::vector<Change>* changes) {
    const auto size = static_cast<std::int32_t>(end - begin);
    const std::size_t target = result->size();
    icu::StringByteSink<std::string> sink(result, size);
    icu::Edits edits;
    UErrorCode status = U_ZERO_ERROR;
    normalizer.normalizeUTF8(0, icu::StringPiece(text.data() + begin, size), sink,
                             changes != nullptr ? &edits : nullptr, status);
    if (U_FAILURE(status) || edits.copyErrorTo(status)) {
      return Fail(ErrorCode::kInternal, std::string("normalise a text: ") + u_errorName(status));
    }
    if (changes == nullptr) return {};
    for (auto it = edits.getFineChangesIterator(); it.next(status);) {
      changes->push_back(
          {static_cast<std::uint32_t>(begin) + static_cast<std::uint32_t>(it.sourceIndex()),
           static_cast<std::uint32_t>(it.oldLength()),
           static_cast<std::uint32_t>(target) + static_cast<std::uint32_t>(it.destinationIndex()),
           static_cast<std::uint32_t>(it.newLength())});
    }
    return {};
  }
};

Normaliser::Normaliser(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Normaliser::~Normaliser() = default;

Result<std::unique_ptr<Normaliser>> Normaliser::Create() {
  UErrorCode status = U_ZERO_ERROR;
  auto impl = std::make_unique<Impl>();
  impl->plain = icu::Normalizer2::getNFKCCasefoldInstance(status);
  if (U_FAILURE(status)) {
    return Fail(ErrorCode::kUnavailable,
                std::string("open ICU's normalisation: ") + u_errorName(status));
  }
  impl->all_but_joiner.add(0, 0x10FFFF).remove(0x200D).freeze();
  impl->keeping_joiners =
      std::make_unique<icu::FilteredNormalizer2>(*impl->plain, impl->all_but_joiner);
  return std::unique_ptr<Normaliser>(new Normaliser(std::move(impl)));
}

Result<std::string> Normaliser::Normalise(std::string_view text) const {
  return Normalise(text, nullptr);
}

Result<std::string> Normaliser::Normalise(std::string_view text,
                                          std::vector<Change>* changes) const {
  if (changes != nullptr) changes->clear();
  if (IsAscii(text)) return LowerAscii(text);
  const icu::Normalizer2& normalizer =
      text.find(kJoiner) == std::string_view::npos
          ? *impl_->plain
          : static_cast<const icu::Normalizer2&>(*impl_->keeping_joiners);
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = SafePiece(text, begin);
    if (auto done = impl_->Append(normalizer, text, begin, end, &result, changes); !done) {
      return Fail(done.error());
    }
    begin = end;
  }
  return result;
}

// The last change that begins before `target`.
const Normaliser::Change* OffsetMap::Last(std::uint32_t target) {
  while (next_ < changes_.size() && changes_[next_].target < target) ++next_;
  while (next_ > 0 && changes_[next_ - 1].target >= target) --next_;
  return next_ == 0 ? nullptr : &changes_[next_ - 1];
}

std::uint32_t OffsetMap::Begin(std::uint32_t target) {
  // What was removed right before a word stays outside of it.
  const Normaliser::Change* change = Last(target);
  std::uint32_t source = target;
  if (change != nullptr) {
    const std::uint32_t target_end = change->target + change->target_length;
    if (target < target_end) return change->source;
    source = change->source + change->source_length + (target - target_end);
  }
  for (std::size_t i = next_;
       i < changes_.size() && changes_[i].target == target && changes_[i].target_length == 0; ++i) {
    source += changes_[i].source_length;
  }
  return source;
}

std::uint32_t OffsetMap::End(std::uint32_t target) {
  const Normaliser::Change* change = Last(target);
  if (change == nullptr) return target;
  const std::uint32_t target_end = change->target + change->target_length;
  if (target < target_end) return change->source + change->source_length;
  return change->source + change->source_length + (target - target_end);
}

}  // namespace souvenance::index
