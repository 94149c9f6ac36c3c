#include "tools/souvenance/terminal.h"

#include <gtest/gtest.h>

#include <string>

namespace souvenance::program {
namespace {

struct WidthCase {
  const char* name;
  const char* text;
  std::size_t columns;
};

// Counted by hand from Unicode's EastAsianWidth.txt (W and F are 2) and general category Mn.
const WidthCase kWidthCases[] = {
    {"Latin", "Alice", 5},
    {"Han", "喜欢", 4},
    {"Mixed", "Alice 喜欢", 10},
    {"FullWidthLetters", "ＡＢ", 4},
    {"HalfWidthKatakana", "ｱ", 1},
    {"Hangul", "한", 2},
    {"Hiragana", "あ", 2},
    {"Emoji", "\U0001F600", 2},
    {"CombiningAcute", "e\u0301", 1},
    {"AmbiguousIsNarrow", "—", 1},
    {"SupplementaryHan", "\U00020000", 2},
    {"ChineseComma", "，", 2},
};

TEST(Terminal, CountsColumnsOfWideAndCombiningCharacters) {
  for (const WidthCase& c : kWidthCases) EXPECT_EQ(DisplayWidth(c.text), c.columns) << c.name;
}

TEST(Terminal, ShowsControlCharactersEscaped) {
  EXPECT_EQ(Sanitize("a\x1b[31mb"), "a\\u001b[31mb");
  EXPECT_EQ(Sanitize("bell\x07"), "bell\\u0007");
  EXPECT_EQ(Sanitize("del\x7f"), "del\\u007f");
  EXPECT_EQ(Sanitize("c1 \u009b31m"), "c1 \\u009b31m");
  EXPECT_EQ(Sanitize("rtl \u202Eabc\u202C"), "rtl \\u202eabc\\u202c");
  EXPECT_EQ(Sanitize("isolate \u2066x\u2069"), "isolate \\u2066x\\u2069");
  EXPECT_EQ(Sanitize("tag \U000E0041"), "tag \\udb40\\udc41");
  EXPECT_EQ(Sanitize(std::string_view("nul\0x", 5)), "nul\\u0000x");
}

TEST(Terminal, KeepsWhatIsHarmless) {
  const std::string family = "\U0001F468\u200D\U0001F469";  // joined by ZWJ
  EXPECT_EQ(Sanitize("Alice 喜欢 café " + family), "Alice 喜欢 café " + family);
}

TEST(Terminal, FoldsOrKeepsLineEnds) {
  EXPECT_EQ(Sanitize("a\nb\tc"), "a b c");
  EXPECT_EQ(Sanitize("a\r\nb\rc\u2028d"), "a b c d");
  EXPECT_EQ(Sanitize("a\r\nb", Lines::kKeep), "a\nb");
}

TEST(Terminal, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(Sanitize("a\xffz"), "a\uFFFDz");
  EXPECT_EQ(Sanitize("\xc0\xaf"), "\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(Sanitize("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(Sanitize("\xe5\x96"), "\uFFFD\uFFFD");            // cut off
}

TEST(Terminal, KnowsCleanText) {
  EXPECT_TRUE(IsCleanUtf8("Alice 喜欢 \U0001F600"));
  EXPECT_TRUE(IsCleanUtf8(""));
  EXPECT_FALSE(IsCleanUtf8("\xff"));
  EXPECT_FALSE(IsCleanUtf8("\xf4\x90\x80\x80"));  // above U+10FFFF
  EXPECT_FALSE(IsCleanUtf8(std::string_view("a\0b", 3)));
}

TEST(Terminal, EscapesForJsonWithoutChangingTheData) {
  EXPECT_EQ(EscapeForJson("\"a\u009b\u202E喜\""), "\"a\\u009b\\u202e喜\"");
}

TEST(Terminal, WrapsAtSpaces) {
  EXPECT_EQ(Wrap("one two three four", 11, 0), "one two\nthree four\n");
  EXPECT_EQ(Wrap("one two three", 10, 2), "  one two\n  three\n");
}

TEST(Terminal, WrapsBetweenWideCharacters) {
  // Ten columns are five Han characters.
  EXPECT_EQ(Wrap("我喜欢喝乌龙茶", 10, 0), "我喜欢喝乌\n龙茶\n");
  EXPECT_EQ(Wrap("Bob喜欢喝乌龙茶", 11, 0), "Bob喜欢喝乌\n龙茶\n");
}

TEST(Terminal, BeginsNoLineWithAClosingMark) {
  // The comma would be the sixth character; it takes its neighbour along.
  EXPECT_EQ(Wrap("我喜欢喝茶，你呢", 10, 0), "我喜欢喝\n茶，你呢\n");
}

TEST(Terminal, CutsAWordThatIsLongerThanALine) {
  EXPECT_EQ(Wrap("abcdefghijklmno", 10, 0), "abcdefghij\nklmno\n");
}

TEST(Terminal, KeepsLinesAsLongAsTheyAreWithoutAWidth) {
  const std::string text(300, 'x');
  EXPECT_EQ(Wrap(text, 0, 1), " " + text + "\n");
}

TEST(Terminal, KeepsLineBreaksOfTheText) { EXPECT_EQ(Wrap("one\n\ntwo", 40, 1), " one\n\n two\n"); }

TEST(Terminal, NeverExceedsTheWidth) {
  const std::string text =
      "Caroline 说：我喜欢 oolong tea，and e\u0301clairs 很多很多 \U0001F600 words";
  for (std::size_t width = 10; width < 60; ++width) {
    const std::string wrapped = Wrap(text, width, 0);
    for (std::size_t at = 0; at < wrapped.size();) {
      const std::size_t end = wrapped.find('\n', at);
      EXPECT_LE(DisplayWidth(wrapped.substr(at, end - at)), width);
      at = end + 1;
    }
  }
}

TEST(Terminal, PaintsOnlyWithColour) {
  EXPECT_EQ(Bold({.color = false, .width = 0}, "x"), "x");
  EXPECT_EQ(Bold({.color = true, .width = 0}, "x"), "\x1b[1mx\x1b[0m");
}

TEST(Terminal, PadsByColumns) { EXPECT_EQ(Pad("喜欢", 6) + "|", "喜欢  |"); }

}  // namespace
}  // namespace souvenance::program
