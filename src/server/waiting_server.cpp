#include "server/waiting_server.h"

#include "api/rest/status_endpoint.h"
#include "server/start_gate.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <chrono>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::chrono::milliseconds kStopGrace{1000};

http::Response waiting_health(const std::string& reason) {
  const json::object body{{"status", overall_status(true, false)},
                          {"problems", json::array{reason}},
                          {"version", ORIEL_VERSION}};
  return http::json_response(200, body);
}

asio::awaitable<http::Listeners> release(http::Server& server) {
  http::Listeners listeners = server.release_listeners();
  co_await server.stop(kStopGrace);
  co_return listeners;
}

}  // namespace

std::optional<http::Response> WaitingServer::Answers::check(const http::Route*,
                                                            http::Request& request) const {
  const std::string reason = reason_();
  if (request.path == "/ready") return readiness(true, reason);
  if (request.path == "/health") return waiting_health(reason);
  return starting_response(reason);
}

WaitingServer::WaitingServer(http::ServerOptions options, http::Listeners listeners,
                             std::function<std::string()> reason)
    : answers_(std::move(reason)),
      http_(shards_, routes_, answers_, std::move(options), std::move(listeners)) {
  http_.start();
  shards_.start();
}

http::Listeners WaitingServer::finish() {
  if (std::exchange(is_finished_, true)) return {};
  auto releasing = asio::co_spawn(shards_[0].executor(), release(http_), asio::use_future);
  http::Listeners listeners = releasing.get();
  shards_.join();
  return listeners;
}

}  // namespace oriel
