#include <exception>
#include <string>
#include <utility>

#include "index/embed/embedder.h"
#include "index/vectors.h"

namespace souvenance::index {
namespace {

class CheckedEmbedder final : public Embedder {
 public:
  explicit CheckedEmbedder(std::unique_ptr<Embedder> inner) : inner_(std::move(inner)) {}

  const EmbedderIdentity& identity() const override { return inner_->identity(); }

  Result<std::vector<EmbeddedRow>> Embed(std::span<const std::string_view> texts, EmbedRole role,
                                         std::chrono::milliseconds deadline) const override {
    if (texts.empty()) return std::vector<EmbeddedRow>();
    try {
      auto rows = inner_->Embed(texts, role, deadline);
      if (!rows) return rows;
      if (rows->size() != texts.size()) {
        return Fail(ErrorCode::kInvalidData, "embed: " + std::to_string(rows->size()) +
                                                 " rows came back for " +
                                                 std::to_string(texts.size()) + " texts");
      }
      for (EmbeddedRow& row : *rows) Check(&row);
      return rows;
    } catch (const std::exception& e) {
      return Fail(ErrorCode::kInternal, std::string("embed: ") + e.what());
    }
  }

 private:
  void Check(EmbeddedRow* row) const {
    if (row->vector.empty()) {
      if (row->error.message.empty()) {
        row->error = {ErrorCode::kInvalidData, "embed: no vector came back", ""};
      }
      return;
    }
    const std::uint32_t dimension = inner_->identity().dimension;
    if (row->vector.size() != dimension) {
      row->error = {ErrorCode::kInvalidData,
                    "embed: a vector of " + std::to_string(row->vector.size()) +
                        " dimensions came back, expected " + std::to_string(dimension),
                    ""};
      row->vector.clear();
      return;
    }
    auto unit = Normalise(row->vector);
    if (!unit) {
      row->error = std::move(unit.error());
      row->vector.clear();
      return;
    }
    row->vector = std::move(*unit);
    row->error = {};
  }

  std::unique_ptr<Embedder> inner_;
};

}  // namespace

std::unique_ptr<Embedder> Checked(std::unique_ptr<Embedder> embedder) {
  return std::make_unique<CheckedEmbedder>(std::move(embedder));
}

}  // namespace souvenance::index
