#include "api/rest/import_endpoint.h"

#include "api/json_body.h"
#include "api/rest/session_endpoint.h"
#include "http/query.h"

#include <utility>

namespace oriel {
namespace {

constexpr std::int64_t kMaxDays = 36'500;
constexpr std::size_t kMaxFolders = 100;

// In words of this door: 403 would say that another token may.
Response refused(const Error& error) {
  if (error.code == "import_running") return error_response(409, error);
  if (error.code == "not_found") return error_response(404, error);
  return refusal_response(error);
}

}  // namespace

void ImportDoor::add_routes(Router& router) {
  using Member = asio::awaitable<Response> (ImportDoor::*)(Request, Shard&);
  const auto add = [&](const char* method, Access access, Member member) {
    router.add({method, "/api/import", access, [this, member](Request request, Shard& shard) {
                  return (this->*member)(std::move(request), shard);
                }});
  };
  add("POST", Access::kWrite, &ImportDoor::begin);
  add("GET", Access::kRead, &ImportDoor::show);
  add("DELETE", Access::kWrite, &ImportDoor::cancel);
}

asio::awaitable<Response> ImportDoor::begin(Request request, Shard&) {
  JsonBody body(request, {"folders", "days", "dry_run"});
  ImportRequest wanted;
  wanted.folders = body.texts("folders");
  if (wanted.folders.size() > kMaxFolders) body.refuse("folders", "has more than 100");
  if (body.has("days"))
    wanted.days = static_cast<std::uint64_t>(body.number("days", 1, 1, kMaxDays));
  const bool is_dry_run = body.flag("dry_run").value_or(false);
  if (body.refusal()) co_return *body.refusal();
  if (is_dry_run) {
    const auto plan = co_await importer_.plan(std::move(wanted));
    if (!plan) co_return refused(plan.error());
    co_return json_response(200, to_json(*plan));
  }
  const auto begun = co_await importer_.begin(std::move(wanted));
  if (!begun) co_return refused(begun.error());
  co_return json_response(202, to_json(*begun));
}

asio::awaitable<Response> ImportDoor::show(Request request, Shard&) {
  if (auto known = check_query(request, {}); !known) co_return error_response(400, known.error());
  const ImportProgress progress = co_await importer_.progress();
  co_return json_response(200, to_json(progress));
}

asio::awaitable<Response> ImportDoor::cancel(Request request, Shard&) {
  if (auto known = check_query(request, {}); !known) co_return error_response(400, known.error());
  const ImportProgress progress = co_await importer_.cancel();
  co_return json_response(200, to_json(progress));
}

}  // namespace oriel
