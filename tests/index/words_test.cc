// Names and times: docs/formulas/analysis.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/analyzer.h"
#include "tests/index/test_analyzer.h"

namespace souvenance::index {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> WordTexts(std::string_view text) {
  std::vector<std::string> texts;
  const std::vector<Word> words = TestAnalyzer().Words(text).value();
  for (const Word& word : words) texts.push_back(word.text);
  return texts;
}

// What each word is cut from.
std::vector<std::string> Originals(std::string_view text) {
  std::vector<std::string> originals;
  const std::vector<Word> words = TestAnalyzer().Words(text).value();
  for (const Word& word : words) {
    originals.emplace_back(text.substr(word.begin, word.end - word.begin));
  }
  return originals;
}

std::string Key(std::string_view name) { return TestAnalyzer().NameKey(name).value(); }

TEST(Words, AreLatinWordsAndSingleCharacters) {
  EXPECT_THAT(WordTexts("Running with 张伟 in 2024"),
              ElementsAre("running", "with", "张", "伟", "in", "2024"));
  EXPECT_THAT(WordTexts("Alice's"), ElementsAre("alice", "s"));
}

TEST(Words, KeepTheSignsOfAName) {
  EXPECT_THAT(WordTexts("C++, C# and F#; .NET, AT&T!"),
              ElementsAre("c++", "c#", "and", "f#", ".net", "at&t"));
  EXPECT_THAT(WordTexts("a+b end.Next R & D"), ElementsAre("a", "b", "end", "next", "r", "d"));
}

TEST(Words, PointIntoTheOriginalText) {
  EXPECT_THAT(Originals("Hi ＯｐｅｎＡＩ, cafe\u0301 Straße!"),
              ElementsAre("Hi", "ＯｐｅｎＡＩ", "cafe\u0301", "Straße"));
  EXPECT_THAT(Originals("\u00AD\u200Bco\u00ADop x\u00AD y"), ElementsAre("co\u00ADop", "x", "y"));
  EXPECT_THAT(Originals("茶ｶﾞ茶"), ElementsAre("茶", "ｶﾞ", "茶"));
  // U+FDFA becomes four words of 18 letters; each of them is cut from the one character.
  for (const std::string& original : Originals("a ﷺ b")) {
    EXPECT_TRUE(original == "a" || original == "ﷺ" || original == "b") << original;
  }
  EXPECT_THAT(Originals("½ x"), ElementsAre("½", "½", "x"));
}

TEST(NameKey, IsOneForAllSpellings) {
  EXPECT_EQ(Key("OpenAI"), "openai");
  EXPECT_EQ(Key("ＯｐｅｎＡＩ"), "openai");
  EXPECT_EQ(Key("openai "), "openai");
  EXPECT_EQ(Key("caf\u00E9"), Key("cafe\u0301"));
  EXPECT_EQ(Key("New  York"), "new york");
  EXPECT_EQ(Key("张 伟"), "张伟");
  EXPECT_EQ(Key("阿里 Cloud"), "阿里 cloud");
  EXPECT_EQ(Key("O'Brien"), Key("O\u2019Brien"));
}

TEST(NameKey, TellsNamesApart) {
  EXPECT_NE(Key("C"), Key("C++"));
  EXPECT_NE(Key("C#"), Key("C++"));
  EXPECT_EQ(Key("C++"), "c++");
  EXPECT_NE(Key(".NET"), Key("net"));
}

TEST(NameKey, IsEmptyWithoutAWord) {
  for (const char* name : {"", "  ", "!!!", "\u0301", "---"}) EXPECT_EQ(Key(name), "") << name;
}

TEST(Cue, KnowsWhenItAsksWhen) {
  for (const char* cue :
       {"When did Caroline go to the support group?", "what date is the party",
        "Which year was it?", "On what day did he leave?", "What is the date of the wedding?",
        "how long ago did they meet", "Do you remember when we met?", "他什么时候去的？",
        "婚礼是哪天", "几号出发", "何时开会", "哪一年毕业", "What time is it"}) {
    EXPECT_TRUE(TestAnalyzer().Cue(cue).value().asks_when) << cue;
  }
  for (const char* cue : {"How did he feel when she left?", "What does Alice like?", "who came",
                          "他喜欢什么", "在哪里", "What did Melanie date?s brother say", ""}) {
    EXPECT_EQ(TestAnalyzer().Cue(cue).value().asks_when,
              std::string_view(cue).find("date") != std::string_view::npos)
        << cue;
  }
}

TEST(TimeExpression, IsFoundInBothLanguages) {
  for (const char* text : {"I went yesterday", "last week we met", "on 7 May 2023", "in May",
                           "Monday works",     "at 7pm",           "at 13:56",      "2023-05-08",
                           "8/5/2023",         "two days ago",     "in 2019",       "next summer",
                           "the other day",    "5 o'clock",        "a week later",  "7 pm",
                           "May 3rd",          "昨天去了",         "上周见过",      "去年毕业",
                           "5月3日",           "2019年",           "三月份",        "下午开会",
                           "周五见",           "十二月",           "二十号",        "８月",
                           "3 days ago",       "September"}) {
    EXPECT_TRUE(TestAnalyzer().HasTimeExpression(text).value()) << text;
  }
  for (const char* text :
       {"I may go", "they march on", "I like tea", "mar the surface", "喜欢喝茶", "有一点甜",
        "第一名", "the sun is warm", "15 apples", "last name", "", "版本 v2.3.1"}) {
    EXPECT_FALSE(TestAnalyzer().HasTimeExpression(text).value()) << text;
  }
}

}  // namespace
}  // namespace souvenance::index
