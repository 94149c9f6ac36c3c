#include "bench/baseline.h"

#include <sqlite3.h>

#include <Eigen/Core>
#include <algorithm>
#include <cctype>
#include <chrono>
#include <numeric>
#include <span>
#include <utility>

#include "bench/run.h"
#include "index/stop_words.h"

namespace souvenance::bench {
namespace {

constexpr std::size_t kWordPool = 400;
constexpr std::size_t kVectorPool = 100;
constexpr double kRrfK = 60;

constexpr char kCreate[] =
    "CREATE TABLE turn(id INTEGER PRIMARY KEY, text TEXT NOT NULL);"
    "CREATE VIRTUAL TABLE word USING fts5(text, content='', tokenize='porter unicode61')";
constexpr char kInsertTurn[] = "INSERT INTO turn(id, text) VALUES (?1, ?2)";
constexpr char kInsertWord[] = "INSERT INTO word(rowid, text) VALUES (?1, ?2)";
constexpr char kMatch[] = "SELECT rowid FROM word WHERE word MATCH ?1 ORDER BY bm25(word) LIMIT ?2";
constexpr char kText[] = "SELECT text FROM turn WHERE id = ?1";

using RowMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// unicode61 takes a run of Han for one word, so each character is made one. (Of what the load
// writes, only Han and its punctuation take three bytes.)
std::vector<std::string> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0xE0) {
      end();
      words.emplace_back(text.substr(i, 3));
      i += 3;
      continue;
    }
    if (std::isalnum(byte) != 0) {
      word += static_cast<char>(std::tolower(byte));
    } else {
      end();
    }
    ++i;
  }
  end();
  return words;
}

bool IsFunctionWord(const std::string& word) {
  if (static_cast<unsigned char>(word[0]) < 0x80) return index::IsEnglishStopWord(word);
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(word[i]); };
  return index::IsFunctionCharacter((at(0) & 0x0Fu) << 12 | (at(1) & 0x3Fu) << 6 | (at(2) & 0x3Fu));
}

}  // namespace

struct Baseline::Impl {
  ~Impl() {
    sqlite3_finalize(match);
    sqlite3_finalize(text);
    sqlite3_close(db);
  }

  void Check(int code) const {
    if (code != SQLITE_OK && code != SQLITE_DONE) Stop(sqlite3_errmsg(db));
  }
  sqlite3_stmt* Prepare(const char* sql) const {
    sqlite3_stmt* statement = nullptr;
    Check(sqlite3_prepare_v2(db, sql, -1, &statement, nullptr));
    return statement;
  }
  static void Bind(sqlite3_stmt* statement, int at, std::string_view value) {
    sqlite3_bind_text(statement, at, value.data(), static_cast<int>(value.size()),
                      SQLITE_TRANSIENT);
  }
  void Fill(const std::vector<Turn>& turns);
  void Embed(const std::vector<Turn>& turns);
  std::vector<std::size_t> ByWords(std::string_view cue) const;
  std::vector<std::size_t> ByVector(std::string_view cue) const;

  sqlite3* db = nullptr;
  sqlite3_stmt* match = nullptr;
  sqlite3_stmt* text = nullptr;
  const index::Embedder* embedder = nullptr;
  RowMatrix matrix;
};

void Baseline::Impl::Fill(const std::vector<Turn>& turns) {
  Check(sqlite3_exec(db, kCreate, nullptr, nullptr, nullptr));
  Check(sqlite3_exec(db, "BEGIN", nullptr, nullptr, nullptr));
  sqlite3_stmt* turn = Prepare(kInsertTurn);
  sqlite3_stmt* word = Prepare(kInsertWord);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    std::string words = turns[i].speaker;
    for (const std::string& part : SplitWords(turns[i].text)) words += " " + part;
    for (sqlite3_stmt* statement : {turn, word}) {
      sqlite3_bind_int64(statement, 1, static_cast<sqlite3_int64>(i + 1));
      Bind(statement, 2, statement == turn ? turns[i].text : words);
      Check(sqlite3_step(statement));
      sqlite3_reset(statement);
    }
  }
  sqlite3_finalize(turn);
  sqlite3_finalize(word);
  Check(sqlite3_exec(db, "COMMIT; INSERT INTO word(word) VALUES ('optimize')", nullptr, nullptr,
                     nullptr));
}

void Baseline::Impl::Embed(const std::vector<Turn>& turns) {
  std::vector<std::string_view> texts;
  for (const Turn& turn : turns) texts.push_back(turn.text);
  const auto rows =
      Must(embedder->Embed(texts, index::EmbedRole::kDocument, std::chrono::minutes(10)));
  matrix = RowMatrix::Zero(static_cast<Eigen::Index>(rows.size()), embedder->identity().dimension);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].vector.empty()) continue;
    matrix.row(static_cast<Eigen::Index>(i)) =
        Eigen::Map<const Eigen::RowVectorXf>(rows[i].vector.data(), matrix.cols());
  }
}

std::vector<std::size_t> Baseline::Impl::ByWords(std::string_view cue) const {
  std::string query;
  for (const std::string& word : SplitWords(cue)) {
    if (IsFunctionWord(word)) continue;
    query += (query.empty() ? "\"" : " OR \"") + word + "\"";
  }
  std::vector<std::size_t> turns;
  if (query.empty()) return turns;
  Bind(match, 1, query);
  sqlite3_bind_int64(match, 2, kWordPool);
  while (sqlite3_step(match) == SQLITE_ROW) {
    turns.push_back(static_cast<std::size_t>(sqlite3_column_int64(match, 0)) - 1);
  }
  Check(sqlite3_reset(match));
  return turns;
}

std::vector<std::size_t> Baseline::Impl::ByVector(std::string_view cue) const {
  const auto rows =
      Must(embedder->Embed(std::span(&cue, 1), index::EmbedRole::kQuery, std::chrono::seconds(10)));
  if (rows[0].vector.empty()) return {};
  const Eigen::VectorXf scores =
      matrix * Eigen::Map<const Eigen::VectorXf>(rows[0].vector.data(), matrix.cols());
  std::vector<std::size_t> turns(static_cast<std::size_t>(scores.size()));
  std::iota(turns.begin(), turns.end(), 0);
  const auto last =
      turns.begin() + static_cast<std::ptrdiff_t>(std::min(kVectorPool, turns.size()));
  std::partial_sort(turns.begin(), last, turns.end(), [&](std::size_t a, std::size_t b) {
    const float x = scores[static_cast<Eigen::Index>(a)];
    const float y = scores[static_cast<Eigen::Index>(b)];
    return x != y ? x > y : a < b;
  });
  turns.erase(last, turns.end());
  return turns;
}

Baseline::Baseline(const std::filesystem::path& file, const std::vector<Turn>& turns,
                   const index::Embedder& embedder)
    : impl_(std::make_unique<Impl>()) {
  impl_->embedder = &embedder;
  impl_->Check(sqlite3_open(file.c_str(), &impl_->db));
  impl_->Fill(turns);
  impl_->Embed(turns);
  impl_->match = impl_->Prepare(kMatch);
  impl_->text = impl_->Prepare(kText);
}

Baseline::~Baseline() = default;

std::vector<std::string> Baseline::Recall(std::string_view cue, std::size_t k) const {
  std::vector<std::pair<std::size_t, double>> scored;
  for (const std::vector<std::size_t>& list : {impl_->ByWords(cue), impl_->ByVector(cue)}) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      scored.emplace_back(list[i], 1 / (kRrfK + 1 + static_cast<double>(i)));
    }
  }
  std::sort(scored.begin(), scored.end());
  std::vector<std::pair<double, std::size_t>> fused;  // minus the score, turn
  for (const auto& [turn, score] : scored) {
    if (fused.empty() || fused.back().second != turn) fused.emplace_back(0, turn);
    fused.back().first -= score;
  }
  std::sort(fused.begin(), fused.end());
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(k, fused.size()); ++i) {
    sqlite3_bind_int64(impl_->text, 1, static_cast<sqlite3_int64>(fused[i].second + 1));
    if (sqlite3_step(impl_->text) != SQLITE_ROW) Stop(sqlite3_errmsg(impl_->db));
    texts.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(impl_->text, 0)));
    impl_->Check(sqlite3_reset(impl_->text));
  }
  return texts;
}

}  // namespace souvenance::bench
