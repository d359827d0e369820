#include "api/rest/hook_endpoint.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

http::Request request_of(std::string peer, std::string pid) {
  http::Request request;
  request.peer = std::move(peer);
  request.headers = {{"oriel-agent-pid", std::move(pid)}};
  return request;
}

TEST(HookEndpoint, AcceptsAProcessIdFromLoopbackOnly) {
  EXPECT_EQ(agent_pid(request_of("127.0.0.1:5000", "42")), 42);
  EXPECT_EQ(agent_pid(request_of("[::1]:5000", "42")), 42);
  EXPECT_EQ(agent_pid(request_of("192.0.2.7:5000", "42")), std::nullopt);
}

TEST(HookEndpoint, IgnoresAMalformedProcessId) {
  for (const char* text : {"", "0", "-1", "x", "42x", "99999999999999999999"})
    EXPECT_EQ(agent_pid(request_of("127.0.0.1:5000", text)), std::nullopt) << text;
  EXPECT_EQ(agent_pid(http::Request{}), std::nullopt);
}

}  // namespace
}  // namespace oriel
