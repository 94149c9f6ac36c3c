#include "tools/souvenance/suggest.h"

#include <algorithm>

namespace souvenance::program {

std::size_t EditDistance(std::string_view a, std::string_view b) {
  // Three rows of the optimal string alignment table.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(previous);
    previous.swap(row);
  }
  return previous[b.size()];
}

std::string Closest(std::string_view word, const std::vector<std::string>& known) {
  const std::size_t dashes = std::min(word.find_first_not_of('-'), word.size());
  const std::size_t letters = word.size() - dashes;
  if (letters == 0 || word.size() > 64) return {};
  std::size_t best = std::max<std::size_t>(1, letters / 3) + 1;
  std::string found;
  for (const std::string& candidate : known) {
    const std::size_t distance = EditDistance(word, candidate);
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  if (!found.empty() || letters < 3) return found;
  for (const std::string& candidate : known) {
    if (candidate.size() > word.size() && candidate.compare(0, word.size(), word) == 0) {
      return candidate;
    }
  }
  return found;
}

std::string DidYouMean(std::string_view word, const std::vector<std::string>& known) {
  const std::string near = Closest(word, known);
  return near.empty() ? std::string() : "did you mean " + near + "?";
}

}  // namespace souvenance::program
