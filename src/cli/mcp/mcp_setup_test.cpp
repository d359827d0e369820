#include "cli/mcp/mcp_setup.h"

#include "base/id.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <sstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const boost::json::object kEntry{{"url", "u"}};

TEST(MergeMcpJson, AddsTheEntryAndKeepsTheRestInOrder) {
  const auto merged = merge_mcp_json(
      "{\n    \"z\": [1, {\"deep\": 1.5}],\n    \"mcpServers\": {\"other\": {}},\n    \"a\": "
      "null\n}",
      "mcpServers", kEntry);
  EXPECT_EQ(merged.value(),
            "{\n    \"z\": [\n        1,\n        {\n            \"deep\": 1.5\n        }\n    ],\n"
            "    \"mcpServers\": {\n        \"other\": {},\n        \"oriel\": {\n"
            "            \"url\": \"u\"\n        }\n    },\n    \"a\": null\n}\n");
}

TEST(MergeMcpJson, CreatesTheSectionAndTheFile) {
  const std::string wanted =
      "{\n  \"mcp\": {\n    \"oriel\": {\n      \"url\": \"u\"\n    }\n  }\n}\n";
  EXPECT_EQ(merge_mcp_json("", "mcp", kEntry).value(), wanted);
  EXPECT_EQ(merge_mcp_json("{}\n", "mcp", kEntry).value(), wanted);
}

TEST(MergeMcpJson, IsIdempotent) {
  const std::string once = merge_mcp_json("{}", "mcp", kEntry).value().value();
  EXPECT_EQ(merge_mcp_json(once, "mcp", kEntry).value(), std::nullopt);
}

TEST(MergeMcpJson, RejectsOtherShapes) {
  for (const char* text : {"{", "// comment\n{}", "[]", "3", R"({"mcp": []})"})
    EXPECT_FALSE(merge_mcp_json(text, "mcp", kEntry)) << text;
}

const std::string kTable = "[mcp_servers.oriel]\nurl = \"u\"\n";

TEST(MergeMcpToml, AppendsAMissingTable) {
  EXPECT_EQ(merge_mcp_toml("", kTable).value(), kTable);
  EXPECT_EQ(merge_mcp_toml("# mine\nmodel = \"x\"", kTable).value(),
            "# mine\nmodel = \"x\"\n\n" + kTable);
  EXPECT_EQ(merge_mcp_toml("[mcp_servers]\nother.url = \"o\"\n", kTable).value(),
            "[mcp_servers]\nother.url = \"o\"\n\n" + kTable);
}

TEST(MergeMcpToml, IsIdempotent) {
  EXPECT_EQ(merge_mcp_toml("a = 1\n" + kTable, kTable).value(), std::nullopt);
}

TEST(MergeMcpToml, RejectsFilesThatItWouldBreak) {
  for (const char* text : {"a = ", "[mcp_servers.oriel]\nurl = \"v\"\n", "mcp_servers = {}\n"})
    EXPECT_FALSE(merge_mcp_toml(text, kTable)) << text;
}

class McpSetup : public testing::Test {
 protected:
  McpSetup() : home_(fs::temp_directory_path() / ("oriel-setup-" + random_id())) {
    fs::create_directory(home_);
    options_.server.url = http::parse_url("http://127.0.0.1:7433").value();
    options_.program = "/usr/bin/oriel";
    options_.environment = {{"HOME", home_.string()}};
  }

  ~McpSetup() override { fs::remove_all(home_); }

  int run(const std::string& client) {
    options_.client = client;
    out_.str("");
    err_.str("");
    return mcp_setup(options_, out_, err_);
  }

  static std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path home_;
  McpSetupOptions options_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(McpSetup, ListsTheClients) {
  EXPECT_EQ(run(""), 0);
  for (const McpClient& client : mcp_clients())
    EXPECT_THAT(out_.str(), HasSubstr(client.name + " "));
}

TEST_F(McpSetup, ShowsTheEntryAndItsFile) {
  EXPECT_EQ(run("cursor"), 0);
  EXPECT_EQ(out_.str(),
            "{\n  \"mcpServers\": {\n    \"oriel\": {\n"
            "      \"url\": \"http://127.0.0.1:7433/mcp\"\n    }\n  }\n}\n");
  EXPECT_THAT(err_.str(), HasSubstr((home_ / ".cursor/mcp.json").string()));
  EXPECT_FALSE(fs::exists(home_ / ".cursor"));
}

TEST_F(McpSetup, SuggestsTheNearestClient) {
  EXPECT_EQ(run("curser"), 2);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean cursor?"));
}

TEST_F(McpSetup, NeverShowsAToken) {
  options_.server.token = "very-secret";
  EXPECT_EQ(run("zed"), 0);
  EXPECT_THAT(out_.str() + err_.str(), Not(HasSubstr("very-secret")));
  EXPECT_THAT(out_.str(), HasSubstr("PUT-YOUR-TOKEN-HERE"));
  EXPECT_EQ(run("cursor"), 0);
  EXPECT_THAT(err_.str(), HasSubstr("ORIEL_TOKEN"));
}

TEST_F(McpSetup, WritesTheFileAndKeepsABackup) {
  options_.is_written = true;
  const fs::path file = home_ / ".cursor/mcp.json";
  EXPECT_EQ(run("cursor"), 0) << err_.str();
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_FALSE(fs::exists(file.string() + ".oriel-backup"));

  const std::string before = "{\"mcpServers\":{\"x\":{}}}";
  std::ofstream(file) << before;
  EXPECT_EQ(run("cursor"), 0) << err_.str();
  EXPECT_THAT(text_of(file), HasSubstr("\"x\""));
  EXPECT_THAT(text_of(file), HasSubstr("/mcp\""));
  EXPECT_EQ(text_of(file.string() + ".oriel-backup"), before);

  const std::string written = text_of(file);
  EXPECT_EQ(run("cursor"), 0);
  EXPECT_THAT(err_.str(), HasSubstr("is already up to date"));
  EXPECT_EQ(text_of(file), written);
  EXPECT_EQ(text_of(file.string() + ".oriel-backup"), before);
}

TEST_F(McpSetup, DoesNotChangeAFileThatItCannotParse) {
  options_.is_written = true;
  fs::create_directories(home_ / ".config/zed");
  const fs::path file = home_ / ".config/zed/settings.json";
  std::ofstream(file) << "// settings\n{}";
  EXPECT_EQ(run("zed"), 1);
  EXPECT_THAT(err_.str(), HasSubstr("is not plain JSON"));
  EXPECT_EQ(text_of(file), "// settings\n{}");
  EXPECT_FALSE(fs::exists(file.string() + ".oriel-backup"));
}

TEST_F(McpSetup, FollowsALinkInsteadOfReplacingIt) {
  options_.is_written = true;
  fs::create_directories(home_ / ".gemini");
  std::ofstream(home_ / "real.json") << "{}";
  fs::create_symlink(home_ / "real.json", home_ / ".gemini/settings.json");
  EXPECT_EQ(run("gemini"), 0) << err_.str();
  EXPECT_TRUE(fs::is_symlink(home_ / ".gemini/settings.json"));
  EXPECT_THAT(text_of(home_ / "real.json"), HasSubstr("httpUrl"));
}

}  // namespace
}  // namespace oriel
