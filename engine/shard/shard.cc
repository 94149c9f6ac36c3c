#include "engine/shard/shard.h"

#include <algorithm>
#include <utility>

#include "engine/shard/linguist.h"

namespace souvenance::shard {
namespace {

using graph::Edge;
using graph::EdgeKind;
using graph::Node;

// A document's node, made when an edge first needs it.
Node DocumentNode(const Shard& shard, Ordinal document, std::vector<graph::NodeInfo>* nodes,
                  GraphPart* part) {
  const auto [entry, fresh] =
      part->document_nodes.try_emplace(document, static_cast<Node>(nodes->size()));
  if (fresh) {
    nodes->push_back({/*is_entity=*/false, shard.docs[document].artifact_ordinal, {}});
  }
  return entry->second;
}

// The item that shows a document: itself, or the one whose extra text it is.
Ordinal ItemOf(const Shard& shard, Ordinal document) {
  return shard.docs[document].host != 0 ? shard.docs[document].host : document;
}

std::unique_ptr<GraphPart> BuildGraph(const Shard& shard, const Linguist& linguist) {
  auto part = std::make_unique<GraphPart>();
  std::vector<graph::NodeInfo> nodes;
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < shard.entities.size(); ++i) {
    const Entity& entity = shard.entities[i];
    part->entity_nodes.push_back(static_cast<Node>(i));
    nodes.push_back({/*is_entity=*/true, entity.ordinal, entity.key});
    part->names.Add(linguist.WordTexts(entity.name), static_cast<std::uint32_t>(i));
  }
  for (std::size_t i = 0; i < shard.aliases.size(); ++i) {
    const Alias& alias = shard.aliases[i];
    part->names.Add(linguist.WordTexts(shard.NameText(alias.name)), alias.entity);
  }
  part->passages.assign(shard.entities.size(), 0);

  for (std::size_t i = 0; i < shard.mentions.size(); ++i) {
    const Mention& mention = shard.mentions[i];
    const Ordinal document = shard.document_of[mention.artifact];
    if (document == 0 || shard.docs[document].revision != mention.revision) continue;
    Edge edge;
    edge.from = DocumentNode(shard, ItemOf(shard, document), &nodes, part.get());
    edge.to = mention.entity;
    edge.kind = EdgeKind::kMention;
    edges.push_back(edge);
  }

  for (Ordinal o = 1; o < shard.docs.size(); ++o) {
    const Doc& doc = shard.docs[o];
    if (!doc.live || doc.host != 0) continue;
    Edge edge;
    edge.from = DocumentNode(shard, o, &nodes, part.get());
    if (doc.previous != 0) {
      edge.to = DocumentNode(shard, doc.previous, &nodes, part.get());
      edge.kind = EdgeKind::kSuccession;
      edges.push_back(edge);
    }
    // An artifact over several sources, and what was said there.
    for (const Ordinal source : doc.sources ? *doc.sources : std::vector<Ordinal>{}) {
      const Ordinal said = shard.verbatim_of[source];
      if (said == 0 || said == o) continue;
      edge.to = DocumentNode(shard, said, &nodes, part.get());
      edge.kind = EdgeKind::kLineage;
      edges.push_back(edge);
    }
  }

  std::vector<index::LexicalDocument> facts;
  for (Ordinal o = 1; o < shard.relations.size(); ++o) {
    const Relation& relation = shard.relations[o];
    if (Raw(relation.id) == 0) continue;
    Edge edge;
    edge.from = relation.subject;
    edge.to = relation.object;
    edge.kind = EdgeKind::kRelation;
    edge.weight = std::max(relation.confidence, 0.01F);
    edge.valid_from = relation.valid_at;
    edge.valid_to = relation.invalid_at;
    edge.created = relation.created_at;
    edge.expired = relation.expired_at;
    edge.relation = o;
    edges.push_back(edge);
    // The passages that say so, tied to both ends for as long as the fact is believed: what lets
    // activation reach a text.
    for (const Ordinal source : relation.sources) {
      const Ordinal document =
          source < shard.verbatim_of.size() ? shard.verbatim_of[source] : Ordinal{0};
      if (document == 0) continue;
      edge.kind = EdgeKind::kEvidence;
      edge.weight = 1;
      edge.from = DocumentNode(shard, document, &nodes, part.get());
      for (const std::uint32_t end : {relation.subject, relation.object}) {
        edge.to = end;
        edges.push_back(edge);
        if (relation.subject == relation.object) break;
      }
    }
    if (relation.expired_at == kEndOfTime) {
      auto notes = linguist.Analyse(RelationText(shard, relation));
      if (notes) facts.push_back({o, std::move(notes->text)});
    }
  }
  // Several relations of one passage give the same tie: it counts once.
  const auto same_tie = [](const Edge& e) {
    return std::tuple(e.kind == EdgeKind::kEvidence ? 0 : 1, e.from, e.to);
  };
  std::stable_sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) {
    return std::tuple(same_tie(a), a.valid_from, a.valid_to, a.created, a.expired) <
           std::tuple(same_tie(b), b.valid_from, b.valid_to, b.created, b.expired);
  });
  edges.erase(std::unique(edges.begin(), edges.end(),
                          [&](const Edge& a, const Edge& b) {
                            return a.kind == EdgeKind::kEvidence && b.kind == EdgeKind::kEvidence &&
                                   a.from == b.from && a.to == b.to &&
                                   a.valid_from == b.valid_from && a.valid_to == b.valid_to &&
                                   a.created == b.created && a.expired == b.expired;
                          }),
              edges.end());
  // Passages of an entity: distinct documents tied to it.
  std::pair<Node, Node> last{0, 0};
  bool any = false;
  for (const Edge& edge : edges) {
    if (edge.kind != EdgeKind::kEvidence) continue;
    if (any && last == std::pair(edge.from, edge.to)) continue;
    last = {edge.from, edge.to};
    any = true;
    ++part->passages[edge.to];
  }
  part->node_documents.assign(nodes.size(), 0);
  for (const auto& [document, node] : part->document_nodes) {
    part->node_documents[node] = document;
  }
  part->facts = index::BuildMemoryLexical(facts);
  part->graph = graph::ShardGraph::Build(std::move(nodes), std::move(edges));
  return part;
}

}  // namespace

std::string RelationText(const Shard& shard, const Relation& relation) {
  return shard.entities[relation.subject].name + " " + shard.NameText(relation.predicate) + " " +
         shard.entities[relation.object].name;
}

const GraphPart& Shard::Graph() const {
  const std::lock_guard lock(lazy_->mutex);
  if (!lazy_->graph) lazy_->graph = BuildGraph(*this, *linguist_);
  return *lazy_->graph;
}

const graph::NameIndex& Shard::Persons() const {
  const std::lock_guard lock(lazy_->mutex);
  if (!lazy_->persons) {
    lazy_->persons = std::make_unique<graph::NameIndex>();
    for (const Name person : persons) {
      lazy_->persons->Add(linguist_->WordTexts(NameText(person)), person);
    }
  }
  return *lazy_->persons;
}

bool Shard::HasSession(std::string_view session) const {
  for (std::size_t i = 1; i < sessions.size(); ++i) {
    if (NameText(sessions[i]) == session) return true;
  }
  return false;
}

}  // namespace souvenance::shard
