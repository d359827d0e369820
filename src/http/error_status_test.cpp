#include "http/error_status.h"

#include <gtest/gtest.h>

namespace oriel::http {
namespace {

TEST(ErrorStatus, EveryKindHasAnErrorStatus) {
  for (int i = 0; i <= static_cast<int>(kLastErrorKind); ++i) {
    const auto kind = static_cast<ErrorKind>(i);
    EXPECT_GE(status_of(kind), 400) << kind;
    EXPECT_LE(status_of(kind), 505) << kind;
  }
}

TEST(ErrorStatus, AFaultOfTheRequestIsNotOneOfTheServer) {
  EXPECT_EQ(status_of(ErrorKind::kBadHost), 400);
  EXPECT_EQ(status_of(ErrorKind::kUnauthorized), 401);
  EXPECT_EQ(status_of(ErrorKind::kForeignOrigin), 403);
  EXPECT_EQ(status_of(ErrorKind::kMethodNotAllowed), 405);
  EXPECT_EQ(status_of(ErrorKind::kRequestTimeout), 408);
  EXPECT_EQ(status_of(ErrorKind::kHeaderTooLarge), 431);
  EXPECT_EQ(status_of(ErrorKind::kInternalError), 500);
  EXPECT_EQ(status_of(ErrorKind::kUnsupportedTransferCoding), 501);
  EXPECT_EQ(status_of(ErrorKind::kUnsupportedVersion), 505);
}

}  // namespace
}  // namespace oriel::http
