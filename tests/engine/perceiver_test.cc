// Sentences labelled by hand: what a careful reader would take for a name. The labels were
// written before the rules were run on them; where the rules are known to miss a name, the case
// says so.
#include "engine/perceive/perceiver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "index/analyzer.h"

namespace souvenance::perceive {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const BuiltinPerceiver& Perceiver() {
  static const auto analyzer = index::Analyzer::Create();
  static const BuiltinPerceiver perceiver(**analyzer);
  return perceiver;
}

std::vector<Perceived> Entities(const PerceiverInput& input) {
  auto found = Perceiver().Entities(input);
  EXPECT_TRUE(found.has_value());
  return found ? *found : std::vector<Perceived>{};
}

// "name/type" of each, in order.
std::vector<std::string> Labels(const PerceiverInput& input) {
  std::vector<std::string> labels;
  for (const Perceived& p : Entities(input)) labels.push_back(p.name + "/" + p.type);
  return labels;
}

struct Sentence {
  const char* text;
  std::vector<std::string> labels;
};

std::ostream& operator<<(std::ostream& out, const Sentence& s) { return out << s.text; }

class HandLabelled : public ::testing::TestWithParam<Sentence> {};

TEST_P(HandLabelled, IsReadAsAPersonWould) {
  EXPECT_EQ(Labels({.text = GetParam().text, .speaker = {}, .addressee = {}}), GetParam().labels);
}

INSTANTIATE_TEST_SUITE_P(
    English, HandLabelled,
    ::testing::Values(
        Sentence{"I went to the park yesterday and it was great.", {}},
        Sentence{"Yesterday I met Caroline at the airport.", {"Caroline/"}},
        Sentence{"Thanks, Melanie! I'll see you on Friday.", {"Melanie/"}},
        Sentence{"Painting calms me. So does running.", {}},
        Sentence{"We moved from Sweden to New York in March.", {"Sweden/", "New York/"}},
        Sentence{"Marta said that Marta Silva would come.", {"Marta/", "Marta Silva/"}},
        Sentence{"My brother studies at the University of Toronto.",
                 {"University of Toronto/organisation"}},
        Sentence{"The Golden Gate Bridge was lovely.", {"Golden Gate Bridge/place"}},
        Sentence{"Dr. Patel told Mrs. O'Brien to rest.", {"Patel/person", "O'Brien/person"}},
        Sentence{"I just finished \"The Left Hand of Darkness\" and loved it.",
                 {"The Left Hand of Darkness/work"}},
        Sentence{"She said \"Yes\" and left.", {}},
        Sentence{"He called it \"a bit too much\" for him.", {}},
        Sentence{"We watched “Spirited Away” with Kenji's sister.",
                 {"Spirited Away/work", "Kenji/"}},
        Sentence{"Write to jo.smith@example.org or ping @jo_smith.",
                 {"jo.smith@example.org/email", "jo_smith/handle"}},
        Sentence{"So happy today #RoadTrip #42 #no-filter", {"roadtrip/tag", "no-filter/tag"}},
        Sentence{"OpenAI and GitHub were down, my iPhone too.", {"OpenAI/", "GitHub/", "iPhone/"}},
        Sentence{"WHY IS EVERYTHING SO LOUD HERE", {}},
        Sentence{"NASA launched it on May 8, 2023.", {"NASA/", "May 8, 2023/date"}},
        Sentence{"See https://Example.com/Some/Page for Details.", {"Details/"}},
        Sentence{"Joanna: have you read Dune yet?", {"Joanna/person", "Dune/"}},
        Sentence{"Note: bring water.", {}},
        Sentence{"I wrote it in C++, not in C#, for Ludwig van Beethoven.",
                 {"C++/", "C#/", "Ludwig van Beethoven/"}},
        Sentence{"It opens 12 June 2024. J. K. Rowling will be there.",
                 {"12 June 2024/date", "J. K. Rowling/"}},
        Sentence{"Later that day Zoë flew to Łódź.", {"Zoë/", "Łódź/"}}));

INSTANTIATE_TEST_SUITE_P(
    Chinese, HandLabelled,
    ::testing::Values(
        Sentence{"今天天气真好，我们去散步吧。", {}},
        Sentence{"王芳说她下周要去北京大学读书。", {"王芳/person", "北京大学/organisation"}},
        Sentence{"昨天张医生给我开了药。", {"张医生/person"}},
        Sentence{"我和李建国一起吃了火锅。", {"李建国/person"}},
        Sentence{"我叫欧阳明月，住在杭州市西湖区。",
                 {"欧阳明月/person", "杭州市/place", "西湖区/place"}},
        Sentence{"他高兴地说周末方便。", {}}, Sentence{"这家公司附近有一个公园。", {}},
        Sentence{"我最近在看《三体》，特别喜欢。", {"三体/work"}},
        Sentence{"陈静老师推荐我们参观故宫博物馆。", {"陈静/person", "故宫博物馆/place"}},
        Sentence{"她说：“好的。”", {}}, Sentence{"小明问我城市和小区的区别。", {"小明/person"}},
        Sentence{"他在阿里巴巴公司上班，以前在中国银行。",
                 {"阿里巴巴公司/organisation", "中国银行/organisation"}},
        Sentence{"发了一条 #周末旅行# 还有 #美食", {"周末旅行/tag", "美食/tag"}},
        Sentence{"我们2023年5月8日见过，5月9号再聊。", {"2023年5月8日/date", "5月9号/date"}},
        Sentence{"Alice 喜欢吃面，用 OpenAI 的模型。", {"Alice/", "OpenAI/"}},
        Sentence{"李娜：我到了。", {"李娜/person"}},
        Sentence{"由于老师生病，这张图说明不了问题。", {}},
        Sentence{"对于老师的要求，我没意见。", {}},
        Sentence{"王芳告诉我刘叔叔搬到浙江省了，我替王芳高兴。",
                 {"王芳/person", "刘叔叔/person", "浙江省/place", "王芳/person"}},
        Sentence{"超市旁边的大学很大，上大学真贵。", {}},
        Sentence{"请发到 wang@example.cn，谢谢。", {"wang@example.cn/email"}}));

TEST(Perceiver, GivesTheBytesOfEachSpan) {
  const std::string text = "昨天王芳说《三体》好看 #读书# @bob";
  const auto found = Entities({.text = text, .speaker = {}, .addressee = {}});
  ASSERT_EQ(found.size(), 4u);
  const auto span = [&](std::size_t i) {
    return text.substr(found[i].begin, found[i].end - found[i].begin);
  };
  EXPECT_EQ(span(0), "王芳");
  EXPECT_EQ(span(1), "《三体》");
  EXPECT_EQ(span(2), "#读书#");
  EXPECT_EQ(span(3), "@bob");
}

TEST(Perceiver, NamesSpeakerAndAddresseeOnceEach) {
  EXPECT_THAT(Labels({.text = "nothing to see", .speaker = "Ann", .addressee = "Ben"}),
              ElementsAre("Ann/person", "Ben/person"));
  EXPECT_THAT(Labels({.text = "Ben, it is me", .speaker = "Ann", .addressee = "Ben"}),
              ElementsAre("Ann/person", "Ben/person"));
  EXPECT_THAT(Labels({.text = "Ann: hi", .speaker = "Ann", .addressee = {}}),
              ElementsAre("Ann/person"));
  // Inside another word a name is none.
  const auto found = Entities({.text = "the Annual fair", .speaker = "Ann", .addressee = {}});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].end, 0u);
  EXPECT_EQ(found[1].name, "Annual");
}

TEST(Perceiver, KnowsAWordAtTheStartThatIsCapitalisedInsideToo) {
  EXPECT_THAT(Labels({.text = "Sable is asleep. I fed Sable.", .speaker = {}, .addressee = {}}),
              ElementsAre("Sable/", "Sable/"));
  EXPECT_THAT(Labels({.text = "Sable is asleep. I fed her.", .speaker = {}, .addressee = {}}),
              IsEmpty());
}

TEST(Perceiver, SpansNeverOverlapWhateverTheText) {
  const std::string pieces[] = {
      "Alice ", "\"",   "“New York”", "#",        "话题",   "#",    "@",    "bob", ".com ",
      "王芳说", "《",   "》",         "北京大学", "图书馆", ": ",   "I ",   "O'",  "2023-",
      "05-08",  "The ", "of ",        "\n",       "😀",      "Dr. ", "www.", "市",  "和"};
  std::uint32_t state = 1;
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (int i = 0; i < 12; ++i) {
      state = state * 1664525u + 1013904223u;
      text += pieces[(state >> 16) % std::size(pieces)];
    }
    SCOPED_TRACE(text);
    std::uint32_t past = 0;
    const auto found = Entities({.text = text, .speaker = {}, .addressee = {}});
    for (const Perceived& p : found) {
      ASSERT_GE(p.begin, past);
      ASSERT_LT(p.begin, p.end);
      ASSERT_LE(p.end, text.size());
      ASSERT_TRUE(index::IsValidText(p.name));
      ASSERT_FALSE(p.name.empty());
      past = p.end;
    }
    const auto again = Entities({.text = text, .speaker = {}, .addressee = {}});
    ASSERT_EQ(again.size(), found.size());
  }
}

TEST(Perceiver, RefusesWhatIsNotUtf8) {
  for (const PerceiverInput& input :
       {PerceiverInput{"\xff", {}, {}}, PerceiverInput{"a", "\xc3", {}},
        PerceiverInput{"a", {}, "\xed\xa0\x80"}}) {
    const auto found = Perceiver().Entities(input);
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error().code, ErrorCode::kInvalidData);
  }
  EXPECT_THAT(Perceiver().Tags("#ok \xff"), IsEmpty());
}

TEST(Perceiver, ReadsAMegabyteOfAnything) {
  for (const char* unit :
       {"@", "#", "\"", "《", "王", "公司", "A ", "a.", "1年", "#a", "www.", "I'm "}) {
    std::string text;
    while (text.size() < (1u << 20)) text += unit;
    EXPECT_TRUE(Perceiver().Entities({.text = text, .speaker = "王", .addressee = {}}).has_value());
  }
}

TEST(Tags, AreLowerCasedAndEachOnce) {
  EXPECT_THAT(Perceiver().Tags("#Travel and #ÉTÉ, #travel again; C# is none, nor #7 #话题#x"),
              ElementsAre("travel", "été", "话题"));
  EXPECT_THAT(Perceiver().Tags("no tags, https://a.b/#top"), IsEmpty());
}

}  // namespace
}  // namespace souvenance::perceive
