// The version of the library.
#pragma once

namespace souvenance {

inline constexpr char kVersion[] = "0.1.0";

// The schema that this library writes. A store with a higher one is refused.
inline constexpr int kSchemaVersion = 1;

}  // namespace souvenance
