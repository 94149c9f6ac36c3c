#include "index/embed/probe.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "index/embed/embedder.h"
#include "index/vectors.h"

namespace souvenance::index {
namespace {

// Part of every store's embedding space: a changed text makes stored probe vectors foreign.
constexpr std::string_view kEnglish[] = {
    "The ferry to the island leaves at seven in the morning.",
    "My grandmother knits scarves from undyed wool.",
    "Interest rates rose by half a percent in autumn.",
    "A red fox crossed the snowy field without a sound.",
    "The compiler reports an unused variable on line twelve.",
    "Boil the lentils until they are soft, then add cumin.",
    "He tore a ligament in his knee during football practice.",
    "The museum acquired three paintings from the Baroque era.",
    "Our landlord wants to replace the kitchen windows.",
    "Jupiter has dozens of moons, and some hide oceans under ice.",
    "She is allergic to penicillin and to bee stings.",
    "The orchestra tuned its instruments before the concert.",
    "Tomato seedlings need a warm windowsill and little water.",
    "The union called off the strike after a long negotiation.",
    "I lost my passport somewhere between Lisbon and Madrid.",
    "Their wedding will be held in a small village church.",
    "Please rotate the backup tapes every second Friday.",
    "The detective novel ends with an unexpected confession.",
    "Glaciers in the valley have shrunk since the last survey.",
    "He repairs antique clocks in a basement workshop.",
    "The puppy chewed both slippers and one table leg.",
    "Chess openings bore me, but endgames are beautiful.",
    "A mild earthquake shook the harbour last night.",
    "The recipe asks for rye flour and a sourdough starter.",
    "Our daughter starts primary school with a yellow satchel.",
    "The bridge was closed because of strong crosswinds.",
    "Voting begins early, and the ballots are counted by hand.",
    "The dentist filled a cavity in my upper molar.",
    "Honey from mountain meadows tastes of thyme.",
    "The printer on the third floor is out of toner again.",
    "He proposed a theorem about prime numbers and symmetry.",
    "We camped beside a lake and heard owls at night.",
    "The airline cancelled every flight because of fog.",
    "Silk was traded for horses along the desert road.",
    "She practises handstands and stretches before breakfast.",
    "The insurance covers hail damage to parked cars.",
    "An old sailor taught me how to splice rope.",
    "The vaccine must be stored below eight degrees.",
    "He paints miniature soldiers with a very fine brush.",
    "The court postponed the hearing for lack of witnesses.",
};

constexpr std::string_view kChinese[] = {
    "去岛上的渡轮早晨七点出发。",
    "外婆喜欢用羊毛织围巾。",
    "秋季贷款利率上调了半个百分点。",
    "一只狐狸悄悄穿过雪地。",
    "编译器提示第十二行变量未使用。",
    "把扁豆煮软，再撒一点孜然。",
    "他踢足球时膝盖韧带撕裂。",
    "博物馆收购三幅巴洛克油画。",
    "房东打算更换厨房窗户。",
    "木星拥有数十颗卫星。",
    "她对青霉素过敏。",
    "乐团演出之前正在调音。",
    "番茄幼苗需要温暖的窗台。",
    "工会谈判后取消罢工。",
    "护照丢失在里斯本的火车站。",
    "婚礼将在乡村教堂举行。",
    "请每隔两周轮换备份磁带。",
    "侦探小说以意外的供词收尾。",
    "山谷里的冰川逐年缩小。",
    "师傅在地下室修理古董钟表。",
    "小狗咬坏拖鞋和桌腿。",
    "象棋残局比布局更精彩。",
    "昨夜港口发生轻微地震。",
    "这款面包使用黑麦粉和酸面种。",
    "女儿背着黄色书包上小学。",
    "大桥因横风过强而封闭。",
    "选票全部由人工清点。",
    "牙医给臼齿补了一个洞。",
    "高山草甸的蜂蜜带有百里香味。",
    "三楼打印机又缺墨粉。",
    "数学家提出素数对称性定理。",
    "露营时听见猫头鹰叫声。",
    "大雾导致航班停飞。",
    "丝绸沿沙漠古道换取马匹。",
    "早餐前她练习倒立与拉伸。",
    "保险赔付冰雹砸坏汽车的损失。",
    "老水手教会我编接绳索。",
    "疫苗必须冷藏保存。",
    "他用极细毛笔给锡兵上色。",
    "法院因证人缺席推迟开庭。",
};

constexpr std::chrono::milliseconds kDeadline{60'000};
constexpr double kPercentile = 0.95;

// Appends one vector a text. Fails when any text has none: a probe set with holes proves nothing.
Result<void> EmbedAll(const Embedder& embedder, std::span<const std::string_view> texts,
                      EmbedRole role, std::vector<float>* vectors) {
  auto rows = embedder.Embed(texts, role, kDeadline);
  if (!rows) return Fail(rows.error());
  if (rows->size() != texts.size()) {
    return Fail(ErrorCode::kInvalidData, "embed the probe texts: rows are missing");
  }
  for (const EmbeddedRow& row : *rows) {
    if (row.vector.size() != embedder.identity().dimension) {
      return Fail(ErrorCode::kInvalidData, "embed the probe texts: " + row.error.message);
    }
    vectors->insert(vectors->end(), row.vector.begin(), row.vector.end());
  }
  return {};
}

}  // namespace

std::span<const std::string_view> EnglishProbes() { return kEnglish; }
std::span<const std::string_view> ChineseProbes() { return kChinese; }

Result<std::vector<float>> ProbeVectors(const Embedder& embedder) {
  std::vector<float> vectors;
  for (const auto texts : {EnglishProbes(), ChineseProbes()}) {
    if (auto done = EmbedAll(embedder, texts, EmbedRole::kDocument, &vectors); !done) {
      return Fail(done.error());
    }
  }
  return vectors;
}

Result<double> UnrelatedSimilarity(const Embedder& embedder) {
  const std::size_t dimension = embedder.identity().dimension;
  std::vector<float> similarities;
  // Pairs within a language: across two, most models see less likeness than they will at work.
  for (const auto texts : {EnglishProbes(), ChineseProbes()}) {
    std::vector<float> cues;
    std::vector<float> documents;
    for (const auto& [role, vectors] :
         {std::pair(EmbedRole::kQuery, &cues), std::pair(EmbedRole::kDocument, &documents)}) {
      if (auto done = EmbedAll(embedder, texts, role, vectors); !done) return Fail(done.error());
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
      for (std::size_t j = 0; j < texts.size(); ++j) {
        if (i == j) continue;
        similarities.push_back(Dot(std::span(cues).subspan(i * dimension, dimension),
                                   std::span(documents).subspan(j * dimension, dimension)));
      }
    }
  }
  // Nearest rank.
  const auto rank =
      static_cast<std::size_t>(std::ceil(kPercentile * static_cast<double>(similarities.size())));
  const auto nth = similarities.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(similarities.begin(), nth, similarities.end());
  return std::clamp(static_cast<double>(*nth), 0.0, 1.0);
}

}  // namespace souvenance::index
