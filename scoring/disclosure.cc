#include "scoring/disclosure.h"

#include "scoring/finite.h"

namespace souvenance::scoring {
namespace {

double ContextAffinity(const DisclosureInput& in, const DisclosureParams& params) {
  if (!in.viewer_has_session || in.same_session || in.item_scope == ScopeKind::kPublic) return 1;
  if (in.session_in_scope) return Unit(params.other_session);
  return Unit(in.item_scope == ScopeKind::kPrivate ? params.outside_private : params.other_kind);
}

double SubjectFit(const DisclosureInput& in, const DisclosureParams& params) {
  if (!in.viewer_has_subject || !in.subject_known || in.about_viewer) return 1;
  if (in.about_agent) return Unit(params.about_agent);
  return Unit(in.item_scope == ScopeKind::kPrivate ? params.about_other_private
                                                   : params.about_other_shared);
}

double ScopePrior(const DisclosureInput& in, const DisclosureParams& params) {
  switch (in.item_scope) {
    case ScopeKind::kPublic:
      return 1;
    case ScopeKind::kGroup:
      return Unit(params.group_prior);
    case ScopeKind::kPrivate:
      return in.viewers_own_private ? 1 : Unit(params.other_private_prior);
  }
  return 0;
}

}  // namespace

DisclosureFactors DiscloseFactors(const DisclosureInput& in, const DisclosureParams& params) {
  DisclosureFactors f;
  f.context_affinity = ContextAffinity(in, params);
  f.subject_fit = SubjectFit(in, params);
  f.scope_prior = ScopePrior(in, params);
  f.openness = 1 - Clamped(in.sensitivity, 0, 1, 1);
  f.topic = 0.7 + 0.3 * Unit(in.relevance);
  f.score = f.context_affinity * f.subject_fit * f.scope_prior * f.openness * f.topic;
  return f;
}

Disclosure DiscloseLevel(double score, const DisclosureParams& params) {
  if (score >= params.full) return Disclosure::kFull;
  if (score >= params.gist) return Disclosure::kGist;
  if (score >= params.hint) return Disclosure::kHint;
  return Disclosure::kWithheld;
}

}  // namespace souvenance::scoring
