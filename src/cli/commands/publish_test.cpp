#include "cli/commands/publish.h"

#include "client/scripted_server_testing.h"

#include <gtest/gtest.h>

#include <sstream>

namespace oriel {
namespace {

PublishOptions options_for(const std::string& url) {
  return {.server = {.url = http::parse_url(url).value(), .token = "secret"},
          .type = "deploy",
          .project = "",
          .session = "",
          .text = {},
          .data = {}};
}

const std::string kUrl = "http://127.0.0.1:1";

TEST(Publish, BodyHasOnlyTheGivenFields) {
  EXPECT_EQ(publish_body(options_for(kUrl)).value(), R"({"type":"deploy"})");
}

TEST(Publish, BodyHasAllGivenFields) {
  PublishOptions options = options_for(kUrl);
  options.project = "p";
  options.session = "s";
  options.text = "a \"b\"\n";
  options.data = R"({"n": 12345678901234567890123, "x": 1e2})";
  EXPECT_EQ(publish_body(options).value(),
            R"({"type":"deploy","project_id":"p","session_id":"s","text":"a \"b\"\n",)"
            R"("data":{"n": 12345678901234567890123, "x": 1e2}})");
}

TEST(Publish, DataThatIsNotJsonIsRejectedWithItsPosition) {
  PublishOptions options = options_for(kUrl);
  for (const char* data : {"", "{", "nope", "{} {}", R"("},"type":"other")"}) {
    options.data = data;
    EXPECT_TRUE(publish_body(options).has_error()) << data;
  }
  options.data = "[1,x]";
  const std::string message = publish_body(options).error().message;
  EXPECT_TRUE(message.starts_with("flag --data: \"[1,x]\" is not JSON: ")) << message;
  EXPECT_TRUE(message.ends_with("at byte 3")) << message;
}

int run(const PublishOptions& options, std::string& out, std::string& err,
        const std::string& in = "") {
  std::istringstream input(in);
  std::ostringstream output;
  std::ostringstream errors;
  const int code = publish(options, input, output, errors);
  out = output.str();
  err = errors.str();
  return code;
}

TEST(Publish, PrintsTheNewEventsId) {
  ScriptedServer server(
      {"HTTP/1.1 201 Created\r\nContent-Length: 17\r\n\r\n{\"id\":\"12-abc\"}\r\n"});
  std::string out;
  std::string err;
  EXPECT_EQ(run(options_for(server.url()), out, err), 0);
  EXPECT_EQ(out, "12-abc\n");
  EXPECT_EQ(err, "");
  const std::string request = server.requests().at(0);
  EXPECT_TRUE(request.starts_with("POST /api/events HTTP/1.1\r\nHost: 127.0.0.1:")) << request;
  EXPECT_NE(request.find("\r\nAuthorization: Bearer secret\r\n"), std::string::npos);
  EXPECT_NE(request.find("\r\nContent-Type: application/json\r\n"), std::string::npos);
}

TEST(Publish, ReadsDataFromStandardInput) {
  PublishOptions options = options_for(kUrl);
  options.data = "-";
  std::string out;
  std::string err;
  EXPECT_EQ(run(options, out, err, "not json"), 2);
  EXPECT_TRUE(err.starts_with("oriel: flag --data: \"not json\" is not JSON")) << err;
}

TEST(Publish, ReportsAnErrorOfTheServer) {
  ScriptedServer server(
      {"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"
       "{\"error\":{\"message\":\"gap is reserved\",\"hint\":\"choose another\"}}"});
  std::string out;
  std::string err;
  EXPECT_EQ(run(options_for(server.url()), out, err), 1);
  EXPECT_EQ(out, "");
  EXPECT_EQ(err, "oriel: the server answered 400: gap is reserved\n  choose another\n");
}

TEST(Publish, ReportsAnUnreachableServer) {
  std::string out;
  std::string err;
  EXPECT_EQ(run(options_for(kUrl), out, err), 1);
  EXPECT_EQ(err,
            "oriel: http://127.0.0.1:1: connection refused\n"
            "  is the server running? --url (ORIEL_URL) selects another\n");
}

}  // namespace
}  // namespace oriel
