#include "agent/agent.h"

#include "agent/agent_testing.h"
#include "base/eventually_testing.h"
#include "base/temp_directory_testing.h"
#include "base/text/utf8.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>
#include <thread>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// What an agent did from its start until it ended, or until it said "done".
struct AgentRun {
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

asio::awaitable<void> take(Agent& agent, AgentRun& result) {
  AgentOutput output = co_await agent.next();
  for (AgentEvent& event : output.events)
    result.events.push_back(std::move(event));
  result.exit = std::move(output.exit);
}

// Sends the prompt once the agent is ready.
asio::awaitable<AgentRun> run_agent(AgentSpec spec, AgentLimits limits, std::string prompt) {
  Agent agent(co_await asio::this_coro::executor, std::move(spec), std::make_unique<WordAdapter>(),
              limits);
  AgentRun result;
  const Result<void> started = co_await agent.start(std::filesystem::temp_directory_path(), "");
  if (!started) result.refusal = started.error();
  while (started && !result.exit && result.find<TaskEnded>() == nullptr) {
    const bool was_ready = result.find<AgentReady>() != nullptr;
    co_await take(agent, result);
    if (!was_ready && result.find<AgentReady>() != nullptr) agent.prompt(prompt);
  }
  co_await agent.stop();
  while (started && !result.exit)
    co_await take(agent, result);
  co_return result;
}

AgentRun run(AgentSpec spec, AgentLimits limits = hurried(), std::string prompt = "") {
  AgentRun result = run_here(run_agent(std::move(spec), limits, std::move(prompt)));
  EXPECT_THAT(own_children_left(), IsEmpty());
  return result;
}

TEST(AgentProcess, IsPromptedAndAnswersInOrder) {
  const AgentRun result = run(script("read start; echo ready; read one; echo say $one; echo done; "
                                     "read bye; echo say $bye"),
                              AgentLimits{}, "hello");
  EXPECT_NE(result.find<AgentReady>(), nullptr);
  EXPECT_EQ(result.text(), "hello|bye|");
  EXPECT_EQ(result.exit->describe(), "exited with code 0");
}

// The adapter throws on the second line; the agent itself would go on, whatever it is sent.
TEST(AgentProcess, IsEndedWhenItsOutputCannotBeRead) {
  const AgentRun result = run(script("read start; echo ready; echo quiet nonsense; exec sleep 60"));
  EXPECT_NE(result.find<AgentReady>(), nullptr);
  ASSERT_TRUE(result.exit);
  EXPECT_THAT(result.exit->describe(), HasSubstr("could not be served by Oriel"));
}

// Sends a prompt when the agent is ready, and another when its task has ended.
asio::awaitable<AgentRun> run_two_tasks(AgentSpec spec) {
  Agent agent(co_await asio::this_coro::executor, std::move(spec), std::make_unique<WordAdapter>(),
              hurried());
  AgentRun result;
  const Result<void> started = co_await agent.start(std::filesystem::temp_directory_path(), "");
  EXPECT_TRUE(started);
  while (!result.exit) {
    const bool was_ready = result.find<AgentReady>() != nullptr;
    const bool was_done = result.find<TaskEnded>() != nullptr;
    co_await take(agent, result);
    if (!was_ready && result.find<AgentReady>() != nullptr) agent.prompt("one");
    if (!was_done && result.find<TaskEnded>() != nullptr) agent.prompt("two");
  }
  co_await agent.stop();
  co_return result;
}

// The kernel no longer knows how the agent has ended.
asio::awaitable<AgentRun> run_agent_that_another_reaps() {
  const TempDirectory directory;
  const std::filesystem::path file = directory / "pid";
  AgentSpec spec = script("echo $$ > " + file.string() + "; exit 0");
  Agent agent(co_await asio::this_coro::executor, std::move(spec), std::make_unique<WordAdapter>(),
              hurried());
  AgentRun result;
  const Result<void> started = co_await agent.start(std::filesystem::temp_directory_path(), "");
  if (!started) result.refusal = started.error();
  // Blocks the loop, so that nothing else reaps it first.
  pid_t agent_pid = 0;
  const auto has_pid = [&] { return !!(std::ifstream(file) >> agent_pid); };
  EXPECT_TRUE(!started || eventually(has_pid));
  ::waitpid(agent_pid, nullptr, 0);
  while (started && !result.exit)
    co_await take(agent, result);
  co_await agent.stop();
  co_return result;
}

// More warnings than one read takes.
const std::string kWarns =
    "i=0; while [ $i -lt 1000 ]; do echo old warning $i >&2; "
    "i=$((i+1)); done; ";

TEST(R_AGENT_4, WhatItSaidInAnEarlierTaskIsNoCauseOfItsDeath) {
  for (const char* end : {"kill -9 $$", "echo out of memory >&2; exit 3"}) {
    const AgentRun result =
        run_here(run_two_tasks(script("read start; echo ready; read one; " + kWarns +
                                      "echo noise; echo done; read two; " + end)));
    EXPECT_THAT(result.exit->describe(),
                testing::AnyOf("was killed by SIGKILL (signal 9)",
                               "exited with code 3; it said: out of memory"));
  }
}

TEST(R_AGENT_4, WhatItSaidWhileItStartedMayExplainItsDeathInTheFirstTask) {
  const AgentRun result =
      run(script("echo no config >&2; read start; echo ready; read one; kill -9 $$"));
  EXPECT_EQ(result.exit->describe(), "was killed by SIGKILL (signal 9); it said: no config");
}

TEST(AgentProcess, IsEndedWhenItsExitCannotBeRead) {
  const AgentRun result = run_here(run_agent_that_another_reaps());
  EXPECT_FALSE(result.refusal);
  ASSERT_TRUE(result.exit);
  EXPECT_THAT(result.exit->describe(), HasSubstr("could not be served by Oriel"));
}

TEST(AgentProcess, WorksInItsWorkspaceWithAMarkerAndNothingElseOfOurs) {
  ASSERT_EQ(setenv("ORIEL_SECRET", "x", 1), 0);
  const AgentRun result =
      run(script("echo say $(pwd); echo say ${ORIEL_AGENT_ID%%-*} $ORIEL_SECRET"));
  unsetenv("ORIEL_SECRET");
  EXPECT_EQ(result.text(), std::filesystem::temp_directory_path().string() + "|oriel|");
}

TEST(AgentProcess, TheAdapterIsNotifiedWhenItsQuietTimeIsOver) {
  const AgentRun result = run(script("echo quiet 1; read start; read word; echo say $word"));
  EXPECT_EQ(result.text(), "silence|");
}

TEST(R_AGENT_4, ExitsAtOnceAndSaysWhy) {
  const AgentRun result = run(script("echo no licence >&2; exit 3"));
  EXPECT_EQ(result.exit->describe(), "exited with code 3; it said: no licence");
}

TEST(R_AGENT_4, IsKilledBySomebodyElse) {
  const AgentRun result = run(script("echo ready; kill -9 $$"));
  EXPECT_EQ(result.exit->describe(), "was killed by SIGKILL (signal 9)");
}

TEST(R_AGENT_4, PrintsGarbageWhichIsKeptForTheDiagnosis) {
  const AgentRun result = run(script("echo '<html>oops'; echo ready; exit 1"));
  EXPECT_NE(result.find<AgentReady>(), nullptr);
  EXPECT_THAT(result.exit->describe(), HasSubstr("<html>oops"));
}

TEST(R_AGENT_4, LeavesHalfALineAtItsExit) {
  const AgentRun result = run(script("echo say one; printf 'say tw'"));
  EXPECT_EQ(result.text(), "one|tw|");
}

TEST(R_AGENT_4, WritesInvalidUtf8) {
  const AgentRun result = run(script(R"(printf 'say a\377b\n\376\n'; printf '\375' >&2)"));
  EXPECT_EQ(result.text(),
            "a\xEF\xBF\xBD"
            "b|");
  EXPECT_TRUE(is_utf8(result.exit->last_words));
}

TEST(R_AGENT_4, WritesALineOf200MiBWhichIsRefusedInBoundedMemory) {
  AgentLimits limits = hurried();
  limits.max_line_bytes = 1 << 20;
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  const AgentRun result =
      run(script("head -c 209715200 /dev/zero; echo; echo say after; echo done; "
                 "read start; read bye; echo say $bye"),
          limits);
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  ASSERT_NE(result.find<ErrorReported>(), nullptr);
  EXPECT_EQ(result.find<ErrorReported>()->message,
            "scripted wrote a line of 209715200 bytes; at most 1048576 are read");
  EXPECT_TRUE(result.find<ErrorReported>()->fails_task);
  EXPECT_EQ(result.text(), "after|bye|");
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100 << 10);  // in KiB
}

TEST(R_AGENT_4, WritesALongLineWhichIsReadBeforeTheNext) {
  const AgentRun result = run(script(
      R"(printf '{"say":"'; head -c 1000000 /dev/zero | tr '\0' x; echo '"}'; echo say after)"));
  EXPECT_EQ(result.text(), std::string(1'000'000, 'x') + "|after|");
}

TEST(R_AGENT_4, PrintsALongLineOfGarbageWhoseBeginningIsKept) {
  const AgentRun result =
      run(script("printf '<html>oops'; head -c 1000000 /dev/zero | tr '\\0' x; echo; exit 1"));
  EXPECT_THAT(result.exit->describe(), HasSubstr("<html>oops"));
}

TEST(R_AGENT_4, FloodsAndWaitsUntilItsEventsAreTaken) {
  const AgentRun result =
      run(script("i=0; while [ $i -lt 20000 ]; do echo say $i; i=$((i+1)); done"));
  EXPECT_EQ(result.events.size(), 20000u);
}

TEST(R_AGENT_4, IgnoresSigtermAndIsKilled) {
  const AgentRun result = run(script("trap '' TERM; echo done; while :; do sleep 60; done"));
  EXPECT_EQ(result.exit->signal, SIGKILL);
}

TEST(R_AGENT_4, EndsAtSigtermWithItsOwnCode) {
  AgentLimits patient = hurried();
  patient.term_grace = std::chrono::seconds(30);
  const AgentRun result =
      run(script("trap 'exit 7' TERM; echo done; while :; do sleep 0.01; done"), patient);
  EXPECT_EQ(result.exit->code, 7);
}

TEST(R_AGENT_4, ForksAwayIntoSessionsOfItsOwn) {
  run(
      script("setsid sh -c 'setsid sleep 600 & sleep 600' & "
             "(setsid sleep 600 &); trap '' TERM; echo done; read start; sleep 600"));
}

TEST(R_AGENT_4, LeavesADaemonBehindThatHoldsItsPipes) {
  const AgentRun result = run(script("(setsid sleep 600 &); echo say end; exit 4"));
  EXPECT_EQ(result.text(), "end|");
  EXPECT_EQ(result.exit->code, 4);
}

TEST(R_AGENT_4, LeavesADaemonBehindThatHasForgottenItsName) {
  run(script("(setsid env -i sleep 600 >/dev/null 2>&1 &); exit 0"));
}

TEST(R_AGENT_4, ClosesItsOutputAndGoesOn) {
  const AgentRun result = run(script("exec >&-; sleep 600"));
  EXPECT_EQ(result.exit->describe(), "closed its output and was stopped");
}

TEST(R_AGENT_4, ClosesItsInputAndGoesOn) {
  const AgentRun result = run(script("exec <&-; echo ready; sleep 600"), hurried(), "a question");
  EXPECT_EQ(result.exit->describe(), "closed its input and was stopped");
}

TEST(R_AGENT_4, DoesNotReadItsInput) {
  AgentLimits limits = hurried();
  limits.max_unsent_bytes = 1 << 20;
  const AgentRun result = run(script("echo ready; sleep 600"), limits, std::string(2 << 20, 'x'));
  EXPECT_EQ(result.exit->describe(), "did not read its input and was stopped");
}

TEST(R_AGENT_4, IsNotInstalled) {
  AgentSpec spec;
  spec.name = "droid";
  spec.command = {"oriel-no-such-agent"};
  const AgentRun result = run(spec);
  EXPECT_EQ(result.refusal->kind, ErrorKind::kProgramMissing);
  EXPECT_EQ(result.refusal->message,
            "agent droid: 'oriel-no-such-agent' is not installed or not on PATH");
  EXPECT_EQ(result.refusal->hint, "install it, or set [agents.droid] command");
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
        const AgentRun result =
            run_here(run_agent(script("(setsid sleep 600 &); setsid sleep 600 & "
                                      "echo done; exec sleep 600"),
                               hurried(), ""));
        EXPECT_EQ(result.exit->signal, SIGTERM);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_THAT(own_children_left(), IsEmpty());
}

asio::awaitable<Result<void>> start_without_descriptors() {
  Agent agent(co_await asio::this_coro::executor, script("echo ready; cat"),
              std::make_unique<WordAdapter>(), hurried());
  Result<void> started;
  {
    const DescriptorShortage shortage;
    started = co_await agent.start("/", "");
  }
  co_await agent.stop();
  co_return started;
}

TEST(Agent, WithoutFreeDescriptorsFailsToStartAndTheNextStarts) {
  const auto started = run_here(start_without_descriptors());
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().kind, ErrorKind::kCannotStart);
  EXPECT_THAT(started.error().message, HasSubstr("0 are free"));
  const AgentRun next = run_here(
      run_agent(script("echo ready; read a; read b; echo say $b; echo done"), hurried(), "hello"));
  EXPECT_EQ(next.text(), "hello|");
}

}  // namespace
}  // namespace oriel
