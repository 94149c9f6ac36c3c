// docs/formats/bases.md.
#include "index/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "tests/index/temp_folder.h"

namespace souvenance::index {
namespace {

namespace fs = std::filesystem;

void Write(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string Read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Manifest Wanted() {
  Manifest manifest;
  manifest.store_id = "store";
  manifest.scope = 7;
  manifest.kind = "words";
  manifest.change = 42;
  manifest.last_ordinal = 9;
  manifest.analyzer_fingerprint = "rules 1";
  manifest.parameters = {{"b", "1"}, {"a", "2"}};
  manifest.files = {{"one", 0, {}}, {"two", 0, {}}};
  return manifest;
}

class Base : public testing::Test {
 protected:
  Base() {
    fs::create_directory(folder_ / "new");
    Write(folder_ / "new/one", "abc");
    Write(folder_ / "new/two", std::string(1'000'000, 'z'));
  }
  FileDigest Publish() { return PublishBase(folder_ / "new", base_, Wanted()).value(); }
  ErrorCode Code(const Result<Manifest>& checked) {
    EXPECT_FALSE(checked);
    if (checked) return ErrorCode::kInternal;
    EXPECT_EQ(checked.error().message.find('\n'), std::string::npos);
    return checked.error().code;
  }
  TempFolder folder_;
  fs::path base_ = folder_ / "base";
};

TEST(DigestFile, IsSha256) {
  // FIPS 180-4's example: "abc".
  const TempFolder folder;
  Write(folder / "abc", "abc");
  const FileDigest digest = DigestFile(folder / "abc").value();
  EXPECT_EQ(digest[0], 0xba);
  EXPECT_EQ(digest[1], 0x78);
  EXPECT_EQ(digest[31], 0xad);
  EXPECT_EQ(DigestFile(folder / "none").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(DigestFile(folder.path()).error().code, ErrorCode::kIo);
}

TEST_F(Base, IsReadBackAsPublished) {
  const FileDigest digest = Publish();
  EXPECT_FALSE(fs::exists(folder_ / "new"));
  const Manifest manifest = CheckBase(base_, digest, Wanted()).value();
  EXPECT_EQ(manifest.change, 42);
  EXPECT_EQ(manifest.last_ordinal, 9u);
  EXPECT_EQ(manifest.parameters, Wanted().parameters);
  ASSERT_EQ(manifest.files.size(), 2u);
  EXPECT_EQ(manifest.files[0].bytes, 3u);
  EXPECT_EQ(manifest.files[0].digest[0], 0xba);
  EXPECT_EQ(manifest.files[1].bytes, 1'000'000u);
  EXPECT_EQ(digest, DigestFile(base_ / "manifest.json").value());
}

TEST_F(Base, IsNeverPublishedOverAnother) {
  fs::create_directory(base_);
  const auto published = PublishBase(folder_ / "new", base_, Wanted());
  ASSERT_FALSE(published);
  EXPECT_EQ(published.error().code, ErrorCode::kAlreadyExists);
  EXPECT_TRUE(fs::exists(folder_ / "new/one"));
}

TEST_F(Base, NeedsItsFilesToPublish) {
  fs::remove(folder_ / "new/two");
  EXPECT_EQ(PublishBase(folder_ / "new", base_, Wanted()).error().code, ErrorCode::kIo);
  EXPECT_EQ(PublishBase(folder_ / "none", base_, Wanted()).error().code, ErrorCode::kIo);
  fs::create_symlink("one", folder_ / "new/two");
  EXPECT_FALSE(PublishBase(folder_ / "new", base_, Wanted()));
  for (const char* name : {"../x", "", ".", "..", "manifest.json", "a/b"}) {
    Manifest manifest = Wanted();
    manifest.files = {{name, 0, {}}};
    EXPECT_FALSE(PublishBase(folder_ / "new", base_, manifest)) << name;
  }
  EXPECT_FALSE(fs::exists(base_));
}

TEST_F(Base, OfAnythingElseIsRefused) {
  const FileDigest digest = Publish();
  const std::pair<const char*, void (*)(Manifest&)> changes[] = {
      {"store", [](Manifest& m) { m.store_id = "other"; }},
      {"scope", [](Manifest& m) { m.scope = 8; }},
      {"kind", [](Manifest& m) { m.kind = "vectors"; }},
      {"analyzer", [](Manifest& m) { m.analyzer_fingerprint = "rules 2"; }},
      {"embedder", [](Manifest& m) { m.embedder_fingerprint = "x"; }},
  };
  for (const auto& [name, change] : changes) {
    Manifest want = Wanted();
    change(want);
    EXPECT_EQ(Code(CheckBase(base_, digest, want)), ErrorCode::kCorruption) << name;
  }
  EXPECT_TRUE(CheckBase(base_, digest, Wanted()));
}

TEST_F(Base, ThatIsMissingIsNotFound) {
  EXPECT_EQ(Code(CheckBase(base_, {}, Wanted())), ErrorCode::kNotFound);
  fs::create_directory(base_);
  EXPECT_EQ(Code(CheckBase(base_, {}, Wanted())), ErrorCode::kNotFound);
}

TEST_F(Base, WithOneChangedByteIsRefused) {
  const FileDigest digest = Publish();
  for (const char* name : {"one", "two", "manifest.json"}) {
    const std::string good = Read(base_ / name);
    for (const std::size_t at : {std::size_t{0}, good.size() / 2, good.size() - 1}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 1);
      Write(base_ / name, bad);
      EXPECT_EQ(Code(CheckBase(base_, digest, Wanted())), ErrorCode::kCorruption) << name << at;
    }
    Write(base_ / name, good.substr(0, good.size() - 1));
    EXPECT_EQ(Code(CheckBase(base_, digest, Wanted())), ErrorCode::kCorruption) << name;
    Write(base_ / name, good + " ");
    EXPECT_EQ(Code(CheckBase(base_, digest, Wanted())), ErrorCode::kCorruption) << name;
    Write(base_ / name, good);
  }
  EXPECT_TRUE(CheckBase(base_, digest, Wanted()));
}

TEST_F(Base, FollowsNoLinkAndWaitsForNoPipe) {
  const FileDigest digest = Publish();
  fs::rename(base_ / "one", folder_ / "elsewhere");
  EXPECT_EQ(Code(CheckBase(base_, digest, Wanted())), ErrorCode::kCorruption);
  fs::create_symlink(folder_ / "elsewhere", base_ / "one");
  EXPECT_EQ(Code(CheckBase(base_, digest, Wanted())), ErrorCode::kCorruption);
  fs::remove(base_ / "one");
  ASSERT_EQ(::mkfifo((base_ / "one").c_str(), 0600), 0);
  EXPECT_EQ(Code(CheckBase(base_, digest, Wanted())), ErrorCode::kCorruption);
  fs::remove(base_ / "one");
  fs::create_directory(base_ / "one");
  EXPECT_EQ(Code(CheckBase(base_, digest, Wanted())), ErrorCode::kCorruption);
  fs::remove(base_ / "one");
  fs::rename(folder_ / "elsewhere", base_ / "one");
  EXPECT_TRUE(CheckBase(base_, digest, Wanted()));
  fs::create_directory_symlink(base_, folder_ / "link");
  EXPECT_EQ(Code(CheckBase(folder_ / "link", digest, Wanted())), ErrorCode::kCorruption);
}

TEST_F(Base, WithAStrangeManifestIsRefusedEvenWhenItsDigestFits) {
  Publish();
  for (const char* text :
       {"", "{", "[]", "{}", "null", "{\"version\":\"1\"}", "{\"version\":2}", "\xFF",
        "{\"version\":1,\"store_id\":\"store\",\"scope\":7,\"kind\":\"words\",\"change\":42,"
        "\"last_ordinal\":9,\"analyzer_fingerprint\":\"rules 1\",\"embedder_fingerprint\":\"\","
        "\"parameters\":[],\"files\":[{\"name\":\"../base/one\",\"bytes\":3,\"sha256\":"
        "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"}]}"}) {
    Write(base_ / "manifest.json", text);
    const FileDigest digest = DigestFile(base_ / "manifest.json").value();
    EXPECT_EQ(Code(CheckBase(base_, digest, Wanted())), ErrorCode::kCorruption) << text;
  }
}

}  // namespace
}  // namespace souvenance::index
