#include "storage/sha256.h"

#include <openssl/evp.h>

#include <new>

namespace souvenance::storage {

struct Sha256Stream::Impl {
  EVP_MD_CTX* context = nullptr;
  ~Impl() { EVP_MD_CTX_free(context); }
};

namespace {

// Fetching by name at each use costs more than hashing a short text.
const EVP_MD* Algorithm() {
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return algorithm != nullptr ? algorithm : EVP_sha256();
}

}  // namespace

Sha256Stream::Sha256Stream() : impl_(std::make_unique<Impl>()) {
  impl_->context = EVP_MD_CTX_new();
  // OpenSSL fails here for want of memory alone.
  if (impl_->context == nullptr || EVP_DigestInit_ex2(impl_->context, Algorithm(), nullptr) != 1) {
    throw std::bad_alloc();
  }
}

Sha256Stream::~Sha256Stream() = default;
Sha256Stream::Sha256Stream(Sha256Stream&&) noexcept = default;
Sha256Stream& Sha256Stream::operator=(Sha256Stream&&) noexcept = default;

Sha256Stream& Sha256Stream::Update(std::string_view bytes) {
  EVP_DigestUpdate(impl_->context, bytes.data(), bytes.size());
  return *this;
}

Sha256Stream& Sha256Stream::Update(std::span<const std::uint8_t> bytes) {
  EVP_DigestUpdate(impl_->context, bytes.data(), bytes.size());
  return *this;
}

Digest Sha256Stream::Finish() {
  Digest digest{};
  unsigned size = 0;
  EVP_DigestFinal_ex(impl_->context, digest.data(), &size);
  EVP_DigestInit_ex2(impl_->context, Algorithm(), nullptr);
  return digest;
}

Digest Sha256(std::string_view bytes) {
  thread_local Sha256Stream stream;
  return stream.Update(bytes).Finish();
}

std::string Hex(std::span<const std::uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace souvenance::storage
