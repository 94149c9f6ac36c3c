// How much of it may be said. docs/formulas/disclosure.md.
//
// It fails closed: a sensitivity that is no number counts as 1, every other factor that is no
// number as 0; outside [0, 1] the nearest end counts.
#pragma once

#include <souvenance/scope.h>

namespace souvenance::scoring {

enum class Disclosure { kFull, kGist, kHint, kWithheld };

// Defaults of the table in docs/formulas/disclosure.md; a caller may set them per scope.
struct DisclosureParams {
  double full = 0.4;             // >= full: full
  double gist = 0.2;             // >= gist
  double hint = 0.05;            // >= hint
  double other_session = 0.85;   // context affinity: another session of the same scope
  double other_kind = 0.5;       // a group's memory in another kind of session
  double outside_private = 0.1;  // a private memory outside its own scope's sessions
  double about_agent = 0.85;     // subject fit
  double about_other_shared = 0.7;
  double about_other_private = 0.3;
  double group_prior = 0.85;  // scope prior
  double other_private_prior = 0.4;
};

// What is known of the viewer and the item. Unknown on the viewer's side counts as fitting: no
// session named, no subject named.
struct DisclosureInput {
  ScopeKind item_scope = ScopeKind::kPublic;
  bool viewer_has_session = false;
  bool same_session = false;     // the item was said in the viewer's session
  bool session_in_scope = true;  // the viewer's session belongs to the item's scope
  bool viewer_has_subject = false;
  bool subject_known = false;  // the item is about somebody known
  bool about_viewer = false;
  bool about_agent = false;
  bool viewers_own_private = true;  // the private scope is the viewer's own
  double sensitivity = 0;           // [0, 1]
  double relevance = 0;             // [0, 1]
};

struct DisclosureFactors {
  double context_affinity = 1;
  double subject_fit = 1;
  double scope_prior = 1;
  double openness = 1;  // 1 − sensitivity
  double topic = 1;     // 0.7 + 0.3 × relevance
  double score = 1;     // the product
};

DisclosureFactors DiscloseFactors(const DisclosureInput& in, const DisclosureParams& params);
Disclosure DiscloseLevel(double score, const DisclosureParams& params);

}  // namespace souvenance::scoring
