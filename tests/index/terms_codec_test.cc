// docs/formats/terms.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/analyzer.h"
#include "tests/index/test_analyzer.h"

namespace souvenance::index {
namespace {

TEST(TermsCodec, WritesTheDocumentedBytes) {
  // Worked by hand: version 1; 3 terms; (0 shared, 3 more, "tea", 2), (3, 1, "m", 1), (0, 1, "x",
  // 300).
  const AnalysedText text{{{"tea", 2}, {"team", 1}, {"x", 300}}, 303};
  const std::string expected("\x01\x03\x00\x03tea\x02\x03\x01m\x01\x00\x01x\xAC\x02", 17);
  EXPECT_EQ(EncodeTerms(text), expected);
}

TEST(TermsCodec, ReadsBackWhatItWrote) {
  for (const char* source : {"", "tea", "Consigned v2.3.1 喜欢茶喜欢 👍 a a a", "ภาษาไทย"}) {
    const AnalysedText text = TestAnalyzer().Document(source).value();
    const AnalysedText back = DecodeTerms(EncodeTerms(text)).value();
    EXPECT_EQ(Shown(back.terms), Shown(text.terms));
    EXPECT_EQ(back.length, text.length);
  }
}

TEST(TermsCodec, RefusesWhatItCannotHaveWritten) {
  using std::string_view_literals::operator""sv;
  const std::string_view bad[] = {
      ""sv,
      "\x02\x00"sv,                 // version
      "\x01"sv,                     // no number of terms
      "\x01\x01"sv,                 // a term is missing
      "\x01\x01\x00\x03te"sv,       // cut short
      "\x01\x01\x00\x03tea"sv,      // no count
      "\x01\x01\x00\x03tea\x00"sv,  // count 0
      "\x01\x01\x01\x02"
      "ea\x01"sv,  // shares with nothing
      "\x01\x02\x00\x01"
      "b\x01\x00\x01"
      "a\x01"sv,  // out of order
      "\x01\x02\x00\x01"
      "b\x01\x00\x01"
      "b\x01"sv,  // twice; a byte could be shared as well
      "\x01\x01\x00\x01"
      "b\x81\x00"sv,                             // a longer form of 1
      "\x01\x02\x00\x02ta\x01\x00\x02tb\x01"sv,  // the t could be shared
      "\x01\x00\x00"sv,                          // bytes behind
      "\x01\x01\x00\x01\xFF\x01"sv,              // not text
      "\x01\xFF\xFF\xFF\xFF\x0F"sv,              // absurd number
      "\x01\x01\x00\x01"
      "b\xFF\xFF\xFF\xFF\x7F"sv,  // more than 32 bits
  };
  for (const std::string_view blob : bad) {
    const auto decoded = DecodeTerms(blob);
    ASSERT_FALSE(decoded) << testing::PrintToString(blob);
    EXPECT_EQ(decoded.error().code, ErrorCode::kCorruption);
  }
}

TEST(TermsCodec, EveryTruncationAndMostFlipsAreRefusedAndNoneCrashes) {
  const std::string blob = EncodeTerms(TestAnalyzer().Document("tea team 喜欢茶 v2.3.1").value());
  for (std::size_t size = 0; size < blob.size(); ++size) {
    EXPECT_FALSE(DecodeTerms(std::string_view(blob).substr(0, size))) << size;
  }
  for (std::size_t bit = 0; bit < blob.size() * 8; ++bit) {
    std::string damaged = blob;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    const auto decoded = DecodeTerms(damaged);
    // What is read at all has one encoding only.
    if (decoded) {
      EXPECT_EQ(EncodeTerms(*decoded), damaged);
    }
  }
}

}  // namespace
}  // namespace souvenance::index
