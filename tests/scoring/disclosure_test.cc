#include "scoring/disclosure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace souvenance::scoring {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Worked by hand in docs/formulas/disclosure.md, "Worked example".
TEST(Disclosure, MatchesTheWorkedExample) {
  const DisclosureInput in = {.item_scope = ScopeKind::kGroup,
                              .viewer_has_session = true,
                              .same_session = false,
                              .session_in_scope = true,
                              .viewer_has_subject = true,
                              .subject_known = true,
                              .sensitivity = 0.2,
                              .relevance = 0.5};
  const DisclosureFactors f = DiscloseFactors(in, {});
  EXPECT_EQ(f.context_affinity, 0.85);
  EXPECT_EQ(f.subject_fit, 0.7);
  EXPECT_EQ(f.scope_prior, 0.85);
  EXPECT_DOUBLE_EQ(f.openness, 0.8);
  EXPECT_DOUBLE_EQ(f.topic, 0.85);
  EXPECT_NEAR(f.score, 0.34391, 1e-12);  // 0.85 × 0.7 × 0.85 × 0.8 × 0.85
  EXPECT_EQ(DiscloseLevel(f.score, {}), Disclosure::kGist);
}

// docs/formulas/disclosure.md, "Context affinity".
struct AffinityCase {
  const char* name;
  ScopeKind scope;
  bool has_session;
  bool same;
  bool in_scope;
  double expected;
};
const AffinityCase kAffinityCases[] = {
    {"NoSessionNamed", ScopeKind::kPrivate, false, false, false, 1},
    {"SameSession", ScopeKind::kPrivate, true, true, true, 1},
    {"Public", ScopeKind::kPublic, true, false, false, 1},
    {"AnotherSessionOfTheGroup", ScopeKind::kGroup, true, false, true, 0.85},
    {"AnotherPrivateSession", ScopeKind::kPrivate, true, false, true, 0.85},
    {"AGroupsMemoryElsewhere", ScopeKind::kGroup, true, false, false, 0.5},
    {"APrivateMemoryElsewhere", ScopeKind::kPrivate, true, false, false, 0.1},
};
TEST(Disclosure, KnowsWhoseSessionItIs) {
  for (const AffinityCase& c : kAffinityCases) {
    DisclosureInput in;
    in.item_scope = c.scope;
    in.viewer_has_session = c.has_session;
    in.same_session = c.same;
    in.session_in_scope = c.in_scope;
    EXPECT_EQ(DiscloseFactors(in, {}).context_affinity, c.expected) << c.name;
  }
}

// docs/formulas/disclosure.md, "Subject fit".
struct SubjectCase {
  const char* name;
  ScopeKind scope;
  bool has_subject;
  bool known;
  bool viewer;
  bool agent;
  double expected;
};
const SubjectCase kSubjectCases[] = {
    {"NoSubjectNamed", ScopeKind::kPrivate, false, true, false, false, 1},
    {"AboutNobodyKnown", ScopeKind::kPrivate, true, false, false, false, 1},
    {"AboutTheViewer", ScopeKind::kPrivate, true, true, true, false, 1},
    {"AboutTheAgent", ScopeKind::kPrivate, true, true, false, true, 0.85},
    {"AboutAnotherInPublic", ScopeKind::kPublic, true, true, false, false, 0.7},
    {"AboutAnotherInAGroup", ScopeKind::kGroup, true, true, false, false, 0.7},
    {"AboutAnotherInPrivate", ScopeKind::kPrivate, true, true, false, false, 0.3},
};
TEST(Disclosure, KnowsWhomItIsAbout) {
  for (const SubjectCase& c : kSubjectCases) {
    DisclosureInput in;
    in.item_scope = c.scope;
    in.viewer_has_subject = c.has_subject;
    in.subject_known = c.known;
    in.about_viewer = c.viewer;
    in.about_agent = c.agent;
    EXPECT_EQ(DiscloseFactors(in, {}).subject_fit, c.expected) << c.name;
  }
}

// docs/formulas/disclosure.md, "Scope prior".
TEST(Disclosure, KnowsWhereItWasSaid) {
  const auto prior = [](ScopeKind scope, bool own) {
    return DiscloseFactors({.item_scope = scope, .viewers_own_private = own}, {}).scope_prior;
  };
  EXPECT_EQ(prior(ScopeKind::kPublic, false), 1);
  EXPECT_EQ(prior(ScopeKind::kPrivate, true), 1);
  EXPECT_EQ(prior(ScopeKind::kGroup, true), 0.85);
  EXPECT_EQ(prior(ScopeKind::kPrivate, false), 0.4);
}

TEST(Disclosure, HasFourLevelsWithClosedLowerEnds) {
  EXPECT_EQ(DiscloseLevel(1, {}), Disclosure::kFull);
  EXPECT_EQ(DiscloseLevel(0.4, {}), Disclosure::kFull);
  EXPECT_EQ(DiscloseLevel(std::nextafter(0.4, 0), {}), Disclosure::kGist);
  EXPECT_EQ(DiscloseLevel(0.2, {}), Disclosure::kGist);
  EXPECT_EQ(DiscloseLevel(std::nextafter(0.2, 0), {}), Disclosure::kHint);
  EXPECT_EQ(DiscloseLevel(0.05, {}), Disclosure::kHint);
  EXPECT_EQ(DiscloseLevel(std::nextafter(0.05, 0), {}), Disclosure::kWithheld);
  EXPECT_EQ(DiscloseLevel(0, {}), Disclosure::kWithheld);
}

// What somebody told in private about a third person is never said elsewhere.
TEST(Disclosure, WithholdsAPrivateMemoryAboutAnotherOutsideItsSessions) {
  const DisclosureInput in = {.item_scope = ScopeKind::kPrivate,
                              .viewer_has_session = true,
                              .session_in_scope = false,
                              .viewer_has_subject = true,
                              .subject_known = true,
                              .relevance = 1};
  EXPECT_NEAR(DiscloseFactors(in, {}).score, 0.03, 1e-12);
  EXPECT_EQ(DiscloseLevel(DiscloseFactors(in, {}).score, {}), Disclosure::kWithheld);
}

TEST(Disclosure, FailsClosedForWhatIsNoNumber) {
  EXPECT_EQ(DiscloseFactors({.sensitivity = kNan}, {}).score, 0);
  EXPECT_EQ(DiscloseFactors({.sensitivity = kInf}, {}).score, 0);
  EXPECT_EQ(DiscloseFactors({.sensitivity = 1}, {}).score, 0);
  EXPECT_DOUBLE_EQ(DiscloseFactors({.relevance = kNan}, {}).score, 0.7);
  EXPECT_DOUBLE_EQ(DiscloseFactors({.sensitivity = -kInf, .relevance = kInf}, {}).score, 1);
  EXPECT_EQ(DiscloseLevel(kNan, {}), Disclosure::kWithheld);
  DisclosureInput group;
  group.item_scope = ScopeKind::kGroup;
  EXPECT_EQ(DiscloseFactors(group, {.group_prior = kNan}).score, 0);
}

TEST(Disclosure, NeverSaysMoreOfWhatIsMoreSensitive) {
  for (int step = 0; step < 100; ++step) {
    const double s = step / 100.0;
    EXPECT_GE(DiscloseFactors({.sensitivity = s}, {}).score,
              DiscloseFactors({.sensitivity = s + 0.01}, {}).score);
    EXPECT_LE(DiscloseFactors({.relevance = s}, {}).score,
              DiscloseFactors({.relevance = s + 0.01}, {}).score);
  }
}

}  // namespace
}  // namespace souvenance::scoring
