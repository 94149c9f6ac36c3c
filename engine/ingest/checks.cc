// What may be handed over to be kept.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/ingest/blank.h"
#include "engine/ingest/writer.h"
#include "index/analyzer.h"
#include "index/vectors.h"

namespace souvenance::ingest {
namespace {

constexpr std::size_t kMaxTextBytes = 16u << 20;
constexpr std::size_t kMaxNameBytes = 4096;

}  // namespace

Result<void> CheckText(std::string_view text, std::string_view field) {
  if (text.size() > kMaxTextBytes) {
    return Fail(ErrorCode::kInvalidData, "read " + std::string(field) + ": it is longer than 16 MB",
                "split the document before it is remembered");
  }
  if (!index::IsValidText(text)) {
    return Fail(ErrorCode::kInvalidData,
                "read " + std::string(field) + ": it is not valid UTF-8, or holds a NUL byte",
                "convert the text to UTF-8 first");
  }
  return {};
}

Result<void> CheckName(std::string_view name, std::string_view field) {
  if (name.size() > kMaxNameBytes) {
    return Fail(ErrorCode::kInvalidData,
                "read " + std::string(field) + ": it is longer than 4096 bytes");
  }
  return CheckText(name, field);
}

Result<void> CheckRange(double value, double low, double high, std::string_view field) {
  if (std::isfinite(value) && value >= low && value <= high) return {};
  char text[200];
  std::snprintf(text, sizeof text, "read %.*s: it must lie in [%g, %g]",
                static_cast<int>(field.size()), field.data(), low, high);
  return Fail(ErrorCode::kInvalidData, text);
}

Result<void> CheckAgent(std::string_view name) {
  if (auto ok = CheckName(name, "agent"); !ok) return ok;
  if (IsBlank(name)) {
    return Fail(ErrorCode::kInvalidArgument, "read agent: its name is blank");
  }
  if (std::any_of(name.begin(), name.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; })) {
    return Fail(ErrorCode::kInvalidArgument, "read agent: its name holds a control character");
  }
  return {};
}

Result<void> CheckArtifact(const NewArtifact& artifact) {
  if (IsBlank(artifact.content)) {
    return Fail(ErrorCode::kInvalidData, "read artifact: its content is blank");
  }
  if (auto ok = CheckText(artifact.content, "artifact content"); !ok) return ok;
  if (auto ok = CheckText(artifact.gist, "artifact gist"); !ok) return ok;
  if (auto ok = CheckName(artifact.subject_id, "artifact subject_id"); !ok) return ok;
  for (const std::string& tag : artifact.tags) {
    if (auto ok = CheckName(tag, "tag"); !ok) return ok;
  }
  if (auto ok = CheckRange(artifact.confidence, 0, 1, "confidence"); !ok) return ok;
  if (artifact.salience) {
    if (auto ok = CheckRange(*artifact.salience, 0.01, 1, "salience"); !ok) return ok;
  }
  if (artifact.sensitivity) {
    if (auto ok = CheckRange(*artifact.sensitivity, 0, 1, "sensitivity"); !ok) return ok;
  }
  if (artifact.valid_at && artifact.invalid_at && *artifact.invalid_at <= *artifact.valid_at) {
    return Fail(ErrorCode::kInvalidData, "read artifact: invalid_at does not lie after valid_at",
                "an interval is half open: [valid_at, invalid_at)");
  }
  return {};
}

Result<void> CheckRelation(const NewRelation& relation) {
  const std::pair<const std::string*, std::string_view> names[] = {
      {&relation.subject, "relation subject"},
      {&relation.predicate, "relation predicate"},
      {&relation.object, "relation object"}};
  for (const auto& [name, field] : names) {
    if (auto ok = CheckName(*name, field); !ok) return ok;
    if (name->find_first_not_of(" \t\n") == std::string::npos) {
      return Fail(ErrorCode::kInvalidData, "read " + std::string(field) + ": it is blank");
    }
  }
  if (auto ok = CheckRange(relation.confidence, 0, 1, "confidence"); !ok) return ok;
  if (relation.at && (relation.valid_at || relation.invalid_at)) {
    return Fail(ErrorCode::kInvalidData,
                "read relation: `at` makes a point event and excludes valid_at and invalid_at");
  }
  if (relation.valid_at && relation.invalid_at &&
      (relation.invalid_at->past_last <= relation.valid_at->first ||
       (relation.invalid_at->past_last - relation.invalid_at->first == Duration{1} &&
        relation.invalid_at->first <= relation.valid_at->first))) {
    return Fail(ErrorCode::kInvalidData, "read relation: invalid_at does not lie after valid_at",
                "an interval is half open: [valid_at, invalid_at)");
  }
  return {};
}

Result<void> CheckRemember(const RememberRequest& request, std::size_t dimension) {
  if (IsBlank(request.content)) {
    return Fail(ErrorCode::kInvalidArgument, "read content: it is blank",
                "a source needs a text, as in `souvenance remember \"Alice likes tea\"`");
  }
  if (auto ok = CheckText(request.content, "content"); !ok) return ok;
  const std::pair<const std::string*, std::string_view> names[] = {
      {&request.agent, "agent"},           {&request.external_id, "external_id"},
      {&request.request_id, "request_id"}, {&request.session_id, "session_id"},
      {&request.speaker_id, "speaker_id"}, {&request.subject_id, "subject_id"},
      {&request.addressee, "addressee"},   {&request.emotion, "emotion label"}};
  for (const auto& [name, field] : names) {
    if (auto ok = CheckName(*name, field); !ok) return ok;
  }
  if (auto ok = CheckAgent(request.agent); !ok) return ok;
  if (auto ok = CheckText(request.metadata_json, "metadata"); !ok) return ok;
  for (const std::string& tag : request.tags) {
    if (auto ok = CheckName(tag, "tag"); !ok) return ok;
  }
  if (auto ok = CheckRange(request.emotion_intensity, 0, 1, "emotion intensity"); !ok) return ok;
  if (auto ok = CheckRange(request.sensitivity, 0, 1, "sensitivity"); !ok) return ok;
  if (request.salience) {
    if (auto ok = CheckRange(*request.salience, 0.01, 1, "salience"); !ok) return ok;
  }
  if (!request.vector.empty()) {
    if (request.vector.size() != dimension) {
      return Fail(ErrorCode::kInvalidData,
                  "read vector: it has " + std::to_string(request.vector.size()) +
                      " dimensions, the store's vectors have " + std::to_string(dimension));
    }
    auto unit = index::Normalise(request.vector);
    if (!unit) return Fail(unit.error());
  }
  for (const NewArtifact& artifact : request.artifacts) {
    if (auto ok = CheckArtifact(artifact); !ok) return ok;
  }
  for (const NewRelation& relation : request.relations) {
    if (auto ok = CheckRelation(relation); !ok) return ok;
  }
  return {};
}

std::string TagsJson(const std::vector<std::string>& tags) {
  if (tags.empty()) return {};
  return nlohmann::json(tags).dump();
}

}  // namespace souvenance::ingest
