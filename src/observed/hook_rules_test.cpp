#include "observed/hook_rules.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(R_TURN_5, ATransitionNamesTheHookThatCausedIt) {
  for (const HookKind kind : kHookKinds) {
    const bool is_end = kind == HookKind::kSessionEnd;
    EXPECT_EQ(name_of(trigger_of(kind)), is_end ? "session_end" : name_of(kind));
  }
}

}  // namespace
}  // namespace oriel
