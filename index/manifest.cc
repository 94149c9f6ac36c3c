#include "index/manifest.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "index/digest.h"
#include "index/file_bytes.h"

namespace souvenance::index {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr char kManifestName[] = "manifest.json";
constexpr std::size_t kMaxManifestBytes = std::size_t{1} << 20;
constexpr int kVersion = 1;

bool IsPlainName(const std::string& name) {
  return !name.empty() && name.size() <= 255 && name != "." && name != ".." &&
         name != kManifestName && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

tl::unexpected<Error> Corrupt(const fs::path& folder, const std::string& why) {
  return Fail(ErrorCode::kCorruption, "check base " + folder.string() + ": " + why);
}

tl::unexpected<Error> FailIo(const std::string& doing, int error) {
  return Fail(IoErrorCode(error), "publish a base: " + doing + ": " + std::strerror(error));
}

struct Measured {
  std::uint64_t bytes = 0;
  FileDigest digest{};
};

Result<Measured> Measure(const Descriptor& file) {
  Sha256 hash;
  Measured measured;
  auto read = ReadPieces(file, [&](std::string_view piece) { hash.Update(piece); });
  if (!read) return Fail(read.error());
  auto digest = hash.Finish();
  if (!digest) return Fail(digest.error());
  measured.bytes = *read;
  measured.digest = *digest;
  return measured;
}

Result<FileDigest> DigestBytes(std::string_view bytes) {
  Sha256 hash;
  hash.Update(bytes);
  return hash.Finish();
}

std::string EncodeManifest(const Manifest& manifest) {
  Json json;
  json["version"] = manifest.version;
  json["store_id"] = manifest.store_id;
  json["scope"] = manifest.scope;
  json["kind"] = manifest.kind;
  json["change"] = manifest.change;
  json["last_ordinal"] = manifest.last_ordinal;
  json["analyzer_fingerprint"] = manifest.analyzer_fingerprint;
  json["embedder_fingerprint"] = manifest.embedder_fingerprint;
  json["parameters"] = Json::array();
  for (const auto& [key, value] : manifest.parameters) {
    json["parameters"].push_back(Json::array({key, value}));
  }
  json["files"] = Json::array();
  for (const ManifestFile& file : manifest.files) {
    Json entry;
    entry["name"] = file.name;
    entry["bytes"] = file.bytes;
    entry["sha256"] = Hex(file.digest);
    json["files"].push_back(std::move(entry));
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Throws nlohmann's exceptions on missing keys and other types; CheckBase catches them.
Manifest ParseManifest(const Json& json) {
  Manifest manifest;
  manifest.version = json.at("version").get<int>();
  manifest.store_id = json.at("store_id").get<std::string>();
  manifest.scope = json.at("scope").get<std::int64_t>();
  manifest.kind = json.at("kind").get<std::string>();
  manifest.change = json.at("change").get<std::int64_t>();
  manifest.last_ordinal = json.at("last_ordinal").get<std::uint32_t>();
  manifest.analyzer_fingerprint = json.at("analyzer_fingerprint").get<std::string>();
  manifest.embedder_fingerprint = json.at("embedder_fingerprint").get<std::string>();
  for (const Json& pair : json.at("parameters")) {
    manifest.parameters.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
  }
  for (const Json& entry : json.at("files")) {
    ManifestFile file;
    file.name = entry.at("name").get<std::string>();
    file.bytes = entry.at("bytes").get<std::uint64_t>();
    if (!ParseHex(entry.at("sha256").get<std::string>(), &file.digest)) {
      throw std::runtime_error("a digest is none");
    }
    manifest.files.push_back(std::move(file));
  }
  return manifest;
}

// Why the manifest is not the wanted one; empty when it is.
std::string Misfit(const Manifest& manifest, const Manifest& want) {
  if (manifest.version != kVersion) {
    return "version " + std::to_string(manifest.version) + " is not " + std::to_string(kVersion);
  }
  if (manifest.store_id != want.store_id) return "it belongs to another store";
  if (manifest.scope != want.scope) return "it belongs to another scope";
  if (manifest.kind != want.kind) return "it is of another kind";
  if (manifest.analyzer_fingerprint != want.analyzer_fingerprint) {
    return "the analyzer has changed";
  }
  if (manifest.embedder_fingerprint != want.embedder_fingerprint) {
    return "the embedder has changed";
  }
  std::set<std::string> names;
  for (const ManifestFile& file : manifest.files) {
    if (!IsPlainName(file.name) || !names.insert(file.name).second) return "a file name is bad";
  }
  return {};
}

Result<void> Sync(const Descriptor& file, const std::string& name) {
  if (::fsync(file.get()) != 0) return FailIo("sync " + name, errno);
  return {};
}

Result<void> MeasureAndSync(int folder, ManifestFile* file) {
  if (!IsPlainName(file->name)) {
    return Fail(ErrorCode::kInvalidArgument, "publish a base: bad file name " + file->name);
  }
  auto opened = OpenRegular(folder, file->name);
  if (!opened) return Fail(ErrorCode::kIo, opened.error().message);
  auto measured = Measure(*opened);
  if (!measured) return Fail(measured.error());
  file->bytes = measured->bytes;
  file->digest = measured->digest;
  return Sync(*opened, file->name);
}

// Renames without ever replacing.
Result<void> RenameNew(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
  int error = errno;
  if (error == EINVAL || error == ENOSYS) {
    // A file system without the flag: the caller holds the lock that makes this safe.
    std::error_code code;
    if (fs::symlink_status(to, code).type() != fs::file_type::not_found) {
      error = EEXIST;
    } else {
      error = ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
    }
  }
  if (error == 0) return {};
  if (error == EEXIST || error == ENOTEMPTY) {
    return Fail(ErrorCode::kAlreadyExists, "publish a base: " + to.string() + " exists");
  }
  return FailIo("rename to " + to.string(), error);
}

}  // namespace

Result<FileDigest> PublishBase(const fs::path& folder, const fs::path& target, Manifest manifest) {
  auto opened = OpenFolder(folder.string());
  if (!opened) return Fail(ErrorCode::kIo, opened.error().message);
  manifest.version = kVersion;
  for (ManifestFile& file : manifest.files) {
    if (auto done = MeasureAndSync(opened->get(), &file); !done) return Fail(done.error());
  }
  const std::string bytes = EncodeManifest(manifest);
  const std::string path = (folder / kManifestName).string();
  if (auto written = WriteFileBytes(path, bytes); !written) return Fail(written.error());
  auto file = OpenRegular(opened->get(), kManifestName);
  if (!file) return Fail(ErrorCode::kIo, file.error().message);
  if (auto synced = Sync(*file, kManifestName); !synced) return Fail(synced.error());
  if (auto synced = Sync(*opened, folder.string()); !synced) return Fail(synced.error());
  if (auto renamed = RenameNew(folder, target); !renamed) return Fail(renamed.error());
  const fs::path parent = target.parent_path().empty() ? fs::path(".") : target.parent_path();
  auto above = OpenFolder(parent.string());
  if (!above) return Fail(ErrorCode::kIo, above.error().message);
  if (auto synced = Sync(*above, parent.string()); !synced) return Fail(synced.error());
  return DigestBytes(bytes);
}

Result<Manifest> CheckBase(const fs::path& folder, const FileDigest& expected,
                           const Manifest& want) {
  auto opened = OpenFolder(folder.string());
  if (!opened) {
    if (opened.error().code == ErrorCode::kNotFound) return Fail(opened.error());
    return Corrupt(folder, opened.error().message);
  }
  auto file = OpenRegular(opened->get(), kManifestName);
  if (!file) {
    if (file.error().code == ErrorCode::kNotFound) return Fail(file.error());
    return Corrupt(folder, file.error().message);
  }
  std::string bytes;
  auto read = ReadPieces(*file, [&](std::string_view piece) {
    if (bytes.size() <= kMaxManifestBytes) bytes += piece;
  });
  if (!read) return Corrupt(folder, read.error().message);
  if (*read > kMaxManifestBytes) return Corrupt(folder, "the manifest is too long");
  const auto digest = DigestBytes(bytes);
  if (!digest) return Fail(digest.error());
  if (*digest != expected) return Corrupt(folder, "the manifest is not the one on record");
  Manifest manifest;
  try {
    manifest = ParseManifest(Json::parse(bytes));
  } catch (const std::exception&) {
    return Corrupt(folder, "the manifest cannot be read");
  }
  if (std::string why = Misfit(manifest, want); !why.empty()) return Corrupt(folder, why);
  for (const ManifestFile& entry : manifest.files) {
    auto content = OpenRegular(opened->get(), entry.name);
    if (!content) return Corrupt(folder, content.error().message);
    struct stat status {};
    if (::fstat(content->get(), &status) != 0 ||
        static_cast<std::uint64_t>(status.st_size) != entry.bytes) {
      return Corrupt(folder, entry.name + " has another size");
    }
    const auto measured = Measure(*content);
    if (!measured) return Corrupt(folder, measured.error().message);
    if (measured->bytes != entry.bytes || measured->digest != entry.digest) {
      return Corrupt(folder, entry.name + " has another digest");
    }
  }
  return manifest;
}

Result<FileDigest> DigestFile(const fs::path& file) {
  auto opened = OpenRegular(AT_FDCWD, file.string());
  if (!opened) return Fail(opened.error());
  auto measured = Measure(*opened);
  if (!measured) return Fail(measured.error());
  return measured->digest;
}

}  // namespace souvenance::index
