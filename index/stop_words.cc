#include "index/stop_words.h"

#include <algorithm>
#include <iterator>

namespace souvenance::index {
namespace {

// A change here changes what cues and the built-in embedder make of a text: raise the rules' number
// in analyzer.cc and the embedder's revision with it.
constexpr std::string_view kEnglish[] = {
    "a",      "about",   "above",      "after",     "again",      "against", "ain",    "all",
    "also",   "am",      "an",         "and",       "any",        "are",     "aren",   "as",
    "at",     "be",      "because",    "been",      "before",     "being",   "below",  "between",
    "both",   "but",     "by",         "can",       "cannot",     "could",   "couldn", "d",
    "did",    "didn",    "do",         "does",      "doesn",      "doing",   "don",    "done",
    "down",   "during",  "each",       "either",    "else",       "ever",    "few",    "for",
    "from",   "further", "had",        "hadn",      "has",        "hasn",    "have",   "haven",
    "having", "he",      "her",        "here",      "hers",       "herself", "him",    "himself",
    "his",    "how",     "however",    "i",         "if",         "in",      "into",   "is",
    "isn",    "it",      "its",        "itself",    "just",       "let",     "ll",     "m",
    "ma",     "may",     "me",         "might",     "mightn",     "more",    "most",   "much",
    "must",   "mustn",   "my",         "myself",    "needn",      "no",      "nor",    "not",
    "now",    "o",       "of",         "off",       "on",         "once",    "only",   "or",
    "other",  "our",     "ours",       "ourselves", "out",        "over",    "own",    "please",
    "re",     "s",       "same",       "shall",     "shan",       "she",     "should", "shouldn",
    "so",     "some",    "such",       "t",         "than",       "that",    "the",    "their",
    "theirs", "them",    "themselves", "then",      "there",      "these",   "they",   "this",
    "those",  "through", "to",         "too",       "under",      "until",   "up",     "upon",
    "us",     "ve",      "very",       "was",       "wasn",       "we",      "were",   "weren",
    "what",   "when",    "where",      "whether",   "which",      "while",   "who",    "whom",
    "whose",  "why",     "will",       "with",      "won",        "would",   "wouldn", "y",
    "you",    "your",    "yours",      "yourself",  "yourselves",
};
static_assert(std::is_sorted(std::begin(kEnglish), std::end(kEnglish)));

// In code point order.
constexpr std::u32string_view kFunctionCharacters =
    U"与个为么之也了于什从他以们何你個們其几到又及吗吧呀呢和咱哦哪啊啥嗎嘛在地她它对對就得怎您我把"
    U"是曾有的着给而與被誰让请谁过还这這還那都麼";
static_assert(std::is_sorted(kFunctionCharacters.begin(), kFunctionCharacters.end()));

// In byte order, simplified and traditional.
constexpr std::string_view kFunctionWords[] = {
    "一下",   "一个", "一些", "一种", "为什么", "为何",   "为啥", "什么", "什麼",   "他们", "他們",
    "以及",   "但是", "你们", "你們", "关于",   "几个",   "可否", "咱们", "哪一个", "哪个", "哪些",
    "哪位",   "哪儿", "哪几", "哪种", "哪裡",   "哪里",   "因为", "多久", "多少",   "她们", "如果",
    "它们",   "对于", "對於", "怎么", "怎么样", "怎样",   "怎麼", "我们", "我們",   "或者", "所以",
    "是不是", "是否", "曾經", "曾经", "有没有", "為什麼", "甚么", "能否", "自己",   "请问", "还是",
    "这个",   "这些", "这样", "这里", "這個",   "那个",   "那些", "那個", "那样",   "那里",
};
static_assert(std::is_sorted(std::begin(kFunctionWords), std::end(kFunctionWords)));

}  // namespace

bool IsEnglishStopWord(std::string_view word) {
  return std::binary_search(std::begin(kEnglish), std::end(kEnglish), word);
}

bool IsFunctionCharacter(char32_t c) {
  return std::binary_search(kFunctionCharacters.begin(), kFunctionCharacters.end(), c);
}

std::size_t FunctionWordAt(std::string_view run) {
  std::size_t longest = 0;
  for (const std::string_view word : kFunctionWords) {
    if (word.size() > longest && run.starts_with(word)) longest = word.size();
  }
  return longest;
}

}  // namespace souvenance::index
