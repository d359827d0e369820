#include "base/event/permission.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(Decider, IsReadBackFromItsName) {
  const std::pair<Decider, std::string_view> deciders[] = {
      {{.principal = "ann"}, "ann"},
      {{.principal = ""}, ""},
      {{.kind = DeciderKind::kRule}, "rule"},
      {{.kind = DeciderKind::kTimeout}, "timeout"},
      {{.kind = DeciderKind::kAgent}, "agent"},
      {{.kind = DeciderKind::kRestart}, "restart"},
  };
  for (const auto& [decider, name] : deciders) {
    EXPECT_EQ(name_of(decider), name);
    EXPECT_EQ(parse_decider(name), decider) << name;
  }
}

TEST(PermissionMode, IsReadBackFromEachName) {
  EXPECT_EQ(permission_mode_names().size(), 3U);
  for (const std::string_view name : permission_mode_names())
    EXPECT_EQ(name_of(parse_permission_mode(name).value()), name);
  EXPECT_EQ(parse_permission_mode("maybe"), std::nullopt);
}

}  // namespace
}  // namespace oriel
