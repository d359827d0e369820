#include "api/rest/changes_endpoint.h"

#include "api/error_response.h"
#include "http/query.h"

#include <utility>

namespace oriel {

void ChangesEndpoint::add_routes(http::Router& router) {
  const auto add = [&](const char* pattern, ChangesPart part) {
    router.add({"GET", pattern, Scope::kRead, [this, part](http::Request request, Shard&) {
                  return show(std::move(request), part);
                }});
  };
  add("/api/sessions/{id}/changes", ChangesPart::kFiles);
  add("/api/sessions/{id}/changes/diff", ChangesPart::kDiff);
}

asio::awaitable<http::Response> ChangesEndpoint::show(http::Request request, ChangesPart part) {
  const auto known = part == ChangesPart::kFiles ? http::check_query(request, {"snapshot"})
                                                 : http::check_query(request, {"path", "snapshot"});
  if (!known) co_return error_response(known.error());
  ChangesQuery query{.part = part,
                     .path = std::string(http::query_value(request, "path").value_or("")),
                     .snapshot = std::string(http::query_value(request, "snapshot").value_or(""))};
  std::string id(request.path_param("id"));
  const auto answer = co_await sessions_.changes(request.principal, id, std::move(query));
  if (!answer) co_return error_response(answer.error());
  co_return http::json_response(200, answer->json);
}

}  // namespace oriel
