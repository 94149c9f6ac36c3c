// An analyzer shared by the tests of this folder.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/analyzer.h"

namespace souvenance::index {

inline const Analyzer& TestAnalyzer() {
  static const std::unique_ptr<Analyzer> analyzer = std::move(Analyzer::Create().value());
  return *analyzer;
}

// "term" or "term*3", sorted.
inline std::vector<std::string> Shown(const std::vector<TermCount>& terms) {
  std::vector<std::string> shown;
  for (const TermCount& term : terms) {
    shown.push_back(term.count == 1 ? term.term : term.term + "*" + std::to_string(term.count));
  }
  return shown;
}

inline std::vector<std::string> DocumentTerms(std::string_view text) {
  return Shown(TestAnalyzer().Document(text).value().terms);
}

inline std::vector<std::string> CueTerms(std::string_view text) {
  return Shown(TestAnalyzer().Cue(text).value().terms);
}

}  // namespace souvenance::index
