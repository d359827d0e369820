#include "supervisor/observers/observer.h"

#include "base/eventually_testing.h"
#include "supervisor/now.h"
#include "supervisor/observers/observer_fixture_testing.h"

#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <unistd.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using testing::IsEmpty;
using testing::SizeIs;

class ObserverTest : public ObserverFixture {
 protected:
  ObserverTest() {
    options_.transcript_roots = {directory_.path().string()};
    options_.agent.tick_every = milliseconds(20);
    begin();
  }

  ~ObserverTest() override {
    if (observer_) end();
  }

  void begin() { begin_observer(options_); }

  void end() { end_observer(); }

  std::string path(const std::string& session_id) const {
    return (directory_ / (session_id + ".jsonl")).string();
  }

  HookEvent hook_of(HookKind kind, const std::string& session_id) const {
    HookEvent hook;
    hook.kind = kind;
    hook.session_id = session_id;
    hook.transcript_path = path(session_id);
    hook.cwd = directory_.path().string();
    return hook;
  }

  Result<std::string> send(HookEvent hook) {
    return on_first_shard([this, hook = std::move(hook)] {
      return observer_->take({.hook = hook, .at = now(), .bytes = 100});
    });
  }

  Result<std::string> prompt(const std::string& session_id, const std::string& text) {
    HookEvent hook = hook_of(HookKind::kUserPromptSubmit, session_id);
    hook.prompt = text;
    return send(std::move(hook));
  }

  void write_prompt(const std::string& session_id, const std::string& uuid,
                    const std::string& text) const {
    std::ofstream(path(session_id), std::ios::app)
        << R"({"type":"user","uuid":")" << uuid << R"(","sessionId":")" << session_id
        << R"(","timestamp":")" << format_time(wall_now())
        << R"(","message":{"role":"user","content":")" << text << "\"}}\n";
  }

  std::vector<SessionSnapshot> listed() {
    return on_first_shard([this] { return sessions_->list({}); });
  }

  ObserverOptions options_;
};

TEST_F(ObserverTest, AHookMakesASessionThatIsMarkedAsObserved) {
  EXPECT_EQ(prompt("a", "hello").value(), "a");
  ASSERT_TRUE(eventually([&] { return texts("a").size() == 1; }));
  const auto sessions = listed();
  ASSERT_THAT(sessions, SizeIs(1));
  EXPECT_TRUE(sessions[0]->is_observed);
  EXPECT_EQ(sessions[0]->agent, "claude");
  EXPECT_EQ(sessions[0]->title, "hello");
  EXPECT_EQ(sessions[0]->workspace, directory_.path().string());
  EXPECT_NE(sessions[0]->project_id, "");
}

TEST_F(ObserverTest, AnEntryIsBoundToItsHook) {
  prompt("a", "hello").value();
  write_prompt("a", "u1", "hello");
  ASSERT_TRUE(eventually([&] { return turns("a").size() == 1 && turns("a")[0].entry_id == "u1"; }));
  write_prompt("a", "u2", "more");
  EXPECT_TRUE(eventually([&] { return texts("a") == std::vector<std::string>{"hello", "more"}; }));
}

TEST_F(ObserverTest, ARestartContinuesWithoutDuplicates) {
  prompt("a", "one").value();
  write_prompt("a", "u1", "one");
  ASSERT_TRUE(eventually([&] { return turns("a").size() == 1 && turns("a")[0].entry_id == "u1"; }));
  end();
  write_prompt("a", "u2", "two");
  begin();
  EXPECT_THAT(listed(), SizeIs(1));
  EXPECT_TRUE(eventually([&] { return texts("a") == std::vector<std::string>{"one", "two"}; }));
  prompt("a", "three").value();
  write_prompt("a", "u3", "three");
  EXPECT_TRUE(eventually([&] { return turns("a").size() == 3 && turns("a")[2].entry_id == "u3"; }));
}

TEST_F(ObserverTest, ATranscriptOutsideTheRootsIsNotReadAndTheHookCounts) {
  HookEvent hook = hook_of(HookKind::kUserPromptSubmit, "a");
  hook.prompt = "hello";
  hook.transcript_path = "/etc/passwd.jsonl";
  EXPECT_TRUE(send(hook));
  EXPECT_TRUE(eventually([&] { return texts("a").size() == 1; }));
  const auto documents = wait(journal_.read_documents(observed_document_key("a")));
  EXPECT_EQ(parse_observed_document(documents.at(0).value)->transcript.position.path, "");
}

TEST_F(ObserverTest, BeyondTheLimitTheOldestAgentIsEvictedWithItsTurns) {
  end();
  options_.max_observed = 2;
  begin();
  for (const char* id : {"a", "b", "c"}) {
    prompt(id, "hello").value();
    ASSERT_TRUE(eventually([&] { return texts(id).size() == 1; }));
    const WallTime asked_at = wall_now();
    ASSERT_TRUE(eventually([&] { return wall_now() > asked_at; }));  // their times differ
  }
  EXPECT_TRUE(eventually([&] { return texts("a").empty(); }));
  EXPECT_TRUE(eventually([&] { return listed().size() == 2; }));
  EXPECT_THAT(texts("c"), SizeIs(1));
  EXPECT_TRUE(eventually(
      [&] { return wait(journal_.read_documents(observed_document_key(""))).size() == 2; }));
  EXPECT_TRUE(eventually([&] { return prompt("a", "again").has_value(); }));
  EXPECT_TRUE(eventually([&] { return texts("a") == std::vector<std::string>{"again"}; }));
}

// Ended with the test.
class WaitingProcess {
 public:
  WaitingProcess() : pid_(::fork()) {
    if (pid_ != 0) return;
    ::pause();
    ::_exit(0);
  }

  WaitingProcess(const WaitingProcess&) = delete;
  WaitingProcess& operator=(const WaitingProcess&) = delete;

  ~WaitingProcess() {
    kill();
    ::waitpid(pid_, nullptr, 0);
  }

  pid_t pid() const { return pid_; }

  void kill() const { ::kill(pid_, SIGKILL); }

 private:
  pid_t pid_;
};

class ObservedProcessTest : public ObserverTest {
 protected:
  void prompt_from(const std::string& session_id, pid_t pid) {
    HookEvent hook = hook_of(HookKind::kUserPromptSubmit, session_id);
    hook.prompt = "hello";
    hook.pid = pid;
    send(hook).value();
    ASSERT_TRUE(eventually([&] { return find(session_id) && find(session_id)->is_live; }));
  }

  // Null: it is not listed.
  SessionSnapshot find(const std::string& session_id) {
    for (const SessionSnapshot& session : listed()) {
      if (session->session_id == session_id) return session;
    }
    return nullptr;
  }

  // Returns when all processes have been checked since the call: one that ended was noticed.
  void wait_for_check() {
    const WaitingProcess other;
    prompt_from("other", other.pid());
    other.kill();
    ASSERT_TRUE(eventually([&] { return find("other")->status == SessionStatus::kCompleted; }));
  }
};

TEST_F(ObservedProcessTest, AnAgentWithoutItsProcessHasEnded) {
  const WaitingProcess process;
  prompt_from("a", process.pid());
  wait_for_check();
  EXPECT_TRUE(find("a")->is_live);
  process.kill();
  EXPECT_TRUE(eventually([&] { return find("a")->status == SessionStatus::kCompleted; }));
  EXPECT_EQ(find("a")->reason, "its process has ended");
}

TEST_F(ObservedProcessTest, AnUnknownProcessIsIgnored) {
  prompt_from("a", 999'999'999);
  wait_for_check();
  EXPECT_TRUE(find("a")->is_live);
}

TEST_F(ObserverTest, AHookOfAHostedSessionIsRejected) {
  EXPECT_EQ(prompt("ses_1", "hello").error().kind, ErrorKind::kInvalidHook);
  on_first_shard([this] {
    SessionState hosted;
    hosted.session_id = "ses_1";
    hosted.agent_session_id = "native";
    sessions_->add(hosted);
    return true;
  });
  EXPECT_EQ(prompt("native", "hello").value(), "ses_1");
  EXPECT_THAT(wait(journal_.read_documents("")), IsEmpty());
}

TEST_F(ObserverTest, ConcurrentHooksBelongToOneAgent) {
  for (int i = 0; i < 50; ++i) {
    HookEvent hook = hook_of(i % 2 == 0 ? HookKind::kSessionStart : HookKind::kPreToolUse, "a");
    hook.tool_name = "Bash";
    hook.tool_call_id = "t1";
    EXPECT_EQ(send(hook).value(), "a");
  }
  end();
  const SessionPage page = wait(journal_.read_session({.session_id = "a"}));
  std::size_t created = 0;
  std::size_t calls = 0;
  for (const RecordPtr& record : page.records) {
    if (record->json().find("session seen") != std::string::npos) ++created;
    if (record->json().find("\"type\":\"tool_call\"") != std::string::npos) ++calls;
  }
  EXPECT_EQ(created, 1U);
  EXPECT_EQ(calls, 1U);
}

}  // namespace
}  // namespace oriel
