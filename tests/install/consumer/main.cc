#include <souvenance/engine.h>

#include <cstdio>

// Opening needs the whole library, so that a dependency missing from the package fails the link.
int main() {
  const auto engine = souvenance::Engine::Open({.store = "no-such-store"});
  if (engine || engine.error().code != souvenance::ErrorCode::kNotFound) return 1;
  std::printf("souvenance %s\n", souvenance::kVersion);
}
