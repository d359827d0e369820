#include "supervisor/project_list.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using std::chrono::seconds;

SessionSnapshot session_of(const std::string& project_id, int updated, SessionStatus status) {
  SessionState state;
  state.session_id = project_id + std::to_string(updated);
  state.project_id = project_id;
  state.updated_at = WallTime(seconds(updated));
  state.status = status;
  state.is_observed = true;
  state.project_name = "web";
  state.workspace = "/w/web";
  return std::make_shared<const SessionState>(std::move(state));
}

TEST(ProjectList, JoinsConfiguredOnesAndThoseOfSessions) {
  ProjectSpec spec;
  spec.id = "api";
  spec.workspace = "/w/api";
  const auto list = list_projects({spec}, {session_of("web-1", 5, SessionStatus::kRunning),
                                           session_of("web-1", 9, SessionStatus::kIdle),
                                           session_of("", 99, SessionStatus::kIdle)});
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].project_id, "web-1");
  EXPECT_EQ(list[0].name, "web");
  EXPECT_EQ(list[0].workspace, "/w/web");
  EXPECT_EQ(list[0].sessions, 2U);
  EXPECT_EQ(list[0].running, 1U);
  EXPECT_EQ(list[0].updated_at, WallTime(seconds(9)));
  EXPECT_EQ(list[1].project_id, "api");
  EXPECT_TRUE(list[1].is_configured);
  EXPECT_TRUE(to_json(list[1]).at("updated_at").is_null());
}

TEST(ProjectList, TheOneOfTheNewestEventComesFirst) {
  const auto list = list_projects(
      {}, {session_of("a", 5, SessionStatus::kIdle), session_of("b", 9, SessionStatus::kIdle)});
  EXPECT_EQ(list[0].project_id, "b");
  EXPECT_EQ(list[1].project_id, "a");
}

}  // namespace
}  // namespace oriel
