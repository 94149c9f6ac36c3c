// A store in a folder of its own, a clock that the test holds, and short ways to speak to it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <souvenance/engine.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/souvenance/json.h"

namespace souvenance::testing {

class TempDir {
 public:
  TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "souvenance-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline Timestamp At(std::string_view text) {
  auto time = ParseTime(text);
  if (!time) ADD_FAILURE() << time.error().message;
  return time ? time->first : Timestamp{};
}

inline Scope ScopeOf(std::string_view text) { return ParseScope(text).value(); }

// Salts by scope and count, so that two stores can be compared byte by byte.
inline std::array<std::uint8_t, 16> SeededSalt(std::string_view scope, std::uint64_t count) {
  std::array<std::uint8_t, 16> salt{};
  std::uint64_t h = 1469598103934665603U ^ count;
  for (const char c : scope) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211U;
  for (std::uint8_t& byte : salt) {
    h = h * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<std::uint8_t>(h >> 56);
  }
  return salt;
}

// The first test that fails for it should say what the engine said.
template <typename T>
T Must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << ErrorCodeName(result.error().code) << ": " << result.error().message;
    return T{};
  }
  return std::move(*result);
}

class EngineTest : public ::testing::Test {
 protected:
  EngineTest() { Reopen({}); }

  // Closes and opens again; the options' store, access, clock and salt are the fixture's.
  void Reopen(EngineOptions options) {
    engine.reset();
    options.store = dir.path() / "store";
    if (Sealed()) {
      options.word_base_threshold = 1;
      options.vector_base_threshold = 1;
    }
    options.access = Access::kCreate;
    options.clock = [this] { return now; };
    options.salt = SeededSalt;
    auto opened = Engine::Open(options);
    ASSERT_TRUE(opened) << opened.error().message;
    engine = std::move(*opened);
  }

  RememberRequest Source(std::string content, std::string_view scope = "public") {
    RememberRequest request;
    request.content = std::move(content);
    request.scope = ScopeOf(scope);
    request.event_time = now;
    return request;
  }
  RememberAnswer Say(std::string content, std::string_view scope = "public",
                     std::string session = {}, std::string speaker = {}) {
    RememberRequest request = Source(std::move(content), scope);
    request.session_id = std::move(session);
    request.speaker_id = std::move(speaker);
    return Must(engine->Remember(request));
  }

  // With SOUVENANCE_TEST_SEALED=1 every question is asked of sealed bases, so that the same tests
  // answer for both paths.
  static bool Sealed() { return std::getenv("SOUVENANCE_TEST_SEALED") != nullptr; }

  RecallQuery Ask(std::string cue, std::vector<std::string> scopes = {"public"}) {
    if (Sealed()) Must(engine->Maintain());
    RecallQuery query;
    query.cue = std::move(cue);
    for (const std::string& scope : scopes) query.viewer.scopes.push_back(ScopeOf(scope));
    query.options.exploration = Switch::kOff;
    return query;
  }
  std::vector<std::string> Texts(const RecallQuery& query) {
    std::vector<std::string> texts;
    for (const RecallResult& result : Must(engine->Recall(query)).results) {
      texts.push_back(result.text);
    }
    return texts;
  }
  // Everything of an answer but the time that it took.
  std::string Bytes(const RecallQuery& query) {
    RecallAnswer answer = Must(engine->Recall(query));
    answer.elapsed_ms = 0;
    return program::RecallJson(answer, program::Detail::kExplain);
  }

  TempDir dir;
  Timestamp now = At("2026-01-01T00:00:00Z");
  std::unique_ptr<Engine> engine;
};

}  // namespace souvenance::testing
