// Cuts a file into lines, or into the values of a JSON array, without loading it whole.
#pragma once

#include <souvenance/error.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace souvenance::ingest {

// Longer lines and values are read past and reported.
inline constexpr std::size_t kMaxPieceBytes = std::size_t{64} << 20;

struct Piece {
  std::string text;
  std::uint64_t line = 0;    // where it begins, from 1
  std::uint64_t number = 0;  // of lines: the line; of values: the position in the array, from 1
  std::string problem;       // not empty: `text` is not to be used, and why
};

// The bytes of a file one after another; a byte order mark at the start is skipped.
class ByteSource {
 public:
  // Errors: kNotFound, kIo, kInvalidArgument (no regular file)
  static Result<ByteSource> Open(const std::filesystem::path& path);

  // The rest of what is in the buffer, refilled when it is empty; empty at the end of the file.
  // Errors: kIo
  Result<std::string_view> Window();
  void Consume(std::size_t bytes);
  std::uint64_t bytes_done() const { return done_; }

 private:
  explicit ByteSource(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
  std::ifstream stream_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::uint64_t done_ = 0;
  bool started_ = false;
  bool ended_ = false;
};

// Lines, ended by LF or CRLF. Blank ones are skipped but counted.
class LineSource {
 public:
  explicit LineSource(ByteSource bytes) : bytes_(std::move(bytes)) {}

  // False at the end. Errors: kIo
  Result<bool> Next(Piece* piece);
  std::uint64_t bytes_done() const { return bytes_.bytes_done(); }

 private:
  Result<bool> NextRaw(Piece* piece);

  ByteSource bytes_;
  std::uint64_t line_ = 0;
};

// The values of one top-level JSON array, or of values that stand one after another. Only
// brackets and strings are followed here; whether a value is JSON is its parser's business.
class ValueSource {
 public:
  explicit ValueSource(ByteSource bytes) : bytes_(std::move(bytes)) {}

  // False at the end. Errors: kIo
  Result<bool> Next(Piece* piece);
  std::uint64_t bytes_done() const { return bytes_.bytes_done(); }

 private:
  enum class Step { kGoOn, kEnd };
  Step Take(char byte, Piece* piece);

  ByteSource bytes_;
  std::uint64_t line_ = 1;
  std::uint64_t number_ = 0;
  bool begun_ = false;     // a byte that is no white space was seen
  bool in_array_ = false;  // the top level is an array
  std::size_t depth_ = 0;  // open brackets within the value
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace souvenance::ingest
