#include "bench/load.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

namespace souvenance::bench {
namespace {

constexpr std::size_t kEnglishWords = 20000;
constexpr std::size_t kChineseWords = 8000;
constexpr std::size_t kTopicWords = 60;
constexpr std::size_t kTurnsInSession = 20;
constexpr double kRepeated = 0.01;

// The most frequent words of a language carry no meaning; what follows in the Zipf order does.
constexpr std::array<std::string_view, 40> kEnglishFunctionWords = {
    "the", "I",    "to",   "and",  "a",    "you",  "of",   "it",     "in",    "that",
    "is",  "my",   "was",  "for",  "so",   "have", "we",   "on",     "with",  "but",
    "be",  "this", "just", "at",   "me",   "are",  "they", "not",    "what",  "your",
    "do",  "from", "all",  "when", "like", "been", "can",  "really", "about", "our"};
constexpr std::array<std::string_view, 16> kChineseFunctionWords = {
    "的", "了", "我", "是", "在", "也", "就", "都", "你", "吗", "他", "和", "很", "这", "有", "不"};

constexpr std::array<std::string_view, 24> kOnsets = {"b",  "br", "c", "ch", "d",  "f",  "fl", "g",
                                                      "gr", "h",  "j", "k",  "l",  "m",  "n",  "p",
                                                      "pl", "r",  "s", "t",  "st", "tr", "v",  "w"};
constexpr std::array<std::string_view, 10> kNuclei = {"a",  "e",  "i",  "o",  "u",
                                                      "ai", "ea", "oo", "ou", "ie"};
constexpr std::array<std::string_view, 12> kCodas = {"",  "n",  "r", "l",  "s",  "t",
                                                     "m", "ck", "d", "nd", "rt", "p"};
constexpr std::array<std::string_view, 8> kEndings = {"", "", "", "s", "ing", "ed", "er", "ly"};
constexpr std::string_view kHan =
    "山水风雨花草树木书画茶饭鱼鸟车船路桥城村海河湖岛星月日夜春夏秋冬东西南北红黄蓝白黑金银铜铁石"
    "学校工作电影音乐舞蹈足球游泳跑步旅行照片礼物生日朋友家人医院公园餐厅超市图馆店房门窗桌椅灯床"
    "开心难过紧张希望计划项目会议报告研究健康运动天气早晚饮料咖啡面包水果蔬菜苹果香蕉葡萄西瓜猫狗";

constexpr std::array<std::string_view, 8> kEnglishNames = {"Alice", "Bob",     "Caroline", "Daniel",
                                                           "Emma",  "Gilbert", "Melanie",  "Tom"};
constexpr std::array<std::string_view, 8> kChineseNames = {"李明", "王芳", "张伟", "刘洋",
                                                           "陈静", "赵磊", "孙丽", "周杰"};
constexpr std::array<std::string_view, 6> kEnglishReplies = {"ok",       "Thanks!", "Sounds good",
                                                             "See you!", "Haha",    "Sure"};
constexpr std::array<std::string_view, 6> kChineseReplies = {"好的", "谢谢",   "没问题",
                                                             "哈哈", "明天见", "嗯"};

template <std::size_t N>
std::string_view Pick(const std::array<std::string_view, N>& from, Random* random) {
  return from[random->Below(N)];
}

std::string EnglishWord(Random* random) {
  std::string word;
  const std::size_t syllables = 1 + random->Below(3);
  for (std::size_t i = 0; i < syllables; ++i) {
    word += Pick(kOnsets, random);
    word += Pick(kNuclei, random);
    word += Pick(kCodas, random);
  }
  word += Pick(kEndings, random);
  return word;
}

std::string ChineseWord(Random* random) {
  std::string word;
  for (int i = 0; i < 2; ++i) word += kHan.substr(random->Below(kHan.size() / 3) * 3, 3);
  return word;
}

// Words by rank, each drawn with a probability of 1 / rank.
class Vocabulary {
 public:
  Vocabulary(std::size_t size, bool is_chinese, Random* random) {
    if (is_chinese) {
      words_.assign(kChineseFunctionWords.begin(), kChineseFunctionWords.end());
    } else {
      words_.assign(kEnglishFunctionWords.begin(), kEnglishFunctionWords.end());
    }
    function_words_ = words_.size();
    while (words_.size() < size) {
      words_.push_back(is_chinese ? ChineseWord(random) : EnglishWord(random));
    }
    double sum = 0;
    for (std::size_t rank = 1; rank <= words_.size(); ++rank) {
      cumulative_.push_back(sum += 1.0 / static_cast<double>(rank));
    }
  }

  std::size_t Draw(Random* random) const {
    const double at = random->Unit() * cumulative_.back();
    const auto it = std::upper_bound(cumulative_.begin(), cumulative_.end(), at);
    return std::min<std::size_t>(static_cast<std::size_t>(it - cumulative_.begin()),
                                 words_.size() - 1);
  }
  std::size_t DrawTopical(Random* random) const {
    return function_words_ + random->Below(words_.size() - function_words_);
  }
  const std::string& word(std::size_t rank) const { return words_[rank]; }
  bool IsFunctionWord(std::size_t rank) const { return rank < function_words_; }

 private:
  std::vector<std::string> words_;
  std::size_t function_words_ = 0;
  std::vector<double> cumulative_;
};

// What a session is about, who speaks and when.
struct Session {
  std::string name;
  bool is_chinese = false;
  std::array<std::string_view, 2> speakers;
  std::vector<std::size_t> topic;  // ranks
  Timestamp time;
};

Session NextSession(std::size_t number, const Vocabulary& english, const Vocabulary& chinese,
                    Timestamp after, Random* random) {
  Session session;
  session.name = "s" + std::to_string(number);
  session.is_chinese = random->Chance(0.2);
  const auto& names = session.is_chinese ? kChineseNames : kEnglishNames;
  const std::size_t first = random->Below(names.size());
  session.speakers = {names[first], names[(first + 1 + random->Below(names.size() - 1)) % 8]};
  const Vocabulary& vocabulary = session.is_chinese ? chinese : english;
  for (std::size_t i = 0; i < kTopicWords; ++i) {
    session.topic.push_back(vocabulary.DrawTopical(random));
  }
  session.time = after + std::chrono::minutes(60 + random->Below(3 * 24 * 60));
  return session;
}

void Compose(const Session& session, const Vocabulary& vocabulary, Random* random, Turn* turn) {
  const std::size_t length = 6 + random->Below(24);
  const std::string_view space = session.is_chinese ? "" : " ";
  for (std::size_t i = 0; i < length; ++i) {
    if (!turn->text.empty()) turn->text += space;
    if (random->Chance(0.03)) {
      turn->text += session.is_chinese ? Pick(kChineseNames, random) : Pick(kEnglishNames, random);
      continue;
    }
    const std::size_t rank =
        random->Chance(0.25) ? session.topic[random->Below(kTopicWords)] : vocabulary.Draw(random);
    turn->text += vocabulary.word(rank);
    if (!vocabulary.IsFunctionWord(rank)) turn->topic_words.push_back(vocabulary.word(rank));
    if (session.is_chinese && i % 7 == 6) turn->text += "，";
  }
  turn->text += session.is_chinese ? "。" : ".";
}

void AddUnit(const std::vector<float>& vector, std::vector<float>* rows) {
  double square = 0;
  for (const float f : vector) square += static_cast<double>(f) * f;
  const double scale = 1 / std::sqrt(square);
  for (const float f : vector) rows->push_back(static_cast<float>(f * scale));
}

// `center` moved by noise of about the given length.
std::vector<float> Near(const float* center, std::uint32_t dimension, double length,
                        Random* random) {
  const double deviation = length / std::sqrt(static_cast<double>(dimension));
  std::vector<float> vector(center, center + dimension);
  for (float& f : vector) f += static_cast<float>(deviation * random->Normal());
  return vector;
}

}  // namespace

std::vector<Turn> Conversations(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  const Vocabulary english(kEnglishWords, false, &random);
  const Vocabulary chinese(kChineseWords, true, &random);
  std::vector<Turn> turns;
  Session session;
  session.time = Timestamp{std::chrono::sys_days{std::chrono::year{2023} / 5 / 8}};
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kTurnsInSession == 0) {
      session = NextSession(i / kTurnsInSession, english, chinese, session.time, &random);
    }
    Turn turn;
    turn.speaker = session.speakers[i % 2];
    turn.session = session.name;
    turn.time = session.time + std::chrono::seconds(40 * (i % kTurnsInSession));
    turn.is_chinese = session.is_chinese;
    if (random.Chance(kRepeated)) {
      turn.text =
          session.is_chinese ? Pick(kChineseReplies, &random) : Pick(kEnglishReplies, &random);
    } else {
      Compose(session, session.is_chinese ? chinese : english, &random, &turn);
    }
    turns.push_back(std::move(turn));
  }
  return turns;
}

std::vector<Question> Questions(const std::vector<Turn>& turns, std::size_t count,
                                std::uint64_t seed) {
  Random random(seed + 1);
  std::vector<Question> questions;
  while (questions.size() < count) {
    const std::size_t at = random.Below(turns.size());
    const Turn& turn = turns[at];
    if (turn.topic_words.size() < 5) continue;
    const std::size_t first = random.Below(turn.topic_words.size() - 2);
    const std::string& a = turn.topic_words[first];
    const std::string& b = turn.topic_words[first + 1];
    const std::string& c = turn.topic_words[first + 2];
    questions.push_back(
        {turn.is_chinese
             ? turn.speaker + "说过什么关于" + a + "、" + b + "和" + c + "的事？"
             : "What did " + turn.speaker + " say about " + a + ", " + b + " and " + c + "?",
         at});
  }
  return questions;
}

VectorLoad ClusteredVectors(std::size_t rows, std::uint32_t dimension, std::size_t queries,
                            std::uint64_t seed) {
  Random random(seed + 2);
  VectorLoad load;
  load.dimension = dimension;
  const std::size_t clusters = std::max<std::size_t>(10, rows / 100);
  std::vector<float> centers;
  const std::vector<float> origin(dimension);
  for (std::size_t i = 0; i < clusters; ++i) {
    AddUnit(Near(origin.data(), dimension, 1, &random), &centers);
  }
  for (std::size_t i = 0; i < rows; ++i) {
    if (i > 0 && random.Chance(kRepeated)) {
      const std::size_t from = random.Below(i) * dimension;
      for (std::uint32_t d = 0; d < dimension; ++d) load.rows.push_back(load.rows[from + d]);
      continue;
    }
    const float* center = &centers[random.Below(clusters) * dimension];
    AddUnit(Near(center, dimension, 0.8, &random), &load.rows);
  }
  for (std::size_t i = 0; i < queries; ++i) {
    const float* row = &load.rows[random.Below(rows) * dimension];
    AddUnit(Near(row, dimension, 0.6, &random), &load.queries);
  }
  return load;
}

GraphLoad PowerLawGraph(std::uint32_t documents, std::uint64_t seed) {
  Random random(seed + 3);
  GraphLoad load;
  load.documents = documents;
  load.entities = std::max<std::uint32_t>(10, documents / 5);
  // An entity once for each edge that it has: a draw from it prefers the rich.
  std::vector<std::uint32_t> ends;
  const auto draw = [&] {
    const bool is_known = !ends.empty() && random.Chance(0.8);
    ends.push_back(is_known ? ends[random.Below(ends.size())]
                            : static_cast<std::uint32_t>(random.Below(load.entities)));
    return ends.back();
  };
  for (std::uint32_t document = 0; document < documents; ++document) {
    const std::size_t mentioned = 1 + random.Below(4);
    for (std::size_t i = 0; i < mentioned; ++i) load.mentions.emplace_back(document, draw());
    if (!random.Chance(0.5)) continue;
    GraphLoad::Relation relation{draw(), draw(), static_cast<std::int32_t>(random.Below(300)), -1};
    if (random.Chance(0.3)) {
      relation.past_day = relation.first_day + 1 + static_cast<std::int32_t>(random.Below(60));
    }
    load.relations.push_back(relation);
  }
  return load;
}

}  // namespace souvenance::bench
