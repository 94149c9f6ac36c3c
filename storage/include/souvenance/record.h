// What the engine keeps, in the field's words. The numbers are those of the stored columns
// (docs/formats/schema.md): they never change their meaning.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace souvenance {

enum class SourceType : std::uint8_t {
  kMessage = 0,
  kReply = 1,
  kToolResult = 2,
  kWeb = 3,
  kFile = 4,
  kDocument = 5,
  kImport = 6,
  kActionResult = 7,
};

// What an artifact is. A source's verbatim artifact is a scene.
enum class ArtifactKind : std::uint8_t { kFact = 0, kScene = 1, kImpression = 2, kPersona = 3 };

enum class MemoryType : std::uint8_t {
  kShortTerm = 0,
  kLongTerm = 1,
  kEpisodic = 2,
  kIdentity = 3,
  kAssociative = 4,
};

// How the thing remembered extends in time; it stretches the forgetting curve.
enum class Shape : std::uint8_t { kPoint = 0, kSpan = 1, kPattern = 2, kRule = 3 };

enum class ReinforcementKind : std::uint8_t { kRecalled = 0, kSpoken = 1, kConfirmed = 2 };

// The state that a revision puts its artifact into. A forgotten artifact has left recall and
// stays in the truth; a retracted one is no longer believed.
enum class RevisionState : std::uint8_t { kActive = 0, kForgotten = 1, kRetracted = 2 };

namespace record_names {
inline constexpr std::array<std::string_view, 8> kSourceTypes = {
    "message", "reply", "tool_result", "web", "file", "document", "import", "action_result"};
inline constexpr std::array<std::string_view, 4> kArtifactKinds = {"fact", "scene", "impression",
                                                                   "persona"};
inline constexpr std::array<std::string_view, 5> kMemoryTypes = {
    "short_term", "long_term", "episodic", "identity", "associative"};
inline constexpr std::array<std::string_view, 4> kShapes = {"point", "span", "pattern", "rule"};
inline constexpr std::array<std::string_view, 3> kReinforcementKinds = {"recalled", "spoken",
                                                                        "confirmed"};
inline constexpr std::array<std::string_view, 3> kRevisionStates = {"active", "forgotten",
                                                                    "retracted"};

template <typename Enum, std::size_t N>
constexpr std::optional<Enum> Parse(const std::array<std::string_view, N>& names,
                                    std::string_view text) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == text) return static_cast<Enum>(i);
  }
  return std::nullopt;
}
}  // namespace record_names

constexpr std::string_view Name(SourceType v) {
  return record_names::kSourceTypes[static_cast<std::size_t>(v)];
}
constexpr std::string_view Name(ArtifactKind v) {
  return record_names::kArtifactKinds[static_cast<std::size_t>(v)];
}
constexpr std::string_view Name(MemoryType v) {
  return record_names::kMemoryTypes[static_cast<std::size_t>(v)];
}
constexpr std::string_view Name(Shape v) {
  return record_names::kShapes[static_cast<std::size_t>(v)];
}
constexpr std::string_view Name(ReinforcementKind v) {
  return record_names::kReinforcementKinds[static_cast<std::size_t>(v)];
}
constexpr std::string_view Name(RevisionState v) {
  return record_names::kRevisionStates[static_cast<std::size_t>(v)];
}

// nullopt for an unknown name.
constexpr std::optional<SourceType> ParseSourceType(std::string_view text) {
  return record_names::Parse<SourceType>(record_names::kSourceTypes, text);
}
constexpr std::optional<ArtifactKind> ParseArtifactKind(std::string_view text) {
  return record_names::Parse<ArtifactKind>(record_names::kArtifactKinds, text);
}
constexpr std::optional<MemoryType> ParseMemoryType(std::string_view text) {
  return record_names::Parse<MemoryType>(record_names::kMemoryTypes, text);
}
constexpr std::optional<Shape> ParseShape(std::string_view text) {
  return record_names::Parse<Shape>(record_names::kShapes, text);
}

}  // namespace souvenance
