// The ids that people see: a letter for the kind, the ordinal within the scope, and a tag of the
// scope: "a12-7k3f9q2m". The tag is the first 40 bits of SHA-256("souvenance.scope\0" followed by
// the scope's full name, as in "private:alice"), in Crockford's base 32, lower case. Two scopes
// of one agent with the same tag are possible (1 in 2^40 a pair); the engine resolves an id among
// the viewer's scopes alone and reports an ambiguous one.
#pragma once

#include <souvenance/ids.h>
#include <souvenance/scope.h>

#include <optional>
#include <string>
#include <string_view>

namespace souvenance::storage {

enum class PublicKind : char {
  kSource = 's',
  kArtifact = 'a',
  kEntity = 'e',
  kRelation = 'r',
};

struct PublicId {
  PublicKind kind = PublicKind::kArtifact;
  Ordinal ordinal = 0;
  std::string scope_tag;  // 8 characters
};

std::string ScopeTag(const Scope& scope);
std::string FormatPublicId(PublicKind kind, Ordinal ordinal, std::string_view scope_tag);
// nullopt when the text has another form. Upper case is accepted, and Crockford's look-alikes
// (o for 0, i and l for 1).
std::optional<PublicId> ParsePublicId(std::string_view text);

}  // namespace souvenance::storage
