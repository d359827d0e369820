#include "api/rest/oauth_endpoint.h"

#include "base/principal.h"
#include "base/text/ascii.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

// Without a final slash. The origin guard has checked the host.
std::string base_url(const OAuthOptions& options, const http::Request& request) {
  const std::string host(request.header("host").value_or(""));
  std::string public_url = options.public_url;
  if (public_url.ends_with('/')) public_url.pop_back();
  if (lower_case(public_url).ends_with("://" + lower_case(host))) return public_url;
  return (options.is_tls ? "https://" : "http://") + host;
}

// `path` is that of the resource.
http::Response metadata(const OAuthOptions& options, const http::Request& request,
                        const char* path) {
  const std::string base = base_url(options, request);
  json::array scopes;
  for (const Scope scope : ScopeSet::all().list())
    scopes.emplace_back(name_of(scope));
  return http::json_response(200, {{"resource", base + path},
                                   {"bearer_methods_supported", json::array{"header"}},
                                   {"scopes_supported", std::move(scopes)},
                                   {"resource_documentation", base + "/"}});
}

// Official SDKs show the description; they would repeat other errors, such as invalid_client.
http::Response refuse_registration() {
  return http::json_response(
      400, {{"error", "invalid_request"},
            {"error_description",
             "Oriel has no OAuth server: run `oriel token create NAME` and send the token as "
             "Authorization: Bearer"}});
}

asio::awaitable<http::Response> answer_with(http::Response response) {
  co_return response;
}

}  // namespace

void add_oauth_routes(http::Router& router, OAuthOptions options) {
  const std::string pattern = "/.well-known/oauth-protected-resource";
  for (const char* path : {"", "/mcp"}) {
    router.add({"GET", pattern + path, http::kOpen, [options, path](http::Request request, Shard&) {
                  return answer_with(metadata(options, request, path));
                }});
  }
  router.add({"POST", "/register", http::kOpen,
              [](http::Request, Shard&) { return answer_with(refuse_registration()); }});
}

}  // namespace oriel
