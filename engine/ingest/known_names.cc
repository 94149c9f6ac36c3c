#include "engine/ingest/known_names.h"

#include <utility>

namespace souvenance::ingest {

Result<void> KnownNames::CarryOn(storage::ReadTransaction& tx, ScopeId scope, Names* names) {
  auto change = tx.ScopeChange(scope);
  if (!change) return Fail(change.error());
  if (names->last == *change) return {};
  std::vector<std::pair<EntityId, PayloadId>> found;
  auto read = tx.ForEachEntity(scope, names->last, [&](const storage::EntityRow& row) {
    found.emplace_back(row.id, row.name);
    return true;
  });
  if (!read) return read;
  read = tx.ForEachAlias(scope, names->last, [&](const storage::AliasRow& row) {
    found.emplace_back(row.entity, row.name);
    return true;
  });
  if (!read) return read;
  for (const auto& [entity, name] : found) {
    auto text = tx.Text(name);
    if (!text) return Fail(text.error());
    if (!*text) continue;
    const auto [node, fresh] =
        names->nodes.try_emplace(Raw(entity), static_cast<std::uint32_t>(names->entities.size()));
    if (fresh) names->entities.push_back(entity);
    names->index.Add(linguist_.WordTexts(**text), node->second);
  }
  names->last = *change;
  return {};
}

Result<std::vector<KnownNames::Hit>> KnownNames::Find(storage::ReadTransaction& tx, ScopeId scope,
                                                      std::span<const std::string> words) {
  Names& names = scopes_[Raw(scope)];
  if (auto done = CarryOn(tx, scope, &names); !done) return Fail(done.error());
  std::vector<Hit> hits;
  for (const graph::NameHit& hit : names.index.Link(words)) {
    hits.push_back({names.entities[hit.node], hit.first_word, hit.past_word});
  }
  return hits;
}

}  // namespace souvenance::ingest
