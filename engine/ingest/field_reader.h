// Takes the fields of a JSON object one by one and keeps the first thing that is wrong.
#pragma once

#include <souvenance/scope.h>
#include <souvenance/time.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ingest/blank.h"
#include "engine/ingest/json_value.h"

namespace souvenance::ingest {

// A key that is missing or null gives the empty value. Every message begins with the path of the
// key, "artifacts[0].confidence: ...". `object`, `problem` must outlive this; `problem` is shared
// by the readers of nested objects and written only while it is empty.
//
// Thread-safety: thread-compatible.
class FieldReader {
 public:
  FieldReader(const JsonValue& object, std::string path, std::string* problem);

  void Refuse(std::string_view key, const std::string& reason);

  // Refuses any other key, and names the known one that is nearest.
  void OnlyKeys(std::span<const std::string_view> known);

  const JsonValue* Get(std::string_view key) const;
  std::string Text(std::string_view key);
  std::string RequiredText(std::string_view key);  // present and not blank
  std::string Id(std::string_view key);            // a string, or an integer as its digits
  bool Flag(std::string_view key);
  std::optional<double> Number(std::string_view key, double low, double high);
  std::optional<TimeSpan> Time(std::string_view key);
  std::optional<Timestamp> Start(std::string_view key);  // the first instant
  // As an end: the last instant of a date, a month or a year; an instant is itself.
  std::optional<Timestamp> End(std::string_view key);
  std::vector<std::string> Texts(std::string_view key);  // strings, none blank
  std::vector<float> Vector(std::string_view key);
  void TakeScope(std::string_view key, Scope* scope);  // left alone when there is none

  // An enumeration by its stable names.
  template <typename Enum, std::size_t N>
  void Choice(std::string_view key, const std::array<std::string_view, N>& names, Enum* out) {
    const std::optional<std::size_t> at = IndexOf(key, names);
    if (at) *out = static_cast<Enum>(*at);
  }

  // The objects of an array, with the path of each.
  std::vector<FieldReader> Objects(std::string_view key);

 private:
  std::string PathOf(std::string_view key) const;
  std::optional<std::size_t> IndexOf(std::string_view key, std::span<const std::string_view> names);

  const JsonValue& object_;
  std::string path_;
  std::string* problem_;
};

}  // namespace souvenance::ingest
