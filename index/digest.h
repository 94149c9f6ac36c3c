// SHA-256, by OpenSSL.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "index/manifest.h"

namespace souvenance::index {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  void Update(std::string_view bytes);
  // Once, at the end. Errors: kInternal when OpenSSL refuses.
  Result<FileDigest> Finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::string Hex(const FileDigest& digest);
bool ParseHex(std::string_view hex, FileDigest* digest);

}  // namespace souvenance::index
