#include "base/event/agent_event.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(OptionKind, HasOneNameInEveryLanguage) {
  EXPECT_EQ(name_of(OptionKind::kAllowOnce), "allow_once");
  EXPECT_EQ(name_of(OptionKind::kAllowAlways), "allow_always");
  EXPECT_EQ(name_of(OptionKind::kRejectOnce), "reject_once");
  EXPECT_EQ(name_of(OptionKind::kRejectAlways), "reject_always");
}

TEST(OptionKind, IsFoundByItsNameAlone) {
  for (const OptionKind kind : {OptionKind::kAllowOnce, OptionKind::kAllowAlways,
                                OptionKind::kRejectOnce, OptionKind::kRejectAlways})
    EXPECT_EQ(parse_option_kind(name_of(kind)), kind);
  EXPECT_EQ(parse_option_kind("allow"), std::nullopt);
  EXPECT_EQ(parse_option_kind(""), std::nullopt);
}

}  // namespace
}  // namespace oriel
