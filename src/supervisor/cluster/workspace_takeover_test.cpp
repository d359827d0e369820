#include "supervisor/cluster/workspace_takeover.h"

#include "supervisor/cluster/cluster_testing.h"
#include "supervisor/cluster/owner_guard.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

bool is_complete(const SessionState& state) {
  return state.state == WorkState::kComplete;
}

// Two nodes whose project pushes to a remote.
class WorkspaceTakeoverTest : public ClusterTest {
 protected:
  WorkspaceTakeoverTest() { make_remote(); }

  void make_remote() {
    ASSERT_EQ(std::system(("git init --quiet --bare " + remote_.string()).c_str()), 0);
  }

  SupervisorOptions synced() const {
    SupervisorOptions synced = options();
    synced.projects = {{.id = "web",
                        .workspace = {},
                        .repository = {},
                        .agent = {},
                        .sync_remote = remote_.string()}};
    return synced;
  }

  // A session of this node that is done with its first message.
  std::string create(SupervisorNode& node, const std::string& message = "hello") {
    NewSession wanted;
    wanted.project_id = "web";
    wanted.message = message;
    const auto created = node.wait(node.supervisor().create(std::move(wanted)));
    EXPECT_TRUE(created);
    return created->session->session_id;
  }

  fs::path file_of(const SupervisorNode& node, const std::string& id) const {
    return directory_ / node.name() / "workspaces" / id / "file";
  }

  // Waits until this node knows that another commit is pushed.
  static std::string pushed(SupervisorNode& node, const std::string& id,
                            const std::string& before = {}) {
    const std::string key = pushed_document_key(id);
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (node.document(key) == before && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_NE(node.document(key), before);
    return node.document(key);
  }

  // A session of `a` whose file has this text, which `b` knows to be pushed.
  std::string create_pushed(SupervisorNode& a, SupervisorNode& b, const std::string& text) {
    const std::string id = create(a);
    const std::string first = pushed(b, id);
    std::ofstream(file_of(a, id)) << text;
    EXPECT_TRUE(a.wait(a.supervisor().message(id, {.text = "again"})));
    pushed(b, id, first);
    a.until(id, is_complete);
    return id;
  }

  void lose(SupervisorNode& node) {
    settle();
    cut_off(node);
    network_.lose(node.name());
  }

  static std::string content_of(const fs::path& file) {
    std::string text;
    std::getline(std::ifstream(file), text);
    return text;
  }

  // The events that contain this.
  static std::vector<std::string> events_with(SupervisorNode& node, const std::string& id,
                                              const std::string& part) {
    std::vector<std::string> found;
    for (const RecordPtr& record : node.events(id))
      if (record->body.find(part) != std::string::npos) found.push_back(record->body);
    return found;
  }

  const fs::path remote_ = directory_ / "remote";
};

TEST_F(WorkspaceTakeoverTest, AnotherNodeGoesOnInThePushedWorkspace) {
  SupervisorNode& a = start("a", synced());
  SupervisorNode& b = start("b", synced());
  const std::string id = create_pushed(a, b, "text");
  lose(a);
  const auto taken = b.wait(b.supervisor().message(id, {.text = "go on"}));
  ASSERT_TRUE(taken) << taken.error().message;
  const SessionSnapshot session = b.until(id, is_complete);
  EXPECT_EQ(session->node, "b");
  EXPECT_EQ(session->workspace, file_of(b, id).parent_path());
  EXPECT_EQ(content_of(file_of(b, id)), "text");
  EXPECT_EQ(b.document(owner_document_key(id)), b.life());
  EXPECT_THAT(events_with(b, id, "the node a was lost; the workspace is that of 2"), SizeIs(1));
  const std::string before = b.document(pushed_document_key(id));
  std::ofstream(file_of(b, id)) << "changed";
  EXPECT_TRUE(b.wait(b.supervisor().message(id, {.text = "again"})));
  pushed(b, id, before);
}

TEST_F(WorkspaceTakeoverTest, AnInterruptedTaskSaysFromWhereToGoOn) {
  SupervisorNode& a = start("a", synced());
  SupervisorNode& b = start("b", synced());
  const std::string id = create_pushed(a, b, "text");
  EXPECT_TRUE(a.wait(a.supervisor().message(id, {.text = "work"})));
  b.until(id, [](const SessionState& state) { return state.status == SessionStatus::kRunning; });
  lose(a);
  b.until(id, [](const SessionState& state) { return state.state == WorkState::kIdle; });
  EXPECT_THAT(events_with(b, id, "send a message to go on from the workspace of 2"),
              Not(IsEmpty()));
  ASSERT_TRUE(b.wait(b.supervisor().message(id, {.text = "go on"})));
  b.until(id, is_complete);
  EXPECT_EQ(content_of(file_of(b, id)), "text");
}

TEST_F(WorkspaceTakeoverTest, CommandsThatComeAtOnceRestoreTheWorkspaceOnce) {
  SupervisorNode& a = start("a", synced());
  SupervisorNode& b = start("b", synced());
  const std::string id = create_pushed(a, b, "text");
  lose(a);
  auto first = b.begin(b.supervisor().message(id, {.text = "one"}));
  auto second = b.begin(b.supervisor().message(id, {.text = "two"}));
  EXPECT_TRUE(first.get());
  EXPECT_TRUE(second.get());
  EXPECT_THAT(events_with(b, id, "the node a was lost"), SizeIs(1));
}

TEST_F(WorkspaceTakeoverTest, APushThatFailsIsANoticeAndIsRepeatedAfterTheNextTask) {
  SupervisorNode& a = start("a", synced());
  SupervisorNode& b = start("b", synced());
  fs::rename(remote_, directory_ / "away");
  const std::string id = create(a);
  a.until(id, is_complete);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  const std::string failure = "the workspace could not be pushed: git ended with code 128";
  while (events_with(a, id, failure).empty() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_THAT(events_with(a, id, failure), SizeIs(1));
  EXPECT_THAT(events_with(a, id, "\"completion\""), Not(IsEmpty()));
  EXPECT_THAT(a.document(pushed_document_key(id)), IsEmpty());
  fs::rename(directory_ / "away", remote_);
  EXPECT_TRUE(a.wait(a.supervisor().message(id, {.text = "again"})));
  pushed(b, id);
}

TEST_F(WorkspaceTakeoverTest, WithoutAPushTheSessionWaitsForItsNode) {
  fs::remove_all(remote_);
  SupervisorNode& a = start("a", synced());
  SupervisorNode& b = start("b", synced());
  const std::string id = create(a);
  a.until(id, is_complete);
  lose(a);
  const auto refused = b.wait(b.supervisor().message(id, {.text = "go on"}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kNodeUnreachable);
  EXPECT_THAT(refused.error().message, HasSubstr("its workspace is there"));
}

TEST_F(WorkspaceTakeoverTest, ARemoteThatIsGoneIsAnErrorAndTheSessionStaysWhereItIs) {
  SupervisorNode& a = start("a", synced());
  SupervisorNode& b = start("b", synced());
  const std::string id = create_pushed(a, b, "text");
  lose(a);
  fs::rename(remote_, directory_ / "away");
  const auto refused = b.wait(b.supervisor().message(id, {.text = "go on"}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kWorkspaceFailed);
  EXPECT_THAT(refused.error().message, HasSubstr("cannot be restored: git ended"));
  EXPECT_EQ(node_of(b.document(owner_document_key(id))), "a");
  fs::rename(directory_ / "away", remote_);
  EXPECT_TRUE(b.wait(b.supervisor().message(id, {.text = "go on"})));
}

TEST_F(WorkspaceTakeoverTest, ASessionWithoutAProjectIsNotPushed) {
  SupervisorNode& a = start("a", synced());
  const std::string id = create_idle(a);
  const std::string other = create(a);
  pushed(a, other);
  EXPECT_THAT(a.document(pushed_document_key(id)), IsEmpty());
  EXPECT_FALSE(fs::exists(directory_ / "a/sync" / (id + ".git")));
}

}  // namespace
}  // namespace oriel
