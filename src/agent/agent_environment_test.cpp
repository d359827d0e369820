#include "agent/agent_environment.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Key;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

const Environment kOwn{{"PATH", "/bin"},         {"HOME", "/home/ann"},   {"USER", "ann"},
                       {"LANG", "C.UTF-8"},      {"LC_TIME", "de_DE"},    {"TMPDIR", "/var/tmp"},
                       {"SECRET_KEY", "hidden"}, {"ORIEL_TOKEN", "ours"}, {"MODEL_KEY", "shared"},
                       {"LD_PRELOAD", "/lib/x"}};

TEST(AgentEnvironment, IsAShortListOfOurs) {
  EXPECT_THAT(agent_environment(AgentSpec{}, kOwn),
              UnorderedElementsAre(Pair("PATH", "/bin"), Pair("HOME", "/home/ann"),
                                   Pair("USER", "ann"), Pair("LANG", "C.UTF-8"),
                                   Pair("LC_TIME", "de_DE"), Pair("TMPDIR", "/var/tmp"),
                                   Pair("TERM", "dumb"), Pair("NO_COLOR", "1")));
}

TEST(AgentEnvironment, PassesWhatTheConfigurationNamesAndAdds) {
  AgentSpec spec;
  spec.pass_env = {"MODEL_KEY", "NOT_SET"};
  spec.env = {{"EXTRA", "1"}, {"TERM", "xterm"}};
  spec.home = "/srv/home";
  EXPECT_THAT(agent_environment(spec, kOwn),
              IsSupersetOf({Pair("MODEL_KEY", "shared"), Pair("EXTRA", "1"), Pair("TERM", "xterm"),
                            Pair("HOME", "/srv/home")}));
  EXPECT_THAT(agent_environment(spec, kOwn), Not(Contains(Key("NOT_SET"))));
}

TEST(AgentEnvironment, NeverHoldsAVariableOfOriel) {
  AgentSpec spec;
  spec.pass_env = {"ORIEL_TOKEN"};
  spec.env = {{"ORIEL_AGENT_ID", "forged"}};
  for (const auto& [name, value] : agent_environment(spec, kOwn))
    EXPECT_FALSE(name.starts_with("ORIEL_")) << name;
}

TEST(AgentEnvironment, HasTheTokenOfItsOwnSessionIfThereIsOne) {
  AgentSpec spec;
  spec.pass_env = {"ORIEL_TOKEN"};
  spec.oriel_token = "oriel_own";
  EXPECT_THAT(agent_environment(spec, kOwn), Contains(Pair("ORIEL_TOKEN", "oriel_own")));
}

TEST(AgentEnvironment, LeavesThePathsOfTheHostOutOfContainers) {
  AgentSpec spec;
  spec.sandbox = SandboxKind::kPodman;
  EXPECT_THAT(agent_environment(spec, kOwn),
              UnorderedElementsAre(Pair("LANG", "C.UTF-8"), Pair("LC_TIME", "de_DE"),
                                   Pair("TERM", "dumb"), Pair("NO_COLOR", "1")));
}

TEST(AgentEnvironment, LeavesTheTemporaryDirectoryOutOfBubblewrap) {
  AgentSpec spec;
  spec.sandbox = SandboxKind::kBubblewrap;
  EXPECT_THAT(agent_environment(spec, kOwn), Not(Contains(Key("TMPDIR"))));
}

TEST(AgentEnvironment, LeavesTheHostsProxiesOutOfSandboxes) {
  AgentSpec spec;
  spec.pass_env = {"HTTPS_PROXY", "no_proxy"};
  const Environment own{{"HTTPS_PROXY", "http://proxy:1"}, {"no_proxy", "*"}};
  EXPECT_THAT(agent_environment(spec, own), Contains(Key("HTTPS_PROXY")));
  for (const SandboxKind kind : {SandboxKind::kBubblewrap, SandboxKind::kPodman}) {
    spec.sandbox = kind;
    EXPECT_THAT(agent_environment(spec, own),
                Not(testing::AnyOf(Contains(Key("HTTPS_PROXY")), Contains(Key("no_proxy")))));
  }
}

}  // namespace
}  // namespace oriel
