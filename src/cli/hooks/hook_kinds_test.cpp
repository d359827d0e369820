#include "cli/hooks/hook_kinds.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(R_TURN_6, EveryKindOfHookIsFoundByEitherName) {
  for (const HookNames& kind : kHookKinds) {
    EXPECT_EQ(find_hook_kind(kind.event), &kind);
    EXPECT_EQ(find_hook_kind(kind.name), &kind);
  }
  for (const char* word : {"", "PreCompact", "pretooluse", "stop "})
    EXPECT_EQ(find_hook_kind(word), nullptr) << word;
}

}  // namespace
}  // namespace oriel
