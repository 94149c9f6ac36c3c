// The builder's work on the graph's rows; the graph itself is made when it is first asked for.
#include <utility>

#include "engine/shard/builder.h"

namespace souvenance::shard {

Result<void> ShardBuilder::ReadGraph(storage::ReadTransaction& tx, const Bound& bound) {
  const EventId after = last_event_;
  const auto later = [&](EventId event) { return event > bound.event; };

  // Entities, aliases, mentions and predicates have no time column of their own; with a bound on
  // record time, events decide. Rows come in the order of their events.
  EventId last_known = bound.event;
  if (bound.recorded != kEndOfTime) {
    last_known = EventId{0};
    auto scanned = tx.LastEventUntil(bound.recorded);
    if (!scanned) return Fail(scanned.error());
    last_known = *scanned;
  }
  const auto unknown = [&](EventId event) { return later(event) || event > last_known; };

  auto read = tx.ForEachEntity(scope_.id, after, [&](const storage::EntityRow& row) {
    if (unknown(row.event)) return false;
    entities_[Raw(row.id)] = static_cast<std::uint32_t>(work_.entities.size());
    const std::string& name = work_.NameText(NameOf(row.name));
    auto key = linguist_.analyzer().NameKey(name);
    work_.entities.push_back({row.id, row.ordinal, name, key ? *key : name, row.type});
    return true;
  });
  if (!read) return read;
  read = tx.ForEachAlias(scope_.id, after, [&](const storage::AliasRow& row) {
    if (unknown(row.event)) return false;
    if (const auto found = entities_.find(Raw(row.entity)); found != entities_.end()) {
      work_.aliases.push_back({found->second, NameOf(row.name)});
    }
    return true;
  });
  if (!read) return read;
  read = tx.ForEachMention(scope_.id, after, [&](const storage::MentionRow& row) {
    if (unknown(row.event)) return false;
    const auto entity = entities_.find(Raw(row.entity));
    const auto artifact = artifacts_.find(Raw(row.artifact));
    if (entity != entities_.end() && artifact != artifacts_.end()) {
      work_.mentions.push_back({entity->second, artifact->second, row.revision});
    }
    return true;
  });
  if (!read) return read;
  read = tx.ForEachPredicate(scope_.id, after, [&](const storage::PredicateRow& row) {
    if (unknown(row.event)) return false;
    const Name name = NameOf(row.name);
    // A later declaration of the same name replaces the earlier one.
    for (std::size_t i = 0; i < work_.predicates.size(); ++i) {
      if (work_.predicates[i].name == name) {
        work_.predicates[i].single_valued = row.single_valued;
        predicates_[row.id] = i;
        return true;
      }
    }
    predicates_[row.id] = work_.predicates.size();
    work_.predicates.push_back({name, row.single_valued});
    return true;
  });
  if (!read) return read;

  const Ordinal relations_before = last_relation_;
  read = tx.ForEachRelation(scope_.id, last_relation_, [&](const storage::RelationRow& row) {
    if (later(row.event)) return false;
    last_relation_ = row.ordinal;
    if (row.created_at > bound.recorded) return true;
    work_.relations.resize(row.ordinal + 1);
    relations_[Raw(row.id)] = row.ordinal;
    Relation& relation = work_.relations.Mutable(row.ordinal);
    relation.id = row.id;
    relation.asserted = row.asserted;
    relation.subject = entities_[Raw(row.subject)];
    relation.object = entities_[Raw(row.object)];
    if (const auto found = predicates_.find(row.predicate); found != predicates_.end()) {
      relation.predicate = work_.predicates[found->second].name;
    }
    relation.valid_at = row.valid_at;
    relation.invalid_at = row.invalid_at;
    relation.created_at = row.created_at;
    if (row.expired_at && *row.expired_at <= bound.recorded) relation.expired_at = *row.expired_at;
    relation.confidence = static_cast<float>(row.confidence);
    relation.point = row.point;
    relation.derived = row.origin == storage::RelationOrigin::kDerived;
    return true;
  });
  if (!read) return read;
  read = tx.ForEachRelationSource(
      scope_.id, relations_before, [&](RelationId relation, SourceId source) {
        const auto at = relations_.find(Raw(relation));
        const auto from = sources_.find(Raw(source));
        if (at != relations_.end() && from != sources_.end()) {
          work_.relations.Mutable(at->second).sources.push_back(from->second);
        }
        return true;
      });
  if (!read) return read;
  read = tx.ForEachExpiry(scope_.id, after, [&](RelationId relation, Timestamp at) {
    const auto found = relations_.find(Raw(relation));
    if (found != relations_.end() && at <= bound.recorded) {
      work_.relations.Mutable(found->second).expired_at = at;
    }
    return true;
  });
  if (!read) return read;
  last_event_ = bound.event;
  return {};
}

}  // namespace souvenance::shard
