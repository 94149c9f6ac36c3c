// The stored form of analysed terms: docs/formats/terms.md.
#include <algorithm>
#include <cstddef>
#include <limits>

#include "index/analyzer.h"
#include "index/terms.h"

namespace souvenance::index {
namespace {

constexpr char kVersion = 1;

void PutVarint(std::uint32_t value, std::string* out) {
  while (value >= 0x80) {
    out->push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out->push_back(static_cast<char>(value));
}

// The shortest form only, so that every text has one encoding.
bool GetVarint(std::string_view* in, std::uint32_t* value) {
  std::uint64_t result = 0;
  for (unsigned shift = 0; shift <= 28; shift += 7) {
    if (in->empty()) return false;
    const auto byte = static_cast<unsigned char>(in->front());
    in->remove_prefix(1);
    result |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) {
      if (byte == 0 && shift > 0) return false;
      if (result > std::numeric_limits<std::uint32_t>::max()) return false;
      *value = static_cast<std::uint32_t>(result);
      return true;
    }
  }
  return false;
}

std::size_t SharedPrefix(std::string_view a, std::string_view b) {
  const std::size_t limit = std::min(a.size(), b.size());
  std::size_t shared = 0;
  while (shared < limit && a[shared] == b[shared]) ++shared;
  return shared;
}

tl::unexpected<Error> Corrupt(const char* why) {
  return Fail(ErrorCode::kCorruption, std::string("decode analysed terms: ") + why);
}

}  // namespace

std::string EncodeTerms(const AnalysedText& text) {
  std::string blob(1, kVersion);
  PutVarint(static_cast<std::uint32_t>(text.terms.size()), &blob);
  std::string_view before;
  for (const TermCount& term : text.terms) {
    const std::size_t shared = SharedPrefix(before, term.term);
    PutVarint(static_cast<std::uint32_t>(shared), &blob);
    PutVarint(static_cast<std::uint32_t>(term.term.size() - shared), &blob);
    blob.append(term.term, shared);
    PutVarint(term.count, &blob);
    before = term.term;
  }
  return blob;
}

Result<AnalysedText> DecodeTerms(std::string_view blob) {
  if (blob.empty() || blob.front() != kVersion) return Corrupt("unknown version");
  blob.remove_prefix(1);
  std::uint32_t count = 0;
  // Shared, rest, one byte, count: a term takes at least four bytes.
  if (!GetVarint(&blob, &count) || count > blob.size() / 4) return Corrupt("bad number of terms");
  AnalysedText text;
  text.terms.reserve(count);
  std::uint64_t length = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t shared = 0;
    std::uint32_t rest = 0;
    TermCount term;
    const std::string_view before = i == 0 ? std::string_view() : text.terms.back().term;
    if (!GetVarint(&blob, &shared) || !GetVarint(&blob, &rest)) return Corrupt("cut short");
    if (shared > before.size() || rest == 0 || rest > blob.size() ||
        shared + std::size_t{rest} > kMaxTermBytes) {
      return Corrupt("bad length of a term");
    }
    term.term.assign(before.substr(0, shared)).append(blob.substr(0, rest));
    blob.remove_prefix(rest);
    if (SharedPrefix(before, term.term) != shared || (i > 0 && term.term <= before)) {
      return Corrupt("terms out of order");
    }
    if (!IsValidText(term.term)) return Corrupt("a term is not text");
    if (!GetVarint(&blob, &term.count) || term.count == 0) return Corrupt("bad count");
    length += term.count;
    text.terms.push_back(std::move(term));
  }
  if (!blob.empty()) return Corrupt("bytes after the last term");
  if (length > std::numeric_limits<std::uint32_t>::max()) return Corrupt("length too large");
  text.length = static_cast<std::uint32_t>(length);
  return text;
}

}  // namespace souvenance::index
