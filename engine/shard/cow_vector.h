// A vector whose copies share what has not changed: one snapshot's successor copies only the
// chunks that it touches.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace souvenance::shard {

// Thread-safety: thread-compatible; copies may be used from different threads.
template <typename T>
class CowVector {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  const T& operator[](std::size_t i) const { return (*chunks_[i / kChunk])[i % kChunk]; }

  T& Mutable(std::size_t i) { return Own(i / kChunk)[i % kChunk]; }

  void push_back(T value) {
    if (size_ % kChunk == 0) {
      chunks_.push_back(std::make_shared<std::vector<T>>());
    }
    Own(size_ / kChunk).push_back(std::move(value));
    ++size_;
  }

  void resize(std::size_t size) {
    while (size_ < size) push_back(T{});
  }

 private:
  static constexpr std::size_t kChunk = 1024;

  std::vector<T>& Own(std::size_t chunk) {
    auto& owned = chunks_[chunk];
    // Only the builder, under its mutex, makes copies of this object, so a count of one is safe
    // to act upon: nobody else can be about to share the chunk.
    if (owned.use_count() > 1) owned = std::make_shared<std::vector<T>>(*owned);
    return *owned;
  }

  std::vector<std::shared_ptr<std::vector<T>>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace souvenance::shard
