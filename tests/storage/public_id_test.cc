#include "storage/public_id.h"

#include <gtest/gtest.h>

namespace souvenance::storage {
namespace {

// Computed with Python's hashlib, as docs/formats/ids.md says.
TEST(PublicId, TagsAScopeByItsFullName) {
  EXPECT_EQ(ScopeTag({}), "6g1z51wn");
  EXPECT_EQ(ScopeTag({ScopeKind::kPrivate, "alice"}), "grtcq4ba");
  EXPECT_EQ(ScopeTag({ScopeKind::kGroup, "family"}), "y7vxdad8");
  EXPECT_EQ(ScopeTag({ScopeKind::kGroup, "../x"}), "crnnphkq");
  EXPECT_EQ(ScopeTag({ScopeKind::kPrivate, "卡罗琳"}), "m1mrhqz9");
}

TEST(PublicId, ReadsBackWhatItWrites) {
  for (const PublicKind kind :
       {PublicKind::kSource, PublicKind::kArtifact, PublicKind::kEntity, PublicKind::kRelation}) {
    for (const Ordinal ordinal : {1u, 12u, 4294967295u}) {
      const auto id = ParsePublicId(FormatPublicId(kind, ordinal, "6g1z51wn"));
      ASSERT_TRUE(id);
      EXPECT_EQ(id->kind, kind);
      EXPECT_EQ(id->ordinal, ordinal);
      EXPECT_EQ(id->scope_tag, "6g1z51wn");
    }
  }
  EXPECT_EQ(FormatPublicId(PublicKind::kArtifact, 12, "7k3f9q2m"), "a12-7k3f9q2m");
}

TEST(PublicId, ReadsWhatAPersonTypes) {
  const auto id = ParsePublicId("A12-6GIZ5LwO");
  ASSERT_TRUE(id);
  EXPECT_EQ(id->scope_tag, "6g1z51w0");
}

TEST(PublicId, RefusesEveryOtherForm) {
  for (const char* text :
       {"", "a", "a12", "a12-", "x12-6g1z51wn", "a-6g1z51wn", "a0-6g1z51wn", "a01-6g1z51wn",
        "a-1-6g1z51wn", "a+1-6g1z51wn", "a1-6g1z51w", "a1-6g1z51wnn", "a1-6g1z51wu",
        "a4294967296-6g1z51wn", " a1-6g1z51wn", "a1-6g1z51w ", "a1_6g1z51wn"}) {
    EXPECT_FALSE(ParsePublicId(text)) << text;
  }
}

}  // namespace
}  // namespace souvenance::storage
