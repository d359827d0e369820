#include "mcp/client_info.h"

#include <gtest/gtest.h>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

TEST(ClientInfo, KeepsWhatNamesTheClient) {
  const json::object info{{"name", "n"}, {"title", "t"}, {"version", "1"}, {"icons", {1, 2}}};
  EXPECT_EQ(read_client_info(info).value(),
            (json::object{{"name", "n"}, {"title", "t"}, {"version", "1"}}));
  EXPECT_TRUE(read_client_info({{"name", 7}}).value().empty());
}

TEST(ClientInfo, RefusesLongValues) {
  for (const char* const key : {"name", "title", "version"}) {
    json::object info;
    info[key] = std::string(kMaxClientInfoBytes, 'x');
    EXPECT_TRUE(read_client_info(info)) << key;
    info[key] = std::string(kMaxClientInfoBytes + 1, 'x');
    const RpcResult refused = read_client_info(info);
    ASSERT_FALSE(refused) << key;
    EXPECT_EQ(refused.error().code, kInvalidParams);
    EXPECT_EQ(refused.error().message, "clientInfo." + std::string(key) + " exceeds 256 bytes");
  }
}

TEST(ClientInfo, RefusesLargeCapabilities) {
  json::object capabilities{{"x", std::string(kMaxCapabilitiesBytes - 8, 'x')}};
  EXPECT_EQ(read_capabilities(capabilities).value(), capabilities);
  capabilities["y"] = true;
  EXPECT_EQ(read_capabilities(capabilities).error().message,
            "the list of capabilities exceeds 16384 bytes");
}

}  // namespace
}  // namespace oriel::mcp
