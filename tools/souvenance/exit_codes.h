// The one table from error codes to exit codes (docs/errors.md).
#pragma once

#include <souvenance/error.h>

namespace souvenance::program {

inline constexpr int kDone = 0;
inline constexpr int kEmpty = 1;  // an empty recall with --exit-status
inline constexpr int kUsage = 2;
inline constexpr int kCheckFailed = 3;  // verify found something
inline constexpr int kBadData = 65;
inline constexpr int kInternalError = 70;
inline constexpr int kCannotCreate = 73;

// What the process ends with when a verb failed with `code`.
constexpr int ExitCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return kUsage;
    case ErrorCode::kInvalidData:
    case ErrorCode::kConflict:
    case ErrorCode::kCorruption:
      return kBadData;
    case ErrorCode::kNotFound:
      return 66;
    case ErrorCode::kUnavailable:
      return 69;
    case ErrorCode::kInternal:
      return kInternalError;
    case ErrorCode::kAlreadyExists:
      return kCannotCreate;
    case ErrorCode::kNoSpace:
    case ErrorCode::kIo:
      return 74;
    case ErrorCode::kBusy:
      return 75;
    case ErrorCode::kRefused:
      return 77;
    case ErrorCode::kUnsupported:
    case ErrorCode::kConfiguration:
      return 78;
  }
  return kInternalError;
}

}  // namespace souvenance::program
