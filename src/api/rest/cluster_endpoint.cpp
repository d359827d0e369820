#include "api/rest/cluster_endpoint.h"

#include "api/error_response.h"
#include "http/query.h"

#include <boost/json/array.hpp>
#include <boost/json/value_from.hpp>

#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

std::string_view name_of(ChainVerdict verdict) {
  switch (verdict) {
    case ChainVerdict::kUnknown:
      return "unknown";
    case ChainVerdict::kAgreed:
      return "agreed";
    case ChainVerdict::kSelfWrong:
      return "this_node_differs";
    case ChainVerdict::kOtherWrong:
      return "other_node_differs";
    case ChainVerdict::kUndecided:
      return "undecided";
  }
  return "unknown";
}

json::object to_json(const ClusterStatus::Member& member) {
  const Node& node = member.node;
  json::object out{{"name", node.name},
                   {"self", member.is_self},
                   {"serving", member.is_serving},
                   {"draining", node.load.is_draining},
                   {"version", node.version},
                   {"url", node.url},
                   {"place", node.place},
                   {"lag", member.lag},
                   {"sessions", node.load.sessions},
                   {"max_sessions", node.load.max_sessions},
                   {"labels", json::value_from(node.labels)}};
  out["chain_agreed"] = member.has_same_chain ? json::value(*member.has_same_chain) : nullptr;
  return out;
}

http::Response answer(const Cluster* cluster, const http::Request& request) {
  if (auto known = http::check_query(request, {}); !known) return error_response(known.error());
  const json::object body =
      cluster == nullptr ? json::object{{"enabled", false}} : to_json(cluster->status());
  http::Response response = http::json_response(200, body);
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

}  // namespace

json::object to_json(const ClusterStatus& status) {
  json::array nodes;
  for (const ClusterStatus::Member& member : status.nodes)
    nodes.push_back(to_json(member));
  return {{"enabled", true},
          {"nodes", std::move(nodes)},
          {"log",
           {{"name", status.log},
            {"generation", status.generation},
            {"place", status.place},
            {"known", status.known},
            {"chain", name_of(status.chain)},
            {"replicas", status.replicas},
            {"leader", status.leader}}},
          {"nats", {{"connected", status.is_connected}, {"version", status.nats_version}}},
          {"warnings", json::value_from(status.warnings)}};
}

void ClusterEndpoint::add_routes(http::Router& router) {
  router.add({"GET", "/api/cluster", Scope::kRead,
              [this](http::Request request, Shard&) { return respond(std::move(request)); }});
}

asio::awaitable<http::Response> ClusterEndpoint::respond(http::Request request) const {
  co_return answer(cluster_, request);
}

}  // namespace oriel
