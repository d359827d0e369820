// R-AUTH-7: a principal at its own limit leaves capacity for all others, the operator included.

#include "mcp_client.h"
#include "programs.h"
#include "prometheus_text.h"
#include "raw_client.h"
#include "sse_client.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/wait.h>

#include <functional>
#include <ifaddrs.h>
#include <unistd.h>

namespace oriel {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

// A data directory with a token that may read.
class Reader : public testing::Test {
 protected:
  Reader() {
    const Finished made = token({"create", "reader", "--scopes", "read"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    headers_ = {{"Authorization", "Bearer " + made.out.substr(0, made.out.find('\n'))}};
  }

  Finished token(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "token");
    arguments.insert(arguments.end(), {"--data-dir", data_.path().string()});
    return run_oriel(arguments);
  }

  SseRequest stream(SocketOptions socket = {}) const {
    return {.target = "/api/events", .headers = headers_, .socket = socket};
  }

  HttpResponse initialize(const ServerProcess& server) const {
    Headers headers = headers_;
    headers.emplace_back("Content-Type", "application/json");
    headers.emplace_back("Accept", "application/json, text/event-stream");
    return call(server, {.method = "POST",
                         .target = "/mcp",
                         .headers = std::move(headers),
                         .body = R"({"jsonrpc":"2.0","id":1,"method":"initialize",)"
                                 R"("params":{"protocolVersion":"2025-11-25"}})"});
  }

  static double refusals(const ServerProcess& server, const std::string& limit) {
    const Metrics metrics = parse_prometheus(get(server, "/metrics").body);
    return metrics.at("oriel_limit_refusals_total").samples.at("{limit=\"" + limit + "\"}");
  }

  TempDir data_;
  Headers headers_;
};

using R_AUTH_7 = Reader;
using TokenUse = Reader;

// An IPv4 address of this machine that is not loopback; 0 if it has none.
in_addr_t outer_address() {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return 0;
  in_addr_t found = 0;
  for (const ifaddrs* each = all; each != nullptr && found == 0; each = each->ifa_next) {
    const bool is_usable = each->ifa_addr != nullptr && each->ifa_addr->sa_family == AF_INET &&
                           (each->ifa_flags & IFF_UP) != 0 && (each->ifa_flags & IFF_LOOPBACK) == 0;
    if (is_usable) found = reinterpret_cast<const sockaddr_in*>(each->ifa_addr)->sin_addr.s_addr;
  }
  freeifaddrs(all);
  return found;
}

TEST_F(R_AUTH_7, ATokenAtItsLimitOfStreamsIsRefusedAndTheOperatorStillGetsIn) {
  ServerProcess server({"--max-sse-clients", "4", "--max-sse-clients-per-principal", "1"},
                       data_.path());
  SseClient own(server, stream());
  own.hello();
  const HttpResponse refused = get(server, "/api/events", headers_);
  EXPECT_EQ(refused.status, 503);
  EXPECT_GE(std::stoi(refused.header("retry-after")), 1);
  EXPECT_EQ(refused.error_code(), "too_many_clients");
  EXPECT_THAT(refused.body, HasSubstr("--max-sse-clients-per-principal"));
  SseClient first(server);
  SseClient second(server);
  EXPECT_EQ(first.hello().event, "hello");
  EXPECT_EQ(second.hello().event, "hello");
  EXPECT_EQ(refusals(server, "sse_clients_per_principal"), 1);
  EXPECT_EQ(refusals(server, "sse_clients"), 0);
}

TEST_F(R_AUTH_7, ATokenHasHalfOfTheStreamsByDefault) {
  ServerProcess server({"--max-sse-clients", "4"}, data_.path());
  SseClient first(server, stream());
  SseClient second(server, stream());
  first.hello();
  second.hello();
  EXPECT_EQ(get(server, "/api/events", headers_).status, 503);
  SseClient operators(server);
  EXPECT_EQ(operators.hello().event, "hello");
}

TEST_F(R_AUTH_7, ATokenAtItsLimitOfMcpSessionsIsRefusedAndTheOperatorStillGetsIn) {
  ServerProcess server({"--mcp-max-sessions-per-principal", "1"}, data_.path());
  EXPECT_EQ(initialize(server).status, 200);
  const HttpResponse refused = initialize(server);
  EXPECT_EQ(refused.status, 503);
  EXPECT_GE(std::stoi(refused.header("retry-after")), 1);
  EXPECT_THAT(refused.body, HasSubstr("--mcp-max-sessions-per-principal"));
  McpClient operators(server);
  EXPECT_EQ(operators.tool("session_list", {}).at("count"), 0);
  EXPECT_EQ(refusals(server, "mcp_sessions_per_principal"), 1);
}

TEST_F(R_AUTH_7, AnAddressAtItsLimitOfConnectionsIsRefusedAndLoopbackHasNone) {
  const SocketOptions outside{.source_address = outer_address()};
  if (outside.source_address == 0) GTEST_SKIP() << "this machine has only loopback";
  ServerProcess server({"--max-connections-per-address", "2"}, data_.path());
  SseClient first(server, stream(outside));
  SseClient second(server, stream(outside));
  first.hello();
  second.hello();
  RawClient third(server.port(), outside);
  const HttpResponse refused = read_response(third);
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.error_code(), "too_many_connections");
  EXPECT_THAT(refused.body, HasSubstr("--max-connections-per-address"));
  std::vector<std::unique_ptr<RawClient>> operators;
  for (int i = 0; i < 4; ++i) {
    operators.push_back(std::make_unique<RawClient>(server.port()));
    EXPECT_EQ(call(*operators.back(), {.target = "/health"}).status, 200) << i;
  }
  EXPECT_EQ(refusals(server, "connections_per_address"), 1);
}

TEST_F(R_AUTH_7, AnIdleConnectionOfTheSameAddressIsClosedFirst) {
  const SocketOptions outside{.source_address = outer_address()};
  if (outside.source_address == 0) GTEST_SKIP() << "this machine has only loopback";
  ServerProcess server({"--max-connections-per-address", "1"}, data_.path());
  RawClient others(server.port());
  EXPECT_EQ(call(others, {.target = "/health"}).status, 200);
  RawClient idle(server.port(), outside);
  EXPECT_EQ(call(idle, {.target = "/health"}).status, 200);
  RawClient next(server.port(), outside);
  EXPECT_EQ(call(next, {.target = "/health"}).status, 200);
  EXPECT_EQ(idle.read_to_end(), "");
  EXPECT_EQ(call(others, {.target = "/health"}).status, 200) << "idle for longer, but not of it";
}

constexpr uid_t kNobody = 65534;

// Whether the work returns true in a process of another user.
bool holds_for_user(uid_t user, const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    if (setgid(user) != 0 || setuid(user) != 0) _exit(1);
    try {
      _exit(work() ? 0 : 1);
    } catch (const std::exception&) {
      _exit(2);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(R_AUTH_7, AnotherUserOfThisMachineHasALimitOfConnections) {
  if (getuid() != 0) GTEST_SKIP() << "only root can become another user";
  ServerProcess server({"--max-connections-per-address", "1"}, data_.path());
  RawClient operators(server.port());
  EXPECT_EQ(call(operators, {.target = "/health"}).status, 200);
  EXPECT_TRUE(holds_for_user(kNobody, [&] {
    RawClient first(server.port());
    first.send("GET /health HTTP/1.1\r\n");
    RawClient second(server.port());
    const bool is_served = call(second, {.target = "/health"}).status == 200;
    return is_served && first.read_to_end().empty();
  }));
  EXPECT_EQ(call(operators, {.target = "/health"}).status, 200) << "idle for longer";
}

TEST_F(R_AUTH_7, SomePlacesAreKeptForTheServersOwnUser) {
  if (getuid() != 0) GTEST_SKIP() << "only root can become another user";
  ServerProcess server({"--max-connections", "16", "--max-sse-clients", "16"}, data_.path());
  std::vector<std::unique_ptr<SseClient>> watchers;
  for (int i = 0; i < 15; ++i) {
    watchers.push_back(std::make_unique<SseClient>(server));
    watchers.back()->hello();
  }
  EXPECT_TRUE(holds_for_user(kNobody, [&] {
    RawClient client(server.port());
    return read_response(client).status == 503;
  }));
  RawClient operators(server.port());
  EXPECT_EQ(call(operators, {.target = "/health"}).status, 200);
}

TEST_F(TokenUse, IsShownAfterTheServerHasStopped) {
  EXPECT_THAT(token({"list"}).out, EndsWith("never\n"));
  {
    ServerProcess server({}, data_.path());
    EXPECT_EQ(get(server, "/api/sessions", headers_).status, 200);
  }
  EXPECT_THAT(token({"list"}).out, EndsWith("Z\n"));
}

}  // namespace
}  // namespace oriel
