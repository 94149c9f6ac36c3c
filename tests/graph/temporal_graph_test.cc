#include "graph/temporal_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/graph/builder.h"

namespace souvenance::graph {
namespace {

using testing::Builder;
using testing::Day;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::uint32_t> At(const ShardGraph& graph, Node n) {
  const auto span = graph.EdgesAt(n);
  return {span.begin(), span.end()};
}

constexpr std::uint32_t kAllKinds = 0xf;

std::uint32_t Bit(EdgeKind kind) { return 1u << static_cast<unsigned>(kind); }

TEST(ShardGraph, WithoutNodesIsLegal) {
  const auto graph = ShardGraph::Build({}, {});
  EXPECT_EQ(graph->node_count(), 0u);
  EXPECT_EQ(graph->edge_count(), 0u);
  EXPECT_EQ(graph->FindEntity("a"), -1);
}

TEST(ShardGraph, FindsEachEdgeFromEitherEndInOrderOfTheOtherEnd) {
  Builder b;
  const Node x = b.Entity("x"), y = b.Entity("y"), z = b.Entity("z"), lone = b.Entity("lone");
  b.Link(z, y);  // 0
  b.Link(x, z);  // 1
  b.Link(y, z);  // 2
  b.Link(x, x);  // 3: once at x
  b.Link(x, y);  // 4
  const auto graph = b.Build();
  EXPECT_THAT(At(*graph, x), ElementsAre(3, 4, 1));
  EXPECT_THAT(At(*graph, y), ElementsAre(4, 0, 2));
  EXPECT_THAT(At(*graph, z), ElementsAre(1, 0, 2));
  EXPECT_THAT(At(*graph, lone), IsEmpty());
}

TEST(ShardGraph, GivesEveryEdgeBackAsItWasGiven) {
  std::mt19937 random(7);
  std::vector<NodeInfo> nodes(50);
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < 500; ++i) {
    edges.push_back({.from = static_cast<Node>(random() % 50),
                     .to = static_cast<Node>(random() % 50),
                     .kind = static_cast<EdgeKind>(random() % 4),
                     .weight = static_cast<float>(random() % 9 + 1),
                     .valid_from = Day(static_cast<int>(random() % 3)),
                     .valid_to = random() % 2 ? kEndOfTime : Day(9),
                     .created = Day(static_cast<int>(random() % 3)),
                     .expired = random() % 2 ? kEndOfTime : Day(8),
                     .relation = static_cast<Ordinal>(random())});
  }
  const auto graph = ShardGraph::Build(nodes, edges);
  ASSERT_EQ(graph->edge_count(), 500u);
  for (std::uint32_t i = 0; i < 500; ++i) {
    const Edge got = graph->edge(i);
    const Edge& want = edges[i];
    EXPECT_EQ(std::tie(got.from, got.to, got.kind, got.weight, got.relation),
              std::tie(want.from, want.to, want.kind, want.weight, want.relation));
    EXPECT_EQ(std::tie(got.valid_from, got.valid_to, got.created, got.expired),
              std::tie(want.valid_from, want.valid_to, want.created, want.expired));
  }
}

TEST(ShardGraph, KeepsAnEdgeInFortyBytes) {
  // As an import writes them: 2 mentions an artifact, each artifact with times of its own.
  std::vector<NodeInfo> nodes(11000);
  std::vector<Edge> edges;
  for (std::uint32_t d = 1000; d < 11000; ++d) {
    for (std::uint32_t k = 0; k < 4; ++k) {
      edges.push_back({.from = d,
                       .to = (d * 7 + k) % 1000,
                       .kind = EdgeKind::kMention,
                       .created = Day(static_cast<int>(d / 100))});
    }
  }
  const auto graph = ShardGraph::Build(nodes, edges);
  const std::size_t nodes_share = 11000 * 20;
  EXPECT_LE(graph->traversal_bytes() - nodes_share, edges.size() * 40);
}

TEST(ShardGraph, FindsEntitiesByKeyAndNeverDocuments) {
  Builder b;
  b.Document();
  const Node wang = b.Entity("王芳");
  const Node alice = b.Entity("alice");
  b.Entity("alice");
  b.Entity("");
  const auto graph = b.Build();
  EXPECT_EQ(graph->FindEntity("王芳"), wang);
  EXPECT_EQ(graph->FindEntity("alice"), alice);  // the first of two
  EXPECT_EQ(graph->FindEntity("alic"), -1);
  EXPECT_EQ(graph->FindEntity(""), -1);
  EXPECT_THAT(graph->EntitiesByKey(), ElementsAre(alice, wang));
}

TEST(ShardGraph, CountsInADegreeWhatHasNotExpiredWhateverIsValid) {
  Builder b;
  const Node x = b.Entity("x"), y = b.Entity("y"), d = b.Document();
  b.Link(x, y);
  b.Link(x, y).valid_to = Day(1);  // ended, still believed
  b.Link(y, x).expired = Day(1);   // no longer believed
  b.Link(x, x);                    // a loop
  b.Mention(d, x);
  const auto graph = b.Build();
  EXPECT_EQ(graph->Degree(x, kAllKinds), 3u);
  EXPECT_EQ(graph->Degree(x, Bit(EdgeKind::kRelation)), 2u);
  EXPECT_EQ(graph->Degree(x, Bit(EdgeKind::kMention)), 1u);
  EXPECT_EQ(graph->Degree(x, Bit(EdgeKind::kLineage)), 0u);
  EXPECT_EQ(graph->Degree(y, kAllKinds), 2u);
}

TEST(Alive, IsHalfOpenOnBothClocks) {
  const Edge e{.valid_from = Day(10), .valid_to = Day(20), .created = Day(30), .expired = Day(40)};
  const Duration tick{1};
  EXPECT_TRUE(Alive(e, {Day(10), Day(30)}));
  EXPECT_TRUE(Alive(e, {Day(20) - tick, Day(40) - tick}));
  EXPECT_FALSE(Alive(e, {Day(10) - tick, Day(30)}));
  EXPECT_FALSE(Alive(e, {Day(20), Day(30)}));
  EXPECT_FALSE(Alive(e, {Day(10), Day(30) - tick}));
  EXPECT_FALSE(Alive(e, {Day(10), Day(40)}));
}

TEST(GraphView, OfNoShardIsEmpty) {
  const GraphView view{{}};
  EXPECT_EQ(view.dense_count(), 0u);
  ViewNode found;
  EXPECT_FALSE(view.FindEntity("a", &found));
}

class JoinedView : public ::testing::Test {
 protected:
  // Shard 0 is small, shard 1 the largest, shard 2 small: joins go in every direction.
  JoinedView() {
    a_.Document();
    a_.Entity("bob");    // 0:1
    a_.Entity("alice");  // 0:2
    b_.Entity("zoe");    // 1:0
    b_.Entity("alice");  // 1:1
    b_.Entity("dora");   // 1:2
    b_.Entity("emil");   // 1:3
    c_.Entity("dora");   // 2:0
    c_.Document();       // 2:1
    c_.Entity("alice");  // 2:2
    c_.Entity("bob");    // 2:3
    c_.Entity("zoe");    // 2:4
    a_.Link(1, 2);
    b_.Link(1, 2);
    b_.Link(1, 3);
    c_.Link(2, 0);
  }
  Builder a_, b_, c_;
};

TEST_F(JoinedView, MakesOneNodeOfEntitiesWithOneKey) {
  const GraphView view = Builder::ViewOf({a_.Build(), b_.Build(), c_.Build()});
  const ViewNode alice{0, 2};
  for (const ViewNode form : {ViewNode{0, 2}, ViewNode{1, 1}, ViewNode{2, 2}}) {
    EXPECT_EQ(view.Canonical(form), alice);
    EXPECT_THAT(view.Forms(form), ElementsAre(alice, ViewNode{1, 1}, ViewNode{2, 2}));
    EXPECT_EQ(view.Dense(form), view.Dense(alice));
    EXPECT_EQ(view.Degree(form, kAllKinds), 4u);
  }
  EXPECT_EQ(view.Canonical({2, 3}), (ViewNode{0, 1}));  // bob, not in the largest shard
  EXPECT_EQ(view.Canonical({2, 4}), (ViewNode{1, 0}));  // zoe, the largest shard's first node
  EXPECT_EQ(view.Canonical({2, 0}), (ViewNode{1, 2}));  // dora, not in the first
  EXPECT_THAT(view.Forms({1, 3}), ElementsAre(ViewNode{1, 3}));
  EXPECT_THAT(view.Forms({0, 0}), ElementsAre(ViewNode{0, 0}));  // documents join nothing
  EXPECT_EQ(view.Canonical({2, 1}), (ViewNode{2, 1}));
}

TEST_F(JoinedView, FindsTheCanonicalFormByKey) {
  const GraphView view = Builder::ViewOf({a_.Build(), b_.Build(), c_.Build()});
  ViewNode found;
  ASSERT_TRUE(view.FindEntity("dora", &found));
  EXPECT_EQ(found, (ViewNode{1, 2}));
  ASSERT_TRUE(view.FindEntity("alice", &found));
  EXPECT_EQ(found, (ViewNode{0, 2}));
  EXPECT_FALSE(view.FindEntity("nobody", &found));
}

TEST_F(JoinedView, NumbersCanonicalNodesWithoutCollision) {
  const GraphView view =
      Builder::ViewOf({a_.Build(), std::shared_ptr<const ShardGraph>(ShardGraph::Build({}, {})),
                       b_.Build(), c_.Build()});
  std::vector<bool> taken(view.dense_count(), false);
  for (std::uint32_t s = 0; s < view.shards().size(); ++s) {
    for (Node n = 0; n < view.shards()[s]->node_count(); ++n) {
      const ViewNode node{s, n};
      const std::uint32_t dense = view.Dense(node);
      ASSERT_LT(dense, view.dense_count());
      EXPECT_EQ(view.FromDense(dense), view.Canonical(node));
      if (view.Canonical(node) != node) continue;
      EXPECT_FALSE(taken[dense]);
      taken[dense] = true;
    }
  }
}

TEST_F(JoinedView, IsUntouchedByAShardOutsideIt) {
  const auto other = b_.Build();
  const GraphView view = Builder::ViewOf({a_.Build()});
  EXPECT_EQ(view.Degree({0, 2}, kAllKinds), 1u);
  EXPECT_THAT(view.Forms({0, 2}), ElementsAre(ViewNode{0, 2}));
  ViewNode found;
  EXPECT_FALSE(view.FindEntity("zoe", &found));
}

}  // namespace
}  // namespace souvenance::graph
