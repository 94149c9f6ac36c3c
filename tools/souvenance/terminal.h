// What a terminal needs: width, colour, harmless text, progress. Nothing here knows the engine.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace souvenance::program {

// How text for people is laid out.
struct Style {
  bool color = false;
  std::size_t width = 0;  // columns; 0: lines are not wrapped
};

// Of stdout: colour on a terminal without NO_COLOR; the terminal's width, else COLUMNS, else 0.
Style StdoutStyle();

std::string Bold(const Style& style, std::string_view text);
std::string Dim(const Style& style, std::string_view text);
std::string Accent(const Style& style, std::string_view text);

// Valid UTF-8, and no NUL byte in it.
bool IsCleanUtf8(std::string_view text);

enum class Lines { kFold, kKeep };

// Stored text made harmless: control characters (C0, C1, DEL), bidi controls and tag characters
// are shown escaped ("\u001b"), bytes that are not UTF-8 as U+FFFD. Tabs become spaces; line
// breaks too, unless kept.
std::string Sanitize(std::string_view text, Lines lines = Lines::kFold);

// The same characters within a JSON text, as \uXXXX: the data stays what it was.
std::string EscapeForJson(std::string_view json);

// Columns on a terminal: East Asian wide characters count 2, combining marks 0. `text` is UTF-8.
std::size_t DisplayWidth(std::string_view text);

// `text` (sanitised, lines kept) in lines of at most `width` columns after `indent` spaces, each
// ended by a newline. Breaks at spaces and between wide characters; a longer word is cut.
// A width of 0 does not wrap.
std::string Wrap(std::string_view text, std::size_t width, std::size_t indent);

// `text` filled up with spaces to `width` columns.
std::string Pad(std::string_view text, std::size_t width);

// A line on stderr that is drawn over and over, only when stderr is a terminal.
//
// Thread-safety: thread-compatible.
class Progress {
 public:
  explicit Progress(std::string label);
  ~Progress();  // wipes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `total` 0: not known.
  void Update(std::uint64_t done, std::uint64_t total, std::string_view note);

 private:
  std::string label_;
  bool on_ = false;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_{};
};

// A remark on stderr, sanitised: "souvenance: made a store at x".
void Notice(std::string_view text);
// The same without the program's name in front: "chat.jsonl:7: not JSON".
void NoticeLine(std::string_view text);

}  // namespace souvenance::program
