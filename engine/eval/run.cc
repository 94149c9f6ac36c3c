// Questions of a data set through the shipping recall path.
#include <souvenance/eval.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "engine/eval/ranking.h"
#include "engine/ingest/field_reader.h"
#include "engine/ingest/import_sink.h"
#include "engine/ingest/json_value.h"

namespace souvenance {
namespace {

struct Question {
  std::string id;
  std::string text;
  std::optional<Scope> scope;
};

// A directory of our own, removed with everything in it at the end.
class TemporaryDirectory {
 public:
  static Result<TemporaryDirectory> Make() {
    std::error_code error;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
    std::string pattern = (parent / "souvenance-eval-XXXXXX").string();
    if (error || mkdtemp(pattern.data()) == nullptr) {
      return Fail(ErrorCode::kIo, "evaluate: cannot make a temporary directory",
                  "name one with --store");
    }
    return TemporaryDirectory(pattern);
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(TemporaryDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryDirectory(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

Result<Question> TakeQuestion(const std::string& text) {
  const Result<ingest::JsonValue> value = ingest::ParseJson(text);
  if (!value) return Fail(value.error());
  std::string problem;
  ingest::FieldReader fields(*value, "", &problem);
  Question question;
  question.id = fields.RequiredText("_id");
  question.text = fields.RequiredText("text");
  if (const ingest::JsonValue* metadata = fields.Get("metadata")) {
    ingest::FieldReader inner(*metadata, "metadata", &problem);
    if (inner.Get("scope") != nullptr) {
      Scope scope;
      inner.TakeScope("scope", &scope);
      question.scope = std::move(scope);
    }
  }
  if (!problem.empty()) return Fail(ErrorCode::kInvalidData, problem);
  return question;
}

Result<std::vector<Question>> ReadQuestions(const std::filesystem::path& file) {
  Result<ingest::LineSource> lines = ingest::OpenLines(file);
  if (!lines) return Fail(lines.error());
  std::vector<Question> questions;
  std::set<std::string> ids;
  ingest::Piece piece;
  for (;;) {
    Result<bool> more = lines->Next(&piece);
    if (!more) return Fail(more.error());
    if (!*more) return questions;
    Result<Question> question = piece.problem.empty()
                                    ? TakeQuestion(piece.text)
                                    : Fail(ErrorCode::kInvalidData, piece.problem);
    if (question && !ids.insert(question->id).second) {
      question = Fail(ErrorCode::kInvalidData, "_id: \"" + question->id + "\" occurs twice");
    }
    if (!question) {
      return Fail(ErrorCode::kInvalidData, file.string() + ":" + std::to_string(piece.line) + ": " +
                                               question.error().message);
    }
    questions.push_back(*std::move(question));
  }
}

// What a result stands for: its own document, or all that it rests on.
std::vector<std::string> DocumentsOf(const RecallResult& result) {
  std::vector<std::string> documents;
  if (!result.external_id.empty()) documents.push_back(result.external_id);
  for (const Citation& source : result.sources) {
    if (!source.external_id.empty()) documents.push_back(source.external_id);
  }
  return documents;
}

std::vector<RunLine> Ranking(const RecallAnswer& answer, std::size_t depth) {
  std::vector<RunLine> lines;
  std::set<std::string> seen;
  for (const RecallResult& result : answer.results) {
    for (std::string& document : DocumentsOf(result)) {
      if (lines.size() >= depth || !seen.insert(document).second) continue;
      lines.push_back({std::move(document), result.score});
    }
  }
  eval::SeparateTies(&lines);
  return lines;
}

Result<std::vector<Scope>> ScopesOf(const Engine& engine) {
  auto agents = engine.Scopes();
  if (!agents) return Fail(agents.error());
  for (auto& [agent, scopes] : *agents) {
    if (agent == kDefaultAgent) return std::move(scopes);
  }
  return std::vector<Scope>();
}

Result<void> Bring(const EvalRunRequest& request, Engine* engine, EvalRunAnswer* answer) {
  ImportRequest import;
  import.files = {request.data};
  import.format = ImportFormat::kBeir;
  import.triples = request.triples;
  import.facts = request.facts;
  import.now = request.now;
  Result<ImportAnswer> imported = engine->Import(import);
  if (!imported) return Fail(imported.error());
  answer->bad = imported->bad;
  answer->bad_lines = std::move(imported->bad_lines);
  answer->documents = static_cast<std::size_t>(imported->imported + imported->existed);
  return {};
}

Result<void> Ask(const EvalRunRequest& request, const Engine& engine,
                 const std::vector<Question>& questions, EvalRunAnswer* answer) {
  Result<std::vector<Scope>> scopes = ScopesOf(engine);
  if (!scopes) return Fail(scopes.error());
  // One moment for all, so that the order of the questions has no part in the answers.
  const Timestamp now =
      request.now ? *request.now : std::chrono::floor<Duration>(std::chrono::system_clock::now());
  for (const Question& question : questions) {
    std::vector<RunLine>& lines = answer->run[question.id];
    RecallQuery query;
    query.cue = question.text;
    query.viewer.scopes = question.scope ? std::vector<Scope>{*question.scope} : *scopes;
    query.moment.now = now;
    query.k = request.depth;
    query.options = request.options;
    double elapsed_ms = 0;
    const bool known = std::all_of(
        query.viewer.scopes.begin(), query.viewer.scopes.end(), [&](const Scope& scope) {
          return std::find(scopes->begin(), scopes->end(), scope) != scopes->end();
        });
    // The corpus may hold nothing of the question's scope; that is an empty ranking.
    if (known && !query.viewer.scopes.empty()) {
      const auto start = std::chrono::steady_clock::now();
      Result<RecallAnswer> recalled = engine.Recall(query);
      const std::chrono::duration<double, std::milli> elapsed =
          std::chrono::steady_clock::now() - start;
      if (!recalled) {
        return Fail(recalled.error().code,
                    "ask \"" + question.id + "\": " + recalled.error().message);
      }
      elapsed_ms = elapsed.count();
      lines = Ranking(*recalled, request.depth);
    }
    answer->latency_ms.push_back(elapsed_ms);
    ++answer->queries;
    if (request.progress) request.progress(answer->queries, questions.size());
  }
  return {};
}

}  // namespace

Result<EvalRunAnswer> EvalRun(const EvalRunRequest& request) {
  Result<std::vector<Question>> questions = ReadQuestions(request.data / "queries.jsonl");
  if (!questions) return Fail(questions.error());
  std::optional<TemporaryDirectory> temporary;
  EngineOptions options;
  options.store = request.store;
  options.access = Access::kCreate;
  if (request.store.empty()) {
    Result<TemporaryDirectory> made = TemporaryDirectory::Make();
    if (!made) return Fail(made.error());
    temporary.emplace(*std::move(made));
    options.store = temporary->path();
  }
  // Declared after the directory, closed before it goes.
  Result<std::unique_ptr<Engine>> engine = Engine::Open(options);
  if (!engine) return Fail(engine.error());
  EvalRunAnswer answer;
  if (auto brought = Bring(request, engine->get(), &answer); !brought) return Fail(brought.error());
  auto asked = Ask(request, **engine, *questions, &answer);
  if (!asked) return Fail(asked.error());
  return answer;
}

}  // namespace souvenance
