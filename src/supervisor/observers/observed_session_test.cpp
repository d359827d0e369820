#include "supervisor/observers/observed_session.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(ObservedSession, IsMarkedAsObserved) {
  ObservedState observed;
  observed.session_id = "a";
  observed.agent = "claude";
  observed.native_ids = {"a", "b"};
  observed.project_id = "web-1";
  observed.project_name = "web";
  observed.cwd = "/w/web";
  observed.status = SessionStatus::kRunning;
  observed.state = WorkState::kProcessing;
  observed.silence = Silence::kTool;
  const boost::json::value input;
  observed.tools.start({.id = "t1", .name = "Bash", .input = input, .fingerprint = 1}, "", {});
  const boost::json::object shown = to_json(session_of(observed));
  EXPECT_EQ(shown.at("session_id"), "a");
  EXPECT_EQ(shown.at("agent_session_id"), "b");
  EXPECT_EQ(shown.at("workspace"), "/w/web");
  EXPECT_EQ(shown.at("status"), "running");
  EXPECT_EQ(shown.at("state"), "processing");
  EXPECT_EQ(shown.at("is_observed"), true);
  EXPECT_EQ(shown.at("is_live"), true);
  EXPECT_EQ(shown.at("silence"), "tool");
  EXPECT_EQ(shown.at("tool").at("tool_name"), "Bash");
}

TEST(ObservedSession, AnEndedAgentIsCompletedAndNotLive) {
  ObservedState observed;
  observed.status = SessionStatus::kCompleted;
  observed.ended_at = WallTime{};
  observed.end_reason = "its process has ended";
  const SessionState state = session_of(observed);
  EXPECT_EQ(state.status, SessionStatus::kCompleted);
  EXPECT_FALSE(state.is_live);
  EXPECT_EQ(state.reason, "its process has ended");
}

}  // namespace
}  // namespace oriel
