// How a run's documents are put in order: trec_eval's rule, in one place.
#pragma once

#include <souvenance/eval.h>

#include <string>
#include <vector>

namespace souvenance::eval {

// By score descending; equal scores by document id descending, byte by byte. The order of the
// lines and any rank written beside them have no say.
void Rank(std::vector<RunLine>* lines);

// Nine significant digits, the same in every locale.
std::string PrintScore(double score);
// The score that a reader of the printed run gets.
double AsPrinted(double score);

// Scores of documents that stand in the order wanted, made so that the printed run gives that
// order back: each score is as printed, and one that is not below its predecessor's becomes that
// minus one unit of its ninth digit. Scores that fall strictly stay as they are.
void SeparateTies(std::vector<RunLine>* lines);

}  // namespace souvenance::eval
