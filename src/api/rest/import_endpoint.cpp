#include "api/rest/import_endpoint.h"

#include "api/error_response.h"
#include "api/json_body.h"
#include "http/query.h"

#include <utility>

namespace oriel {
namespace {

constexpr std::int64_t kMaxDays = 36'500;
constexpr std::size_t kMaxFolders = 100;

// An import reads and shows sessions of all projects.
Result<void> check_projects(const Principal& principal) {
  if (principal.projects.empty()) return {};
  return Error{.kind = ErrorKind::kNotAllowed,
               .message = "this credential is limited to certain projects",
               .hint = "import with a credential that has no such limit"};
}

}  // namespace

void ImportEndpoint::add_routes(http::Router& router) {
  using Member = asio::awaitable<http::Response> (ImportEndpoint::*)(http::Request, Shard&);
  const auto add = [&](const char* method, Scope scope, Member member) {
    router.add({method, "/api/import", scope, [this, member](http::Request request, Shard& shard) {
                  return (this->*member)(std::move(request), shard);
                }});
  };
  add("POST", Scope::kAdmin, &ImportEndpoint::begin);
  add("GET", Scope::kAdmin, &ImportEndpoint::show);
  add("DELETE", Scope::kAdmin, &ImportEndpoint::cancel);
}

asio::awaitable<http::Response> ImportEndpoint::begin(http::Request request, Shard&) {
  if (auto may = check_projects(request.principal); !may) {
    auto refusing = refuse(std::move(request.principal), may.error());
    co_return co_await std::move(refusing);
  }
  JsonBody body(request, {"folders", "days", "dry_run"});
  ImportRequest wanted;
  wanted.folders = body.paths("folders");
  if (wanted.folders.size() > kMaxFolders) body.refuse("folders", "has more than 100");
  if (body.has("days"))
    wanted.days = static_cast<std::uint64_t>(body.number("days", 1, 1, kMaxDays));
  const bool is_dry_run = body.flag("dry_run").value_or(false);
  if (body.refusal()) co_return *body.refusal();
  if (is_dry_run) {
    const auto plan = co_await importer_.plan(std::move(wanted));
    if (!plan) co_return error_response(plan.error());
    co_return http::json_response(200, to_json(*plan));
  }
  const auto begun = co_await importer_.begin(std::move(wanted));
  event::Audit audit = audit_of(request.principal, AuditAction::kImport);
  if (!begun) audit.refusal = begun.error().kind;
  co_await audit_.record(std::move(audit), "");
  if (!begun) co_return error_response(begun.error());
  co_return http::json_response(202, to_json(*begun));
}

asio::awaitable<http::Response> ImportEndpoint::refuse(Principal principal, Error error) {
  event::Audit audit = audit_of(principal, AuditAction::kImport);
  audit.refusal = error.kind;
  co_await audit_.record(std::move(audit), "");
  co_return error_response(error);
}

asio::awaitable<http::Response> ImportEndpoint::show(http::Request request, Shard&) {
  if (auto may = check_projects(request.principal); !may) co_return error_response(may.error());
  if (auto known = http::check_query(request, {}); !known) co_return error_response(known.error());
  const ImportProgress progress = co_await importer_.progress();
  co_return http::json_response(200, to_json(progress));
}

asio::awaitable<http::Response> ImportEndpoint::cancel(http::Request request, Shard&) {
  if (auto may = check_projects(request.principal); !may) {
    auto refusing = refuse(std::move(request.principal), may.error());
    co_return co_await std::move(refusing);
  }
  if (auto known = http::check_query(request, {}); !known) co_return error_response(known.error());
  const ImportProgress progress = co_await importer_.cancel();
  event::Audit audit = audit_of(request.principal, AuditAction::kImport);
  co_await audit_.record(std::move(audit), "");
  co_return http::json_response(200, to_json(progress));
}

}  // namespace oriel
