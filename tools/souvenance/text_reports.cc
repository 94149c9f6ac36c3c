#include <fmt/format.h>

#include <algorithm>

#include "tools/souvenance/text.h"

namespace souvenance::program {
namespace {

std::string At(const Receipt& receipt) {
  return receipt.head.empty() ? ""
                              : fmt::format("event {} of {}, head {}", receipt.sequence,
                                            Sanitize(receipt.agent), receipt.head.substr(0, 16));
}

std::string Bytes(std::int64_t count) {
  const auto bytes = static_cast<double>(count);
  if (count < 1024) return fmt::format("{} bytes", count);
  if (count < 1024 * 1024) return fmt::format("{:.1f} KiB", bytes / 1024);
  return fmt::format("{:.1f} MiB", bytes / (1024 * 1024));
}

std::string Joined(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) text += (text.empty() ? "" : " ") + Sanitize(id);
  return text;
}

}  // namespace

std::string InitText(const InitReport& report) {
  return fmt::format("{} {}, agent {}\n", report.made ? "made a store at" : "there is a store at",
                     Sanitize(report.store.string()), Sanitize(report.agent));
}

std::string RememberText(const RememberAnswer& answer) {
  std::string text =
      fmt::format("{} {}\n", answer.existed ? "known already as" : "remembered as",
                  answer.artifact_id.empty() ? answer.source_id : answer.artifact_id);
  text += fmt::format("  source {}\n", answer.source_id);
  if (!answer.artifact_ids.empty())
    text += fmt::format("  facts {}\n", Joined(answer.artifact_ids));
  if (!answer.relation_ids.empty()) {
    text += fmt::format("  relations {}\n", Joined(answer.relation_ids));
  }
  if (!answer.flags.empty()) text += fmt::format("  flags {}\n", Joined(answer.flags));
  if (const std::string at = At(answer.receipt); !at.empty()) text += fmt::format("  {}\n", at);
  return text;
}

std::string ImportText(const ImportAnswer& answer) {
  std::string text = fmt::format("imported {}, known already {}, bad {}\n", answer.imported,
                                 answer.existed, answer.bad);
  if (const std::string at = At(answer.receipt); !at.empty()) text += fmt::format("  {}\n", at);
  return text;
}

std::string WriteText(std::string_view done, const WriteAnswer& answer,
                      const std::vector<std::string>& asked) {
  std::string text = fmt::format("{} {}\n", done, Joined(answer.ids.empty() ? asked : answer.ids));
  if (const std::string at = At(answer.receipt); !at.empty()) text += fmt::format("  {}\n", at);
  return text;
}

std::string VerifyText(const VerifyAnswer& answer, bool sound, const Style& style) {
  std::string text = fmt::format(
      "{} events, {} sources, {} memories, {} relations, {} erased payloads\n", answer.events,
      answer.sources, answer.artifacts, answer.relations, answer.erased_payloads);
  for (const Receipt& head : answer.heads) {
    text +=
        fmt::format("  head of {}: event {}, {}\n", Sanitize(head.agent), head.sequence, head.head);
  }
  for (const VerifyAnswer::IndexCheck& index : answer.indexes) {
    text += fmt::format("  {} of {} {}: {}\n", Sanitize(index.kind), Sanitize(index.agent),
                        Sanitize(FormatScope(index.scope)), Sanitize(index.status));
  }
  if (!answer.tail.empty()) text += Sanitize(answer.tail) + "\n";
  if (sound) return text + Bold(style, "sound") + "\n";
  const std::string where =
      answer.bad_sequence == 0 ? "" : fmt::format(" (event {})", answer.bad_sequence);
  const std::string what = answer.first_problem.empty() ? "an index does not agree with the truth"
                                                        : Sanitize(answer.first_problem);
  return text + fmt::format("{}: {}{}\n", Bold(style, "not sound"), what, where);
}

std::string MaintainText(const MaintainAnswer& answer) {
  std::string text = fmt::format("sealed {}, dropped {}, embedded {}, analysed {}{}\n",
                                 answer.sealed, answer.dropped, answer.embedded, answer.analysed,
                                 answer.checkpointed ? ", checkpointed" : "");
  for (const std::string& note : answer.notes) text += fmt::format("  {}\n", Sanitize(note));
  return text;
}

std::string StatsText(const StatsAnswer& answer, const Style& style) {
  std::string text = fmt::format("store {}; truth {}, indexes {}\n", Sanitize(answer.store_id),
                                 Bytes(answer.truth_bytes), Bytes(answer.index_bytes));
  if (!answer.embedder.empty()) text += fmt::format("embedder {}\n", Sanitize(answer.embedder));
  text += "\n" + Bold(style, "rows") + "\n";
  for (const auto& [table, rows] : answer.counts) {
    text += fmt::format("  {:<22} {:>10}\n", table, rows);
  }
  std::size_t width = 5;
  for (const StatsAnswer::ScopeStats& scope : answer.scopes) {
    width = std::max(width, DisplayWidth(Sanitize(scope.agent + " " + FormatScope(scope.scope))));
  }
  text += fmt::format("\n{}\n", Bold(style, Pad("scope", width + 2)) +
                                    "     items     terms   vectors  entities relations");
  for (const StatsAnswer::ScopeStats& scope : answer.scopes) {
    const std::string name = Sanitize(scope.agent + " " + FormatScope(scope.scope));
    text += fmt::format("  {}{:>10}{:>10}{:>10}{:>10}{:>10}\n", Pad(name, width), scope.items,
                        scope.terms, scope.vectors, scope.entities, scope.relations);
  }
  return text;
}

std::string EvalRunText(const EvalRunAnswer& answer, const std::filesystem::path& run,
                        const Latency& latency) {
  return fmt::format(
      "{} queries over {} documents into {}\n"
      "  latency: median {:.2f} ms, 95% {:.2f} ms, worst {:.2f} ms\n",
      answer.queries, answer.documents, Sanitize(run.string()), latency.median_ms, latency.p95_ms,
      latency.worst_ms);
}

std::string EvalScoreText(const ScoreAnswer& answer, Queries queries) {
  std::string text;
  for (const ScoreRow& row : answer.rows) {
    if (queries == Queries::kListed) {
      for (const auto& [query, value] : row.by_query) {
        text += fmt::format("{:<14} {:<24} {:.4f}\n", row.measure, Sanitize(query), value);
      }
    }
    text += fmt::format("{:<14} {:<24} {:.4f}\n", row.measure, "all", row.mean);
  }
  text += fmt::format("{} queries; {} judged but not in the run, {} in the run but not judged\n",
                      answer.queries, answer.missing, answer.unjudged);
  return text;
}

}  // namespace souvenance::program
