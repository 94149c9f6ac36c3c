// Typed errors. Every call that can fail returns Result<T>; the library never prints or exits.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace souvenance {

// A code exists when callers would act differently on it. Between neighbours:
//   kInvalidArgument  the call itself is wrong (an unknown scope, k < 0, a blank cue)
//   kInvalidData      the call is right, the data handed over is not (invalid UTF-8, a NaN vector)
//   kConfiguration    the store, its version or its settings do not fit this program
//   kCorruption       what we wrote ourselves reads back wrong
//   kConflict         the same id came with other content, or two writers chose the same parent
//   kAlreadyExists    there is one already, and it is not ours to replace
//   kRefused          needs an explicit confirmation
enum class ErrorCode {
  kInvalidArgument,
  kInvalidData,
  kNotFound,
  kAlreadyExists,
  kConflict,
  kBusy,
  kNoSpace,
  kUnavailable,
  kCorruption,
  kIo,
  kUnsupported,
  kConfiguration,
  kRefused,
  kInternal,
};

// Stable lower-case names, as printed in souvenance.error/1: "invalid_argument", "not_found", ...
constexpr std::string_view ErrorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid_argument";
    case ErrorCode::kInvalidData:
      return "invalid_data";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kAlreadyExists:
      return "already_exists";
    case ErrorCode::kConflict:
      return "conflict";
    case ErrorCode::kBusy:
      return "busy";
    case ErrorCode::kNoSpace:
      return "no_space";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kCorruption:
      return "corruption";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kConfiguration:
      return "configuration";
    case ErrorCode::kRefused:
      return "refused";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "internal";
}

// Whether the same call may succeed later without being changed.
constexpr bool IsRetryable(ErrorCode code) {
  return code == ErrorCode::kBusy || code == ErrorCode::kNoSpace || code == ErrorCode::kUnavailable;
}

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // what was being done, then what went wrong
  std::string hint;     // what to do next; may be empty
};

// Becomes std::expected<T, Error> with C++23.
template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> Fail(ErrorCode code, std::string message, std::string hint = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(hint)});
}

// Passes the error of another result on.
inline tl::unexpected<Error> Fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace souvenance
