#include "server/config_section.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

// The table lives as long as the section.
struct ParsedSection {
  explicit ParsedSection(std::string_view text)
      : table(toml::parse(text)), section("oriel.toml", "agents.mine", table) {}

  std::string message() const { return section.error() ? section.error()->message : ""; }

  toml::table table;
  ConfigSection section;
};

TEST(ConfigSection, ValuesHaveTheirTypes) {
  ParsedSection parsed(
      "model = 'm'\nredact = false\nmax_processes = 7\nmax_memory = '4KiB'\n"
      "command = ['a', 'b']\nenv = { A = '1' }\nnetwork = ['example.org:443']");
  std::string model;
  bool redact = true;
  std::uint64_t processes = 0;
  std::uint64_t memory = 0;
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> env;
  NetworkPolicy network;
  parsed.section.read("model", model);
  parsed.section.read("redact", redact);
  parsed.section.read("max_processes", processes);
  parsed.section.read_bytes("max_memory", memory);
  parsed.section.read("command", command);
  parsed.section.read("env", env);
  parsed.section.read("network", network);
  parsed.section.reject_unknown_keys();
  EXPECT_EQ(parsed.message(), "");
  EXPECT_EQ(model, "m");
  EXPECT_FALSE(redact);
  EXPECT_EQ(processes, 7U);
  EXPECT_EQ(memory, 4096U);
  EXPECT_EQ(command, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(env.at(0).second, "1");
  EXPECT_EQ(network.allowed.at(0).host, "example.org");
}

TEST(ConfigSection, AMissingKeyKeepsTheValue) {
  ParsedSection parsed("");
  std::string model = "before";
  PermissionMode mode = PermissionMode::kDeny;
  parsed.section.read("model", model);
  parsed.section.read("permissions", mode, parse_permission_mode, "ask, allow or deny");
  EXPECT_EQ(parsed.message(), "");
  EXPECT_EQ(model, "before");
  EXPECT_EQ(mode, PermissionMode::kDeny);
}

TEST(ConfigSection, AnErrorNamesFileLineAndKey) {
  ParsedSection parsed("\nmodel = 1");
  std::string model;
  parsed.section.read("model", model);
  EXPECT_EQ(parsed.message(), "oriel.toml line 2, key agents.mine.model: is not a string");
}

TEST(ConfigSection, OnlyTheFirstErrorIsKept) {
  ParsedSection parsed("permissions = 'maybe'\nredact = 1");
  PermissionMode mode = PermissionMode::kAsk;
  bool redact = true;
  parsed.section.read("permissions", mode, parse_permission_mode, "ask, allow or deny");
  parsed.section.read("redact", redact);
  EXPECT_EQ(parsed.message(),
            "oriel.toml line 1, key agents.mine.permissions: \"maybe\" is not ask, allow or deny");
}

TEST(ConfigSection, AKeyThatWasNeverReadIsUnknown) {
  ParsedSection parsed("modell = 'm'");
  std::string model;
  parsed.section.read("model", model);
  parsed.section.reject_unknown_keys();
  EXPECT_EQ(parsed.message(), "oriel.toml line 1, key agents.mine.modell: no such key");
  EXPECT_EQ(parsed.section.error()->hint, "the keys are model");
}

}  // namespace
}  // namespace oriel
