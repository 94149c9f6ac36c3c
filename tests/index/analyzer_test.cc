// The rules are those of docs/formulas/analysis.md.
#include "index/analyzer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/index/test_analyzer.h"

namespace souvenance::index {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

TEST(Analyzer, StemsLatinWordsAndKeepsNoOtherForm) {
  // Stems from the vocabulary that the Snowball project publishes.
  EXPECT_THAT(DocumentTerms("Consigned knightly consistency, knives!"),
              ElementsAre("consign", "consist", "knight", "knive"));
}

TEST(Analyzer, CountsRepeatedTermsAndSumsTheLength) {
  const AnalysedText text = TestAnalyzer().Document("tea Tea TEAS water").value();
  EXPECT_THAT(Shown(text.terms), ElementsAre("tea*3", "water"));
  EXPECT_EQ(text.length, 4u);
}

TEST(Analyzer, MakesCharactersAndBigramsOfHanKanaAndHangul) {
  EXPECT_THAT(DocumentTerms("喜欢茶"), ElementsAre("喜", "喜欢", "欢", "欢茶", "茶"));
  EXPECT_THAT(DocumentTerms("茶"), ElementsAre("茶"));
  EXPECT_THAT(DocumentTerms("한국"), ElementsAre("국", "한", "한국"));
  EXPECT_THAT(DocumentTerms("コーヒー"), IsSupersetOf({"コー", "ーヒ", "ヒー"}));
}

TEST(Analyzer, SplitsLatinFromHan) {
  // D17: ASCII glued to Chinese is found.
  EXPECT_THAT(DocumentTerms("重跑gen-itgc后50条悬空引用"),
              IsSupersetOf({"重跑", "gen", "itgc", "50", "悬空", "引用"}));
  EXPECT_THAT(DocumentTerms("我爱OpenAI模型"), IsSupersetOf({"我爱", "openai", "模型"}));
}

TEST(Analyzer, DocumentsKeepStopWordsAndCuesDropThem) {
  EXPECT_THAT(DocumentTerms("the cat"), ElementsAre("cat", "the"));
  EXPECT_THAT(CueTerms("Who did the cat see?"), ElementsAre("cat", "see"));
  EXPECT_THAT(CueTerms("don't they'll we've I'm she'd isn't"), IsEmpty());
}

TEST(Analyzer, ACueOfStopWordsAloneHasNoTerm) {
  for (const char* cue : {"the of is", "的了是", "是吗？", "什么", "为什么呢", "怎么样", "", " ",
                          "\t\n", "　", "\u200B", "!!! ... ---", "()", "*"}) {
    EXPECT_THAT(CueTerms(cue), IsEmpty()) << cue;
  }
}

TEST(Analyzer, ACueDropsAPairOnlyWhenBothCharactersAreGrammar) {
  EXPECT_THAT(CueTerms("我的茶"), ElementsAre("的茶", "茶"));
  EXPECT_THAT(DocumentTerms("是的"), ElementsAre("是", "是的", "的"));
}

TEST(Analyzer, NoSignIsAnOperatorInACue) {
  for (const char* cue : {"tea AND NOT milk", "tea -milk", "\"tea milk\"", "tea* milk",
                          "+tea (milk)", "tea NEAR/3 milk"}) {
    EXPECT_THAT(CueTerms(cue), IsSupersetOf({"tea", "milk"})) << cue;
  }
}

struct IdentifierCase {
  const char* text;
  std::vector<std::string> terms;  // all of them
};

TEST(Analyzer, IdentifiersAreTermsWholeAndByParts) {
  const IdentifierCase cases[] = {
      {"v2.3.1", {"1", "3", "v2", "v2.3.1"}},
      {"ORD-1042", {"1042", "ord", "ord-1042"}},
      {"gpt-4o", {"4o", "gpt", "gpt-4o"}},
      {"a.b@c.com", {"a", "a.b@c.com", "b", "c", "com"}},
      {"https://www.example.com/x",
       {"com", "exampl", "example.com", "https", "www", "www.example.com", "x"}},
      {"snake_case", {"case", "snake", "snake_case"}},
      {"C++", {"c", "c++"}},
      {"C#", {"c", "c#"}},
      {".NET", {".net", "net"}},
      {"#hashtag", {"#hashtag", "hashtag"}},
      {"@alice", {"@alice", "alic"}},
      {"#旅行", {"#旅行", "旅", "旅行", "行"}},
      {"AT&T", {"at", "at&t", "t"}},
      {"13:56", {"13", "13:56", "56"}},
      {"1,250,000", {"1250000"}},
      {"well-known", {"known", "well"}},
  };
  for (const IdentifierCase& c : cases) EXPECT_EQ(DocumentTerms(c.text), c.terms) << c.text;
}

TEST(Analyzer, APunctuatedIdentifierIsFoundByItsCue) {
  EXPECT_THAT(DocumentTerms("We shipped (v2.3.1), see ORD-1042."),
              IsSupersetOf({"v2.3.1", "ord-1042"}));
  EXPECT_THAT(CueTerms("v2.3.1?"), Contains("v2.3.1"));
  EXPECT_THAT(CueTerms("C++?"), Contains("c++"));
  EXPECT_THAT(DocumentTerms("1+2 a+b"), Not(Contains("a+")));
}

TEST(Analyzer, PossessivesAreTheWordItself) {
  EXPECT_EQ(DocumentTerms("Alice's"), DocumentTerms("Alice"));
  EXPECT_EQ(DocumentTerms("Alice\u2019s"), DocumentTerms("Alice"));
  EXPECT_THAT(DocumentTerms("O'Brien"), ElementsAre("brien", "o"));
}

TEST(Analyzer, FoldsWidthCaseAndComposition) {
  EXPECT_EQ(DocumentTerms("ＡＢＣ１２"), DocumentTerms("abc12"));
  EXPECT_EQ(DocumentTerms("caf\u00E9"), DocumentTerms("cafe\u0301"));
  EXPECT_EQ(DocumentTerms("Straße"), DocumentTerms("STRASSE"));
  EXPECT_THAT(DocumentTerms("ΣΊΣΥΦΟΣ"), ElementsAre("σίσυφοσ"));
  EXPECT_EQ(DocumentTerms("ｶﾞ"), DocumentTerms("ガ"));
  EXPECT_EQ(DocumentTerms("co\u00ADoperate"), DocumentTerms("cooperate"));
}

TEST(Analyzer, EmojiAreTerms) {
  EXPECT_THAT(DocumentTerms("yes👍ok"), ElementsAre("ok", "yes", "👍"));
  EXPECT_EQ(DocumentTerms("👍🏽"), DocumentTerms("👍"));
  EXPECT_THAT(DocumentTerms("👨‍👩‍👧"), ElementsAre("👨‍👩‍👧"));
  EXPECT_THAT(DocumentTerms("👨👩"), ElementsAre("👨", "👩"));
  EXPECT_EQ(DocumentTerms("❤️"), DocumentTerms("❤"));
  EXPECT_THAT(DocumentTerms("🇸🇪🇨🇳"), ElementsAre("🇨🇳", "🇸🇪"));
  EXPECT_THAT(DocumentTerms("🏃‍♀️🎉"), ElementsAre("🎉", "🏃‍♀"));
}

TEST(Analyzer, OtherScriptsGiveWords) {
  EXPECT_THAT(DocumentTerms("Привет, мир"), ElementsAre("мир", "привет"));
  EXPECT_THAT(DocumentTerms("ภาษาไทย"), IsSupersetOf({"ภาษา", "ไทย"}));
  EXPECT_THAT(DocumentTerms("नमस्ते दुनिया"), ElementsAre("दुनिया", "नमस्ते"));
}

TEST(Analyzer, MarksControlsAndSignsAloneAreNoTerms) {
  for (const char* text : {"\u0301", " \u0301\u0302 ", "\x01\x02\x7F", "---", "。，！", "\u202E",
                           "$ € ©", "\uE000", "\uFEFF"}) {
    EXPECT_THAT(DocumentTerms(text), IsEmpty()) << text;
  }
}

TEST(Analyzer, LongTokensBecomeAPrefixAndAHash) {
  const std::string a(10'000, 'a');
  const std::vector<std::string> terms = DocumentTerms(a);
  ASSERT_EQ(terms.size(), 1u);
  EXPECT_EQ(terms[0].size(), 245u);
  EXPECT_EQ(terms[0].substr(0, 229), std::string(228, 'a') + "~");
  EXPECT_EQ(CueTerms(a), terms);
  EXPECT_NE(DocumentTerms(a + "b"), terms);
  EXPECT_THAT(DocumentTerms(std::string(245, 'z')), ElementsAre(std::string(245, 'z')));
  std::string cyrillic;
  for (int i = 0; i < 200; ++i) cyrillic += "ж";
  const std::string term = DocumentTerms(cyrillic).at(0);
  EXPECT_LE(term.size(), 245u);
  EXPECT_TRUE(IsValidText(term));
}

TEST(Analyzer, TakesAMegabyteInOnePiece) {
  const std::size_t size = 1'000'000;
  EXPECT_EQ(DocumentTerms(std::string(size, 'x')).size(), 1u);
  std::string han;
  std::string dotted;
  std::string marks = "e";
  std::string joined = "👨";
  while (han.size() < size) han += "字";
  while (dotted.size() < size / 5) dotted += "a.";
  while (marks.size() < size / 5) marks += "\u0301\u0316";
  while (joined.size() < size / 5) joined += "\u200D👨";
  EXPECT_THAT(DocumentTerms(han), IsSupersetOf({"字字*333333", "字*333334"}));
  EXPECT_FALSE(DocumentTerms(dotted).empty());
  EXPECT_EQ(DocumentTerms(marks).size(), 1u);
  EXPECT_EQ(DocumentTerms(joined).size(), 1u);
  EXPECT_FALSE(TestAnalyzer().Words(marks).value().empty());
}

TEST(Analyzer, RefusesInvalidText) {
  const std::string_view bad[] = {"\xFF",         "\xC0\x80",         "\xC3",
                                  "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE0\x80\x80",
                                  "a\x80",        "\xF0\x80\x80\x80", std::string_view("a\0b", 3)};
  for (const std::string_view text : bad) {
    EXPECT_FALSE(IsValidText(text));
    EXPECT_EQ(TestAnalyzer().Document(text).error().code, ErrorCode::kInvalidData);
    EXPECT_EQ(TestAnalyzer().Cue(text).error().code, ErrorCode::kInvalidData);
    EXPECT_EQ(TestAnalyzer().Words(text).error().code, ErrorCode::kInvalidData);
    EXPECT_EQ(TestAnalyzer().NameKey(text).error().code, ErrorCode::kInvalidData);
    EXPECT_EQ(TestAnalyzer().HasTimeExpression(text).error().code, ErrorCode::kInvalidData);
  }
  EXPECT_TRUE(IsValidText("a\u00E9字\U0010FFFF\uD7FF\uE000"));
  EXPECT_TRUE(IsValidText(""));
}

TEST(Analyzer, GivesTheSameTermsInManyThreads) {
  const std::string text = "Consigned ภาษาไทย 喜欢茶 v2.3.1 👍";
  const std::vector<std::string> expected = DocumentTerms(text);
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) wrong[t] += DocumentTerms(text) == expected ? 0 : 1;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, ElementsAre(0, 0, 0, 0));
}

TEST(Analyzer, TermsFitXapian) {
  // Random bytes made valid: every term is 1 to 245 bytes, valid, sorted and unique.
  std::uint64_t state = 1;
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (int i = 0; i < 200; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const auto c = static_cast<char32_t>((state >> 33) % ((round % 3 == 0) ? 0x11000u : 0x400u));
      if (c == 0 || (c >= 0xD800 && c < 0xE000)) continue;
      if (c < 0x80) {
        text += static_cast<char>(c);
      } else if (c < 0x800) {
        text += {static_cast<char>(0xC0 | (c >> 6)), static_cast<char>(0x80 | (c & 0x3F))};
      } else if (c < 0x10000) {
        text += {static_cast<char>(0xE0 | (c >> 12)), static_cast<char>(0x80 | ((c >> 6) & 0x3F)),
                 static_cast<char>(0x80 | (c & 0x3F))};
      }
    }
    ASSERT_TRUE(IsValidText(text));
    const AnalysedText analysed = TestAnalyzer().Document(text).value();
    std::uint32_t length = 0;
    for (std::size_t i = 0; i < analysed.terms.size(); ++i) {
      const TermCount& term = analysed.terms[i];
      EXPECT_TRUE(!term.term.empty() && term.term.size() <= 245 && IsValidText(term.term));
      if (i > 0) {
        EXPECT_LT(analysed.terms[i - 1].term, term.term);
      }
      length += term.count;
    }
    EXPECT_EQ(length, analysed.length);
    std::uint32_t before = 0;
    const std::vector<Word> words = TestAnalyzer().Words(text).value();
    for (const Word& word : words) {
      EXPECT_LE(word.begin, word.end);
      EXPECT_LE(word.end, text.size());
      EXPECT_LE(before, word.begin);
      before = word.begin;
    }
  }
}

TEST(Analyzer, FingerprintNamesRulesIcuAndStemmer) {
  const std::string& fingerprint = TestAnalyzer().fingerprint();
  EXPECT_THAT(fingerprint, testing::HasSubstr("icu"));
  EXPECT_THAT(fingerprint, testing::HasSubstr("snowball"));
  EXPECT_EQ(fingerprint, Analyzer::Create().value()->fingerprint());
}

}  // namespace
}  // namespace souvenance::index
