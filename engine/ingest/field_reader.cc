#include "engine/ingest/field_reader.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace souvenance::ingest {
namespace {

// Levenshtein's distance, over bytes: keys are ASCII.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string Shown(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

FieldReader::FieldReader(const JsonValue& object, std::string path, std::string* problem)
    : object_(object), path_(std::move(path)), problem_(problem) {
  if (!object_.IsObject() && problem_->empty()) {
    *problem_ = (path_.empty() ? "" : path_ + ": ") + std::string("must be an object");
  }
}

std::string FieldReader::PathOf(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void FieldReader::Refuse(std::string_view key, const std::string& reason) {
  if (problem_->empty()) *problem_ = PathOf(key) + ": " + reason;
}

void FieldReader::OnlyKeys(std::span<const std::string_view> known) {
  for (const std::string& key : object_.keys) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    // A long key is no typing mistake; only its beginning is compared and shown.
    const std::string shown = key.substr(0, 64);
    const auto nearest = std::min_element(known.begin(), known.end(), [&](auto a, auto b) {
      return EditDistance(shown, a) < EditDistance(shown, b);
    });
    Refuse(shown, "unknown key; the nearest known key is \"" + std::string(*nearest) + "\"");
    return;
  }
}

const JsonValue* FieldReader::Get(std::string_view key) const {
  const JsonValue* value = object_.Find(key);
  return value == nullptr || value->kind == JsonValue::Kind::kNull ? nullptr : value;
}

std::string FieldReader::Text(std::string_view key) {
  const JsonValue* value = Get(key);
  if (value == nullptr) return {};
  if (!value->IsString()) {
    Refuse(key, "must be a string");
    return {};
  }
  return value->text;
}

std::string FieldReader::RequiredText(std::string_view key) {
  std::string text = Text(key);
  if (Get(key) == nullptr) {
    Refuse(key, "is missing");
  } else if (IsBlank(text)) {
    Refuse(key, "is blank");
  }
  return text;
}

std::string FieldReader::Id(std::string_view key) {
  const JsonValue* value = Get(key);
  if (value != nullptr && value->kind == JsonValue::Kind::kInteger) {
    return std::to_string(value->integer);
  }
  if (value != nullptr && !value->IsString()) {
    Refuse(key, "must be a string or a whole number");
    return {};
  }
  return value == nullptr ? std::string() : value->text;
}

bool FieldReader::Flag(std::string_view key) {
  const JsonValue* value = Get(key);
  if (value == nullptr) return false;
  if (value->kind != JsonValue::Kind::kBool) Refuse(key, "must be true or false");
  return value->boolean;
}

std::optional<double> FieldReader::Number(std::string_view key, double low, double high) {
  const JsonValue* value = Get(key);
  if (value == nullptr) return std::nullopt;
  if (!value->IsNumber()) {
    Refuse(key, "must be a number");
    return std::nullopt;
  }
  if (!(value->real >= low && value->real <= high)) {
    Refuse(key, "must lie in [" + Shown(low) + ", " + Shown(high) + "]");
    return std::nullopt;
  }
  return value->real;
}

std::optional<TimeSpan> FieldReader::Time(std::string_view key) {
  const JsonValue* value = Get(key);
  if (value == nullptr) return std::nullopt;
  if (!value->IsString()) {
    Refuse(key, "must be a string that names a time");
    return std::nullopt;
  }
  Result<TimeSpan> span = ParseTime(value->text);
  if (!span) {
    Refuse(key, span.error().message + "; " + span.error().hint);
    return std::nullopt;
  }
  return *span;
}

std::optional<Timestamp> FieldReader::Start(std::string_view key) {
  const std::optional<TimeSpan> span = Time(key);
  return span ? std::optional(span->first) : std::nullopt;
}

std::optional<Timestamp> FieldReader::End(std::string_view key) {
  const std::optional<TimeSpan> span = Time(key);
  if (!span) return std::nullopt;
  const bool instant = span->past_last - span->first == Duration{1};
  return instant ? span->first : span->past_last;
}

std::vector<std::string> FieldReader::Texts(std::string_view key) {
  std::vector<std::string> texts;
  const JsonValue* value = Get(key);
  if (value == nullptr) return texts;
  if (!value->IsArray()) {
    Refuse(key, "must be an array of strings");
    return texts;
  }
  for (const JsonValue& item : value->items) {
    if (!item.IsString() || IsBlank(item.text)) {
      Refuse(key, "must hold strings that are not blank");
      return {};
    }
    texts.push_back(item.text);
  }
  return texts;
}

std::vector<float> FieldReader::Vector(std::string_view key) {
  std::vector<float> vector;
  const JsonValue* value = Get(key);
  if (value == nullptr) return vector;
  if (!value->IsArray() || value->items.empty()) {
    Refuse(key, "must be an array of numbers");
    return vector;
  }
  for (const JsonValue& item : value->items) {
    const auto number = static_cast<float>(item.real);
    if (!item.IsNumber() || !std::isfinite(number)) {
      Refuse(key, "must hold finite numbers");
      return {};
    }
    vector.push_back(number);
  }
  return vector;
}

void FieldReader::TakeScope(std::string_view key, Scope* scope) {
  if (Get(key) == nullptr) return;
  Result<Scope> parsed = ParseScope(Text(key));
  if (!parsed) {
    Refuse(key, parsed.error().message);
    return;
  }
  *scope = *std::move(parsed);
}

std::optional<std::size_t> FieldReader::IndexOf(std::string_view key,
                                                std::span<const std::string_view> names) {
  if (Get(key) == nullptr) return std::nullopt;
  const std::string text = Text(key);
  const auto at = std::find(names.begin(), names.end(), text);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  std::string choices;
  for (const std::string_view name : names) {
    choices += (choices.empty() ? "" : ", ") + std::string(name);
  }
  Refuse(key, "\"" + text.substr(0, 64) + "\" is none of " + choices);
  return std::nullopt;
}

std::vector<FieldReader> FieldReader::Objects(std::string_view key) {
  std::vector<FieldReader> readers;
  const JsonValue* value = Get(key);
  if (value == nullptr) return readers;
  if (!value->IsArray()) {
    Refuse(key, "must be an array of objects");
    return readers;
  }
  for (std::size_t i = 0; i < value->items.size(); ++i) {
    readers.emplace_back(value->items[i], PathOf(key) + "[" + std::to_string(i) + "]", problem_);
  }
  return readers;
}

}  // namespace souvenance::ingest
