#include "engine/ingest/json_value.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace souvenance::ingest {
namespace {

constexpr std::size_t kMaxDepth = 64;

// Builds the tree from the parser's events. The library's own tree keeps the last of two equal
// keys without a word; here the second one is an error.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit TreeBuilder(JsonValue* root) : root_(root) {}

  const std::string& problem() const { return problem_; }

  bool null() override { return Add({}); }
  bool boolean(bool value) override {
    JsonValue leaf;
    leaf.kind = JsonValue::Kind::kBool;
    leaf.boolean = value;
    return Add(std::move(leaf));
  }
  bool number_integer(number_integer_t value) override {
    JsonValue leaf;
    leaf.kind = JsonValue::Kind::kInteger;
    leaf.integer = value;
    leaf.real = static_cast<double>(value);
    return Add(std::move(leaf));
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max())) {
      return number_integer(static_cast<number_integer_t>(value));
    }
    return Real(static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t&) override { return Real(value); }
  bool string(string_t& value) override {
    if (value.find('\0') != string_t::npos) return Refuse("a string holds a NUL byte");
    JsonValue leaf;
    leaf.kind = JsonValue::Kind::kString;
    leaf.text = std::move(value);
    return Add(std::move(leaf));
  }
  bool binary(binary_t&) override { return Refuse("binary values are not JSON"); }
  bool start_object(std::size_t) override { return Open(JsonValue::Kind::kObject); }
  bool start_array(std::size_t) override { return Open(JsonValue::Kind::kArray); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool key(string_t& value) override {
    if (value.find('\0') != string_t::npos) return Refuse("a key holds a NUL byte");
    JsonValue& object = *open_.back();
    if (object.Find(value) != nullptr) return Refuse("the key \"" + value + "\" occurs twice");
    object.keys.push_back(std::move(value));
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    const bool number = error.id == 406;  // the library's number for "number overflow"
    return Refuse(number ? "a number is too large"
                         : "no valid JSON at byte " + std::to_string(position));
  }

 private:
  bool Refuse(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    return false;
  }
  bool Real(double value) {
    if (!std::isfinite(value)) return Refuse("a number is too large");
    JsonValue leaf;
    leaf.kind = JsonValue::Kind::kReal;
    leaf.real = value;
    return Add(std::move(leaf));
  }
  JsonValue* Place(JsonValue&& value) {
    if (open_.empty()) {
      *root_ = std::move(value);
      return root_;
    }
    open_.back()->items.push_back(std::move(value));
    return &open_.back()->items.back();
  }
  bool Add(JsonValue&& value) {
    Place(std::move(value));
    return true;
  }
  // A pointer to the last item stays good while it is open: nothing is added beside it meanwhile.
  bool Open(JsonValue::Kind kind) {
    if (open_.size() >= kMaxDepth) return Refuse("the JSON is nested too deeply");
    JsonValue value;
    value.kind = kind;
    open_.push_back(Place(std::move(value)));
    return true;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }

  JsonValue* root_;
  std::vector<JsonValue*> open_;
  std::string problem_;
};

nlohmann::ordered_json ToLibrary(const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::kNull:
      return nullptr;
    case JsonValue::Kind::kBool:
      return value.boolean;
    case JsonValue::Kind::kInteger:
      return value.integer;
    case JsonValue::Kind::kReal:
      return value.real;
    case JsonValue::Kind::kString:
      return value.text;
    case JsonValue::Kind::kArray: {
      auto array = nlohmann::ordered_json::array();
      for (const JsonValue& item : value.items) array.push_back(ToLibrary(item));
      return array;
    }
    case JsonValue::Kind::kObject: {
      auto object = nlohmann::ordered_json::object();
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        object[value.keys[i]] = ToLibrary(value.items[i]);
      }
      return object;
    }
  }
  return nullptr;
}

}  // namespace

const JsonValue* JsonValue::Find(std::string_view key) const {
  const auto at = std::find(keys.begin(), keys.end(), key);
  return at == keys.end() ? nullptr : &items[static_cast<std::size_t>(at - keys.begin())];
}

Result<JsonValue> ParseJson(std::string_view text) {
  JsonValue root;
  TreeBuilder builder(&root);
  try {
    if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return root;
  } catch (const std::exception& error) {
    return Fail(ErrorCode::kInvalidData, std::string("read JSON: ") + error.what());
  }
  return Fail(ErrorCode::kInvalidData,
              builder.problem().empty() ? "no valid JSON" : builder.problem());
}

std::string FormatJson(const JsonValue& value) {
  return ToLibrary(value).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace souvenance::ingest
