#include "cli/mcp/mcp_reply.h"

#include "base/text/ascii.h"
#include "base/text/json_access.h"
#include "client/reconnect.h"
#include "mcp/streams/event_id.h"

#include <algorithm>
#include <limits>

namespace oriel {
namespace {

namespace json = boost::json;

// More than any batch that a client may send.
constexpr std::size_t kMaxBatch = 10'000;

bool has_type(const HttpResponse& answer, std::string_view type) {
  return answer.header("content-type").value_or("").starts_with(type);
}

std::string with_hint(const Error& error) {
  return error.hint.empty() ? error.message : error.message + "; " + error.hint;
}

}  // namespace

bool McpReply::settle(const json::value& id) {
  const auto found = std::find(pending_.begin(), pending_.end(), id);
  if (found == pending_.end()) return false;
  pending_.erase(found);
  return true;
}

McpReply::Taken McpReply::take(std::string_view message) {
  Taken taken;
  auto body = mcp::parse_rpc(message, kMaxBatch);
  taken.is_message = body.has_value();
  if (!body) return taken;
  bool is_wanted = false;
  for (mcp::RpcMessage& part : body->messages) {
    auto* const answer = std::get_if<mcp::RpcResponse>(&part);
    const bool is_new = answer == nullptr || settle(answer->id);
    is_wanted = is_wanted || is_new;
    if (answer != nullptr && is_new) taken.answers.push_back(std::move(*answer));
  }
  // Line breaks in JSON separate tokens, as spaces do.
  if (is_wanted) taken.line = in_one_line(std::string(message));
  return taken;
}

std::vector<std::string> McpReply::fail(const mcp::RpcError& error) {
  std::vector<std::string> lines;
  for (const json::value& id : pending_)
    lines.push_back(mcp::rpc_error(id, error));
  pending_.clear();
  return lines;
}

AfterPost after_post(const HttpResponse& answer) {
  if (answer.status == 404) return AfterPost::kGone;
  if (answer.status == 202 || answer.status == 204) return AfterPost::kAccepted;
  if (answer.status != 200) return AfterPost::kRefused;
  if (has_type(answer, "text/event-stream")) return AfterPost::kStream;
  return has_type(answer, "application/json") ? AfterPost::kBody : AfterPost::kRefused;
}

AfterGet after_get(const HttpResponse& answer) {
  switch (answer.status) {
    case 200:
      return has_type(answer, "text/event-stream") ? AfterGet::kStream : AfterGet::kRefused;
    case 204:
      return AfterGet::kDone;
    case 404:
      return AfterGet::kGone;
    case 405:
      return AfterGet::kNone;
    case 409:
      return AfterGet::kTaken;
    case 410:
      return AfterGet::kPurged;
    default:
      return may_retry(answer) ? AfterGet::kRetry : AfterGet::kRefused;
  }
}

mcp::RpcError rejection_error(const HttpResponse& answer) {
  const json::object error = object_of(member(parse_object(answer.body), "error"));
  const auto code = number_of(member(error, "code"));
  const bool is_rpc =
      code && *code >= std::numeric_limits<int>::min() && *code <= std::numeric_limits<int>::max();
  if (is_rpc) {
    const json::value* const data = error.if_contains("data");
    return {.code = static_cast<int>(*code),
            .message = text_at(error, "message"),
            .data = data == nullptr ? json::value() : *data};
  }
  Error rejection = response_error(answer);
  if (answer.status == 404 || answer.status == 200) {
    rejection.message += ": not an Oriel server with MCP";
    rejection.hint = "--url (ORIEL_URL) names the server";
  }
  return {.code = kConnectionError, .message = with_hint(rejection), .data = {}};
}

mcp::RpcError connection_error(const Error& error) {
  return {.code = kConnectionError, .message = with_hint(error), .data = {}};
}

bool is_same_stream(std::string_view id, std::string_view other) {
  const auto one = mcp::parse_event_id(id);
  const auto two = mcp::parse_event_id(other);
  return !one || !two || mcp::event_id_prefix(*one) == mcp::event_id_prefix(*two);
}

}  // namespace oriel
