#include "storage/public_id.h"

#include <charconv>
#include <cstdint>

#include "storage/sha256.h"

namespace souvenance::storage {

namespace {

constexpr std::string_view kAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr std::size_t kTagLength = 8;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The digit of Crockford's alphabet that a person meant; '\0' for none.
char Canonical(char c) {
  c = Lower(c);
  if (c == 'o') return '0';
  if (c == 'i' || c == 'l') return '1';
  return kAlphabet.find(c) == std::string_view::npos ? '\0' : c;
}

}  // namespace

std::string ScopeTag(const Scope& scope) {
  std::string text("souvenance.scope\0", 17);
  text += FormatScope(scope);
  const Digest digest = Sha256(text);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 5; ++i) bits = bits << 8 | digest[i];
  std::string tag;
  for (int shift = 35; shift >= 0; shift -= 5) tag += kAlphabet[bits >> shift & 31];
  return tag;
}

std::string FormatPublicId(PublicKind kind, Ordinal ordinal, std::string_view scope_tag) {
  std::string text(1, static_cast<char>(kind));
  text += std::to_string(ordinal);
  text += '-';
  text += scope_tag;
  return text;
}

std::optional<PublicId> ParsePublicId(std::string_view text) {
  if (text.size() < 3 + kTagLength) return std::nullopt;
  PublicId id;
  switch (Lower(text[0])) {
    case 's':
      id.kind = PublicKind::kSource;
      break;
    case 'a':
      id.kind = PublicKind::kArtifact;
      break;
    case 'e':
      id.kind = PublicKind::kEntity;
      break;
    case 'r':
      id.kind = PublicKind::kRelation;
      break;
    default:
      return std::nullopt;
  }
  const std::size_t dash = text.size() - kTagLength - 1;
  if (text[dash] != '-') return std::nullopt;
  const std::string_view number = text.substr(1, dash - 1);
  if (number.empty() || number[0] == '0') return std::nullopt;  // one form for each id
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), id.ordinal);
  if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  for (const char c : text.substr(dash + 1)) {
    const char digit = Canonical(c);
    if (digit == '\0') return std::nullopt;
    id.scope_tag += digit;
  }
  return id;
}

}  // namespace souvenance::storage
