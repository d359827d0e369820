#include "cli/hooks/hook_request.h"

#include "base/text/quote.h"
#include "cli/hooks/json_members.h"
#include "http/client_network.h"

#include <algorithm>
#include <array>

namespace oriel {
namespace {

constexpr std::array<std::string_view, 2> kLargeMembers = {"tool_response", "tool_input"};

Error unfit_payload(std::string message) {
  return {.kind = ErrorKind::kUnfitPayload,
          .message = std::move(message),
          .hint = "`oriel hook` reads the payload of a Claude Code hook from standard input"};
}

// Replaces the large members by null.
std::string without_large_members(const std::string& payload) {
  const auto members = json_members(payload);
  if (!members) return payload;
  std::string result;
  std::size_t position = 0;
  for (const JsonMember& member : *members) {
    const bool is_large =
        std::find(kLargeMembers.begin(), kLargeMembers.end(), member.key) != kLargeMembers.end();
    if (!is_large) continue;
    result += payload.substr(position, member.value_begin - position) + "null";
    position = member.value_end;
  }
  return result + payload.substr(position);
}

}  // namespace

Result<HttpRequest> hook_request(const ServerAccess& server, std::optional<HookKind> kind,
                                 std::string payload, pid_t agent) {
  if (!kind) {
    const auto members = json_members(payload);
    if (!members) return unfit_payload("standard input is not a JSON object");
    const JsonMember* const event = find_member(*members, "hook_event_name");
    if (event == nullptr) return unfit_payload("the payload has no hook_event_name");
    const std::string word = string_value(event->value_in(payload));
    kind = parse_hook_event_name(word);
    if (!kind) return unfit_payload("unknown hook " + quote(word));
  }
  HttpRequest request = make_request(server, "POST", "/api/hooks/" + std::string(name_of(*kind)));
  request.headers.emplace_back("Content-Type", "application/json");
  if (http::is_loopback_host(server.url.host))
    request.headers.emplace_back("Oriel-Agent-Pid", std::to_string(agent));
  request.body =
      payload.size() > kLargeHookBytes ? without_large_members(payload) : std::move(payload);
  return request;
}

}  // namespace oriel
