// init, import, remember.
#include <fmt/format.h>

#include <memory>
#include <system_error>

#include "tools/souvenance/exit_codes.h"
#include "tools/souvenance/json.h"
#include "tools/souvenance/text.h"
#include "tools/souvenance/verbs.h"

namespace souvenance::program {
namespace {

constexpr char kHeading[] = "Bring memories in";

// A store that import or remember made, said aloud; `init` would have made the default scopes.
Result<std::unique_ptr<Engine>> OpenForIngest(Program& program, const std::string& agent) {
  Result<MadeStore> store = OpenOrMakeStore(program);
  if (!store) return Fail(store.error());
  if (store->made) {
    const Result<std::filesystem::path> path = StorePath(program);
    if (path) Notice(fmt::format("made a store at {}", path->string()));
    if (const Result<WriteAnswer> init = store->engine->Init(agent); !init) {
      return Fail(init.error());
    }
  }
  return std::move(store->engine);
}

// ---- init ----

Result<int> Init(Program& program, const std::string& agent) {
  Result<MadeStore> store = OpenOrMakeStore(program);
  if (!store) return Fail(store.error());
  Result<WriteAnswer> answer = store->engine->Init(agent);
  if (!answer) return Fail(answer.error());
  const InitReport report{*StorePath(program), agent, store->made, std::move(*answer)};
  program.out += program.json ? InitJson(report) : InitText(report);
  return kDone;
}

void AddInit(CommandLine* line) {
  const auto agent = std::make_shared<std::string>(kDefaultAgent);
  Verb verb = line->Add("init", kHeading, "make a store, with an agent and its public scope",
                        "souvenance init\nsouvenance --store ./memory init --agent 小安");
  verb.Text("--agent", agent.get(), "NAME", "whose memory");
  verb.Do([agent](Program& program) { return Init(program, *agent); });
}

// ---- import ----

struct ImportArgs {
  ImportRequest request;
  std::vector<std::string> files;
  std::string format = "auto";
};

ImportFormat FormatNamed(std::string_view name) {
  if (name == "jsonl") return ImportFormat::kJsonl;
  if (name == "chat") return ImportFormat::kChat;
  if (name == "beir") return ImportFormat::kBeir;
  if (name == "locomo") return ImportFormat::kLocomo;
  return ImportFormat::kAuto;
}

// Before a store is made for it.
Result<void> CheckThere(const std::filesystem::path& path) {
  std::error_code error;
  if (path.empty() || std::filesystem::exists(path, error)) return {};
  return Fail(ErrorCode::kNotFound,
              fmt::format("import: there is no file {}", Sanitize(path.string())));
}

void TellBadLines(const ImportAnswer& answer) {
  for (const BadLine& bad : answer.bad_lines) {
    NoticeLine(fmt::format("{}:{}: {}", bad.file, bad.line, bad.message));
  }
  if (answer.bad > answer.bad_lines.size()) {
    NoticeLine(fmt::format("... and {} more bad lines", answer.bad - answer.bad_lines.size()));
  }
}

Result<int> Import(Program& program, const ImportArgs& args) {
  ImportRequest request = args.request;
  request.format = FormatNamed(args.format);
  for (const std::string& file : args.files) request.files.emplace_back(file);
  for (const std::filesystem::path& file : request.files) {
    if (const Result<void> there = CheckThere(file); !there) return Fail(there.error());
  }
  for (const std::filesystem::path& file : {request.triples, request.facts}) {
    if (const Result<void> there = CheckThere(file); !there) return Fail(there.error());
  }
  Result<std::unique_ptr<Engine>> engine = OpenForIngest(program, request.agent);
  if (!engine) return Fail(engine.error());
  Result<ImportAnswer> answer = Fail(ErrorCode::kInternal, "import: not run");
  {
    Progress bar("importing");
    request.progress = [&bar](const ImportProgress& at) {
      bar.Update(at.bytes_done, at.bytes_total, fmt::format("{} items", at.items));
    };
    answer = (*engine)->Import(request);
  }
  if (!answer) return Fail(answer.error());
  TellBadLines(*answer);
  program.out += program.json ? ImportJson(*answer) : ImportText(*answer);
  return answer->bad == 0 ? kDone : kBadData;
}

void AddImport(CommandLine* line) {
  const auto args = std::make_shared<ImportArgs>();
  ImportRequest& request = args->request;
  Verb verb = line->Add("import", kHeading, "bring in files: JSONL, chat logs, BEIR, LoCoMo",
                        "souvenance import memories.jsonl\n"
                        "souvenance import --format chat --scope group:家人 聊天记录.jsonl");
  verb.Arguments("FILE", &args->files, "files, or folders in BEIR's layout");
  verb.Choice("--format", &args->format, {"auto", "jsonl", "chat", "beir", "locomo"},
              "how the files are written");
  verb.Text("--agent", &request.agent, "NAME", "whose memory");
  verb.OneScope("--scope", &request.scope, "for what names no scope itself");
  verb.Path("--triples", &request.triples, "FILE", "BEIR: relations of the documents");
  verb.Path("--facts", &request.facts, "FILE", "BEIR: facts with their evidence");
  verb.Time("--now", &request.now, Edge::kFirst, "the clock, for reproducible runs");
  verb.Do([args](Program& program) { return Import(program, *args); });
}

// ---- remember ----

struct RememberArgs {
  RememberRequest request;
  std::string source_type = "message";
  std::string memory_type = "episodic";
  std::string shape = "point";
  std::vector<std::string> facts;
  std::vector<std::string> relations;
};

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// "Alice|lives_in|Berlin|2019|2023"
Result<NewRelation> ParseRelation(std::string_view text) {
  std::vector<std::string> parts;
  for (std::string_view rest = text;;) {
    const std::size_t bar = std::min(rest.find('|'), rest.size());
    parts.emplace_back(Trim(rest.substr(0, bar)));
    if (bar == rest.size()) break;
    rest.remove_prefix(bar + 1);
  }
  const bool named =
      parts.size() >= 3 && !parts[0].empty() && !parts[1].empty() && !parts[2].empty();
  if (!named || parts.size() > 5) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("--relation: \"{}\" is no relation", text.substr(0, 64)),
                "write it as \"SUBJECT|PREDICATE|OBJECT\", with |FROM and |TO when known");
  }
  NewRelation relation;
  relation.subject = parts[0];
  relation.predicate = parts[1];
  relation.object = parts[2];
  for (std::size_t i = 3; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    const Result<TimeSpan> time = ParseTime(parts[i]);
    if (!time) return Fail(time.error());
    (i == 3 ? relation.valid_at : relation.invalid_at) = *time;
  }
  return relation;
}

Result<void> TakeContent(RememberRequest* request) {
  if (request->content == "-") {
    Result<std::string> text = ReadStdin();
    if (!text) return Fail(text.error());
    if (!text->empty() && text->back() == '\n') text->pop_back();
    request->content = std::move(*text);
  }
  // Looked at here too, so that no store is made for a text that cannot be kept.
  if (!IsCleanUtf8(request->content)) {
    return Fail(ErrorCode::kInvalidData,
                "remember: the text is not valid UTF-8 or holds a NUL byte");
  }
  if (request->content.find_first_not_of(" \t\r\n") == std::string::npos) {
    return Fail(ErrorCode::kInvalidArgument, "remember: there is no text");
  }
  return {};
}

Result<int> Remember(Program& program, const RememberArgs& args) {
  RememberRequest request = args.request;
  if (const Result<void> taken = TakeContent(&request); !taken) return Fail(taken.error());
  if (!request.metadata_json.empty()) {
    if (const Result<void> fit = CheckObject(request.metadata_json); !fit) return Fail(fit.error());
  }
  request.source_type = *ParseSourceType(args.source_type);
  request.memory_type = *ParseMemoryType(args.memory_type);
  request.shape = *ParseShape(args.shape);
  for (const std::string& fact : args.facts) {
    NewArtifact artifact;
    artifact.content = fact;
    request.artifacts.push_back(std::move(artifact));
  }
  for (const std::string& text : args.relations) {
    Result<NewRelation> relation = ParseRelation(text);
    if (!relation) return Fail(relation.error());
    request.relations.push_back(std::move(*relation));
  }
  Result<std::unique_ptr<Engine>> engine = OpenForIngest(program, request.agent);
  if (!engine) return Fail(engine.error());
  const Result<RememberAnswer> answer = (*engine)->Remember(request);
  if (!answer) return Fail(answer.error());
  program.out += program.json ? RememberJson(*answer) : RememberText(*answer);
  return kDone;
}

template <typename Names>
std::vector<std::string> Listed(const Names& names) {
  return {names.begin(), names.end()};
}

void AddRemember(CommandLine* line) {
  const auto args = std::make_shared<RememberArgs>();
  RememberRequest& r = args->request;
  Verb verb =
      line->Add("remember", kHeading, "add one source: what was said, read or done",
                "souvenance remember \"I moved to Berlin\" --speaker Alice --relation "
                "\"Alice|lives_in|Berlin|2023-05\"\n"
                "souvenance remember \"我喜欢喝乌龙茶\" --speaker 小林 --session s1 --tag 饮食");
  verb.Argument("TEXT", &r.content, "the text, or - for stdin");
  verb.Text("--agent", &r.agent, "NAME", "whose memory");
  verb.OneScope("--scope", &r.scope, "who may see it");
  verb.Text("--external-id", &r.external_id, "ID", "your own id, unique within the scope");
  verb.Text("--request-id", &r.request_id, "ID", "identity of this call, for a safe retry");
  verb.Text("--session", &r.session_id, "NAME", "the lane in which it was said");
  verb.Text("--speaker", &r.speaker_id, "NAME", "who said it");
  verb.Text("--subject", &r.subject_id, "NAME", "whom it is about");
  verb.Text("--addressee", &r.addressee, "NAME", "to whom it was said");
  verb.Time("--time", &r.event_time, Edge::kFirst, "when it happened; now when not given");
  verb.Time("--received-at", &r.received_at, Edge::kFirst, "when the host received it");
  verb.Texts("--tag", &r.tags, "TAG", "a tag");
  verb.Emotion("--emotion", &r.emotion, &r.emotion_intensity, "an emotion, as joy:0.6");
  verb.Real("--salience", &r.salience, 0.01, 1, "how much it matters; 0.5 when not given");
  verb.Real("--sensitivity", &r.sensitivity, 0, 1, "how much it is to be kept back");
  verb.Choice("--type", &args->source_type, Listed(record_names::kSourceTypes), "kind of source");
  verb.Choice("--memory-type", &args->memory_type, Listed(record_names::kMemoryTypes),
              "kind of memory");
  verb.Choice("--shape", &args->shape, Listed(record_names::kShapes), "how it extends in time");
  verb.Texts("--fact", &args->facts, "TEXT", "a fact that rests on this source");
  verb.Texts("--relation", &args->relations, "S|P|O[|FROM[|TO]]", "a fact of the graph");
  verb.Vector("--vector", &r.vector, "the text's vector, in the store's space");
  verb.Text("--metadata", &r.metadata_json, "JSON", "an object that is kept and shown");
  verb.Time("--now", &r.now, Edge::kFirst, "the clock, for reproducible runs");
  verb.Do([args](Program& program) { return Remember(program, *args); });
}

}  // namespace

void AddIngestVerbs(CommandLine* line) {
  AddInit(line);
  AddImport(line);
  AddRemember(line);
}

}  // namespace souvenance::program
