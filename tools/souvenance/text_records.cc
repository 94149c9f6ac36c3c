#include <fmt/format.h>

#include <cmath>

#include "tools/souvenance/text.h"

namespace souvenance::program {
namespace {

// "salience    0.5"; nothing for an empty value.
void Field(std::string* out, const char* name, const std::string& value, const Style& style) {
  if (value.empty()) return;
  *out += fmt::format("  {} {}\n", Dim(style, fmt::format("{:<12}", name)), value);
}

std::string Joined(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ", ") + Sanitize(value);
  return text;
}

void RevisionFields(std::string* out, const RevisionView& r, const Style& style) {
  Field(out, "kind", fmt::format("{}, {}, {}", Name(r.kind), Name(r.memory_type), Name(r.shape)),
        style);
  Field(out, "gist", Sanitize(r.gist), style);
  Field(out, "tags", Joined(r.tags), style);
  if (!r.emotion.empty()) {
    Field(out, "emotion", fmt::format("{} {}", Sanitize(r.emotion), Number(r.emotion_intensity)),
          style);
  }
  Field(out, "weights",
        fmt::format("salience {}, sensitivity {}, confidence {}", Number(r.salience),
                    Number(r.sensitivity), Number(r.confidence)),
        style);
  Field(out, "happened", ShortTime(r.event_time), style);
  Field(out, "valid", Validity(r.valid_at, r.invalid_at), style);
  Field(out, "recorded", ShortTime(r.created_at), style);
  for (const Citation& source : r.sources) Field(out, "source", CitationText(source), style);
}

std::string BodyText(const std::optional<std::string>& text, const Style& style) {
  return Wrap(text.has_value() ? *text : "(erased)", style.width, 2);
}

std::string ItemText(const ItemView& item, const Style& style) {
  std::string text = fmt::format("{}  revision {}, {}\n", Bold(style, item.id),
                                 item.current.revision, Name(item.current.state));
  text += BodyText(item.current.text, style);
  Field(&text, "scope", Sanitize(FormatScope(item.scope)), style);
  Field(&text, "external id", Sanitize(item.external_id), style);
  Field(&text, "said by", Sanitize(item.said_by), style);
  Field(&text, "about", Sanitize(item.subject_id), style);
  Field(&text, "session", Sanitize(item.session_id), style);
  RevisionFields(&text, item.current, style);
  Field(&text, "forgetting",
        fmt::format("retention {}, stability {} days, hits {}", Number(item.retention),
                    Number(item.stability_days), Number(item.hits)),
        style);
  Field(&text, "mentions", Joined(item.entities), style);
  Field(&text, "facts", Joined(item.facts), style);
  return text;
}

std::string SourceText(const SourceView& source, const Style& style) {
  std::string text =
      fmt::format("{}  source, {}\n", Bold(style, source.source.id), Name(source.type));
  text += BodyText(source.text, style);
  Field(&text, "scope", Sanitize(FormatScope(source.scope)), style);
  Field(&text, "external id", Sanitize(source.source.external_id), style);
  Field(&text, "said by", Sanitize(source.said_by), style);
  Field(&text, "about", Sanitize(source.subject_id), style);
  Field(&text, "session", Sanitize(source.session_id), style);
  Field(&text, "happened", ShortTime(source.event_time), style);
  if (source.received_at) Field(&text, "received", ShortTime(*source.received_at), style);
  Field(&text, "recorded", ShortTime(source.created_at), style);
  Field(&text, "metadata", Sanitize(source.metadata_json), style);
  Field(&text, "commitment", source.source.commitment, style);
  Field(&text, "memories", Joined(source.artifacts), style);
  return text;
}

std::string EntityText(const EntityHit& entity, const Style& style) {
  std::string text =
      fmt::format("{}  entity\n  {}\n", Bold(style, entity.id), Sanitize(entity.name));
  Field(&text, "type", Sanitize(entity.type), style);
  Field(&text, "scope", Sanitize(FormatScope(entity.scope)), style);
  return text;
}

std::string RelationText(const RelationHit& r, const Style& style) {
  std::string text =
      fmt::format("{}  relation, {}\n  {}\n", Bold(style, r.id),
                  r.current ? "holds at the moment asked" : "does not hold then", Sentence(r));
  Field(&text, r.point ? "at" : "valid",
        r.point ? ShortTime(r.valid_at) : Validity(r.valid_at, r.invalid_at), style);
  Field(&text, "recorded", ShortTime(r.created_at), style);
  if (r.expired_at) Field(&text, "expired", ShortTime(*r.expired_at), style);
  Field(&text, "confidence", Number(r.confidence), style);
  Field(&text, "scope", Sanitize(FormatScope(r.scope)), style);
  for (const Citation& source : r.sources) Field(&text, "source", CitationText(source), style);
  return text;
}

}  // namespace

std::string ShortTime(Timestamp time) {
  std::string text = FormatTime(time);
  const std::size_t t = text.find('T');
  if (text.compare(t, std::string::npos, "T00:00:00Z") == 0) return text.substr(0, t);
  text[t] = ' ';
  return text.substr(0, t + 6);
}

std::string Validity(const std::optional<Timestamp>& from, const std::optional<Timestamp>& to) {
  if (from && to) return fmt::format("{} to {}", ShortTime(*from), ShortTime(*to));
  if (from) return "since " + ShortTime(*from);
  if (to) return "until " + ShortTime(*to);
  return {};
}

std::string CitationText(const Citation& source) {
  const std::string external =
      source.external_id.empty() ? "" : " (" + Sanitize(source.external_id) + ")";
  return fmt::format("{}{} bytes {}-{}", source.id, external, source.begin, source.end);
}

std::string Sentence(const RelationHit& relation) {
  return fmt::format("{} {} {}", Sanitize(relation.subject), Sanitize(relation.predicate),
                     Sanitize(relation.object));
}

std::string Number(double value) {
  if (!std::isfinite(value)) return "-";
  std::string text = fmt::format("{:.3f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string ShowText(const ShowAnswer& answer, const Style& style) {
  if (answer.item) return ItemText(*answer.item, style);
  if (answer.source) return SourceText(*answer.source, style);
  if (answer.entity) return EntityText(*answer.entity, style);
  if (answer.relation) return RelationText(*answer.relation, style);
  return "There is nothing.\n";
}

std::string HistoryText(const HistoryAnswer& answer, const Style& style) {
  std::string text;
  for (const RevisionView& revision : answer.revisions) {
    text += fmt::format("{}  {}\n", Bold(style, fmt::format("revision {}", revision.revision)),
                        Name(revision.state));
    text += BodyText(revision.text, style);
    RevisionFields(&text, revision, style);
  }
  if (!answer.uses.empty()) text += Bold(style, "uses") + "\n";
  for (const HistoryAnswer::Use& use : answer.uses) {
    text += fmt::format("  {}  {:<9}  +{}\n", Pad(ShortTime(use.at), 16), Name(use.kind),
                        Number(use.amount));
  }
  return text;
}

std::string ListText(const ListAnswer& answer, const ListQuery& query, const Style& style) {
  if (answer.total == 0) return "Nothing matches for this viewer.\n";
  std::string text;
  for (const ItemView& item : answer.items) {
    const std::string who = item.said_by.empty() ? "nobody named" : Sanitize(item.said_by);
    const std::string state = item.current.state == RevisionState::kActive
                                  ? ""
                                  : fmt::format("  {}", Name(item.current.state));
    text += fmt::format(
        "{}  {}  {}\n", Accent(style, who), ShortTime(item.current.event_time),
        Dim(style, fmt::format("{}  {}{}", item.id, Sanitize(FormatScope(item.scope)), state)));
    text += Wrap(item.current.text.value_or("(erased)"), style.width, 4);
  }
  const std::size_t last = query.offset + answer.items.size();
  if (answer.items.empty()) {
    text += fmt::format("{} match; none from --offset {}\n", answer.total, query.offset);
  } else {
    text += Dim(style, fmt::format("{} to {} of {}", query.offset + 1, last, answer.total)) + "\n";
  }
  return text;
}

}  // namespace souvenance::program
