#include <souvenance/engine.h>

#include <iostream>

int main(int argc, char** argv) {
  souvenance::EngineOptions options;
  options.store = argc > 1 ? argv[1] : "memory";
  options.access = souvenance::Access::kCreate;
  auto engine = souvenance::Engine::Open(options);
  if (!engine) return std::cerr << engine.error().message << '\n', 1;
  souvenance::RememberRequest turn;
  turn.speaker_id = "Alice";
  turn.content = "I moved to Berlin last week, and I still drink oolong tea.";
  if (auto kept = (*engine)->Remember(turn); !kept) return std::cerr << kept.error().message, 1;
  souvenance::RecallQuery question;
  question.cue = "When did Alice move to Berlin?";
  auto answer = (*engine)->Recall(question);
  if (!answer) return std::cerr << answer.error().message << '\n', 1;
  for (const auto& hit : answer->results) std::cout << hit.said_by << ": " << hit.text << '\n';
}
