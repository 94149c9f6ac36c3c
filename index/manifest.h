// A sealed base on disk: files, and a manifest that names their sizes and SHA-256 digests. It is
// published by one rename and checked before one byte of a file is parsed.
#pragma once

#include <souvenance/error.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace souvenance::index {

using FileDigest = std::array<std::uint8_t, 32>;

struct ManifestFile {
  std::string name;  // within the base's folder; no separators
  std::uint64_t bytes = 0;
  FileDigest digest{};
};

struct Manifest {
  int version = 1;
  std::string store_id;
  std::int64_t scope = 0;
  std::string kind;                  // "words" or "vectors"
  std::int64_t change = 0;           // built from the truth up to this change number
  std::uint32_t last_ordinal = 0;    // documents up to this revision ordinal
  std::string analyzer_fingerprint;  // words
  std::string embedder_fingerprint;  // vectors
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<ManifestFile> files;
};

// Fills in the files' sizes and digests from `folder`, writes manifest.json, syncs files and
// folder, and renames `folder` to `target`. Returns the digest of the manifest's bytes.
// Errors: kIo, kNoSpace, kAlreadyExists (target).
Result<FileDigest> PublishBase(const std::filesystem::path& folder,
                               const std::filesystem::path& target, Manifest manifest);

// Reads and checks a base: the manifest's digest is `expected`, it fits `want` (store id, scope,
// kind, fingerprints), and each file has its size and digest. Follows no symbolic link.
// Errors: kCorruption or kNotFound, with one line that says why it is dropped.
Result<Manifest> CheckBase(const std::filesystem::path& folder, const FileDigest& expected,
                           const Manifest& want);

// SHA-256 of a file's bytes.
Result<FileDigest> DigestFile(const std::filesystem::path& file);

}  // namespace souvenance::index
