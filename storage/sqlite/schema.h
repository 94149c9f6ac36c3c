// The SQL of schema version 1, described in docs/formats/schema.md. A store of version 1 opens for
// good, so nothing here changes: what comes later is a numbered migration.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace souvenance::storage {

// "SOUV": tells a store from other SQLite files.
inline constexpr std::int64_t kApplicationId = 0x534F5556;

struct SchemaObject {
  std::string name;
  std::string sql;  // exactly as sqlite_schema keeps it
};

// Every table, index and trigger, in the order of creation.
const std::vector<SchemaObject>& SchemaVersion1();

}  // namespace souvenance::storage
