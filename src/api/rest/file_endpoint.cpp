#include "api/rest/file_endpoint.h"

#include "api/error_response.h"
#include "base/text/quote.h"
#include "http/query.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace oriel {
namespace {

constexpr std::array<std::string_view, 4> kPictures = {"image/png", "image/jpeg", "image/gif",
                                                       "image/webp"};

std::optional<TurnFile> find_file(const std::vector<Turn>& turns, std::string_view file_id) {
  for (const Turn& turn : turns) {
    for (const TurnFile& file : turn.files) {
      if (file.file_id == file_id) return file;
    }
  }
  return std::nullopt;
}

Error unknown_file(std::string_view file_id) {
  return {.kind = ErrorKind::kUnknownFile,
          .message = "the session has no file " + quote(file_id),
          .hint = "its files are listed in \"files\" of its turns"};
}

http::Response attachment_of(const TurnFile& file, Download bytes) {
  http::Response response;
  response.headers = {
      {"Content-Type", std::string(served_type(file.type))},
      {"Content-Disposition", http::attachment(file.name)},
      {"Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'"},
      {"Cache-Control", "private"}};
  response.source = {.size = bytes.size, .next = std::move(bytes.next)};
  return response;
}

}  // namespace

std::string_view served_type(std::string_view type) {
  const auto picture = std::find(kPictures.begin(), kPictures.end(), type);
  if (picture != kPictures.end()) return *picture;
  return type == "text/plain" ? "text/plain; charset=utf-8" : "application/octet-stream";
}

void FileEndpoint::add_routes(http::Router& router) {
  router.add({"GET", "/api/sessions/{id}/files/{file_id}", Scope::kRead,
              [this](http::Request request, Shard&) { return serve(std::move(request)); }, true});
}

asio::awaitable<http::Response> FileEndpoint::serve(http::Request request) {
  if (auto known = http::check_query(request, {}); !known) co_return error_response(known.error());
  std::string session_id(request.path_param("id"));
  const std::string file_id(request.path_param("file_id"));
  const auto turns = co_await sessions_.turns(request.principal, session_id);
  if (!turns) co_return error_response(turns.error());
  const auto file = find_file(*turns, file_id);
  if (!file) co_return error_response(unknown_file(file_id));
  auto bytes = co_await sessions_.download(std::move(session_id), *file);
  if (!bytes) co_return error_response(bytes.error());
  co_return attachment_of(*file, *std::move(bytes));
}

}  // namespace oriel
