#include "storage/transaction.h"
namespace souvenance::storage {
Result<VerifyReport> ReadTransaction::Verify(const std::function<void(std::int64_t)>&) {
  return Fail(ErrorCode::kUnsupported, "verify");
}
}  // namespace souvenance::storage
