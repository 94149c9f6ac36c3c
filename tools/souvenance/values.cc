// The values within flags: numbers, presets, legs.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "tools/souvenance/options.h"
#include "tools/souvenance/suggest.h"

namespace souvenance::program {
namespace {

struct PresetEntry {
  const char* name;
  Preset preset;
};
constexpr std::array<PresetEntry, 3> kPresets = {
    {{"hybrid", Preset::kHybrid}, {"seed", Preset::kSeed}, {"rrf", Preset::kRrf}}};

struct LegEntry {
  const char* name;
  Switch Legs::*leg;
};
constexpr std::array<LegEntry, 3> kLegs = {
    {{"bm25", &Legs::bm25}, {"vector", &Legs::vector}, {"graph", &Legs::graph}}};

tl::unexpected<Error> OutOfRange(std::string_view text, const std::string& range) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is not {}", text.substr(0, 64), range));
}

template <typename Entries>
std::vector<std::string> NamesOf(const Entries& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.emplace_back(entry.name);
  return names;
}

}  // namespace

Result<double> ParseReal(std::string_view text, double least, double most) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
      value < least || value > most) {
    return OutOfRange(text, fmt::format("a number from {} to {}", least, most));
  }
  return value;
}

Result<std::size_t> ParseCount(std::string_view text, std::size_t least, std::size_t most) {
  std::size_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    return OutOfRange(text, fmt::format("a whole number from {} to {}", least, most));
  }
  return value;
}

Result<Legs> ParseLegs(std::string_view text) {
  Legs legs{.bm25 = Switch::kOff, .vector = Switch::kOff, .graph = Switch::kOff};
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view name = text.substr(0, comma);
    bool known = false;
    for (const LegEntry& entry : kLegs) {
      if (name != entry.name) continue;
      legs.*entry.leg = Switch::kOn;
      known = true;
    }
    if (!known) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("\"{}\" is none of bm25, vector, graph", name.substr(0, 64)),
                  DidYouMean(name, NamesOf(kLegs)));
    }
    if (comma == text.size()) return legs;
    text.remove_prefix(comma + 1);
  }
}

Result<Preset> ParsePreset(std::string_view text) {
  for (const PresetEntry& entry : kPresets) {
    if (text == entry.name) return entry.preset;
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is none of hybrid, seed, rrf", text.substr(0, 64)),
              DidYouMean(text, NamesOf(kPresets)));
}

std::string_view PresetName(Preset preset) {
  for (const PresetEntry& entry : kPresets) {
    if (entry.preset == preset) return entry.name;
  }
  return "hybrid";
}

}  // namespace souvenance::program
