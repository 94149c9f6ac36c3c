#include <gtest/gtest.h>
#include <souvenance/record.h>
#include <souvenance/scope.h>

namespace souvenance {
namespace {

TEST(Scope, ReadsTheThreeKinds) {
  EXPECT_EQ(*ParseScope("public"), Scope{});
  EXPECT_EQ(*ParseScope("private:alice"), (Scope{ScopeKind::kPrivate, "alice"}));
  EXPECT_EQ(*ParseScope("group:family"), (Scope{ScopeKind::kGroup, "family"}));
  EXPECT_EQ(*ParseScope("family"), (Scope{ScopeKind::kGroup, "family"})) << "no prefix: a group";
  EXPECT_EQ(*ParseScope("group:public"), (Scope{ScopeKind::kGroup, "public"}));
  EXPECT_EQ(*ParseScope("Public"), (Scope{ScopeKind::kGroup, "Public"})) << "names keep their case";
}

TEST(Scope, TakesANameAsDataAndNeverAsAPath) {
  EXPECT_EQ(*ParseScope("../x"), (Scope{ScopeKind::kGroup, "../x"}));
  EXPECT_EQ(*ParseScope("private:a:b"), (Scope{ScopeKind::kPrivate, "a:b"}));
  EXPECT_EQ(*ParseScope("a OR b"), (Scope{ScopeKind::kGroup, "a OR b"}));
}

TEST(Scope, WritesWhatItReads) {
  for (const char* text : {"public", "private:alice", "group:family", "private:卡罗琳"}) {
    EXPECT_EQ(FormatScope(*ParseScope(text)), text);
  }
  EXPECT_EQ(FormatScope(*ParseScope("family")), "group:family");
}

TEST(Scope, RefusesANameThatIsNone) {
  for (const std::string& text :
       {std::string(), std::string("  "), std::string("private:"), std::string("group: "),
        std::string("a\nb"), std::string("a\x7f"), std::string("a\0b", 3), std::string(513, 'x')}) {
    const auto scope = ParseScope(text);
    ASSERT_FALSE(scope) << text;
    EXPECT_EQ(scope.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_TRUE(ParseScope(std::string(512, 'x')));
}

TEST(Record, NamesEveryValueAndReadsItBack) {
  for (const auto name : record_names::kSourceTypes) EXPECT_EQ(Name(*ParseSourceType(name)), name);
  for (const auto name : record_names::kArtifactKinds) {
    EXPECT_EQ(Name(*ParseArtifactKind(name)), name);
  }
  for (const auto name : record_names::kMemoryTypes) EXPECT_EQ(Name(*ParseMemoryType(name)), name);
  for (const auto name : record_names::kShapes) EXPECT_EQ(Name(*ParseShape(name)), name);
  EXPECT_FALSE(ParseShape("Point"));
  EXPECT_FALSE(ParseSourceType(""));
}

}  // namespace
}  // namespace souvenance
