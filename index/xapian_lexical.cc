#include <fcntl.h>
#include <unistd.h>
#include <xapian.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <utility>

#include "index/candidate_cut.h"
#include "index/lexical.h"
#include "index/terms.h"

namespace souvenance::index {
namespace {

namespace fs = std::filesystem;

// How many hits more than k are asked for, so that one search usually shows where the ties end.
constexpr std::size_t kSpareHits = 32;

// What a database may hold; asking for other terms is no damage.
bool IsTerm(std::string_view term) { return !term.empty() && term.size() <= kMaxTermBytes; }

ErrorCode IoCode(int error) {
  return error == ENOSPC || error == EDQUOT ? ErrorCode::kNoSpace : ErrorCode::kIo;
}

// Runs `body`, and turns what Xapian and the standard library throw into an error. Damaged files
// make Xapian throw std::length_error and the like, which are no Xapian::Error.
template <typename Body>
auto Guarded(const char* doing, ErrorCode damaged, Body body) -> decltype(body()) {
  const std::string prefix = std::string(doing) + ": ";
  try {
    return body();
  } catch (const Xapian::DatabaseCorruptError& e) {
    return Fail(ErrorCode::kCorruption, prefix + e.get_msg());
  } catch (const Xapian::DatabaseError& e) {
    const char* cause = e.get_error_string();
    return Fail(cause != nullptr ? IoCode(errno) : damaged,
                prefix + e.get_msg() + (cause != nullptr ? std::string(": ") + cause : ""));
  } catch (const Xapian::Error& e) {
    return Fail(damaged, prefix + e.get_msg());
  } catch (const std::exception& e) {
    return Fail(damaged, prefix + e.what());
  }
}

// BM25 with the pool's statistics instead of the database's own: OP_SCALE_WEIGHT brings the
// term's weight as the factor, average length and parameters are given.
class PoolWeight final : public Xapian::Weight {
 public:
  PoolWeight(double average_length, const Bm25Params& params)
      : average_length_(average_length), params_(params) {
    need_stat(WDF);
    need_stat(WDF_MAX);
    need_stat(DOC_LENGTH);
    need_stat(DOC_LENGTH_MIN);
  }

  double get_sumpart(Xapian::termcount wdf, Xapian::termcount length,
                     Xapian::termcount) const override {
    return factor_ * Bm25TermWeight(wdf, length, average_length_, params_);
  }
  // The share grows with tf and shrinks with length. Rounded up, for a bound below a true score
  // would lose documents.
  double get_maxpart() const override {
    return factor_ * (1.0 + kTieMargin) *
           Bm25TermWeight(std::max<double>(1, get_wdf_upper_bound()), get_doclength_lower_bound(),
                          average_length_, params_);
  }
  double get_sumextra(Xapian::termcount, Xapian::termcount) const override { return 0; }
  double get_maxextra() const override { return 0; }

 private:
  PoolWeight* clone() const override { return new PoolWeight(average_length_, params_); }
  void init(double factor) override { factor_ = factor; }

  double average_length_;
  Bm25Params params_;
  double factor_ = 0;
};

class AcceptedOnly final : public Xapian::MatchDecider {
 public:
  explicit AcceptedOnly(const DocumentFilter& accept) : accept_(accept) {}
  // The docid alone: asking for the document's data would read the file.
  bool operator()(const Xapian::Document& document) const override {
    return accept_(document.get_docid());
  }

 private:
  const DocumentFilter& accept_;
};

class XapianLexical final : public LexicalSegment {
 public:
  explicit XapianLexical(int descriptor) : descriptor_(descriptor) {}
  ~XapianLexical() override { ::close(descriptor_); }

  Result<void> Start() {
    return WithReader<void>("open a word index", [&](Xapian::Database& database) -> Result<void> {
      documents_ = database.get_doccount();
      total_length_ = database.get_total_length();
      return {};
    });
  }

  std::uint32_t documents() const override { return documents_; }
  std::uint64_t total_length() const override { return total_length_; }

  Result<std::uint32_t> DocumentFrequency(std::string_view term) const override {
    return WithReader<std::uint32_t>(
        "read a term", [&](Xapian::Database& database) -> Result<std::uint32_t> {
          return !IsTerm(term) ? 0 : database.get_termfreq(std::string(term));
        });
  }

  Result<void> TermFrequencies(std::string_view term, std::span<const Ordinal> documents,
                               std::span<std::uint32_t> out) const override {
    std::fill(out.begin(), out.end(), 0);
    if (!IsTerm(term)) return {};
    return Walk(term, documents,
                [&](std::size_t i, const Xapian::PostingIterator& it) { out[i] = it.get_wdf(); });
  }

  Result<void> Lengths(std::span<const Ordinal> documents,
                       std::span<std::uint32_t> out) const override {
    std::fill(out.begin(), out.end(), 0);
    // The empty term stands in every document.
    return Walk("", documents, [&](std::size_t i, const Xapian::PostingIterator& it) {
      out[i] = it.get_doclength();
    });
  }

  Result<std::vector<Ordinal>> Candidates(std::span<const WeightedTerm> terms,
                                          double average_length, const Bm25Params& params,
                                          std::size_t k,
                                          const DocumentFilter& accept) const override {
    std::vector<Xapian::Query> parts;
    for (const WeightedTerm& term : terms) {
      if (!(term.weight > 0) || !IsTerm(term.term)) continue;
      parts.emplace_back(Xapian::Query::OP_SCALE_WEIGHT, Xapian::Query(term.term), term.weight);
    }
    if (parts.empty() || k == 0 || documents_ == 0) return std::vector<Ordinal>();
    return WithReader<std::vector<Ordinal>>(
        "search a word index", [&](Xapian::Database& database) -> Result<std::vector<Ordinal>> {
          Xapian::Enquire enquire(database);
          enquire.set_query(Xapian::Query(Xapian::Query::OP_OR, parts.begin(), parts.end()));
          enquire.set_weighting_scheme(PoolWeight(average_length, params));
          enquire.set_docid_order(Xapian::Enquire::ASCENDING);
          return Best(enquire, std::min<std::size_t>(k, documents_), accept);
        });
  }

 private:
  // One database object per borrower; an idle one is handed on. Any failure drops the object.
  template <typename T, typename Body>
  Result<T> WithReader(const char* doing, Body body) const {
    return Guarded(doing, ErrorCode::kCorruption, [&]() -> Result<T> {
      std::unique_ptr<Xapian::Database> database = Borrow();
      Result<T> result = body(*database);
      const std::lock_guard lock(mutex_);
      idle_.push_back(std::move(database));
      return result;
    });
  }

  std::unique_ptr<Xapian::Database> Borrow() const {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<Xapian::Database> database = std::move(idle_.back());
      idle_.pop_back();
      return database;
    }
    // Xapian starts at the descriptor's offset, which duplicates share, and owns what it is given.
    const int copy = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 3);
    if (copy < 0 || ::lseek(copy, 0, SEEK_SET) != 0) {
      if (copy >= 0) ::close(copy);
      throw Xapian::DatabaseOpeningError("cannot duplicate the descriptor", errno);
    }
    return std::make_unique<Xapian::Database>(copy, 0);
  }

  // Calls `found` for each of `documents` that stands in the term's posting list.
  template <typename Found>
  Result<void> Walk(std::string_view term, std::span<const Ordinal> documents, Found found) const {
    return WithReader<void>("read postings", [&](Xapian::Database& database) -> Result<void> {
      const std::string name(term);
      Xapian::PostingIterator it = database.postlist_begin(name);
      const Xapian::PostingIterator end = database.postlist_end(name);
      for (std::size_t i = 0; i < documents.size() && it != end; ++i) {
        if (documents[i] == 0) continue;
        it.skip_to(documents[i]);
        if (it != end && *it == documents[i]) found(i, it);
      }
      return {};
    });
  }

  // Asks for more until the last hit lies below the cut, or there is no more: then whatever ties
  // with the k-th is in, up to rounding.
  std::vector<Ordinal> Best(Xapian::Enquire& enquire, std::size_t k,
                            const DocumentFilter& accept) const {
    const AcceptedOnly decider(accept);
    std::size_t asked = k + kSpareHits;
    while (true) {
      const auto limit = static_cast<Xapian::doccount>(std::min<std::size_t>(asked, documents_));
      const Xapian::MSet hits = enquire.get_mset(0, limit, 0, nullptr, accept ? &decider : nullptr);
      const bool all = hits.size() < limit || limit == documents_;
      double cut = 0;
      if (hits.size() > k) cut = CutBelow(hits[static_cast<Xapian::doccount>(k - 1)].get_weight());
      if (!all && hits.back().get_weight() >= cut) {
        asked *= 4;
        continue;
      }
      std::vector<Ordinal> best;
      for (Xapian::MSetIterator it = hits.begin(); it != hits.end(); ++it) {
        if (it.get_weight() >= cut) best.push_back(*it);
      }
      std::sort(best.begin(), best.end());
      return best;
    }
  }

  const int descriptor_;
  std::uint32_t documents_ = 0;
  std::uint64_t total_length_ = 0;
  mutable std::mutex mutex_;  // guards idle_ and the descriptor's offset
  mutable std::vector<std::unique_ptr<Xapian::Database>> idle_;
};

// A folder beside the file, gone at the end.
class WorkFolder {
 public:
  explicit WorkFolder(const std::string& file) : path_(file + ".build-XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) {
      error_ = errno;
      path_.clear();
    }
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::string& path() const { return path_; }
  int error() const { return error_; }

 private:
  std::string path_;
  int error_ = 0;
};

}  // namespace

Result<void> WriteXapianLexical(const std::string& file,
                                std::span<const LexicalDocument> documents) {
  constexpr char kDoing[] = "write a word index";
  std::error_code code;
  if (fs::symlink_status(file, code).type() != fs::file_type::not_found) {
    return Fail(ErrorCode::kAlreadyExists, std::string(kDoing) + ": " + file + " exists");
  }
  const WorkFolder folder(file);
  if (folder.path().empty()) {
    return Fail(IoCode(folder.error()), std::string(kDoing) + ": " + std::strerror(folder.error()));
  }
  Result<void> written = Guarded(kDoing, ErrorCode::kIo, [&]() -> Result<void> {
    // A build that is interrupted is thrown away: nothing here needs to survive a crash.
    Xapian::WritableDatabase database(folder.path() + "/glass", Xapian::DB_CREATE |
                                                                    Xapian::DB_BACKEND_GLASS |
                                                                    Xapian::DB_NO_SYNC);
    for (const LexicalDocument& document : documents) {
      Xapian::Document entry;
      for (const TermCount& term : document.text.terms) entry.add_term(term.term, term.count);
      database.replace_document(document.ordinal, entry);
    }
    database.commit();
    // Compaction would number the documents anew.
    database.compact(file, Xapian::DBCOMPACT_SINGLE_FILE | Xapian::DBCOMPACT_NO_RENUMBER);
    return {};
  });
  if (!written) fs::remove(file, code);
  return written;
}

Result<std::unique_ptr<LexicalSegment>> OpenXapianLexical(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) {
    return Fail(ErrorCode::kIo, "open a word index: " + file + ": " + std::strerror(errno));
  }
  auto segment = std::make_unique<XapianLexical>(descriptor);
  if (auto started = segment->Start(); !started) return Fail(started.error());
  return std::unique_ptr<LexicalSegment>(std::move(segment));
}

}  // namespace souvenance::index
