// verify, reindex, maintain, stats.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "tools/souvenance/exit_codes.h"
#include "tools/souvenance/json.h"
#include "tools/souvenance/text.h"
#include "tools/souvenance/verbs.h"

namespace souvenance::program {
namespace {

constexpr char kHeading[] = "Keep it sound";

Result<int> Verify(Program& program) {
  const Result<std::unique_ptr<Engine>> engine = OpenStore(program, Access::kReadOnly);
  if (!engine) return Fail(engine.error());
  Result<VerifyAnswer> answer = Fail(ErrorCode::kInternal, "verify: not run");
  {
    Progress bar("verifying");
    answer = (*engine)->Verify([&bar](std::int64_t done) {
      bar.Update(static_cast<std::uint64_t>(done), 0, fmt::format("{} events", done));
    });
  }
  if (!answer) return Fail(answer.error());
  const bool sound =
      answer->first_problem.empty() &&
      std::all_of(answer->indexes.begin(), answer->indexes.end(),
                  [](const VerifyAnswer::IndexCheck& index) { return index.status == "ok"; });
  program.out +=
      program.json ? VerifyJson(*answer, sound) : VerifyText(*answer, sound, program.style);
  return sound ? kDone : kCheckFailed;
}

Result<int> Tidy(Program& program, std::string_view verb,
                 Result<MaintainAnswer> (Engine::*work)()) {
  const Result<std::unique_ptr<Engine>> engine = OpenStore(program, Access::kReadWrite);
  if (!engine) return Fail(engine.error());
  const Result<MaintainAnswer> answer = ((**engine).*work)();
  if (!answer) return Fail(answer.error());
  program.out += program.json ? MaintainJson(verb, *answer) : MaintainText(*answer);
  return kDone;
}

Result<int> Stats(Program& program) {
  const Result<std::unique_ptr<Engine>> engine = OpenStore(program, Access::kReadOnly);
  if (!engine) return Fail(engine.error());
  const Result<StatsAnswer> answer = (*engine)->Stats();
  if (!answer) return Fail(answer.error());
  program.out += program.json ? StatsJson(*answer) : StatsText(*answer, program.style);
  return kDone;
}

}  // namespace

void AddUpkeepVerbs(CommandLine* line) {
  line->Add("verify", kHeading, "prove the chain, the lineage and the indexes; 3 when not sound",
            "souvenance verify\nsouvenance --store ./memory verify --json")
      .Do(Verify);
  line->Add("reindex", kHeading, "drop every index and make it again from the truth",
            "souvenance reindex\nsouvenance --store ./memory reindex --json")
      .Do([](Program& program) { return Tidy(program, "reindex", &Engine::Reindex); });
  line->Add("maintain", kHeading, "seal what has grown, do the work owed, tidy up",
            "souvenance maintain\nsouvenance --store ./memory maintain --json")
      .Do([](Program& program) { return Tidy(program, "maintain", &Engine::Maintain); });
  line->Add("stats", kHeading, "count what is there",
            "souvenance stats\nsouvenance --store ./memory stats --json")
      .Do(Stats);
}

}  // namespace souvenance::program
