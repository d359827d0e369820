#include "api/web/page_endpoint.h"

#include "api/web/web_files.h"

namespace oriel {
namespace {

// Only files of this server, and no framing by other pages.
constexpr std::string_view kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

asio::awaitable<http::Response> serve(const http::StaticFile& file, http::Request request) {
  http::Response response = file.respond(request);
  response.headers.emplace_back("Content-Security-Policy", kContentPolicy);
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
  co_return response;
}

}  // namespace

PageEndpoint::PageEndpoint() {
  for (const WebFile& file : web_files()) {
    http::StaticFile served(std::string(file.content_type), std::string(file.content));
    files_.emplace(file.path, std::move(served));
  }
}

void PageEndpoint::add_routes(http::Router& router) const {
  for (const auto& [path, file] : files_) {
    router.add({"GET", path, http::kOpen, [&file = file](http::Request request, Shard&) {
                  return serve(file, std::move(request));
                }});
  }
}

}  // namespace oriel
