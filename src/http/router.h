#pragma once
// Finds the handler of a request. Segments of a pattern may be parameters: "/api/clients/{id}".

#include "http/request.h"
#include "http/request_body.h"
#include "http/response.h"
#include "runtime/shards.h"

#include <functional>
#include <string>
#include <vector>

namespace oriel::http {

// Runs on the connection's shard. An exception becomes a 500 without detail and is logged.
using Handler = std::function<asio::awaitable<Response>(Request request, Shard& shard)>;

// The same for a streamed body, which the handler reads piece by piece. Runs as soon as the head
// has been read and authorized.
using BodyHandler =
    std::function<asio::awaitable<Response>(Request request, RequestBody& body, Shard& shard)>;

constexpr std::nullopt_t kOpen = std::nullopt;  // the scope of a route that needs no credential

struct Route {
  std::string method;
  std::string pattern;
  std::optional<Scope> scope = Scope::kAdmin;  // that the sender needs
  Handler handler;
  bool takes_ticket = false;         // ?ticket=, for clients that cannot send headers
  BodyHandler body_handler = {};     // used instead of handler when set
  std::uint64_t max_body_bytes = 0;  // of a streamed body
};

struct RouteMatch {
  const Route* route = nullptr;
  std::vector<std::pair<std::string, std::string>> path_params;
};

// A route, or the error response.
using FoundRoute = boost::system::result<RouteMatch, Response>;

class Router {
 public:
  // Throws std::logic_error on a malformed pattern or a duplicate.
  void add(Route route);

  // The route for this method and path, or 404, or 405 with Allow. HEAD finds GET's route.
  FoundRoute find(std::string_view method, std::string_view path) const;

 private:
  std::vector<Route> routes_;
};

}  // namespace oriel::http
