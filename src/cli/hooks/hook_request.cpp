#include "cli/hooks/hook_request.h"

#include "base/quote.h"
#include "cli/hooks/hook_kinds.h"
#include "cli/hooks/json_members.h"

#include <algorithm>
#include <array>

namespace oriel {
namespace {

constexpr std::array<std::string_view, 2> kLargeMembers = {"tool_response", "tool_input"};

Error unfit(std::string message) {
  return {.kind = ErrorKind::kUnfitPayload,
          .message = std::move(message),
          .hint = "`oriel hook` takes on standard input what Claude Code gives to its hooks"};
}

bool is_here(const http::Url& url) {
  return url.host == "localhost" || url.host == "::1" || url.host.starts_with("127.");
}

// With null for the values of these members.
std::string lightened(const std::string& payload) {
  const auto members = json_members(payload);
  if (!members) return payload;
  std::string light;
  std::size_t place = 0;
  for (const JsonMember& member : *members) {
    const bool is_large =
        std::find(kLargeMembers.begin(), kLargeMembers.end(), member.key) != kLargeMembers.end();
    if (!is_large) continue;
    light += payload.substr(place, member.value_begin - place) + "null";
    place = member.value_end;
  }
  return light + payload.substr(place);
}

}  // namespace

Result<HttpRequest> hook_request(const ServerAccess& server, const std::string& kind,
                                 std::string payload, pid_t agent) {
  std::string name = kind;
  if (name.empty()) {
    const auto members = json_members(payload);
    if (!members) return unfit("standard input holds no JSON object");
    const JsonMember* const event = find_member(*members, "hook_event_name");
    if (event == nullptr) return unfit("the payload has no hook_event_name");
    const std::string word = string_value(event->value_in(payload));
    const HookNames* const found = find_hook_kind(word);
    if (found == nullptr) return unfit("Oriel does not listen to " + quote(word));
    name = found->name;
  }
  HttpRequest request = make_request(server, "POST", "/api/hooks/" + name);
  request.headers.emplace_back("Content-Type", "application/json");
  if (is_here(server.url)) request.headers.emplace_back("Oriel-Agent-Pid", std::to_string(agent));
  request.body = payload.size() > kLargeHookBytes ? lightened(payload) : std::move(payload);
  return request;
}

}  // namespace oriel
