#include "agent/agent_secrets.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(AgentSecrets, NamesOfVariablesSayWhatIsSecret) {
  for (const char* name :
       {"ANTHROPIC_API_KEY", "GITHUB_TOKEN", "DB_PASSWORD", "SECRET", "PGPASS_KEY"})
    EXPECT_TRUE(names_a_secret(name)) << name;
  for (const char* name : {"PATH", "HOME", "KEYBOARD", "TOKENIZER", "MONKEY", "LANG", ""})
    EXPECT_FALSE(names_a_secret(name)) << name;
}

TEST(R_TRUTH_3, SecretsThatAnAgentReceivesAreKnown) {
  AgentSpec spec;
  spec.pass_env = {"OPENAI_API_KEY"};
  spec.env = {{"SEED", "correct horse"}, {"DB_PASSWORD", "hunter2hunter2"}};
  const Environment own = {{"OPENAI_API_KEY", "0123456789"}, {"OTHER_TOKEN", "not passed"}};
  EXPECT_THAT(secrets_of(spec, own),
              UnorderedElementsAre(SecretValue{.name = "OPENAI_API_KEY", .value = "0123456789"},
                                   SecretValue{.name = "DB_PASSWORD", .value = "hunter2hunter2"},
                                   SecretValue{.name = "SEED", .value = "correct horse"}));
}

TEST(AgentSecrets, NamesInAnyCaseAndJoinedWordsSayWhatIsSecret) {
  for (const char* name : {"api_key", "PGPASSWORD", "GITHUB_PAT", "MyApiKey", "clientsecret"})
    EXPECT_TRUE(names_a_secret(name)) << name;
  for (const char* name : {"PATTERN", "SPATIAL", "PASSAGE"})
    EXPECT_FALSE(names_a_secret(name)) << name;
}

TEST(R_TRUTH_3, WhatIsPassedIsSecretUnlessItIsPlain) {
  AgentSpec spec;
  spec.pass_env = {"CORP_SESSION", "ANTHROPIC_BASE_URL", "HTTPS_PROXY",
                   "NO_PROXY",     "CODEX_HOME",         "LC_ALL"};
  spec.env = {{"SALT", "ab/cdefgh+/="}};
  const Environment own = {
      {"CORP_SESSION", "0123456789"},       {"ANTHROPIC_BASE_URL", "https://example.org"},
      {"HTTPS_PROXY", "http://proxy:3128"}, {"NO_PROXY", "localhost,127.0.0.1"},
      {"CODEX_HOME", "/home/ann/.codex"},   {"LC_ALL", "en_US.UTF-8"}};
  EXPECT_THAT(secrets_of(spec, own),
              UnorderedElementsAre(SecretValue{.name = "CORP_SESSION", .value = "0123456789"},
                                   SecretValue{.name = "SALT", .value = "ab/cdefgh+/="}));
}

TEST(R_TRUTH_3, UserInfoOfUrlsIsSecret) {
  AgentSpec spec;
  spec.pass_env = {"DATABASE_URL"};
  const std::string url = "postgres://ann:swordfish@db/x";
  EXPECT_THAT(secrets_of(spec, {{"DATABASE_URL", url}}),
              UnorderedElementsAre(SecretValue{.name = "DATABASE_URL", .value = "ann:swordfish"},
                                   SecretValue{.name = "DATABASE_URL", .value = "swordfish"},
                                   SecretValue{.name = "DATABASE_URL", .value = url}));
  EXPECT_THAT(secrets_in({{"HTTP_PROXY", "http://tokenonly@proxy"}}),
              UnorderedElementsAre(SecretValue{.name = "HTTP_PROXY", .value = "tokenonly"}));
  EXPECT_THAT(secrets_in({{"MAIL_URL", "https://example.org/@ann"}}), IsEmpty());
}

TEST(AgentSecrets, PathsUrlsAndModelsAreNotSecrets) {
  AgentSpec spec;
  spec.env = {{"EDITOR", "/usr/bin/vim"},
              {"BASE_URL", "https://example.org"},
              {"ANTHROPIC_MODEL", "claude-sonnet"}};
  EXPECT_THAT(secrets_of(spec, {{"PATH", "/usr/bin:/bin"}, {"USER", "somebody-long"}}), IsEmpty());
}

}  // namespace
}  // namespace oriel
