// Answers for people to read. All stored text in it is sanitised.
#pragma once

#include <souvenance/engine.h>
#include <souvenance/eval.h>

#include <string>
#include <string_view>
#include <vector>

#include "tools/souvenance/json.h"
#include "tools/souvenance/terminal.h"

namespace souvenance::program {

// text_answers.cc: what was asked.
std::string RecallText(const RecallAnswer& answer, Detail detail, const Style& style);
std::string ContextText(const ContextAnswer& answer);
std::string RecentText(const RecentAnswer& answer, const Style& style);
std::string LookupText(const LookupAnswer& answer, const Style& style);
std::string TimelineText(const TimelineAnswer& answer, const Style& style);
// Why an answer is empty, and what to try; `reason` as in RecallAnswer.
std::string WhyEmpty(std::string_view reason);

// text_records.cc: what is kept.
std::string ShowText(const ShowAnswer& answer, const Style& style);
std::string HistoryText(const HistoryAnswer& answer, const Style& style);
std::string ListText(const ListAnswer& answer, const ListQuery& query, const Style& style);

// text_reports.cc: what was done.
std::string InitText(const InitReport& report);
std::string RememberText(const RememberAnswer& answer);
std::string ImportText(const ImportAnswer& answer);
// "forgot a3-x; event 12".
std::string WriteText(std::string_view done, const WriteAnswer& answer,
                      const std::vector<std::string>& asked);
std::string VerifyText(const VerifyAnswer& answer, bool sound, const Style& style);
std::string MaintainText(const MaintainAnswer& answer);
std::string StatsText(const StatsAnswer& answer, const Style& style);
std::string EvalRunText(const EvalRunAnswer& answer, const std::filesystem::path& run,
                        const Latency& latency);
std::string EvalScoreText(const ScoreAnswer& answer, Queries queries);

// Shared by the three.
//
// "2023-05-08 13:56", or the date alone at midnight.
std::string ShortTime(Timestamp time);
// "2019-01-01 to 2023-05-08", "since 2019-01-01", "until ..."; empty when nothing is known.
std::string Validity(const std::optional<Timestamp>& from, const std::optional<Timestamp>& to);
// "s4-7k3f9q2m (D1:3) bytes 0-31".
std::string CitationText(const Citation& source);
// "Alice lives_in Berlin".
std::string Sentence(const RelationHit& relation);
// At most three decimals, trailing zeros cut.
std::string Number(double value);

}  // namespace souvenance::program
