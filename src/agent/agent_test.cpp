#include "agent/agent.h"

#include "agent/agent_testing.h"
#include "base/text/utf8.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>
#include <thread>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// What an agent did from its start until it ended, or until it said "done".
struct Story {
  std::optional<Error> refusal;
  std::vector<AgentEvent> events;
  std::optional<AgentExit> exit;

  std::string text() const {
    std::string said;
    for (const AgentEvent& event : events)
      if (const auto* delta = std::get_if<TextDelta>(&event)) said += delta->text + "|";
    return said;
  }

  template <class Event>
  const Event* find() const {
    for (const AgentEvent& event : events)
      if (const auto* found = std::get_if<Event>(&event)) return found;
    return nullptr;
  }
};

asio::awaitable<void> take(Agent& agent, Story& story) {
  AgentOutput output = co_await agent.next();
  for (AgentEvent& event : output.events)
    story.events.push_back(std::move(event));
  story.exit = std::move(output.exit);
}

// Sends the prompt once the agent is ready.
asio::awaitable<Story> tell(AgentSpec spec, AgentLimits limits, std::string prompt) {
  Agent agent(co_await asio::this_coro::executor, std::move(spec), std::make_unique<WordAdapter>(),
              limits);
  Story story;
  const Result<void> started = co_await agent.start(std::filesystem::temp_directory_path(), "");
  if (!started) story.refusal = started.error();
  while (started && !story.exit && story.find<TaskEnded>() == nullptr) {
    const bool was_ready = story.find<AgentReady>() != nullptr;
    co_await take(agent, story);
    if (!was_ready && story.find<AgentReady>() != nullptr) agent.prompt(prompt);
  }
  co_await agent.stop();
  while (started && !story.exit)
    co_await take(agent, story);
  co_return story;
}

Story run(AgentSpec spec, AgentLimits limits = hurried(), std::string prompt = "") {
  Story story = run_here(tell(std::move(spec), limits, std::move(prompt)));
  EXPECT_THAT(own_children_left(), IsEmpty());
  return story;
}

TEST(AgentProcess, IsPromptedAndAnswersInOrder) {
  const Story story = run(script("read start; echo ready; read one; echo say $one; echo done; "
                                 "read bye; echo say $bye"),
                          AgentLimits{}, "hello");
  EXPECT_NE(story.find<AgentReady>(), nullptr);
  EXPECT_EQ(story.text(), "hello|bye|");
  EXPECT_EQ(story.exit->describe(), "exited with code 0");
}

TEST(AgentProcess, WorksInItsWorkspaceWithAMarkerAndNothingElseOfOurs) {
  ASSERT_EQ(setenv("ORIEL_SECRET", "x", 1), 0);
  const Story story = run(script("echo say $(pwd); echo say ${ORIEL_AGENT_ID%%-*} $ORIEL_SECRET"));
  unsetenv("ORIEL_SECRET");
  EXPECT_EQ(story.text(), std::filesystem::temp_directory_path().string() + "|oriel|");
}

TEST(AgentProcess, HearsOfTheSilenceItWasToKeep) {
  const Story story = run(script("echo quiet 1; read start; read word; echo say $word"));
  EXPECT_EQ(story.text(), "silence|");
}

TEST(R_AGENT_4, ExitsAtOnceAndSaysWhy) {
  const Story story = run(script("echo no licence >&2; exit 3"));
  EXPECT_EQ(story.exit->describe(), "exited with code 3; it said: no licence");
}

TEST(R_AGENT_4, IsKilledBySomebodyElse) {
  const Story story = run(script("echo ready; kill -9 $$"));
  EXPECT_EQ(story.exit->describe(), "was killed by SIGKILL (signal 9)");
}

TEST(R_AGENT_4, PrintsGarbageWhichIsKeptForTheDiagnosis) {
  const Story story = run(script("echo '<html>oops'; echo ready; exit 1"));
  EXPECT_NE(story.find<AgentReady>(), nullptr);
  EXPECT_THAT(story.exit->describe(), HasSubstr("<html>oops"));
}

TEST(R_AGENT_4, LeavesHalfALineAtItsExit) {
  const Story story = run(script("echo say one; printf 'say tw'"));
  EXPECT_EQ(story.text(), "one|tw|");
}

TEST(R_AGENT_4, WritesInvalidUtf8) {
  const Story story = run(script(R"(printf 'say a\377b\n\376\n'; printf '\375' >&2)"));
  EXPECT_EQ(story.text(),
            "a\xEF\xBF\xBD"
            "b|");
  EXPECT_TRUE(is_utf8(story.exit->last_words));
}

TEST(R_AGENT_4, WritesALineOf200MiBWhichIsRefusedInBoundedMemory) {
  AgentLimits limits = hurried();
  limits.max_line_bytes = 1 << 20;
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  const Story story = run(script("head -c 209715200 /dev/zero; echo; echo say after; echo done; "
                                 "read start; read cancel; echo say $cancel"),
                          limits);
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  ASSERT_NE(story.find<ErrorReported>(), nullptr);
  EXPECT_EQ(story.find<ErrorReported>()->message,
            "scripted wrote a line of 209715200 bytes; at most 1048576 are read");
  EXPECT_EQ(story.text(), "after|cancel|");
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100 << 10);  // in KiB
}

TEST(R_AGENT_4, FloodsAndWaitsUntilItsEventsAreTaken) {
  const Story story = run(script("i=0; while [ $i -lt 20000 ]; do echo say $i; i=$((i+1)); done"));
  EXPECT_EQ(story.events.size(), 20000u);
}

TEST(R_AGENT_4, IgnoresSigtermAndIsKilled) {
  const Story story = run(script("trap '' TERM; echo done; while :; do sleep 60; done"));
  EXPECT_EQ(story.exit->signal, SIGKILL);
}

TEST(R_AGENT_4, EndsAtSigtermWithItsOwnCode) {
  AgentLimits patient = hurried();
  patient.term_grace = std::chrono::seconds(30);
  const Story story =
      run(script("trap 'exit 7' TERM; echo done; while :; do sleep 0.01; done"), patient);
  EXPECT_EQ(story.exit->code, 7);
}

TEST(R_AGENT_4, ForksAwayIntoSessionsOfItsOwn) {
  run(
      script("setsid sh -c 'setsid sleep 600 & sleep 600' & "
             "(setsid sleep 600 &); trap '' TERM; echo done; read start; sleep 600"));
}

TEST(R_AGENT_4, LeavesADaemonBehindThatHoldsItsPipes) {
  const Story story = run(script("(setsid sleep 600 &); echo say end; exit 4"));
  EXPECT_EQ(story.text(), "end|");
  EXPECT_EQ(story.exit->code, 4);
}

TEST(R_AGENT_4, LeavesADaemonBehindThatHasForgottenItsName) {
  run(script("(setsid env -i sleep 600 >/dev/null 2>&1 &); exit 0"));
}

TEST(R_AGENT_4, ClosesItsOutputAndGoesOn) {
  const Story story = run(script("exec >&-; sleep 600"));
  EXPECT_EQ(story.exit->describe(), "closed its output and was stopped");
}

TEST(R_AGENT_4, ClosesItsInputAndGoesOn) {
  const Story story = run(script("exec <&-; echo ready; sleep 600"), hurried(), "a question");
  EXPECT_EQ(story.exit->describe(), "closed its input and was stopped");
}

TEST(R_AGENT_4, DoesNotReadItsInput) {
  AgentLimits limits = hurried();
  limits.max_unsent_bytes = 1 << 20;
  const Story story = run(script("echo ready; sleep 600"), limits, std::string(2 << 20, 'x'));
  EXPECT_EQ(story.exit->describe(), "did not read its input and was stopped");
}

TEST(R_AGENT_4, IsNotInstalled) {
  AgentSpec spec;
  spec.name = "droid";
  spec.command = {"oriel-no-such-agent"};
  const Story story = run(spec);
  EXPECT_EQ(story.refusal->kind, ErrorKind::kProgramMissing);
  EXPECT_EQ(story.refusal->message,
            "agent droid: 'oriel-no-such-agent' is not installed or not on PATH");
  EXPECT_EQ(story.refusal->hint, "Install it, or set [agents.droid] command.");
}

asio::awaitable<Result<void>> start_in(AgentSpec spec, std::string directory) {
  Agent agent(co_await asio::this_coro::executor, std::move(spec), std::make_unique<WordAdapter>(),
              AgentLimits{});
  const Result<void> started = co_await agent.start(directory, "");
  co_await agent.stop();
  co_return started;
}

TEST(R_AGENT_4, HasNoDirectoryToWorkIn) {
  const Result<void> started = run_here(start_in(script("exit 0"), "/no/such/directory"));
  EXPECT_EQ(started.error().kind, ErrorKind::kDirectoryMissing);
  EXPECT_EQ(started.error().message,
            "agent scripted: the workspace '/no/such/directory' is not a directory");
}

asio::awaitable<void> take_until_exit(Agent& agent, bool& has_seen_exit) {
  while (!has_seen_exit) {
    const AgentOutput output = co_await agent.next();
    has_seen_exit = output.exit.has_value();
  }
}

asio::awaitable<bool> stop_while_somebody_takes() {
  const auto shard = co_await asio::this_coro::executor;
  bool has_seen_exit = false;
  TaskGroup takers(shard);
  {
    Agent agent(shard, script("while read line; do :; done"), std::make_unique<WordAdapter>(),
                AgentLimits{});
    co_await agent.start("/", "");
    takers.spawn("taker", take_until_exit(agent, has_seen_exit));
    takers.spawn("another stop", agent.stop());
    co_await agent.stop();
  }
  co_await takers.joined();
  co_return has_seen_exit;
}

TEST(AgentProcess, EndsANextThatWaitsWhenItIsStopped) {
  EXPECT_TRUE(run_here(stop_while_somebody_takes()));
  EXPECT_THAT(own_children_left(), IsEmpty());
}

TEST(R_AGENT_4, ManyThatForkAwayRunOnSeveralThreadsAndLeaveNothing) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      for (int round = 0; round < 5; ++round) {
        const Story story = run_here(tell(script("(setsid sleep 600 &); setsid sleep 600 & "
                                                 "echo done; exec sleep 600"),
                                          hurried(), ""));
        EXPECT_EQ(story.exit->signal, SIGTERM);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_THAT(own_children_left(), IsEmpty());
}

}  // namespace
}  // namespace oriel
