#include <souvenance/engine.h>
#include <souvenance/version.h>

#include <cstdio>

int main() { std::printf("souvenance %s\n", souvenance::kVersion); }
