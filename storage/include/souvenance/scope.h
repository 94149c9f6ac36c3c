// A visibility domain inside an agent.
#pragma once

#include <souvenance/error.h>

#include <compare>
#include <string>
#include <string_view>

namespace souvenance {

enum class ScopeKind { kPublic, kPrivate, kGroup };

// `public`, `private:NAME` or `group:NAME`. The name is empty for the public scope alone.
struct Scope {
  ScopeKind kind = ScopeKind::kPublic;
  std::string name;

  auto operator<=>(const Scope&) const = default;
};

// "public", "private:alice", "group:family".
inline std::string FormatScope(const Scope& scope) {
  switch (scope.kind) {
    case ScopeKind::kPublic:
      return "public";
    case ScopeKind::kPrivate:
      return "private:" + scope.name;
    case ScopeKind::kGroup:
      return "group:" + scope.name;
  }
  return "public";
}

// The scope that a text names; any name without a prefix is a group's. A name is data, never a
// path: "../x" is the group "../x".
//
// Errors: kInvalidArgument  the text or the name in it is blank, longer than 512 bytes, or holds
//                           a control character.
inline Result<Scope> ParseScope(std::string_view text) {
  Scope scope;
  if (text == "public") return scope;
  constexpr std::string_view kPrivate = "private:";
  constexpr std::string_view kGroup = "group:";
  if (text.substr(0, kPrivate.size()) == kPrivate) {
    scope = {ScopeKind::kPrivate, std::string(text.substr(kPrivate.size()))};
  } else if (text.substr(0, kGroup.size()) == kGroup) {
    scope = {ScopeKind::kGroup, std::string(text.substr(kGroup.size()))};
  } else {
    scope = {ScopeKind::kGroup, std::string(text)};
  }
  const std::string hint = "use public, private:NAME or group:NAME";
  if (scope.name.find_first_not_of(' ') == std::string::npos) {
    return Fail(ErrorCode::kInvalidArgument, "scope: the name is blank", hint);
  }
  if (scope.name.size() > 512) {
    return Fail(ErrorCode::kInvalidArgument, "scope: the name is longer than 512 bytes", hint);
  }
  for (const char c : scope.name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      return Fail(ErrorCode::kInvalidArgument, "scope: the name holds a control character", hint);
    }
  }
  return scope;
}

}  // namespace souvenance
