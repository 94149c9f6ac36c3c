#include "engine/ingest/text_source.h"

#include <utility>

namespace souvenance::ingest {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} << 10;

// Well-formed UTF-8 as of Unicode's table 3-7: no overlong forms, no surrogates, none above
// U+10FFFF.
bool IsUtf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || i + length > text.size()) return false;
    const unsigned second = byte(i + 1);
    const unsigned low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (second < low || second > high) return false;
    for (std::size_t j = 2; j < length; ++j) {
      if ((byte(i + j) & 0xc0) != 0x80) return false;
    }
    i += length;
  }
  return true;
}

void Inspect(Piece* piece) {
  if (!piece->problem.empty()) return;
  if (piece->text.find('\0') != std::string::npos) {
    piece->problem = "holds a NUL byte";
  } else if (!IsUtf8(piece->text)) {
    piece->problem = "is not valid UTF-8";
  }
}

bool IsSpace(char byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; }

void Append(std::string_view bytes, Piece* piece) {
  if (!piece->problem.empty()) return;
  if (piece->text.size() + bytes.size() > kMaxPieceBytes) {
    piece->problem = "is longer than 64 MB";
    piece->text = {};
    return;
  }
  piece->text.append(bytes);
}

}  // namespace

Result<ByteSource> ByteSource::Open(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return Fail(ErrorCode::kNotFound, "read " + path.string() + ": there is no such file");
  }
  if (status.type() != std::filesystem::file_type::regular) {
    return Fail(ErrorCode::kInvalidArgument, "read " + path.string() + ": it is no regular file");
  }
  ByteSource source(path);
  source.stream_.open(path, std::ios::binary);
  if (!source.stream_) return Fail(ErrorCode::kIo, "read " + path.string() + ": cannot open it");
  return source;
}

Result<std::string_view> ByteSource::Window() {
  // Twice when the first read holds the byte order mark alone.
  while (at_ == buffer_.size() && !ended_) {
    buffer_.resize(kBufferBytes);
    stream_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    if (stream_.bad()) return Fail(ErrorCode::kIo, "read " + path_.string() + ": the read failed");
    buffer_.resize(static_cast<std::size_t>(stream_.gcount()));
    at_ = 0;
    ended_ = buffer_.empty();
    if (!started_ && buffer_.starts_with("\xef\xbb\xbf")) Consume(3);
    started_ = true;
  }
  return std::string_view(buffer_).substr(at_);
}

void ByteSource::Consume(std::size_t bytes) {
  at_ += bytes;
  done_ += bytes;
}

Result<bool> LineSource::NextRaw(Piece* piece) {
  *piece = {};
  bool any = false;
  for (;;) {
    Result<std::string_view> window = bytes_.Window();
    if (!window) return Fail(window.error());
    if (window->empty()) break;
    if (!any) piece->line = piece->number = ++line_;
    any = true;
    const std::size_t end = window->find('\n');
    Append(window->substr(0, end), piece);
    bytes_.Consume(end == std::string_view::npos ? window->size() : end + 1);
    if (end != std::string_view::npos) break;
  }
  if (piece->text.ends_with('\r')) piece->text.pop_back();
  return any;
}

Result<bool> LineSource::Next(Piece* piece) {
  for (;;) {
    Result<bool> more = NextRaw(piece);
    if (!more || !*more) return more;
    Inspect(piece);
    if (!piece->problem.empty()) return true;
    if (piece->text.find_first_not_of(" \t\r") != std::string::npos) return true;
  }
}

ValueSource::Step ValueSource::Take(char byte, Piece* piece) {
  if (byte == '\n') ++line_;
  if (piece->line == 0) {  // between values
    if (IsSpace(byte)) return Step::kGoOn;
    const bool opens = !begun_ && byte == '[';
    begun_ = true;
    if (opens) {
      in_array_ = true;
      return Step::kGoOn;
    }
    if (in_array_ && (byte == ',' || byte == ']')) return Step::kGoOn;
    piece->line = line_;
    piece->number = ++number_;
  } else if (depth_ == 0 && !in_string_ && (IsSpace(byte) || byte == ',' || byte == ']')) {
    return Step::kEnd;  // the end of a bare number or word
  }
  Append({&byte, 1}, piece);
  if (in_string_) {
    if (escaped_) {
      escaped_ = false;
    } else if (byte == '\\') {
      escaped_ = true;
    } else if (byte == '"') {
      in_string_ = false;
    }
  } else if (byte == '"') {
    in_string_ = true;
  } else if (byte == '{' || byte == '[') {
    ++depth_;
  } else if (byte == '}' || byte == ']') {
    if (depth_ > 0) --depth_;
  } else {
    return Step::kGoOn;
  }
  const bool closed = depth_ == 0 && !in_string_ && (byte == '}' || byte == ']' || byte == '"');
  return closed ? Step::kEnd : Step::kGoOn;
}

Result<bool> ValueSource::Next(Piece* piece) {
  *piece = {};
  for (;;) {
    Result<std::string_view> window = bytes_.Window();
    if (!window) return Fail(window.error());
    if (window->empty()) break;
    for (std::size_t i = 0; i < window->size(); ++i) {
      if (Take((*window)[i], piece) == Step::kGoOn) continue;
      bytes_.Consume(i + 1);
      Inspect(piece);
      return true;
    }
    bytes_.Consume(window->size());
  }
  if (piece->line == 0) return false;
  if (depth_ > 0 || in_string_) piece->problem = "the file ends within it";
  Inspect(piece);
  return true;
}

}  // namespace souvenance::ingest
