// A JSON text as a value of our own, so that no reader depends on the library that parses it.
#pragma once

#include <souvenance/error.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace souvenance::ingest {

struct JsonValue {
  enum class Kind { kNull, kBool, kInteger, kReal, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;                // of an integer too
  std::string text;               // of a string
  std::vector<std::string> keys;  // of an object: keys[i] names items[i], in the order written
  std::vector<JsonValue> items;   // of an array or an object

  bool IsObject() const { return kind == Kind::kObject; }
  bool IsArray() const { return kind == Kind::kArray; }
  bool IsString() const { return kind == Kind::kString; }
  bool IsNumber() const { return kind == Kind::kInteger || kind == Kind::kReal; }

  // Null when this is no object or has no such key.
  const JsonValue* Find(std::string_view key) const;
};

// Exactly one JSON value, at most 64 levels deep.
//
// Errors: kInvalidData  no JSON, a key that occurs twice, a NUL byte in a string (written as an
//                       escape, too), a number beyond a double, too deep
Result<JsonValue> ParseJson(std::string_view text);

// Compact JSON with the keys in their order; strings must be valid UTF-8, as ParseJson gives them.
std::string FormatJson(const JsonValue& value);

}  // namespace souvenance::ingest
