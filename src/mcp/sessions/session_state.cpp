#include "mcp/sessions/session_state.h"

#include "base/text/json_access.h"

#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

constexpr std::int64_t kFormat = 1;

std::vector<std::string> texts(const json::value& value) {
  std::vector<std::string> found;
  for (const json::value& element : elements_of(value))
    found.emplace_back(text_of(element));
  return found;
}

std::optional<WallTime> time_of(const json::value& value) {
  const auto milliseconds = number_of(value);
  return milliseconds ? wall_time(*milliseconds) : std::nullopt;
}

std::uint64_t count_of(const json::value& value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, number_of(value).value_or(0)));
}

}  // namespace

std::string session_key(std::string_view session) {
  return std::string(kSessionKeys) + std::string(session);
}

std::string call_key(std::string_view session, std::string_view call) {
  return std::string(kCallKeys) + std::string(session) + "/" + std::string(call);
}

json::object to_json(const Principal& principal) {
  json::array scopes;
  for (const Scope scope : principal.scopes.list())
    scopes.emplace_back(name_of(scope));
  json::object out{{"name", principal.name}, {"scopes", std::move(scopes)}};
  if (!principal.credential_id.empty()) out["credential"] = principal.credential_id;
  if (!principal.projects.empty()) out["projects"] = json::value_from(principal.projects);
  if (!principal.session_id.empty()) out["session"] = principal.session_id;
  return out;
}

Principal read_principal(const json::object& from) {
  Principal principal{.name = text_at(from, "name"),
                      .credential_id = text_at(from, "credential"),
                      .scopes = {},
                      .projects = texts(member(from, "projects")),
                      .session_id = text_at(from, "session")};
  for (const std::string& name : texts(member(from, "scopes"))) {
    if (const auto scope = parse_scope(name)) principal.scopes.insert(*scope);
  }
  return principal;
}

// Without what is empty: there may be thousands.
std::string serialize(const SessionState& state) {
  json::object out{{"format", kFormat},
                   {"id", state.id},
                   {"principal", to_json(state.principal)},
                   {"version", state.hello.version},
                   {"client", state.hello.info},
                   {"stream", state.streams.standalone},
                   {"companion", state.companion}};
  if (!state.hello.capabilities.empty()) out["capabilities"] = state.hello.capabilities;
  if (state.log_level) out["level"] = name_of(*state.log_level);
  if (!state.subscriptions.empty()) out["subscriptions"] = json::value_from(state.subscriptions);
  if (state.streams.position > 0) out["position"] = state.streams.position;
  if (state.streams.processes > 0) out["processes"] = state.streams.processes;
  if (state.used) out["used"] = unix_milliseconds(*state.used);
  return json::serialize(out);
}

std::optional<SessionState> parse_session_state(std::string_view text) {
  const json::object from = parse_object(text);
  if (number_of(member(from, "format")) != kFormat) return std::nullopt;
  SessionState state{.id = text_at(from, "id"),
                     .principal = read_principal(object_of(member(from, "principal"))),
                     .hello = {.version = text_at(from, "version"),
                               .info = object_of(member(from, "client")),
                               .capabilities = object_of(member(from, "capabilities"))},
                     .log_level = parse_log_level(text_of(member(from, "level"))),
                     .subscriptions = texts(member(from, "subscriptions")),
                     .streams = {.standalone = text_at(from, "stream"),
                                 .position = count_of(member(from, "position")),
                                 .processes = count_of(member(from, "processes"))},
                     .companion = object_of(member(from, "companion")),
                     .used = time_of(member(from, "used"))};
  if (state.id.empty() || state.streams.standalone.empty()) return std::nullopt;
  return state;
}

std::string serialize(const CallState& call) {
  return json::serialize(json::object{{"format", kFormat},
                                      {"id", call.id},
                                      {"rpc", call.request.id},
                                      {"method", call.request.method},
                                      {"params", call.request.params},
                                      {"questions", json::value_from(call.questions)}});
}

std::optional<CallState> parse_call_state(std::string_view text) {
  const json::object from = parse_object(text);
  if (number_of(member(from, "format")) != kFormat) return std::nullopt;
  return CallState{.id = text_at(from, "id"),
                   .request = {.id = member(from, "rpc"),
                               .method = text_at(from, "method"),
                               .params = object_of(member(from, "params"))},
                   .questions = texts(member(from, "questions"))};
}

}  // namespace oriel::mcp
