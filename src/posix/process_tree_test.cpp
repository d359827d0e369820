#include "posix/process_tree.h"

#include <gmock/gmock.h>

#include <unistd.h>

namespace oriel {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(ProcessTree, ParsesTheStatFile) {
  const auto process =
      parse_stat("42 (a) b (c) S 7 40 39 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 3 0 123456 1000 1 2");
  EXPECT_EQ(process, (ProcessInfo{.pid = 42,
                                  .parent = 7,
                                  .group = 40,
                                  .session = 39,
                                  .state = 'S',
                                  .threads = 3,
                                  .start_time = 123456}));
  EXPECT_FALSE(process->has_ended());
}

TEST(ProcessTree, RefusesWhatIsNoStat) {
  for (const char* text : {"", "42", "42 (sh)", "42 (sh) S 1 2", "x (sh) S 1 1 1 0 -1 0"})
    EXPECT_EQ(parse_stat(text), std::nullopt) << text;
}

TEST(ProcessTree, SeesItself) {
  const auto self = look_up(::getpid());
  ASSERT_TRUE(self);
  EXPECT_EQ(self->parent, ::getppid());
  EXPECT_EQ(self->session, ::getsid(0));
}

constexpr pid_t kOriel = 10;
constexpr pid_t kLeader = 100;

ProcessInfo process(pid_t pid, pid_t parent, pid_t session) {
  return ProcessInfo{.pid = pid, .parent = parent, .group = session, .session = session};
}

std::vector<pid_t> family_in(std::vector<ProcessInfo> others, pid_t marked = 0, pid_t stray = 0) {
  others.push_back(process(kOriel, 1, 10));
  others.push_back(process(kLeader, kOriel, kLeader));
  const FamilyTraits traits{.leader = kLeader,
                            .oriel = kOriel,
                            .is_marked = [=](pid_t pid) { return pid == marked; },
                            .is_stray = [=](pid_t pid) { return pid == stray; }};
  std::vector<pid_t> pids;
  for (const ProcessInfo& member : find_family(others, traits))
    pids.push_back(member.pid);
  return pids;
}

TEST(ProcessTree, AFamilyIsAllBelowItsLeaderInWhateverSession) {
  EXPECT_THAT(
      family_in({process(101, kLeader, kLeader), process(102, 101, 102), process(103, 102, 103)}),
      UnorderedElementsAre(101, 102, 103));
}

TEST(ProcessTree, AnOrphanStaysInTheFamilyByItsSession) {
  EXPECT_THAT(family_in({process(101, kOriel, kLeader), process(102, 101, 102)}),
              UnorderedElementsAre(101, 102));
}

TEST(ProcessTree, AnOrphanWithASessionOfItsOwnIsKnownByItsMarker) {
  EXPECT_THAT(family_in({process(101, kOriel, 101), process(102, 101, 102)}, 101),
              UnorderedElementsAre(101, 102));
  EXPECT_THAT(family_in({process(101, kOriel, 101)}, 0, 101), UnorderedElementsAre(101));
}

TEST(ProcessTree, OthersAreNotOfTheFamily) {
  EXPECT_THAT(family_in({process(1, 0, 1), process(50, 1, 50), process(200, kOriel, 200),
                         process(201, 200, 201)}),
              IsEmpty());
}

TEST(ProcessTree, WhoHasEndedIsNotKilled) {
  ProcessInfo zombie = process(101, kLeader, kLeader);
  zombie.state = 'Z';
  EXPECT_THAT(family_in({zombie}), IsEmpty());
}

TEST(ProcessTree, WhoseMainThreadAloneHasEndedIsKilled) {
  ProcessInfo headless = process(101, kLeader, kLeader);
  headless.state = 'Z';
  headless.threads = 2;
  EXPECT_THAT(family_in({headless}), UnorderedElementsAre(101));
}

}  // namespace
}  // namespace oriel
