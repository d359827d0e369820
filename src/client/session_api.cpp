#include "client/session_api.h"

#include "base/id.h"
#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "base/text/quote.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostCandidates = 5;

std::string encode(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = is_name(std::string_view(&c, 1)) || c == '/';
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace

std::string api_target(std::string path,
                       const std::vector<std::pair<std::string, std::string>>& parameters) {
  char mark = '?';
  for (const auto& [name, value] : parameters) {
    if (value.empty()) continue;
    path += fmt::format("{}{}={}", mark, name, encode(value));
    mark = '&';
  }
  return path;
}

HttpRequest api_post(const ServerAccess& access, const std::string& target,
                     const json::object& body) {
  HttpRequest request = make_request(access, "POST", target);
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = json_text(body);
  return request;
}

Result<json::object> api_result(const ServerAccess& access, Result<HttpResponse> response) {
  if (!response) return unreachable_error(access, response.error());
  if (response->status / 100 != 2) return response_error(*response);
  json::object object = parse_object(response->body);
  if (!object.empty()) return object;
  return Error{.kind = ErrorKind::kBadAnswer,
               .message = access.url.origin() + " does not respond like Oriel",
               .hint = "is --url (ORIEL_URL) the address of an Oriel server?"};
}

Result<json::object> get_now(const ServerAccess& access, const std::string& target) {
  return api_result(access, fetch_now(make_request(access, "GET", target)));
}

Result<json::object> post_now(const ServerAccess& access, const std::string& target,
                              const json::object& body) {
  return api_result(access, fetch_now(api_post(access, target, body)));
}

Result<json::object> patch_now(const ServerAccess& access, const std::string& target,
                               const json::object& body) {
  HttpRequest request = api_post(access, target, body);
  request.method = "PATCH";
  return api_result(access, fetch_now(std::move(request)));
}

Result<std::vector<json::object>> list_sessions(const ServerAccess& access,
                                                const SessionChoice& query) {
  const auto response = get_now(access, api_target("/api/sessions", {{"project_id", query.project},
                                                                     {"agent", query.agent},
                                                                     {"status", query.status},
                                                                     {"workspace", query.workspace},
                                                                     {"label", query.label},
                                                                     {"archived", query.archived},
                                                                     {"limit", query.limit}}));
  if (!response) return response.error();
  return objects_of(member(*response, "sessions"));
}

Result<json::object> find_session(const ServerAccess& access, const std::string& id) {
  if (is_name(id)) {
    auto response = fetch_now(make_request(access, "GET", "/api/sessions/" + id));
    const bool is_unknown = response && response->status == 404;
    if (!is_unknown) return api_result(access, std::move(response));
  }
  const auto sessions = list_sessions(access, {.archived = "any", .limit = "1000"});
  if (!sessions) return sessions.error();
  std::vector<std::string> ids;
  for (const json::object& session : *sessions)
    ids.push_back(text_at(session, "session_id"));
  const auto match = match_id({.kind = "session", .hint = "oriel sessions lists them"}, id, ids);
  if (!match) return match.error();
  const auto position = std::find(ids.begin(), ids.end(), *match) - ids.begin();
  return (*sessions)[static_cast<std::size_t>(position)];
}

Result<std::string> match_id(const Sought& what, const std::string& id,
                             const std::vector<std::string>& ids) {
  constexpr auto kValue = boost::system::in_place_value;
  std::vector<std::string> matches;
  for (const std::string& each : ids) {
    if (each == id) return Result<std::string>(kValue, id);
    if (each.starts_with(id)) matches.push_back(each);
  }
  if (matches.size() == 1) return Result<std::string>(kValue, matches.front());
  if (matches.empty()) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("no {} {}", what.kind, quote(id)),
                 .hint = what.hint};
  }
  const std::size_t count = matches.size();
  matches.resize(std::min(count, kMostCandidates));
  return Error{.kind = ErrorKind::kAmbiguous,
               .message = fmt::format("{} {}s start with {}", count, what.kind, quote(id)),
               .hint = fmt::format("for example {}", fmt::join(matches, ", "))};
}

}  // namespace oriel
