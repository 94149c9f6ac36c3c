#include "index/digest.h"

#include <openssl/evp.h>

namespace souvenance::index {

struct Sha256::Impl {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  bool ok = false;
};

Sha256::Sha256() : impl_(std::make_unique<Impl>()) {
  impl_->ok =
      impl_->context != nullptr && EVP_DigestInit_ex(impl_->context, EVP_sha256(), nullptr) == 1;
}

Sha256::~Sha256() { EVP_MD_CTX_free(impl_->context); }

void Sha256::Update(std::string_view bytes) {
  impl_->ok = impl_->ok && EVP_DigestUpdate(impl_->context, bytes.data(), bytes.size()) == 1;
}

Result<FileDigest> Sha256::Finish() {
  FileDigest digest{};
  unsigned int size = 0;
  if (!impl_->ok || EVP_DigestFinal_ex(impl_->context, digest.data(), &size) != 1 ||
      size != digest.size()) {
    return Fail(ErrorCode::kInternal, "compute a SHA-256 digest: OpenSSL failed");
  }
  impl_->ok = false;
  return digest;
}

std::string Hex(const FileDigest& digest) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const std::uint8_t byte : digest) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 0xF];
  }
  return hex;
}

bool ParseHex(std::string_view hex, FileDigest* digest) {
  if (hex.size() != digest->size() * 2) return false;
  for (std::size_t i = 0; i < hex.size(); ++i) {
    const char c = hex[i];
    const int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (value < 0) return false;
    std::uint8_t& byte = (*digest)[i / 2];
    byte = static_cast<std::uint8_t>(i % 2 == 0 ? value << 4 : byte | value);
  }
  return true;
}

}  // namespace souvenance::index
