// The server that the official conformance suite is run against: Oriel's MCP library with the
// tools, resources and prompts that its scenarios call. Prints its URL, and serves until SIGTERM.

#include "auth/authenticator.h"
#include "fixture.h"
#include "http/server.h"
#include "mcp/server.h"
#include "runtime/shards.h"
#include "runtime/signals.h"
#include "runtime/task_group.h"

#include <csignal>
#include <iostream>
#include <unistd.h>

namespace oriel {
namespace {

constexpr unsigned kThreads = 2;  // so that what spans shards is tested too
constexpr std::chrono::seconds kGrace{2};

mcp::Catalog make_catalog(const Announce& announce) {
  mcp::Catalog catalog;
  catalog.name = "oriel-conformance-fixture";
  catalog.version = "1.0.0";
  catalog.instructions = "Only for the conformance suite.";
  add_content_tools(catalog);
  add_live_tools(catalog);
  add_asking_tools(catalog);
  add_multi_round_tools(catalog);
  add_task_tools(catalog);
  add_change_tools(catalog, announce);
  add_resources(catalog);
  add_prompts(catalog);
  return catalog;
}

http::ServerOptions any_loopback_port() {
  http::ServerOptions options;
  options.listen = {asio::ip::address_v4::loopback(), 0};
  return options;
}

class FixtureServer {
 public:
  FixtureServer()
      : shards_(kThreads),
        signals_(shards_[0].executor(), {SIGINT, SIGTERM}),
        tokens_("/nonexistent/tokens.json"),
        token_uses_("/nonexistent/token-use.json"),
        catalog_(make_catalog([this](mcp::Change change) { mcp_.announce(std::move(change)); })),
        mcp_(shards_, catalog_, {}),
        access_(tokens_, token_uses_, tickets_, refusals_, {}, getuid()),
        server_(shards_, router_, access_, any_loopback_port()),
        tasks_(shards_[0].executor()) {
    mcp_.add_routes(router_, "/mcp");
  }

  void run() {
    tasks_.spawn("serve", serve_until_signal());
    shards_.start();
    shards_.wait();
  }

 private:
  asio::awaitable<void> serve_until_signal() {
    co_await mcp_.start();
    server_.start();
    std::cout << "http://127.0.0.1:" << server_.endpoint().port() << "/mcp" << std::endl;
    co_await signals_.next();
    co_await server_.stop(kGrace);
    co_await mcp_.stop(kGrace);
    shards_.release();
  }

  Shards shards_;
  Signals signals_;
  TokenStore tokens_;  // empty: the own user needs no token
  TokenUses token_uses_;
  http::Router router_;
  mcp::Catalog catalog_;
  mcp::Server mcp_;
  OneTimeCodes tickets_{{}};
  AuthRefusals refusals_;
  Authenticator access_;
  http::Server server_;
  TaskGroup tasks_;
};

}  // namespace
}  // namespace oriel

int main() {
  oriel::FixtureServer().run();
}
