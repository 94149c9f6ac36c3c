// The values within flags, suggestions, and the table of exit codes.
#include <gtest/gtest.h>

#include "tools/souvenance/exit_codes.h"
#include "tools/souvenance/json.h"
#include "tools/souvenance/options.h"
#include "tools/souvenance/suggest.h"

namespace souvenance::program {
namespace {

struct DistanceCase {
  const char* a;
  const char* b;
  std::size_t distance;
};

// Worked by hand: insert, delete, replace, and a swap of neighbours cost one each.
const DistanceCase kDistanceCases[] = {
    {"", "", 0},           {"abc", "", 3},        {"", "abc", 3},
    {"scope", "scope", 0}, {"scop", "scope", 1},  {"scopee", "scope", 1},
    {"scape", "scope", 1}, {"csope", "scope", 1}, {"kitten", "sitting", 3},
    {"ca", "abc", 3},  // optimal string alignment, where plain Damerau would have 2
};

TEST(Suggest, CountsEdits) {
  for (const DistanceCase& c : kDistanceCases) {
    EXPECT_EQ(EditDistance(c.a, c.b), c.distance) << c.a << " " << c.b;
  }
}

TEST(Suggest, FindsTheNearestWithinAThird) {
  const std::vector<std::string> flags = {"--scope", "--session", "--subject", "-k"};
  EXPECT_EQ(Closest("--scop", flags), "--scope");
  EXPECT_EQ(Closest("--sesion", flags), "--session");
  EXPECT_EQ(Closest("--sub", flags), "--subject");  // begins it
  EXPECT_EQ(Closest("--frobnicate", flags), "");
  EXPECT_EQ(Closest("--", flags), "");
  EXPECT_EQ(DidYouMean("--scop", flags), "did you mean --scope?");
  EXPECT_EQ(DidYouMean("--frobnicate", flags), "");
}

TEST(Values, TakeNumbersWithinTheirRange) {
  EXPECT_EQ(ParseCount("10", 1, 10000).value(), 10U);
  EXPECT_EQ(ParseCount("010", 1, 10000).value(), 10U);  // decimal, not octal
  for (const char* bad : {"0", "-1", "10001", "1000000000", "99999999999999999999999", "", " 1",
                          "1 ", "0x10", "1.5", "ten"}) {
    const Result<std::size_t> number = ParseCount(bad, 1, 10000);
    ASSERT_FALSE(number.has_value()) << bad;
    EXPECT_EQ(number.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(number.error().message.find("from 1 to 10000"), std::string::npos);
  }
  EXPECT_EQ(ParseReal("0.25", 0, 1).value(), 0.25);
  for (const char* bad : {"nan", "inf", "-0.1", "1.1", "", "x", "1e999"}) {
    EXPECT_FALSE(ParseReal(bad, 0, 1).has_value()) << bad;
  }
}

TEST(Values, SwitchOnTheLegsThatAreNamed) {
  const Legs legs = ParseLegs("bm25,graph").value();
  EXPECT_EQ(legs.bm25, Switch::kOn);
  EXPECT_EQ(legs.vector, Switch::kOff);
  EXPECT_EQ(legs.graph, Switch::kOn);
  EXPECT_EQ(ParseLegs("bm52").error().hint, "did you mean bm25?");
  EXPECT_FALSE(ParseLegs("").has_value());
  EXPECT_FALSE(ParseLegs("bm25,").has_value());
}

TEST(Values, NamePresets) {
  for (const Preset preset : {Preset::kHybrid, Preset::kSeed, Preset::kRrf}) {
    EXPECT_EQ(ParsePreset(PresetName(preset)).value(), preset);
  }
  EXPECT_EQ(ParsePreset("hybird").error().hint, "did you mean hybrid?");
}

TEST(Values, ReadVectors) {
  EXPECT_EQ(ParseVector("[0.5, -1, 2e0]").value(), (std::vector<float>{0.5F, -1.0F, 2.0F}));
  for (const char* bad :
       {"", "[", "[]", "{}", "[1, NaN]", "[1, \"2\"]", "[1, null]", "[1e300]", "3"}) {
    const Result<std::vector<float>> vector = ParseVector(bad);
    ASSERT_FALSE(vector.has_value()) << bad;
    EXPECT_EQ(vector.error().code, ErrorCode::kInvalidData) << bad;
  }
}

struct ExitCase {
  ErrorCode code;
  int exit;
};

// DESIGN section 8.
const ExitCase kExitCases[] = {
    {ErrorCode::kInvalidArgument, 2}, {ErrorCode::kInvalidData, 65},
    {ErrorCode::kConflict, 65},       {ErrorCode::kCorruption, 65},
    {ErrorCode::kNotFound, 66},       {ErrorCode::kUnavailable, 69},
    {ErrorCode::kInternal, 70},       {ErrorCode::kAlreadyExists, 73},
    {ErrorCode::kNoSpace, 74},        {ErrorCode::kIo, 74},
    {ErrorCode::kBusy, 75},           {ErrorCode::kRefused, 77},
    {ErrorCode::kConfiguration, 78},  {ErrorCode::kUnsupported, 78},
};

TEST(ExitCodes, FollowTheTable) {
  for (const ExitCase& c : kExitCases) EXPECT_EQ(ExitCode(c.code), c.exit) << ErrorCodeName(c.code);
}

}  // namespace
}  // namespace souvenance::program
