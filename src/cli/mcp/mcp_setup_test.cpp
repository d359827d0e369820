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

TEST_F(McpSetup, ASecondRunChangesNoFileOfAnyClient) {
  options_.is_written = true;
  for (const bool is_remote : {false, true}) {
    if (is_remote) options_.server.url = http::parse_url("https://o.example").value();
    for (const McpClient& client : mcp_clients()) {
      EXPECT_EQ(run(client.name), 0) << client.name << err_.str();
      const fs::path file = mcp_config_file(client, options_.environment);
      const std::string written = text_of(file);
      EXPECT_EQ(run(client.name), 0) << client.name << err_.str();
      EXPECT_THAT(err_.str(), HasSubstr("is already up to date")) << client.name;
      EXPECT_EQ(text_of(file), written) << client.name;
    }
  }
}

TEST_F(McpSetup, KeepsAStoredTokenIfNoneIsGiven) {
  options_.is_written = true;
  options_.server.url = http::parse_url("https://o.example").value();
  options_.server.token = "very-secret";
  EXPECT_EQ(run("zed"), 0) << err_.str();
  options_.server.token = "";
  options_.server.url = http::parse_url("https://other.example").value();
  EXPECT_EQ(run("zed"), 0) << err_.str();
  const std::string text = text_of(home_ / ".config/zed/settings.json");
  EXPECT_THAT(text, HasSubstr("https://other.example/mcp"));
  EXPECT_THAT(text, HasSubstr("Bearer very-secret"));
  EXPECT_THAT(err_.str(), Not(HasSubstr("PUT-YOUR-TOKEN-HERE")));
}

// A server that answers the probe with this status; none if it is 0.
std::function<Result<HttpResponse>(const ServerAccess&)> server_with(int status) {
  return [status](const ServerAccess&) -> Result<HttpResponse> {
    if (status == 0)
      return Error{.kind = ErrorKind::kConnectFailed, .message = "connection refused", .hint = {}};
    return HttpResponse{.status = status, .headers = {}, .body = {}};
  };
}

TEST_F(McpSetup, WritesForAServerThatIsAwayAndSaysSo) {
  options_.is_written = true;
  options_.probe = server_with(0);
  EXPECT_EQ(run("cursor"), 0);
  EXPECT_THAT(err_.str(), HasSubstr("was not checked: connection refused"));
  EXPECT_THAT(text_of(home_ / ".cursor/mcp.json"), HasSubstr("/mcp"));
}

TEST_F(McpSetup, AsksTheServerWhetherATokenIsNeeded) {
  options_.probe = server_with(401);
  EXPECT_EQ(run("cursor"), 0);
  EXPECT_THAT(out_.str(), HasSubstr("Bearer ${env:ORIEL_TOKEN}"));
  EXPECT_THAT(err_.str(), HasSubstr("requires a token: `oriel token create NAME` creates one"));
  options_.probe = server_with(200);
  options_.server.url = http::parse_url("https://o.example").value();
  EXPECT_EQ(run("cursor"), 0);
  EXPECT_THAT(out_.str(), Not(HasSubstr("Authorization")));
}

TEST_F(McpSetup, WritesNothingIfTheServerRejectsTheToken) {
  options_.is_written = true;
  options_.server.token = "old";
  options_.probe = server_with(401);
  EXPECT_EQ(run("cursor"), 1);
  EXPECT_THAT(err_.str(), HasSubstr("rejects the token"));
  EXPECT_THAT(err_.str(), HasSubstr("oriel token create NAME"));
  EXPECT_FALSE(fs::exists(home_ / ".cursor"));
}

TEST_F(McpSetup, ReportsAServerThatIsNoOriel) {
  options_.probe = server_with(404);
  EXPECT_EQ(run("cursor"), 0);
  EXPECT_THAT(err_.str(), HasSubstr("answered with 404"));
}

}  // namespace
}  // namespace oriel
