#include <algorithm>
#include <cassert>
#include <limits>
#include <tuple>
#include <utility>

#include "graph/temporal_graph.h"

namespace souvenance::graph {
namespace {

struct KeyedNode {
  std::string_view key;
  ViewNode node;
};

// Of a node that shares its key with other shards.
struct Joined {
  Node node = 0;
  std::uint32_t first = 0;  // its forms are forms[first, past), the canonical first
  std::uint32_t past = 0;
};

}  // namespace

struct GraphView::Impl {
  std::vector<std::shared_ptr<const ShardGraph>> shards;
  std::vector<std::uint32_t> offsets;       // dense number of each shard's node 0; and the end
  std::vector<ViewNode> forms;              // groups of two or more, one after the other
  std::vector<std::vector<Joined>> joined;  // by shard, ascending by node

  void Join();
  std::vector<KeyedNode> KeysBesides(std::uint32_t largest) const;
  const Joined* Find(ViewNode n) const;
};

// Keys of every shard but the largest, by (key, shard).
std::vector<KeyedNode> GraphView::Impl::KeysBesides(std::uint32_t largest) const {
  std::vector<KeyedNode> keys;
  for (std::uint32_t s = 0; s < shards.size(); ++s) {
    if (s == largest) continue;
    for (const Node n : shards[s]->EntitiesByKey()) {
      keys.push_back({shards[s]->node(n).key, {s, n}});
    }
  }
  std::sort(keys.begin(), keys.end(), [](const KeyedNode& a, const KeyedNode& b) {
    return std::tie(a.key, a.node) < std::tie(b.key, b.node);
  });
  return keys;
}

void GraphView::Impl::Join() {
  joined.resize(shards.size());
  if (shards.size() < 2) return;
  std::uint32_t largest = 0;
  for (std::uint32_t s = 1; s < shards.size(); ++s) {
    if (shards[s]->EntitiesByKey().size() > shards[largest]->EntitiesByKey().size()) largest = s;
  }
  const std::vector<KeyedNode> keys = KeysBesides(largest);
  for (std::size_t i = 0; i < keys.size();) {
    const auto first = static_cast<std::uint32_t>(forms.size());
    const std::string_view key = keys[i].key;
    for (; i < keys.size() && keys[i].key == key; ++i) forms.push_back(keys[i].node);
    const std::int64_t other = shards[largest]->FindEntity(key);
    if (other >= 0) forms.push_back({largest, static_cast<Node>(other)});
    if (forms.size() - first < 2) {
      forms.resize(first);
      continue;
    }
    std::sort(forms.begin() + first, forms.end());
    const auto past = static_cast<std::uint32_t>(forms.size());
    for (std::uint32_t f = first; f < past; ++f) {
      joined[forms[f].shard].push_back({forms[f].node, first, past});
    }
  }
  for (std::vector<Joined>& of_shard : joined) {
    std::sort(of_shard.begin(), of_shard.end(),
              [](const Joined& a, const Joined& b) { return a.node < b.node; });
  }
}

const Joined* GraphView::Impl::Find(ViewNode n) const {
  assert(n.shard < shards.size() && n.node < shards[n.shard]->node_count());
  const std::vector<Joined>& of_shard = joined[n.shard];
  const auto at = std::lower_bound(of_shard.begin(), of_shard.end(), n.node,
                                   [](const Joined& j, Node wanted) { return j.node < wanted; });
  return at != of_shard.end() && at->node == n.node ? &*at : nullptr;
}

GraphView::GraphView(std::vector<std::shared_ptr<const ShardGraph>> shards)
    : impl_(std::make_unique<Impl>()) {
  impl_->shards = std::move(shards);
  std::uint64_t total = 0;
  for (const auto& shard : impl_->shards) {
    impl_->offsets.push_back(static_cast<std::uint32_t>(total));
    total += shard->node_count();
  }
  assert(total <= std::numeric_limits<std::uint32_t>::max());
  impl_->offsets.push_back(static_cast<std::uint32_t>(total));
  impl_->Join();
}

GraphView::~GraphView() = default;
GraphView::GraphView(GraphView&&) noexcept = default;

const std::vector<std::shared_ptr<const ShardGraph>>& GraphView::shards() const {
  return impl_->shards;
}

ViewNode GraphView::Canonical(ViewNode n) const {
  const Joined* group = impl_->Find(n);
  return group == nullptr ? n : impl_->forms[group->first];
}

std::vector<ViewNode> GraphView::Forms(ViewNode n) const {
  std::vector<ViewNode> all{Canonical(n)};
  const std::span<const ViewNode> others = OtherForms(n);
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

std::span<const ViewNode> GraphView::OtherForms(ViewNode n) const {
  const Joined* group = impl_->Find(n);
  if (group == nullptr) return {};
  return std::span<const ViewNode>(impl_->forms)
      .subspan(group->first + 1, group->past - group->first - 1);
}

bool GraphView::FindEntity(std::string_view key, ViewNode* out) const {
  for (std::uint32_t s = 0; s < impl_->shards.size(); ++s) {
    const std::int64_t n = impl_->shards[s]->FindEntity(key);
    if (n < 0) continue;
    *out = {s, static_cast<Node>(n)};  // the first shard that has the key: canonical
    return true;
  }
  return false;
}

std::uint32_t GraphView::Dense(ViewNode n) const {
  const ViewNode canonical = Canonical(n);
  return impl_->offsets[canonical.shard] + canonical.node;
}

std::uint32_t GraphView::dense_count() const { return impl_->offsets.back(); }

ViewNode GraphView::FromDense(std::uint32_t dense) const {
  assert(dense < dense_count());
  const auto past = std::upper_bound(impl_->offsets.begin(), impl_->offsets.end(), dense);
  const auto shard = static_cast<std::uint32_t>(past - impl_->offsets.begin() - 1);
  return {shard, dense - impl_->offsets[shard]};
}

std::uint32_t GraphView::Degree(ViewNode n, std::uint32_t kinds) const {
  const ViewNode canonical = Canonical(n);
  std::uint32_t degree = impl_->shards[canonical.shard]->Degree(canonical.node, kinds);
  for (const ViewNode form : OtherForms(canonical)) {
    degree += impl_->shards[form.shard]->Degree(form.node, kinds);
  }
  return degree;
}

}  // namespace souvenance::graph
