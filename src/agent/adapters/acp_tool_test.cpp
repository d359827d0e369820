#include "agent/adapters/acp_tool.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

namespace json = boost::json;

AcpTool learned(std::initializer_list<const char*> calls) {
  AcpTool tool;
  for (const char* call : calls)
    tool.learn(json::parse(call));
  return tool;
}

std::string output_of(std::initializer_list<const char*> updates) {
  AcpTool tool;
  for (const char* update : updates)
    tool.learn_output(json::parse(update));
  return tool.output;
}

TEST(AcpTool, IsNamedByItsFirstTitleUnlessAnExtensionOrItsIdHasItsName) {
  EXPECT_EQ(learned({R"({"title":"bash"})", R"({"title":"ls -l"})"}).name(), "bash");
  EXPECT_EQ(learned({R"({"title":"bash"})", R"({"title":"ls -l"})"}).title, "ls -l");
  EXPECT_EQ(learned({R"({"title":"ls"})", R"({"_meta":{"toolName":"shell"}})"}).name(), "shell");
  EXPECT_EQ(learned({R"({"title":"ls","_meta":{"claudeCode":{"toolName":"Bash"}}})"}).name(),
            "Bash");
  EXPECT_EQ(learned({R"({"toolCallId":"run_shell_command__call_1","title":"ls","kind":"execute"})"})
                .name(),
            "run_shell_command");
  EXPECT_EQ(learned({R"({"kind":"execute"})"}).name(), "execute");
}

TEST(AcpTool, IsNamedByItsKindIfItsTitleIsADescriptionACommandOrAPath) {
  for (const char* call :
       {R"({"title":"List","kind":"execute","rawInput":{"command":"ls","description":"List"}})",
        R"({"title":"ls","kind":"execute","rawInput":{"command":"ls"}})",
        R"({"title":"ls -l","kind":"execute"})", R"({"title":"/w/a","kind":"execute"})"})
    EXPECT_EQ(learned({call}).name(), "execute") << call;
  EXPECT_EQ(learned({R"({"title":"ls -l"})"}).name(), "ls -l");
}

TEST(AcpTool, ATitleThatIsTheCommandIsItsInput) {
  const AcpTool titled = learned({R"({"title":"ls -l","kind":"execute"})"});
  EXPECT_EQ(titled.full_input(), json::parse(R"({"command":"ls -l"})"));
  EXPECT_EQ(titled.command(), "ls -l");
  // The input comes later.
  EXPECT_EQ(learned({R"({"title":"Terminal","kind":"execute","rawInput":{}})"}).command(), "");
  EXPECT_EQ(learned({R"({"title":"Write a","kind":"edit"})"}).command(), "");
  EXPECT_EQ(learned({R"({"kind":"execute","rawInput":{"command":["sh","-c","ls"]}})"}).command(),
            R"(["sh","-c","ls"])");
}

TEST(AcpTool, AnEmptyInputOrOnlyADirectoryIsNoInputYet) {
  EXPECT_FALSE(learned({R"({"rawInput":{}})", R"({"rawInput":{"cwd":"/w"}})"}).has_input());
  const AcpTool tool =
      learned({R"({"rawInput":{"cwd":"/w","command":"ls"}})", R"({"rawInput":{}})"});
  EXPECT_TRUE(tool.has_input());
  EXPECT_EQ(tool.input, json::parse(R"({"cwd":"/w","command":"ls"})"));
}

TEST(R_TRUTH_1, AnAcpToolKeepsAllThatWasSaidOfIt) {
  const AcpTool tool = learned(
      {R"({"sessionUpdate":"tool_call","toolCallId":"t","kind":"edit","content":[{"type":"diff"}]})",
       R"({"toolCallId":"t","status":"pending","content":[],"locations":[{"path":"a"}]})"});
  EXPECT_EQ(tool.details, json::parse(R"({"kind":"edit","content":[{"type":"diff"}],
                                          "locations":[{"path":"a"}]})"));
}

TEST(AcpTool, ItsOutputIsTheNewestContentOrWhatTheRawOutputHolds) {
  const char* content =
      R"({"content":[{"type":"content","content":{"type":"text","text":"one"}}]})";
  EXPECT_EQ(output_of({content}), "one");
  EXPECT_EQ(output_of({content, R"({"rawOutput":"two"})"}), "one");
  EXPECT_EQ(output_of({R"({"content":[],"rawOutput":{"aggregated_output":"two"}})"}), "two");
  EXPECT_EQ(output_of({R"({"rawOutput":{"message":"no","code":"x"}})"}), "no");
  EXPECT_EQ(output_of({R"({"rawOutput":"three"})"}), "three");
  EXPECT_EQ(output_of({R"({"rawOutput":{"lines":1}})"}), R"({"lines":1})");
  EXPECT_EQ(output_of({"{}"}), "");
}

}  // namespace
}  // namespace oriel
