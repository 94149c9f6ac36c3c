#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "index/candidate_cut.h"
#include "index/lexical.h"

namespace souvenance::index {
namespace {

struct Posting {
  std::uint32_t row = 0;  // position among the documents, by ordinal
  std::uint32_t tf = 0;
};

struct TermHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view term) const {
    return std::hash<std::string_view>{}(term);
  }
};

// Looks up ascending values in a sorted array: gallops from where the last one was.
template <typename T, typename Key>
class Galloper {
 public:
  Galloper(std::span<const T> sorted, Key key) : sorted_(sorted), key_(key) {}
  // The position of `value`, or the size.
  std::size_t Find(std::uint32_t value) {
    std::size_t step = 1;
    std::size_t low = at_;
    while (at_ + step < sorted_.size() && key_(sorted_[at_ + step]) < value) {
      low = at_ + step;
      step *= 2;
    }
    const auto begin = sorted_.begin() + static_cast<std::ptrdiff_t>(low);
    const auto end =
        sorted_.begin() + static_cast<std::ptrdiff_t>(std::min(at_ + step + 1, sorted_.size()));
    const auto found = std::lower_bound(
        begin, end, value, [&](const T& item, std::uint32_t v) { return key_(item) < v; });
    at_ = static_cast<std::size_t>(found - sorted_.begin());
    return at_ < sorted_.size() && key_(sorted_[at_]) == value ? at_ : sorted_.size();
  }

 private:
  std::span<const T> sorted_;
  Key key_;
  std::size_t at_ = 0;
};

class MemoryLexical final : public LexicalSegment {
 public:
  explicit MemoryLexical(std::span<const LexicalDocument> documents) {
    std::vector<std::uint32_t> order(documents.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return documents[a].ordinal < documents[b].ordinal;
    });
    std::vector<std::uint32_t> ids;  // of each document's terms, in order
    std::vector<std::uint32_t> counts;
    for (const std::uint32_t d : order) {
      ordinals_.push_back(documents[d].ordinal);
      lengths_.push_back(documents[d].text.length);
      total_length_ += documents[d].text.length;
      for (const TermCount& term : documents[d].text.terms) {
        auto found = terms_.find(std::string_view(term.term));
        if (found == terms_.end()) {
          found = terms_.emplace(term.term, static_cast<std::uint32_t>(counts.size())).first;
          counts.push_back(0);
        }
        ++counts[found->second];
        ids.push_back(found->second);
      }
    }
    starts_.assign(counts.size() + 1, 0);
    std::partial_sum(counts.begin(), counts.end(), starts_.begin() + 1);
    postings_.resize(ids.size());
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    std::size_t at = 0;
    for (std::uint32_t row = 0; row < order.size(); ++row) {
      for (const TermCount& term : documents[order[row]].text.terms) {
        postings_[next[ids[at++]]++] = {row, term.count};
      }
    }
  }

  std::uint32_t documents() const override { return static_cast<std::uint32_t>(ordinals_.size()); }
  std::uint64_t total_length() const override { return total_length_; }

  Result<std::uint32_t> DocumentFrequency(std::string_view term) const override {
    return static_cast<std::uint32_t>(Postings(term).size());
  }

  Result<void> TermFrequencies(std::string_view term, std::span<const Ordinal> documents,
                               std::span<std::uint32_t> out) const override {
    const std::span<const Posting> postings = Postings(term);
    Galloper rows(std::span<const Ordinal>(ordinals_), [](Ordinal o) { return o; });
    Galloper found(postings, [](const Posting& p) { return p.row; });
    for (std::size_t i = 0; i < documents.size(); ++i) {
      out[i] = 0;
      const std::size_t row = postings.empty() ? ordinals_.size() : rows.Find(documents[i]);
      if (row == ordinals_.size()) continue;
      const std::size_t at = found.Find(static_cast<std::uint32_t>(row));
      if (at < postings.size()) out[i] = postings[at].tf;
    }
    return {};
  }

  Result<void> Lengths(std::span<const Ordinal> documents,
                       std::span<std::uint32_t> out) const override {
    Galloper rows(std::span<const Ordinal>(ordinals_), [](Ordinal o) { return o; });
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const std::size_t row = rows.Find(documents[i]);
      out[i] = row < ordinals_.size() ? lengths_[row] : 0;
    }
    return {};
  }

  Result<std::vector<Ordinal>> Candidates(std::span<const WeightedTerm> terms,
                                          double average_length, const Bm25Params& params,
                                          std::size_t k,
                                          const DocumentFilter& accept) const override {
    std::vector<double> scores(ordinals_.size(), 0.0);
    std::vector<std::uint32_t> touched;
    for (const WeightedTerm& term : terms) {
      if (!(term.weight > 0)) continue;
      for (const Posting& posting : Postings(term.term)) {
        double& score = scores[posting.row];
        if (score == 0) touched.push_back(posting.row);
        score +=
            term.weight * Bm25TermWeight(posting.tf, lengths_[posting.row], average_length, params);
      }
    }
    return Best(scores, touched, k, accept);
  }

 private:
  std::span<const Posting> Postings(std::string_view term) const {
    const auto found = terms_.find(term);
    if (found == terms_.end()) return {};
    return std::span(postings_).subspan(starts_[found->second],
                                        starts_[found->second + 1] - starts_[found->second]);
  }

  std::vector<Ordinal> Best(std::span<const double> scores, std::vector<std::uint32_t>& touched,
                            std::size_t k, const DocumentFilter& accept) const {
    std::vector<Ordinal> best;
    if (k == 0) return best;
    if (accept) std::erase_if(touched, [&](std::uint32_t row) { return !accept(ordinals_[row]); });
    double cut = 0;
    if (touched.size() > k) {
      const auto kth = touched.begin() + static_cast<std::ptrdiff_t>(k - 1);
      std::nth_element(touched.begin(), kth, touched.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
      cut = CutBelow(scores[*kth]);
    }
    for (const std::uint32_t row : touched) {
      if (scores[row] >= cut) best.push_back(ordinals_[row]);
    }
    std::sort(best.begin(), best.end());
    best.erase(std::unique(best.begin(), best.end()), best.end());
    return best;
  }

  std::vector<Ordinal> ordinals_;  // ascending
  std::vector<std::uint32_t> lengths_;
  std::uint64_t total_length_ = 0;
  std::unordered_map<std::string, std::uint32_t, TermHash, std::equal_to<>> terms_;
  std::vector<std::uint32_t> starts_;  // of each term's postings, and the end
  std::vector<Posting> postings_;
};

}  // namespace

std::unique_ptr<LexicalSegment> BuildMemoryLexical(std::span<const LexicalDocument> documents) {
  return std::make_unique<MemoryLexical>(documents);
}

}  // namespace souvenance::index
