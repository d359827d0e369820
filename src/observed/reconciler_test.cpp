#include "observed/reconciler.h"

#include "observed/observed_testing.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using HookOrigin = Reconciler::HookOrigin;

SeenTurn prompt(const std::string& text, int at, const std::string& prompt_id = "") {
  return {.kind = BindKind::kPrompt,
          .turn_id = "turn of " + text,
          .task_id = "task",
          .fingerprint = fingerprint(text),
          .prompt_id = prompt_id,
          .time = at_ms(at),
          .hook_at = {}};
}

WaitingTurn waiting(const std::string& turn_id, const std::string& text, int at,
                    const std::string& prompt_id = "") {
  return {.kind = BindKind::kPrompt,
          .turn_id = turn_id,
          .task_id = "task",
          .fingerprint = fingerprint(text),
          .prompt_id = prompt_id,
          .tool_call_id = {},
          .since = at_ms(at)};
}

TEST(Reconciler, WhiteSpaceAroundATextDoesNotCount) {
  EXPECT_EQ(fingerprint(" yes\n"), fingerprint("yes"));
  EXPECT_NE(fingerprint("yes"), fingerprint("Yes"));
  EXPECT_EQ(fingerprint("foobar"), 0x85944171f73967e8ULL) << "it is stored: it must not change";
}

TEST(Reconciler, EqualTextsAreBoundInTheirOrder) {
  Reconciler reconciler;
  reconciler.add_waiting(waiting("first", "yes", 0));
  reconciler.add_waiting(waiting("second", "yes", 10'000));
  EXPECT_EQ(reconciler.bind(prompt("yes", 1))->turn_id, "first");
  EXPECT_EQ(reconciler.bind(prompt("yes", 10'001))->turn_id, "second");
  EXPECT_FALSE(reconciler.bind(prompt("yes", 10'002)));
}

TEST(Reconciler, ThePromptIdDecidesBeforeTheText) {
  Reconciler reconciler;
  reconciler.add_waiting(waiting("first", "yes", 0, "p1"));
  reconciler.add_waiting(waiting("second", "yes", 1, "p2"));
  EXPECT_EQ(reconciler.bind(prompt("yes", 2, "p2"))->turn_id, "second");
  EXPECT_FALSE(reconciler.bind(prompt("yes", 3, "p3")));
  EXPECT_EQ(reconciler.bind(prompt("other words", 4, "p1"))->turn_id, "first");
}

TEST(Reconciler, AHookAfterItsEntryIsKnownAndTheNextIsRepeated) {
  Reconciler reconciler;
  reconciler.add_seen(prompt("yes", 0));
  EXPECT_EQ(reconciler.match_hook(prompt("yes", 0), at_ms(50)).origin, HookOrigin::kKnown);
  EXPECT_EQ(reconciler.match_hook(prompt("yes", 0), at_ms(60)).origin, HookOrigin::kRepeated);
  EXPECT_EQ(reconciler.match_hook(prompt("yes", 0), at_ms(9'000)).origin, HookOrigin::kNew);
  EXPECT_EQ(reconciler.match_hook(prompt("no", 0), at_ms(60)).origin, HookOrigin::kNew);
}

TEST(Reconciler, ARepeatedHookWithAPromptIdMayBeLate) {
  Reconciler reconciler;
  reconciler.add_waiting(waiting("first", "yes", 0, "p1"));
  EXPECT_EQ(reconciler.match_hook(prompt("yes", 0, "p1"), at_ms(3'600'000)).origin,
            HookOrigin::kRepeated);
  EXPECT_EQ(reconciler.match_hook(prompt("yes", 0, "p2"), at_ms(1)).origin, HookOrigin::kNew);
}

TEST(Reconciler, AnEntryIsTakenOnce) {
  Reconciler reconciler({}, {"known"});
  EXPECT_FALSE(reconciler.take_entry("known"));
  EXPECT_TRUE(reconciler.take_entry("new"));
  EXPECT_FALSE(reconciler.take_entry("new"));
}

TEST(Reconciler, ItsMemoryIsBounded) {
  Reconciler reconciler;
  for (int i = 0; i < 1'000; ++i)
    reconciler.add_waiting(waiting("t" + std::to_string(i), "text " + std::to_string(i), i));
  EXPECT_EQ(reconciler.state().seen.size(), ReconcilerState::kMaxSeen);
  EXPECT_EQ(reconciler.state().waiting.size(), ReconcilerState::kMaxWaiting);
  EXPECT_EQ(read_reconciler_state(to_json(reconciler.state())), reconciler.state());
}

}  // namespace
}  // namespace oriel
