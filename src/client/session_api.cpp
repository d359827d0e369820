#include "client/session_api.h"

#include "base/id.h"
#include "base/json_access.h"
#include "base/json_text.h"
#include "base/quote.h"

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

Result<json::object> api_result(const ServerAccess& access, Result<HttpAnswer> answer) {
  if (!answer) return away_error(access, answer.error());
  if (answer->status / 100 != 2) return refusal_of(*answer);
  json::object object = parse_object(answer->body);
  if (!object.empty()) return object;
  return Error{.kind = ErrorKind::kBadAnswer,
               .message = access.url.origin() + " does not answer as Oriel does",
               .hint = "is --url (ORIEL_URL) the address of an Oriel server?"};
}

Result<json::object> get_now(const ServerAccess& access, const std::string& target) {
  return api_result(access, fetch_now(make_request(access, "GET", target)));
}

Result<json::object> post_now(const ServerAccess& access, const std::string& target,
                              const json::object& body) {
  return api_result(access, fetch_now(api_post(access, target, body)));
}

Result<std::vector<json::object>> list_sessions(const ServerAccess& access,
                                                const SessionChoice& query) {
  const auto answer = get_now(access, api_target("/api/sessions", {{"project_id", query.project},
                                                                   {"agent", query.agent},
                                                                   {"status", query.status},
                                                                   {"workspace", query.workspace},
                                                                   {"limit", query.limit}}));
  if (!answer) return answer.error();
  return objects_of(member(*answer, "sessions"));
}

Result<json::object> find_session(const ServerAccess& access, const std::string& id) {
  if (is_name(id)) {
    auto answer = fetch_now(make_request(access, "GET", "/api/sessions/" + id));
    const bool is_unknown = answer && answer->status == 404;
    if (!is_unknown) return api_result(access, std::move(answer));
  }
  const auto sessions = list_sessions(access, {.limit = "1000"});
  if (!sessions) return sessions.error();
  std::vector<std::string> ids;
  for (const json::object& session : *sessions)
    ids.push_back(text_at(session, "session_id"));
  const auto match = match_id({.kind = "session", .hint = "oriel sessions lists them"}, id, ids);
  if (!match) return match.error();
  const auto place = std::find(ids.begin(), ids.end(), *match) - ids.begin();
  return (*sessions)[static_cast<std::size_t>(place)];
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
                 .message = fmt::format("there is no {} {}", what.kind, quote(id)),
                 .hint = what.hint};
  }
  const std::size_t count = matches.size();
  matches.resize(std::min(count, kMostCandidates));
  return Error{.kind = ErrorKind::kAmbiguous,
               .message = fmt::format("{} {}s begin with {}", count, what.kind, quote(id)),
               .hint = fmt::format("for example {}", fmt::join(matches, ", "))};
}

}  // namespace oriel
