#include "cli/hooks/hook_settings.h"

#include "base/hook_kind.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kHookCommand = "/usr/bin/oriel hook";

std::string installed(const std::string& text) {
  return install_hooks(text, kHookCommand).value().value();
}

json::value hooks_of(const std::string& text) {
  return json::parse(text).at("hooks");
}

TEST(HookSettings, AllEightAreInstalledWithAShortTimeout) {
  const json::value hooks = hooks_of(installed(""));
  ASSERT_EQ(hooks.as_object().size(), 8U);
  for (const HookKind kind : kHookKinds) {
    EXPECT_EQ(hooks.at(event_name_of(kind)),
              json::parse(R"([{"hooks":[{"type":"command","command":"/usr/bin/oriel hook",)"
                          R"("timeout":2}]}])"))
        << event_name_of(kind);
  }
}

TEST(HookSettings, ANewFileIsIndented) {
  EXPECT_THAT(installed(""), testing::StartsWith("{\n"
                                                 "  \"hooks\": {\n"
                                                 "    \"SessionStart\": [\n"
                                                 "      {\n"
                                                 "        \"hooks\": [\n"));
  EXPECT_TRUE(installed("").ends_with("\n  }\n}\n"));
}

TEST(HookSettings, TheRestOfTheFileIsKeptByteByByte) {
  const std::string before =
      "{\n\t\"model\" : \"opus\",\n\n\t\"z\":1.50, \"env\": {\"A\":\"\\u0041\"},\n\t\"a\": "
      "[1,\n2]\n}";
  const std::string after = installed(before);
  const std::size_t position = before.rfind(']') + 1;
  EXPECT_EQ(after.substr(0, position), before.substr(0, position));
  EXPECT_TRUE(after.ends_with("\n}"));
  EXPECT_THAT(after, HasSubstr(",\n\t\"hooks\": {\n\t\t\"SessionStart\": ["));
  EXPECT_EQ(remove_hooks(after).value(), before);
}

TEST(HookSettings, OtherHooksKeepTheirOrder) {
  const std::string before =
      R"({"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}],"x":1}],)"
      R"("PreCompact":[{"matcher":"auto","hooks":[]}],"SessionStart":[]},"z":1})";
  const json::value hooks = hooks_of(installed(before));
  EXPECT_EQ(hooks.at("Stop").as_array().size(), 2U);
  EXPECT_EQ(hooks.at("Stop").at(0), hooks_of(before).at("Stop").at(0));
  EXPECT_EQ(hooks.at("PreCompact"), hooks_of(before).at("PreCompact"));
  EXPECT_EQ(hooks.as_object().begin()->key(), "Stop");
  EXPECT_EQ((hooks.as_object().begin() + 1)->key(), "PreCompact");
}

TEST(HookSettings, InstallingTwiceChangesNothing) {
  for (const char* before : {"", "{}", R"({"a":1})", R"({"hooks":{"Stop":[{"hooks":[]}]}})"})
    EXPECT_EQ(install_hooks(installed(before), kHookCommand).value(), std::nullopt) << before;
}

TEST(HookSettings, AnotherPathOrADuplicateIsReplaced) {
  const std::string before =
      R"({"hooks":{"Stop":[{"matcher":"m","hooks":[{"command":"'/old dir/oriel' hook --url x"},)"
      R"({"command":"mine"}]},{"hooks":[{"command":"oriel hook stop"}]}]}})";
  EXPECT_EQ(hooks_of(installed(before)).at("Stop"),
            json::parse(R"([{"matcher":"m","hooks":[{"type":"command",)"
                        R"("command":"/usr/bin/oriel hook","timeout":2},{"command":"mine"}]}])"));
}

TEST(HookSettings, RemovingLeavesOtherHooks) {
  const std::string before =
      "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n"
      "            \"type\": \"command\",\n            \"command\": \"my-oriel hook\"\n          "
      "}\n"
      "        ]\n      }\n    ],\n    \"Other\": 3\n  },\n  \"a\": 1\n}\n";
  EXPECT_EQ(remove_hooks(before).value(), std::nullopt);
  EXPECT_EQ(remove_hooks(installed(before)).value(), before);
}

TEST(HookSettings, RemovingLeavesNoEmptyHooks) {
  EXPECT_EQ(remove_hooks(installed("")).value(), "{}\n");
  EXPECT_EQ(remove_hooks(installed("{ \"a\": 1 }")).value(), "{ \"a\": 1 }");
  const std::string ours = R"({"Stop":[{"hooks":[{"command":"oriel hook"}]}]})";
  EXPECT_EQ(remove_hooks("{\"hooks\": " + ours + ", \"a\": 1}").value(), "{\"a\": 1}");
  EXPECT_EQ(remove_hooks("{\"a\": 1, \"hooks\": " + ours + "}").value(), "{\"a\": 1}");
  EXPECT_EQ(remove_hooks("").value(), std::nullopt);
}

TEST(HookSettings, OtherShapesAreRejected) {
  for (const char* text : {"{", "[]", "3", "// mine\n{}", R"({"hooks":[]})", R"({"hooks":null})",
                           R"({"hooks":{"Stop":{}}})", "\xff"}) {
    EXPECT_FALSE(install_hooks(text, kHookCommand)) << text;
    EXPECT_FALSE(remove_hooks(text)) << text;
    EXPECT_FALSE(installed_hooks(text)) << text;
  }
}

TEST(HookSettings, UnknownEntriesAreKept) {
  const std::string before =
      R"({"hooks":{"Stop":[3,{"hooks":"x"},{"hooks":[4,{"command":5}]},{}]}})";
  const json::value stop = hooks_of(installed(before)).at("Stop");
  ASSERT_EQ(stop.as_array().size(), 5U);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(stop.at(i), hooks_of(before).at("Stop").at(i));
}

TEST(HookSettings, InstalledHooksAreListed) {
  const auto none = installed_hooks("").value();
  ASSERT_EQ(none.hooks.size(), 8U);
  EXPECT_EQ(none.hooks[0], (InstalledHook{"SessionStart", {}}));
  EXPECT_FALSE(none.are_disabled);
  const auto some =
      installed_hooks(R"({"disableAllHooks":true,"hooks":{"SessionEnd":)"
                      R"([{"hooks":[{"command":"a"},{"command":"/b/oriel hook"}]}]}})");
  EXPECT_THAT(some.value().hooks[1].commands, ElementsAre("/b/oriel hook"));
  EXPECT_TRUE(some.value().are_disabled);
}

TEST(HookSettings, TheCommandIsQuotedForAShell) {
  EXPECT_EQ(hook_command_line("/usr/bin/oriel", ""), "/usr/bin/oriel hook");
  EXPECT_EQ(hook_command_line("/it's here/oriel", "http://h:1"),
            "'/it'\\''s here/oriel' hook --url http://h:1");
  const std::string command = hook_command_line("/it's here/oriel", "");
  const std::string text = install_hooks("", command).value().value();
  EXPECT_EQ(install_hooks(text, command).value(), std::nullopt);
  EXPECT_EQ(remove_hooks(text).value(), "{}\n");
}

}  // namespace
}  // namespace oriel
