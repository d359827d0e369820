#include "mcp/stateless/stateless_gate.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* kInfoKey = "io.modelcontextprotocol/clientInfo";
constexpr const char* kLogLevelKey = "io.modelcontextprotocol/logLevel";

// A request that passes, to be spoiled.
class StatelessGate : public testing::Test {
 protected:
  StatelessGate() {
    set("mcp-protocol-version", "2026-07-28");
    set("mcp-method", method_);
    meta_ = {{kVersionKey, "2026-07-28"}, {kCapabilitiesKey, json::object()}};
  }

  void set(const std::string& name, const std::string& value) {
    remove(name);
    http_.headers.emplace_back(name, value);
  }

  void remove(const std::string& name) {
    std::erase_if(http_.headers, [&name](const auto& header) { return header.first == name; });
  }

  void call(const std::string& method, json::object params) {
    method_ = method;
    set("mcp-method", method);
    params_ = std::move(params);
  }

  json::object params() const {
    json::object params = params_;
    if (!meta_.is_null()) params["_meta"] = meta_;
    return params;
  }

  boost::system::result<RequestMeta, Refusal> check() const {
    return check_request(http_, method_, params());
  }

  int code() const {
    const auto checked = check();
    if (checked) return 0;
    EXPECT_EQ(checked.error().status, 400);
    EXPECT_FALSE(checked.error().error.message.empty());
    return checked.error().error.code;
  }

  int notification_code() const {
    const auto refusal = check_notification(http_, method_, params());
    return refusal ? refusal->error.code : 0;
  }

  bool is_modern() const { return is_stateless(http_, params()); }

  std::string method_ = "server/discover";
  http::Request http_;
  json::object params_;
  json::value meta_;
};

TEST_F(StatelessGate, IsForRequestsWithAVersionInMeta) {
  remove("mcp-protocol-version");
  EXPECT_TRUE(is_modern());
  meta_ = {{kVersionKey, "v999.0.0"}};
  EXPECT_TRUE(is_modern());
  meta_ = {{kVersionKey, 7}};
  EXPECT_TRUE(is_modern());
}

TEST_F(StatelessGate, IsForRequestsWhoseHeaderNamesAStatelessVersion) {
  meta_ = nullptr;
  for (const char* version : {"2026-07-28", " 2026-07-28 ", "2026-07-29", "2027-01-01"}) {
    set("mcp-protocol-version", version);
    EXPECT_TRUE(is_modern()) << version;
  }
}

TEST_F(StatelessGate, IsNotForTheEraOfSessions) {
  meta_ = {{"progressToken", 1}};
  remove("mcp-protocol-version");
  EXPECT_FALSE(is_modern());
  for (const char* version : {"2025-11-25", "2025-03-26", "2026-07-27", "v999.0.0", "", "9",
                              "draft", "2026-07-28x", "2026/07/28"}) {
    set("mcp-protocol-version", version);
    EXPECT_FALSE(is_modern()) << version;
  }
  meta_ = "no object";
  EXPECT_FALSE(is_modern());
}

TEST_F(StatelessGate, TellsWhatMetaSaysOfTheClient) {
  meta_ = {{kVersionKey, "2026-07-28"},
           {kCapabilitiesKey, {{"elicitation", json::object()}}},
           {kInfoKey, {{"name", "c"}, {"version", "1"}}},
           {kLogLevelKey, "warning"}};
  const auto meta = check();
  ASSERT_TRUE(meta);
  EXPECT_EQ(meta->version, "2026-07-28");
  EXPECT_TRUE(meta->client_capabilities.contains("elicitation"));
  EXPECT_EQ(meta->client_info.at("name"), "c");
  EXPECT_EQ(meta->log_level, LogLevel::kWarning);
}

// Probe 105.
TEST_F(StatelessGate, DoesNotNeedTheClientsInfoNorALogLevel) {
  const auto meta = check();
  ASSERT_TRUE(meta);
  EXPECT_TRUE(meta->client_info.empty());
  EXPECT_EQ(meta->log_level, std::nullopt);
}

// Probes 101, 102 and 104: never a header mismatch, though the header names a version.
TEST_F(StatelessGate, WantsVersionAndCapabilitiesInMeta) {
  meta_ = nullptr;
  EXPECT_EQ(code(), kInvalidParams);
  meta_ = {{kCapabilitiesKey, json::object()}};
  EXPECT_EQ(code(), kInvalidParams);
  meta_ = {{kVersionKey, "2026-07-28"}};
  EXPECT_EQ(code(), kInvalidParams);
}

TEST_F(StatelessGate, WantsMetaOfTheRightTypes) {
  const json::object right = meta_.as_object();
  meta_ = json::array();
  EXPECT_EQ(code(), kInvalidParams);
  const auto code_with = [&](const char* key, json::value value) {
    meta_ = right;
    meta_.as_object()[key] = std::move(value);
    return code();
  };
  EXPECT_EQ(code_with(kVersionKey, 20260728), kInvalidParams);
  EXPECT_EQ(code_with(kCapabilitiesKey, json::array()), kInvalidParams);
  EXPECT_EQ(code_with(kInfoKey, "c"), kInvalidParams);
  EXPECT_EQ(code_with(kLogLevelKey, "loud"), kInvalidParams);
  EXPECT_EQ(code_with(kLogLevelKey, 3), kInvalidParams);
  EXPECT_EQ(code_with(kLogLevelKey, "debug"), 0);
}

// Probe 302.
TEST_F(StatelessGate, WantsTheVersionInTheHeaderToo) {
  meta_.as_object()[kVersionKey] = "v999.0.0";
  EXPECT_EQ(code(), kHeaderMismatch);
  remove("mcp-protocol-version");
  EXPECT_EQ(code(), kHeaderMismatch);
  meta_.as_object()[kVersionKey] = "2026-07-28";
  EXPECT_EQ(code(), kHeaderMismatch);
  set("mcp-protocol-version", " 2026-07-28 ");
  EXPECT_EQ(code(), 0);
}

// Probe 301.
TEST_F(StatelessGate, RefusesAnUnknownVersionWithThoseItKnows) {
  set("mcp-protocol-version", "v999.0.0");
  meta_.as_object()[kVersionKey] = "v999.0.0";
  const auto checked = check();
  ASSERT_FALSE(checked);
  const Refusal refusal = checked.error();
  EXPECT_EQ(refusal.status, 400);
  EXPECT_EQ(refusal.error.code, kUnsupportedVersion);
  EXPECT_EQ(refusal.error.data,
            json::value({{"supported", supported_versions()}, {"requested", "v999.0.0"}}));
}

TEST_F(StatelessGate, RefusesAVersionWithSessionsThatComesWithoutOne) {
  set("mcp-protocol-version", "2025-11-25");
  meta_.as_object()[kVersionKey] = "2025-11-25";
  const auto checked = check();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().error.code, kUnsupportedVersion);
  EXPECT_NE(checked.error().error.message.find("initialize"), std::string::npos);
}

TEST(SupportedVersions, AreAllNewestFirst) {
  EXPECT_EQ(supported_versions(),
            json::array({"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}));
}

TEST_F(StatelessGate, WantsTheMethodInItsHeader) {
  set("mcp-method", "tools/list");
  EXPECT_EQ(code(), kHeaderMismatch);
  set("mcp-method", "SERVER/DISCOVER");
  EXPECT_EQ(code(), kHeaderMismatch);
  remove("mcp-method");
  EXPECT_EQ(code(), kHeaderMismatch);
  set("mcp-method", "  server/discover ");
  EXPECT_EQ(code(), 0);
}

TEST_F(StatelessGate, WantsTheNameOfWhatIsCalledInItsHeader) {
  const std::pair<const char*, const char*> named[] = {
      {"tools/call", "name"},  {"prompts/get", "name"},    {"resources/read", "uri"},
      {"tasks/get", "taskId"}, {"tasks/update", "taskId"}, {"tasks/cancel", "taskId"}};
  for (const auto& [method, field] : named) {
    call(method, {{field, "a:b"}});
    set("mcp-name", "a:b");
    EXPECT_EQ(code(), 0) << method;
    set("mcp-name", " a:b ");
    EXPECT_EQ(code(), 0) << method;
    set("mcp-name", "A:B");
    EXPECT_EQ(code(), kHeaderMismatch) << method;
    remove("mcp-name");
    EXPECT_EQ(code(), kHeaderMismatch) << method;
  }
}

TEST_F(StatelessGate, DecodesANameBeforeItComparesIt) {
  call("tools/call", {{"name", "Hello, \u4E16\u754C"}});
  set("mcp-name", "=?base64?SGVsbG8sIOS4lueVjA==?=");
  EXPECT_EQ(code(), 0);
  set("mcp-name", "=?base64?SGVsbG8sIOS4lueVjA?=");
  EXPECT_EQ(code(), kHeaderMismatch);
  set("mcp-name", "Hello, \u4E16\u754C");
  EXPECT_EQ(code(), kHeaderMismatch);
}

TEST_F(StatelessGate, LeavesAMissingNameToTheMethod) {
  call("tools/call", {});
  EXPECT_EQ(code(), 0);
  set("mcp-name", "a");
  EXPECT_EQ(code(), kHeaderMismatch);
  params_ = {{"name", 7}};
  EXPECT_EQ(code(), kHeaderMismatch);
}

TEST_F(StatelessGate, WantsNoNameOfOtherMethods) {
  call("tools/list", {{"name", "a"}});
  EXPECT_EQ(code(), 0);
}

TEST_F(StatelessGate, ChecksMetaThenVersionThenMethod) {
  set("mcp-protocol-version", "v999.0.0");
  set("mcp-method", "wrong");
  meta_ = {{kVersionKey, "v998.0.0"}};
  EXPECT_EQ(code(), kInvalidParams);
  meta_.as_object()[kCapabilitiesKey] = json::object();
  EXPECT_EQ(code(), kHeaderMismatch);
  meta_.as_object()[kVersionKey] = "v999.0.0";
  EXPECT_EQ(code(), kUnsupportedVersion);
}

TEST_F(StatelessGate, TakesANotificationThatSaysNothingOfItself) {
  meta_ = nullptr;
  remove("mcp-method");
  EXPECT_EQ(notification_code(), 0);
  remove("mcp-protocol-version");
  meta_ = {{kVersionKey, "2026-07-28"}};
  EXPECT_EQ(notification_code(), 0);
}

TEST_F(StatelessGate, RefusesANotificationThatContradictsItself) {
  EXPECT_EQ(notification_code(), 0);
  set("mcp-method", "other");
  EXPECT_EQ(notification_code(), kHeaderMismatch);
  meta_.as_object()[kVersionKey] = "v999.0.0";
  EXPECT_EQ(notification_code(), kHeaderMismatch);
  set("mcp-protocol-version", "v999.0.0");
  EXPECT_EQ(notification_code(), kUnsupportedVersion);
  meta_.as_object()[kVersionKey] = 7;
  EXPECT_EQ(notification_code(), kInvalidParams);
}

TEST(NamedThing, IsWhatTheMethodIsAbout) {
  const boost::json::object params{{"name", "n"}, {"uri", "u"}, {"taskId", "t"}};
  EXPECT_EQ(named_thing("tools/call", params), "n");
  EXPECT_EQ(named_thing("prompts/get", params), "n");
  EXPECT_EQ(named_thing("resources/read", params), "u");
  EXPECT_EQ(named_thing("tasks/cancel", params), "t");
  EXPECT_EQ(named_thing("tools/list", params), std::nullopt);
  EXPECT_EQ(named_thing("tools/call", {{"name", 1}}), std::nullopt);
}

TEST(NamedVersion, IsTheOneInMeta) {
  const std::string key = "io.modelcontextprotocol/protocolVersion";
  EXPECT_EQ(named_version({{"_meta", {{key, "2026-07-28"}}}}), "2026-07-28");
  EXPECT_EQ(named_version({{"_meta", boost::json::object{{key, 1}}}}), std::nullopt);
  EXPECT_EQ(named_version({{"_meta", 1}}), std::nullopt);
  EXPECT_EQ(named_version({}), std::nullopt);
}

}  // namespace
}  // namespace oriel::mcp
