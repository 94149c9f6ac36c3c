#include "engine/perceive/lexicon.h"

#include <algorithm>
#include <string>
#include <unordered_set>

namespace souvenance::perceive {
namespace {

using Set = std::unordered_set<std::string_view>;
using HanSet = std::unordered_set<std::u32string_view>;

// A list is one string, its words separated by spaces; it must outlive the set.
template <typename Char>
std::unordered_set<std::basic_string_view<Char>> Words(std::basic_string_view<Char> list) {
  std::unordered_set<std::basic_string_view<Char>> words;
  while (!list.empty()) {
    const std::size_t space = std::min(list.find(Char(' ')), list.size());
    if (space > 0) words.insert(list.substr(0, space));
    list.remove_prefix(std::min(space + 1, list.size()));
  }
  return words;
}

bool Has(const Set& set, std::string_view word) { return set.find(word) != set.end(); }
bool Has(const HanSet& set, std::u32string_view word) { return set.find(word) != set.end(); }

constexpr std::string_view kOpeners =
    "a about absolutely actually add after again ago ah all almost along already also although "
    "always am amazing an and another any anyone anything anyway are as ask at aw awesome aww "
    "back be beautiful because been before being best better between big book both bring but buy "
    "by bye call can cannot certainly check cheers clearly come congrats congratulations cool "
    "could couldn currently dear definitely did didn do does doesn doing don done each eating "
    "either else enjoy enough especially even eventually ever every everyone everything "
    "exactly excited excuse fantastic few finally fine first for forget from fun generally get "
    "getting give glad go going good goodbye got great guess ha had haha happy hardly has have "
    "having he hello help hence her here hers hey hi him his hmm honestly hope hopefully how "
    "however huge hurray i if imagine in incredible indeed instead interesting into is isn it its "
    "just keep kind last lately later least let like likewise listen literally little long look "
    "looking lots love lovely luckily make many may maybe me meanwhile meet mine more morning most "
    "mostly much must my near never new next nice night no nobody none nope nor not nothing now "
    "obviously of off oh ok okay on once one only open or other otherwise our ours out over "
    "perfect perhaps personally plan please plus pretty previously probably proud quick quite "
    "rather read really recently remember remind right sadly same say see seeing send several "
    "shall she should show since so some somehow someone something sometimes somewhere soon sorry "
    "sounds speaking still stop such super sure surely sweet take talk tell thank thankfully "
    "thanks that the their them then there therefore these they thing things think this those "
    "though three thus till to together too totally true truly try turns two ugh under "
    "unfortunately unless until up us usually very visit visiting wait want was wasn watch we "
    "welcome well were what whatever when whenever where whether which while who whoever whole "
    "whom whose why will wish with within without wonderful would wouldn wow write yeah yep yes "
    "yesterday yet you your yours yup today tonight tomorrow during despite besides according "
    "woah whoa woohoo yo working reading playing running making using taking painting learning "
    "growing trying";

constexpr std::string_view kNeverNames =
    "i monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december mon tue wed thu fri sat sun jan feb mar "
    "apr jun jul aug sep sept oct nov dec ok okay lol omg wow btw fyi asap tv pm am etc ps imo "
    "idk diy q ps5 mr mrs ms dr yes no hi hello hey thanks phd it they he she we you that this "
    "there tues thurs";

constexpr std::string_view kMonths =
    "january february march april may june july august september october november december jan "
    "feb mar apr jun jul aug sep sept oct nov dec";
constexpr std::string_view kPersonTitles =
    "mr mrs ms miss dr prof professor sir madam uncle aunt auntie";
constexpr std::string_view kParticles = "of de van von der del da di la";
constexpr std::string_view kOrganisationWords =
    "university college institute inc corp corporation ltd llc company bank hospital foundation "
    "association agency committee council group ministry laboratories labs school academy";
constexpr std::string_view kPlaceWords =
    "street avenue road park city river lake mountain mountains island islands beach museum "
    "library airport station square bridge bay valley county square gardens";
constexpr std::string_view kLabels =
    "note warning question answer todo ps re subject from to date time update summary http https "
    "example tip result error reminder topic title conclusion problem solution step agenda total "
    "edit cc fwd why what how who when where important location address phone email ingredients "
    "directions pros cons goal goals reason reasons result results";
constexpr std::string_view kSpeechVerbs =
    "said says say asked asks replied replies answered told whispered shouted called";

// The most frequent surnames and the better known of the rarer ones.
constexpr std::u32string_view kSurnames =
    U"王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾"
    U"丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤"
    U"尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂焦向柳邢路岳齐梅莫庄"
    U"辛管祝左涂谷祁耿牟卜肖詹关苗凌费纪靳盛童欧甄项曲成游阳裴席卫查屈鲍覃霍翁隋甘景包司柏宁柯阮桂"
    U"闵解强柴华车冉房边";
constexpr std::u32string_view kCompoundSurnames =
    U"欧阳 上官 司马 诸葛 东方 皇甫 尉迟 公孙 慕容 令狐 司徒 夏侯 端木 南宫 独孤 宇文 长孙 轩辕 "
    U"百里 "
    U"呼延 闻人 申屠 太史 淳于";
constexpr std::u32string_view kFunctionCharacters =
    U"的了是在不我你他她它这那哪谁什么吗呢吧啊呀哦嗯和与跟及或但而就都也还又再很太把被让给对从到去"
    U"来往"
    U"将要会能可该没有个们着过得地之其于以为因所如若说问道讲喊叫请找见想看听吃喝住读考上下里外前后"
    U"中间"
    U"今昨每些几多少两三四五六七八九十一二点钟您俺咱啦嘛哈呵唉喂参离开进出逛等做带接送";
constexpr std::u32string_view kCommonWords =
    U"高兴 高中 高级 高考 高速 高铁 方便 方法 方面 方案 方式 方向 时候 安全 安静 安排 安装 安心 "
    U"白天 白色 "
    U"成功 成为 成绩 成本 黄色 黄金 黄昏 金色 金额 金牌 马上 马路 马虎 万一 万分 任何 任务 任性 "
    U"周末 周一 "
    U"周二 周三 周四 周五 周六 周日 周围 周年 周期 常常 常见 常识 张开 强调 强烈 强大 陈述 陈列 "
    U"温度 温柔 "
    U"温暖 温泉 程度 程序 计划 路上 路过 路线 路口 夏天 夏季 钱包 石头 江边 江南 项目 梅花 雷雨 "
    U"龙虾 段时 "
    U"严重 严格 严肃 毛病 毛衣 毛巾 史上 关于 关系 关心 关键 关注 关门 管理 管家 解决 解释 解答 "
    U"左右 左边 "
    U"余下 余额 于是 文字 文件 文化 文章 文学 曾经 熊猫 尤其 许多 许久 孙子 孙女 何时 何必 何况 "
    U"房子 房间 "
    U"房东 房租 祝福 祝愿 谢谢 谢意 费用 顾客 顾问 顾虑 华丽 汤圆 康复 游戏 游泳 游客 边上 边缘 "
    U"包括 包子 "
    U"包裹 司机 查看 查找 欧洲 盛大 童年 童话 项链 曲子 曲线 阳光 阳台 席位 卫生 景色 景点 宁静 "
    U"宁愿 车子 "
    U"车站 车票 向来 向上 齐全 莫名 庄重 辛苦 辛勤 易于 武器 武术 施工 施行 洪水 章节 季节 季度 "
    U"申请 申报 "
    U"毕业 毕竟 焦虑 焦急 柳树 叶子 田野 田园 范围 范文 唐诗 宋词 明天 林子 何处 罗列 胡说 胡闹 "
    U"胡同 胡子 "
    U"朱红 水果 黄瓜 牛奶 牛肉 牛排 白菜 白酒 白领 金融 金属 高度 高原 高手 高大 高峰 安慰 安定 "
    U"马车 马拉 "
    U"程度 柏油 甘心 甘甜 兰花 文艺 文明 方才 石油 雷达 成员 成长 成熟 成果 成年 成人 任意 万事 "
    U"万物";
constexpr std::u32string_view kBorderWords =
    U"参观 离开 喜欢 知道 位于 来自 毕业 加入 附近 今天 昨天 明天 周末 我们 他们 她们 你们 一起 "
    U"经常 准备 "
    U"打算 已经 刚刚 现在 以前 以后 去年 今年 明年 上周 下周 早上 下午 晚上 中午 曾经 直接 终于 "
    U"前往 抵达 "
    U"到达 回到 搬到 就职 任职 就读 入职 拜访 访问 路过 经过 属于 成立 收购 投资 推荐 介绍 关于 "
    U"由于 通过 "
    U"但是 因为 所以 如果 还是 或者 以及 联系 选择 创办 创立 建议 希望 决定 觉得 认为 听说 据说 "
    U"发现 公布 "
    U"对于 至于 等于 处于 对方 地方 宣布 爸爸 妈妈 老师 朋友 同事 同学 哥哥 姐姐 弟弟 妹妹 先生 "
    U"女士 一家 那家 这家 某家";
constexpr std::u32string_view kPlainModifiers =
    U"上市 大型 小型 保险 科技 外贸 贸易 软件 互联网 广告 游戏 当地 本地 城市 社区 儿童 宠物 公立 "
    U"私立 综合 "
    U"专科 重点 名牌 老年 国有 商业 投资 网络 物流 快递 建筑 装修 旅游 旅行 房地产 跨国 外资 国企 "
    U"知名 著名 "
    U"普通 附属 公共 市立 省立 学校 大学 森林 湿地 主题 海洋 动物 植物 艺术 历史 自然 科学 传媒 "
    U"影视 搬家 "
    U"电力 石油 航空 食品 医药 化工 汽车 初创 创业 新公司 现任 当前 最近 老城 新城 主城 同一家 "
    U"整个 全国 国外 "
    U"国内 海外 民营 "
    U"外国 理想 别的 "
    U"其他 任何 许多 很多 妇幼 中医 口腔 眼科 精神 整形 地方 股份 有限 责任 分 子 母 总 新 老 旧 "
    U"大 小 好 男 女";
constexpr std::u32string_view kCommonPlaceWords =
    U"城市 超市 股市 上市 夜市 门市 都市 集市 菜市 早市 开市 闹市 小区 地区 社区 景区 市区 校区 "
    U"郊区 山区 "
    U"灾区 特区 园区 街区 战区 误区 适区 选区 厂区 辖区 片区 节省 反省 外省 全省 本省 全市 本市 "
    U"该市 外市 各省 "
    U"各市 全县 本县 县市 省市 新区 老区 禁区 专区 分区 时区 牧区 林区 矿区 库区 东区 "
    U"西区 南区 北区";
constexpr std::u32string_view kHonorifics =
    U"先生 女士 老师 医生 大夫 经理 阿姨 叔叔 教授 小姐 太太 师傅 律师 护士 博士 院长 校长 主任 "
    U"同学 伯伯 奶奶 "
    U"爷爷 大哥 大姐 总监 部长 局长 市长 处长 科长 导演 教练 警官 队长 老板 总经理 副总 工程师";
constexpr std::u32string_view kSpeech =
    U"说 问 道 讲 告诉 表示 回答 认为 觉得 提到 建议 答应 笑着 喊 回复 解释 指出 补充 承认 强调 "
    U"抱怨 提醒 感叹 "
    U"喜欢 邀请 打电话 写道 透露 宣布 打算";

std::size_t LongestAt(const HanSet& set, std::u32string_view rest) {
  for (std::size_t length = std::min<std::size_t>(3, rest.size()); length > 0; --length) {
    if (Has(set, rest.substr(0, length))) return length;
  }
  return 0;
}

}  // namespace

bool IsOpener(std::string_view word) {
  static const Set set = Words(kOpeners);
  return Has(set, word);
}
bool IsNeverName(std::string_view word) {
  static const Set set = Words(kNeverNames);
  return Has(set, word);
}
bool IsMonth(std::string_view word) {
  static const Set set = Words(kMonths);
  return Has(set, word);
}
bool IsPersonTitle(std::string_view word) {
  static const Set set = Words(kPersonTitles);
  return Has(set, word);
}
bool IsParticle(std::string_view word) {
  static const Set set = Words(kParticles);
  return Has(set, word);
}
bool IsOrganisationWord(std::string_view word) {
  static const Set set = Words(kOrganisationWords);
  return Has(set, word);
}
bool IsPlaceWord(std::string_view word) {
  static const Set set = Words(kPlaceWords);
  return Has(set, word);
}
bool IsLabel(std::string_view word) {
  static const Set set = Words(kLabels);
  return Has(set, word);
}
bool IsSpeechVerb(std::string_view word) {
  static const Set set = Words(kSpeechVerbs);
  return Has(set, word);
}

bool IsSurname(char32_t c) { return kSurnames.find(c) != std::u32string_view::npos; }
bool IsCompoundSurname(char32_t a, char32_t b) {
  static const HanSet set = Words(kCompoundSurnames);
  const char32_t both[] = {a, b};
  return Has(set, std::u32string_view(both, 2));
}
bool IsFunctionCharacter(char32_t c) {
  return kFunctionCharacters.find(c) != std::u32string_view::npos;
}
bool IsCommonWord(std::u32string_view word) {
  static const HanSet set = Words(kCommonWords);
  return Has(set, word);
}
bool IsBorderWord(std::u32string_view word) {
  static const HanSet set = Words(kBorderWords);
  return Has(set, word);
}
bool IsPlainModifier(std::u32string_view word) {
  static const HanSet set = Words(kPlainModifiers);
  return Has(set, word);
}
bool IsCommonPlaceWord(std::u32string_view word) {
  static const HanSet set = Words(kCommonPlaceWords);
  return Has(set, word);
}
std::size_t HonorificAt(std::u32string_view rest) {
  static const HanSet set = Words(kHonorifics);
  return LongestAt(set, rest);
}
std::size_t SpeechAt(std::u32string_view rest) {
  static const HanSet set = Words(kSpeech);
  return LongestAt(set, rest);
}

}  // namespace souvenance::perceive
