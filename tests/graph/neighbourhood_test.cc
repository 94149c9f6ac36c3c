#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "graph/activation.h"
#include "tests/graph/builder.h"

namespace souvenance::graph {
namespace {

using testing::Builder;
using testing::Day;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Now;

std::vector<Node> Nodes(const Subgraph& s) {
  std::vector<Node> nodes;
  for (const ViewNode n : s.nodes) nodes.push_back(n.node);
  return nodes;
}

std::vector<std::uint32_t> Edges(const Subgraph& s) {
  std::vector<std::uint32_t> edges;
  for (const auto& link : s.relations) edges.push_back(link.edge);
  return edges;
}

// a - b - c - d in a chain of relations, a document that mentions b, and one after it.
class Chain : public ::testing::Test {
 protected:
  Chain() {
    a_ = builder_.Entity("a");
    b_ = builder_.Entity("b");
    c_ = builder_.Entity("c");
    d_ = builder_.Entity("d");
    doc_ = builder_.Document();
    next_ = builder_.Document();
    builder_.Link(c_, d_);                              // 0
    builder_.Link(b_, a_);                              // 1
    builder_.Link(b_, c_);                              // 2
    builder_.Link(a_, c_).valid_to = Day(10);           // 3: over
    builder_.Link(b_, b_);                              // 4: a loop
    builder_.Mention(doc_, b_);                         // 5
    builder_.Link(next_, doc_, EdgeKind::kSuccession);  // 6
  }
  Subgraph Around(Node centre, std::uint32_t hops, std::uint32_t max_nodes = 100,
                  History history = History::kExclude, const NodeFilter& accept = {}) {
    const ViewNode from{0, centre};
    return Neighbourhood(builder_.View(), std::span(&from, 1), Now(), hops, max_nodes, history,
                         accept);
  }
  Builder builder_;
  Node a_, b_, c_, d_, doc_, next_;
};

TEST_F(Chain, NoHopIsTheCentreAlone) {
  const Subgraph s = Around(a_, 0);
  EXPECT_THAT(Nodes(s), ElementsAre(a_));
  EXPECT_THAT(s.relations, IsEmpty());
  EXPECT_FALSE(s.truncated);
}

TEST_F(Chain, ComesNearestFirstInTheOrderOfTheRows) {
  EXPECT_THAT(Nodes(Around(a_, 1)), ElementsAre(a_, b_));
  EXPECT_THAT(Nodes(Around(a_, 2)), ElementsAre(a_, b_, c_, doc_));
  EXPECT_THAT(Nodes(Around(a_, 3)), ElementsAre(a_, b_, c_, doc_, d_));
  EXPECT_THAT(Nodes(Around(a_, 9)), ElementsAre(a_, b_, c_, doc_, d_));
}

TEST_F(Chain, ListsEachRelationAmongItsNodesOnce) {
  EXPECT_THAT(Edges(Around(a_, 2)), ElementsAre(1, 2, 4));
  EXPECT_THAT(Edges(Around(a_, 3)), ElementsAre(0, 1, 2, 4));
}

TEST_F(Chain, ShowsWhatIsOverOnlyWithHistory) {
  const Subgraph s = Around(a_, 1, 100, History::kInclude);
  EXPECT_THAT(Nodes(s), ElementsAre(a_, b_, c_));
  EXPECT_THAT(Edges(s), ElementsAre(1, 2, 3, 4));
}

TEST_F(Chain, SaysWhenItHadToStop) {
  const Subgraph s = Around(a_, 3, 2);
  EXPECT_THAT(Nodes(s), ElementsAre(a_, b_));
  EXPECT_TRUE(s.truncated);
  EXPECT_FALSE(Around(a_, 1, 2).truncated);
  EXPECT_TRUE(Around(a_, 1, 0).truncated);
}

TEST_F(Chain, LeavesRejectedDocumentsOut) {
  EXPECT_THAT(Nodes(Around(b_, 1, 100, History::kExclude, [](ViewNode) { return false; })),
              ElementsAre(b_, a_, c_));
}

TEST(Neighbourhood, CrossesShardsAtASharedEntity) {
  Builder first, second;
  const Node alice = first.Entity("alice");
  const Node other_zoe = second.Entity("zoe"), other_alice = second.Entity("alice");
  second.Link(other_zoe, other_alice);
  const GraphView view = Builder::ViewOf({first.Build(), second.Build()});
  const ViewNode centres[] = {{1, other_alice}, {0, alice}};  // one node, given twice
  const Subgraph s = Neighbourhood(view, centres, Now(), 1, 10, History::kExclude, {});
  EXPECT_THAT(s.nodes, ElementsAre(ViewNode{0, alice}, ViewNode{1, other_zoe}));
  ASSERT_EQ(s.relations.size(), 1u);
  EXPECT_EQ(s.relations[0].shard, 1u);
}

}  // namespace
}  // namespace souvenance::graph
