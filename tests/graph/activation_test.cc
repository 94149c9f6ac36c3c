// The example of docs/formulas/activation.md, an oracle by power iteration, and the bad cases.
#include "graph/activation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <set>
#include <thread>

#include "tests/graph/builder.h"

namespace souvenance::graph {
namespace {

using testing::Builder;
using testing::Day;
using ::testing::IsEmpty;
using testing::Now;

bool AcceptAll(ViewNode) { return true; }

double MassOf(const std::vector<Activated>& found, ViewNode node) {
  for (const Activated& a : found) {
    if (a.node == node) return a.mass;
  }
  return 0;
}

// Every field compared as bits.
bool SameBytes(const std::vector<Activated>& a, const std::vector<Activated>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].node != b[i].node || a[i].seed != b[i].seed) return false;
    if (std::memcmp(&a[i].mass, &b[i].mass, sizeof(double)) != 0) return false;
  }
  return true;
}

ActivationParams Precise() {
  ActivationParams params;
  params.epsilon = 1e-12;
  params.max_pushes = 50'000'000;
  return params;
}

// docs/formulas/activation.md, "Worked example": A and B are entities, both d are documents.
class WorkedExample : public ::testing::Test {
 protected:
  WorkedExample() {
    a_ = builder_.Entity("a");
    b_ = builder_.Entity("b");
    d1_ = builder_.Document();
    d2_ = builder_.Document();
    builder_.Mention(d1_, a_);
    builder_.Mention(d2_, a_);
    builder_.Mention(d2_, b_);
    params_ = Precise();
    params_.restart = 0.5;
    params_.hub_exponent = 1;
  }
  std::vector<Activated> Rank() const {
    const Seed seed{{0, a_}, 1, 1};
    return PersonalisedPageRank(builder_.View(), std::span(&seed, 1), Now(), params_, AcceptAll);
  }
  Builder builder_;
  Node a_, b_, d1_, d2_;
  ActivationParams params_;
};

TEST_F(WorkedExample, PageRankIsAsWorkedByHand) {
  const auto found = Rank();
  ASSERT_EQ(found.size(), 4u);
  const ViewNode order[] = {{0, a_}, {0, d1_}, {0, d2_}, {0, b_}};
  const double mass[] = {5.0 / 8, 5.0 / 24, 1.0 / 8, 1.0 / 24};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(found[i].node, order[i]);
    EXPECT_NEAR(found[i].mass, mass[i], 1e-10);
    EXPECT_EQ(found[i].seed, i == 0);
  }
}

TEST_F(WorkedExample, ACoarsePushStopsWhereThePageSays) {
  params_.epsilon = 0.1;
  const auto found = Rank();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_NEAR(MassOf(found, {0, a_}), 7.0 / 12, 1e-15);
  EXPECT_NEAR(MassOf(found, {0, d1_}), 1.0 / 6, 1e-15);
  EXPECT_NEAR(MassOf(found, {0, d2_}), 1.0 / 12, 1e-15);
}

TEST_F(WorkedExample, SpreadingIsAsWorkedByHand) {
  const Seed seed{{0, a_}, 1, 1};
  params_.decay = 0.5;
  params_.hops = 2;
  const auto found =
      SpreadingActivation(builder_.View(), std::span(&seed, 1), Now(), params_, AcceptAll);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_NEAR(MassOf(found, {0, a_}), 43.0 / 36, 1e-15);
  EXPECT_NEAR(MassOf(found, {0, d1_}), 1.0 / 3, 1e-15);
  EXPECT_NEAR(MassOf(found, {0, d2_}), 1.0 / 6, 1e-15);
  EXPECT_NEAR(MassOf(found, {0, b_}), 1.0 / 18, 1e-15);
}

TEST_F(WorkedExample, TheFactorIsAsWorkedByHand) {
  EXPECT_DOUBLE_EQ(ActivationFactor(5.0 / 24, 5.0 / 24, 0.8), 0.8);
  EXPECT_NEAR(ActivationFactor(1.0 / 8, 5.0 / 24, 0.8), 0.48, 1e-15);
  EXPECT_DOUBLE_EQ(ActivationFactor(5.0 / 8, 5.0 / 24, 0.8), 0.8);  // a seed: capped
}

TEST(ActivationFactor, StaysInRangeForAnyInput) {
  EXPECT_EQ(ActivationFactor(0, 0, 1), 0);
  EXPECT_EQ(ActivationFactor(0, 0.5, 1), 0);
  EXPECT_EQ(ActivationFactor(0.3, 0, 0.5), 0.5);  // seeds alone
  EXPECT_EQ(ActivationFactor(std::nan(""), 0.5, 1), 0);
  EXPECT_EQ(ActivationFactor(0.5, 0.5, std::nan("")), 0);
  EXPECT_EQ(ActivationFactor(0.5, 0.5, 7), 1);
}

// A naive dense restatement of docs/formulas/activation.md, by view node number.
struct Oracle {
  std::vector<std::vector<double>> transition;

  Oracle(const std::vector<NodeInfo>& nodes, const std::vector<Edge>& edges, const AsOf& at,
         const ActivationParams& params, const std::vector<bool>& accepted) {
    const std::size_t n = nodes.size();
    const double kinds[] = {params.relation_weight, params.mention_weight, params.lineage_weight,
                            params.succession_weight};
    std::vector<double> degree(n, 0);
    for (const Edge& e : edges) {
      if (e.from == e.to || e.expired != kEndOfTime) continue;
      if (kinds[static_cast<int>(e.kind)] <= 0) continue;
      ++degree[e.from];
      ++degree[e.to];
    }
    transition.assign(n, std::vector<double>(n, 0));
    for (const Edge& e : edges) {
      if (e.from == e.to || !Alive(e, at) || !accepted[e.from] || !accepted[e.to]) continue;
      const double w = static_cast<double>(e.weight) * kinds[static_cast<int>(e.kind)];
      const auto damp = [&](Node v) {
        return std::pow(std::max(1.0, degree[v]), params.hub_exponent);
      };
      transition[e.from][e.to] += w / damp(e.to);
      transition[e.to][e.from] += w / damp(e.from);
    }
    for (std::size_t u = 0; u < n; ++u) {
      double total = 0;
      for (const double w : transition[u]) total += w;
      if (total == 0) transition[u][u] = total = 1;
      for (double& w : transition[u]) w /= total;
    }
  }

  std::vector<double> Step(const std::vector<double>& x) const {
    std::vector<double> y(x.size(), 0);
    for (std::size_t u = 0; u < x.size(); ++u) {
      for (std::size_t v = 0; v < x.size(); ++v) y[v] += x[u] * transition[u][v];
    }
    return y;
  }

  std::vector<double> PageRank(const std::vector<double>& seeds, double restart) const {
    std::vector<double> p = seeds;
    for (int i = 0; i < 200; ++i) {
      p = Step(p);
      for (std::size_t v = 0; v < p.size(); ++v) {
        p[v] = restart * seeds[v] + (1 - restart) * p[v];
      }
    }
    return p;
  }
};

struct RandomGraph {
  std::vector<NodeInfo> nodes;
  std::vector<Edge> edges;
  std::vector<bool> accepted;
  std::vector<double> seeds;  // normalised
  std::vector<Seed> given;
  AsOf at{Day(50), Day(50)};

  explicit RandomGraph(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto pick = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    const std::uint32_t n = 2 + pick(28);
    double total = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const bool is_entity = pick(2) == 0;
      nodes.push_back({is_entity, i + 1, is_entity ? "e" + std::to_string(i) : ""});
      accepted.push_back(is_entity || pick(5) != 0);
      seeds.push_back(accepted[i] && pick(6) == 0 ? 1.0 + pick(5) : 0.0);
      if (seeds[i] > 0) given.push_back({{0, i}, 1, seeds[i]});
      total += seeds[i];
    }
    for (double& s : seeds) s = total > 0 ? s / total : 0;
    for (std::uint32_t i = 0; i < n * (1 + pick(4)); ++i) {
      edges.push_back({.from = pick(n),
                       .to = pick(n),
                       .kind = static_cast<EdgeKind>(pick(4)),
                       .weight = static_cast<float>(1 + pick(4)) / 2,
                       .valid_from = pick(4) ? kBeginningOfTime : Day(static_cast<int>(pick(100))),
                       .valid_to = pick(4) ? kEndOfTime : Day(static_cast<int>(pick(100))),
                       .created = pick(4) ? kBeginningOfTime : Day(static_cast<int>(pick(100))),
                       .expired = pick(4) ? kEndOfTime : Day(static_cast<int>(pick(100)))});
    }
  }
};

TEST(PersonalisedPageRank, AgreesWithPowerIterationWithinThePushTolerance) {
  for (std::uint32_t round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    const RandomGraph g(round);
    ActivationParams params = Precise();
    params.restart = round % 2 ? 0.3 : 0.5;
    params.hub_exponent = round % 3 ? 0.5 : 0.8;
    params.epsilon = round % 5 ? 1e-10 : 1e-3;
    const auto found =
        PersonalisedPageRank(GraphView({ShardGraph::Build(g.nodes, g.edges)}), g.given, g.at,
                             params, [&](ViewNode v) { return g.accepted[v.node]; });
    if (g.given.empty()) {
      EXPECT_THAT(found, IsEmpty());
      continue;
    }
    const std::vector<double> want =
        Oracle(g.nodes, g.edges, g.at, params, g.accepted).PageRank(g.seeds, params.restart);
    double total = 0;
    std::vector<double> got(g.nodes.size(), 0);
    for (const Activated& a : found) {
      got[a.node.node] += a.mass;
      total += a.mass;
    }
    // What is missing is at most what may stay in residuals: epsilon times the degrees.
    EXPECT_LE(1 - total, (1 - params.restart) * params.epsilon *
                                 static_cast<double>(2 * g.edges.size() + g.nodes.size()) +
                             1e-12);
    for (std::size_t v = 0; v < want.size(); ++v) {
      EXPECT_LE(got[v], want[v] + 1e-12);
      EXPECT_GE(got[v], want[v] - (1 - total) - 1e-12);
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(SpreadingActivation, AgreesWithDenseStepsOnRandomGraphs) {
  for (std::uint32_t round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    const RandomGraph g(round);
    ActivationParams params = Precise();
    params.epsilon = 0;
    params.hops = round % 4;
    params.decay = 0.6;
    const auto found =
        SpreadingActivation(GraphView({ShardGraph::Build(g.nodes, g.edges)}), g.given, g.at, params,
                            [&](ViewNode v) { return g.accepted[v.node]; });
    Oracle oracle(g.nodes, g.edges, g.at, params, g.accepted);
    // A node without a way out passes nothing on: here the oracle's stay is none.
    for (std::size_t v = 0; v < g.nodes.size(); ++v) oracle.transition[v][v] = 0;
    std::vector<double> want = g.seeds;
    std::vector<double> level = g.seeds;
    for (std::uint32_t hop = 0; hop < params.hops; ++hop) {
      level = oracle.Step(level);
      for (std::size_t v = 0; v < want.size(); ++v) want[v] += level[v] *= params.decay;
    }
    for (Node v = 0; v < want.size(); ++v) EXPECT_NEAR(MassOf(found, {0, v}), want[v], 1e-12);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(PersonalisedPageRank, FollowsOnlyWhatIsAliveAtTheMomentAsked) {
  Builder b;
  const Node a = b.Entity("a"), was = b.Entity("was"), is = b.Entity("is");
  b.Link(a, was).valid_to = Day(100);
  b.Link(a, is).valid_from = Day(100);
  const GraphView view = b.View();
  const Seed seed{{0, a}, 1, 1};
  const auto now = PersonalisedPageRank(view, std::span(&seed, 1), {Day(100), Day(500)}, {}, {});
  EXPECT_EQ(MassOf(now, {0, was}), 0);
  EXPECT_GT(MassOf(now, {0, is}), 0);
  const auto then = PersonalisedPageRank(view, std::span(&seed, 1), {Day(99), Day(500)}, {}, {});
  EXPECT_GT(MassOf(then, {0, was}), 0);
  EXPECT_EQ(MassOf(then, {0, is}), 0);
}

TEST(PersonalisedPageRank, NothingFlowsThroughARejectedDocument) {
  Builder b;
  const Node a = b.Entity("a"), beyond = b.Entity("beyond"), hidden = b.Document();
  b.Mention(hidden, a);
  b.Mention(hidden, beyond);
  const GraphView view = b.View();
  const auto reject = [&](ViewNode v) { return v.node != hidden; };
  const Seed seeds[] = {{{0, a}, 1, 1}, {{0, hidden}, 1, 1}};
  const auto found = PersonalisedPageRank(view, seeds, Now(), {}, reject);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].node, (ViewNode{0, a}));
  EXPECT_DOUBLE_EQ(found[0].mass, 1);  // the rejected seed took no share
}

TEST(PersonalisedPageRank, AKindOfWeightZeroIsClosed) {
  Builder b;
  const Node d1 = b.Document(), d2 = b.Document(), d3 = b.Document();
  b.Link(d1, d2, EdgeKind::kSuccession);
  b.Link(d1, d3, EdgeKind::kLineage);
  const Seed seed{{0, d1}, 1, 1};
  const auto found = PersonalisedPageRank(b.View(), std::span(&seed, 1), Now(), {}, {});
  EXPECT_EQ(MassOf(found, {0, d2}), 0);
  EXPECT_GT(MassOf(found, {0, d3}), 0);
}

TEST(PersonalisedPageRank, SeedsOfOneEntityInTwoShardsAddUp) {
  Builder first, second;
  first.Entity("alice");
  second.Entity("bob");
  second.Entity("alice");
  const GraphView view = Builder::ViewOf({first.Build(), second.Build()});
  const Seed seeds[] = {{{1, 1}, 1, 1}, {{0, 0}, 1, 2}, {{1, 0}, 1, 1}};
  const auto found = PersonalisedPageRank(view, seeds, Now(), {}, AcceptAll);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].node, (ViewNode{0, 0}));
  EXPECT_DOUBLE_EQ(found[0].mass, 0.75);
  EXPECT_EQ(found[1].node, (ViewNode{1, 0}));
  EXPECT_DOUBLE_EQ(found[1].mass, 0.25);
}

// Two scopes about Alice: what the private one adds, and that it adds nothing where it is not.
class TwinWorlds : public ::testing::Test {
 protected:
  static std::shared_ptr<const ShardGraph> Public() {
    Builder b;
    const Node alice = b.Entity("alice"), bob = b.Entity("bob");
    for (int i = 0; i < 5; ++i) b.Mention(b.Document(), i % 2 ? alice : bob);
    b.Link(alice, bob);
    return b.Build();
  }
  static std::shared_ptr<const ShardGraph> Private() {
    Builder b;
    const Node bob = b.Entity("bob"), alice = b.Entity("alice"), secret = b.Entity("secret");
    for (int i = 0; i < 50; ++i) b.Mention(b.Document(), i % 2 ? alice : bob);
    b.Link(alice, secret);
    return b.Build();
  }
  static std::vector<Activated> Rank(const GraphView& view) {
    ViewNode alice;
    EXPECT_TRUE(view.FindEntity("alice", &alice));
    const Seed seed{alice, 1, 1};
    return PersonalisedPageRank(view, std::span(&seed, 1), Now(), {}, AcceptAll);
  }
};

TEST_F(TwinWorlds, AShardOutsideTheViewHasNoInfluence) {
  const auto alone = Rank(Builder::ViewOf({Public()}));
  const auto hidden = Private();
  // The larger view is asked first on this thread: nothing of it may be left over.
  const auto together = Rank(Builder::ViewOf({Public(), hidden}));
  const auto again = Rank(Builder::ViewOf({Public()}));
  EXPECT_FALSE(alone.empty());
  EXPECT_TRUE(SameBytes(alone, again));
  std::vector<Activated> elsewhere;
  std::thread([&] { elsewhere = Rank(Builder::ViewOf({Public()})); }).join();
  EXPECT_TRUE(SameBytes(alone, elsewhere));
  EXPECT_FALSE(SameBytes(alone, together));
}

TEST_F(TwinWorlds, AViewOfBothReachesThePrivatePartThroughTheSharedEntity) {
  const auto found = Rank(Builder::ViewOf({Public(), Private()}));
  EXPECT_GT(MassOf(found, {1, 2}), 0);  // secret
  EXPECT_EQ(MassOf(found, {1, 1}), 0);  // the other form of alice is not a node
  EXPECT_GT(MassOf(found, {0, 0}), 0);
}

// RELIABILITY D22.
TEST(Activation, WithoutSeedsOrEdgesIsFinite) {
  Builder b;
  const Node lone = b.Entity("lone");
  const GraphView view = b.View();
  EXPECT_THAT(PersonalisedPageRank(view, {}, Now(), {}, AcceptAll), IsEmpty());
  EXPECT_THAT(SpreadingActivation(view, {}, Now(), {}, AcceptAll), IsEmpty());
  EXPECT_THAT(PersonalisedPageRank(GraphView{{}}, {}, Now(), {}, AcceptAll), IsEmpty());
  const Seed nothing[] = {{{0, lone}, 1, 0}, {{0, lone}, 1, std::nan("")}, {{0, lone}, 1, -1}};
  EXPECT_THAT(PersonalisedPageRank(view, nothing, Now(), {}, AcceptAll), IsEmpty());
  const Seed seed{{0, lone}, 1, 3};
  for (const auto& found : {PersonalisedPageRank(view, std::span(&seed, 1), Now(), {}, AcceptAll),
                            SpreadingActivation(view, std::span(&seed, 1), Now(), {}, {})}) {
    ASSERT_EQ(found.size(), 1u);
    EXPECT_DOUBLE_EQ(found[0].mass, 1);
  }
}

// RELIABILITY D23.
TEST(Activation, ASelfLoopFeedsNothing) {
  const auto rank = [](bool with_loops, bool spread) {
    Builder b;
    const Node a = b.Entity("a"), other = b.Entity("b");
    b.Link(a, other);
    b.Link(other, a);
    if (with_loops) {
      for (int i = 0; i < 9; ++i) b.Link(a, a);
      b.Link(other, other);
    }
    const Seed seed{{0, a}, 1, 1};
    return spread
               ? SpreadingActivation(b.View(), std::span(&seed, 1), Now(), {}, AcceptAll)
               : PersonalisedPageRank(b.View(), std::span(&seed, 1), Now(), Precise(), AcceptAll);
  };
  for (const bool spread : {false, true}) {
    const auto with = rank(true, spread);
    EXPECT_TRUE(SameBytes(with, rank(false, spread)));
    ASSERT_EQ(with.size(), 2u);  // each once
    EXPECT_TRUE(std::isfinite(with[0].mass));
  }
  // Two nodes, restart 0.3: p = 0.3 + 0.49 p for the seed.
  EXPECT_NEAR(rank(true, false)[0].mass, 0.3 / 0.51, 1e-10);
}

// RELIABILITY D24. The hub is mentioned by 50,000 documents, the rare entity by one of them.
class Hub : public ::testing::Test {
 protected:
  static constexpr int kDocuments = 50000;
  Hub() {
    hub_ = builder_.Entity("hub");
    rare_ = builder_.Entity("rare");
    for (int i = 0; i < kDocuments; ++i) {
      const Node d = builder_.Document();
      builder_.Mention(d, hub_);
      if (i == kDocuments - 7) {
        builder_.Mention(d, rare_);
        match_ = d;
      }
    }
  }
  Builder builder_;
  Node hub_, rare_, match_ = 0;
};

TEST_F(Hub, DoesNotHideTheOneTrueMatch) {
  const Seed seeds[] = {{{0, hub_}, 1, 1.0 / kDocuments}, {{0, rare_}, 1, 1}};
  const auto found = PersonalisedPageRank(builder_.View(), seeds, Now(), {}, AcceptAll);
  for (const Activated& a : found) {
    if (a.seed || a.node.node == hub_) continue;
    EXPECT_EQ(a.node.node, match_);
    break;
  }
}

TEST_F(Hub, StaysWithinTheBoundOnWork) {
  const GraphView view = builder_.View();
  const Seed seed{{0, hub_}, 1, 1};
  for (const std::uint32_t max_degree : {2000u, 1'000'000u}) {
    for (const std::uint32_t max_pushes : {0u, 1u, 5000u, 20000u}) {
      ActivationParams params;
      params.epsilon = 0;
      params.max_degree = max_degree;
      params.max_pushes = max_pushes;
      std::set<Node> met;
      std::size_t asked = 0;
      const auto accept = [&](ViewNode v) {
        met.insert(v.node);
        ++asked;
        return true;
      };
      const auto found = PersonalisedPageRank(view, std::span(&seed, 1), Now(), params, accept);
      EXPECT_LE(asked, max_pushes);
      EXPECT_EQ(asked, met.size());  // each document is asked about once
      // The seed's own edges: as many as the bounds allow, the first ones.
      EXPECT_GE(asked, std::min(max_pushes, max_degree));
      EXPECT_LE(found.size(), max_pushes + 1);
      asked = 0;
      met.clear();
      SpreadingActivation(view, std::span(&seed, 1), Now(), params, accept);
      EXPECT_LE(asked, max_pushes);
    }
  }
}

TEST_F(Hub, FollowsTheFirstEdgesOnly) {
  ActivationParams params;
  params.max_degree = 3;
  const Seed seed{{0, hub_}, 1, 1};
  const auto found =
      PersonalisedPageRank(builder_.View(), std::span(&seed, 1), Now(), params, AcceptAll);
  std::set<Node> reached;
  for (const Activated& a : found) reached.insert(a.node.node);
  EXPECT_EQ(reached, (std::set<Node>{hub_, 2, 3, 4}));
}

TEST(PersonalisedPageRank, DampsAHubByItsDegree) {
  Builder b;
  const Node a = b.Entity("a"), quiet = b.Entity("quiet"), loud = b.Entity("loud");
  b.Link(a, quiet);
  b.Link(a, loud);
  for (int i = 0; i < 15; ++i) b.Link(loud, b.Entity("x" + std::to_string(i)));
  ActivationParams params;
  params.max_pushes = 2;  // the seed's own edges alone
  const Seed seed{{0, a}, 1, 1};
  const auto found = PersonalisedPageRank(b.View(), std::span(&seed, 1), Now(), params, AcceptAll);
  // Degrees 1 and 16, so weights 1 and 1/4: the shares of 0.7 are 4/5 and 1/5, times 0.3.
  EXPECT_NEAR(MassOf(found, {0, quiet}), 0.3 * 0.7 * 0.8, 1e-15);
  EXPECT_NEAR(MassOf(found, {0, loud}), 0.3 * 0.7 * 0.2, 1e-15);
}

}  // namespace
}  // namespace souvenance::graph
