#include "base/import_state.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(ImportState, IsFoundByItsName) {
  for (const ImportState state : {ImportState::kIdle, ImportState::kRunning, ImportState::kDone,
                                  ImportState::kCancelled, ImportState::kFailed})
    EXPECT_EQ(parse_import_state(name_of(state)), state);
  EXPECT_EQ(name_of(ImportState::kCancelled), "cancelled");
  EXPECT_EQ(parse_import_state("paused"), std::nullopt);
}

}  // namespace
}  // namespace oriel
