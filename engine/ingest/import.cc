#include "engine/ingest/import.h"

#include <memory>
#include <utility>
#include <variant>

#include "engine/ingest/reader.h"
#include "engine/ingest/writer.h"

namespace souvenance::ingest {
namespace {

constexpr std::size_t kMaxBadLines = 100;

// One open transaction at a time, committed when it is full.
class Batches {
 public:
  Batches(Core& core, std::size_t size) : core_(core), size_(size == 0 ? 1 : size) {}

  Result<void> Add(const ImportRecord& record, ImportAnswer* answer) {
    if (!tx_) {
      auto tx = core_.store->Write();
      if (!tx) return Fail(tx.error());
      tx_ = std::move(*tx);
      writer_ = std::make_unique<Writer>(core_, *tx_);
    }
    bool existed = false;
    Receipt receipt;
    if (const auto* source = std::get_if<RememberRequest>(&record)) {
      auto done = writer_->Remember(*source);
      if (!done) return Fail(done.error());
      existed = done->existed;
      receipt = std::move(done->receipt);
    } else {
      auto done = std::visit(
          [&](const auto& request) -> Result<WriteAnswer> {
            using Request = std::decay_t<decltype(request)>;
            if constexpr (std::is_same_v<Request, UnderstandRequest>) {
              return writer_->Understand(request);
            } else if constexpr (std::is_same_v<Request, EntityRequest>) {
              return writer_->DeclareEntity(request);
            } else if constexpr (std::is_same_v<Request, PredicateRequest>) {
              return writer_->DeclarePredicate(request);
            } else {
              return Fail(ErrorCode::kInternal, "import: unreachable");
            }
          },
          record);
      if (!done) return Fail(done.error());
      existed = done->existed;
      receipt = std::move(done->receipt);
    }
    pending_receipt_ = std::move(receipt);
    ++(existed ? pending_existed_ : pending_imported_);
    if (++count_ < size_) return {};
    return Commit(answer);
  }

  // Counts what is on disk, and nothing before.
  Result<void> Commit(ImportAnswer* answer) {
    if (!tx_) return {};
    auto done = tx_->Commit();
    writer_.reset();
    tx_.reset();
    if (!done) return done;
    answer->imported += std::exchange(pending_imported_, 0);
    answer->existed += std::exchange(pending_existed_, 0);
    answer->receipt = pending_receipt_;
    count_ = 0;
    return {};
  }

 private:
  Core& core_;
  const std::size_t size_;
  std::unique_ptr<storage::WriteTransaction> tx_;
  std::unique_ptr<Writer> writer_;
  std::size_t count_ = 0;
  std::uint64_t pending_imported_ = 0;
  std::uint64_t pending_existed_ = 0;
  Receipt pending_receipt_;
};

}  // namespace

Result<ImportAnswer> Import(Core& core, const ImportRequest& request) {
  ImportAnswer answer;
  Batches batches(core, request.batch);
  std::uint64_t items = 0;
  ReadCallbacks callbacks;
  callbacks.record = [&](ImportRecord&& record, const ReadProgress& progress) -> Result<void> {
    auto done = batches.Add(record, &answer);
    if (!done) return done;
    ++items;
    if (request.progress) request.progress({progress.bytes_done, progress.bytes_total, items});
    return {};
  };
  callbacks.bad_line = [&](BadLine&& line) {
    ++answer.bad;
    if (answer.bad_lines.size() < kMaxBadLines) answer.bad_lines.push_back(std::move(line));
  };
  auto read = ReadImport(request, callbacks);
  // What was read before the trouble is good: it is kept, and the trouble reported.
  auto committed = batches.Commit(&answer);
  if (!read || !committed) core.known_names->Clear();
  if (!read) return Fail(read.error());
  if (!committed) return Fail(committed.error());
  return answer;
}

}  // namespace souvenance::ingest
