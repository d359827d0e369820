#include "mcp/stateless/lost_call.h"

#include "base/id.h"
#include "base/text/json_access.h"
#include "mcp/stateless/stateless_call.h"
#include "mcp/stateless/stateless_endpoint.h"
#include "mcp/streams/event_id.h"

#include <boost/json/serialize.hpp>
#include <spdlog/fmt/fmt.h>

#include <utility>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

std::string purpose_for(std::string_view credential_id) {
  return "lost call\n" + std::string(credential_id);
}

json::object to_json(const LostCall& call) {
  json::object out{{"tool", call.tool}, {"kept", call.kept}};
  if (!call.progress_token.is_null()) out["token"] = call.progress_token;
  if (!call.client_capabilities.empty()) out["capabilities"] = call.client_capabilities;
  if (call.log_level) out["level"] = name_of(*call.log_level);
  return out;
}

// Without the request's id, which is a field of the event id.
LostCall read_lost_call(const json::object& from) {
  const auto* const token = from.if_contains("token");
  return {.rpc = nullptr,
          .tool = text_at(from, "tool"),
          .progress_token = token != nullptr ? *token : json::value(),
          .client_capabilities = object_of(member(from, "capabilities")),
          .log_level = parse_log_level(text_of(member(from, "level"))),
          .kept = object_of(member(from, "kept"))};
}

RpcRequest request_of(const LostCall& call) {
  json::object params{{"name", call.tool}, {"arguments", json::object()}};
  if (!call.progress_token.is_null())
    params["_meta"] = json::object{{"progressToken", call.progress_token}};
  return {.id = call.rpc, .method = "tools/call", .params = std::move(params)};
}

http::Response go_on(ShardState& here, const Principal& principal, LostCall lost) {
  RpcRequest request = request_of(lost);
  RequestMeta meta{.version = std::string(kStatelessVersion),
                   .client_info = {},
                   .client_capabilities = std::move(lost.client_capabilities),
                   .log_level = lost.log_level};
  std::string purpose = purpose_of(request, principal);
  const auto call = std::make_shared<StatelessCall>(
      std::move(request), std::move(meta), principal, InputRounds::after(std::move(lost.kept)),
      std::move(purpose), here.shard(), here.server());
  call->become_stream();
  here.run(call);
  http::Response response = stream_response();
  response.take_over = [&here, call, principal](std::unique_ptr<http::Transport> transport,
                                                std::string head) {
    call->attach(here.connections().make(here.shard(), principal), std::move(transport),
                 std::move(head));
  };
  return response;
}

http::Response ended(const json::value& rpc, std::string_view hint) {
  const RpcError lost{.code = kInternalError,
                      .message = fmt::format(
                          "the connection of this call was lost, and its result with it; {}", hint),
                      .data = {}};
  Chunk chunk;
  chunk.add_event(Message(rpc_error(rpc, lost)));
  http::Response response = stream_response();
  response.body = chunk.take().front();
  return response;
}

}  // namespace

LostCall lost_call(const RpcRequest& request, const RequestMeta& meta) {
  const json::object sent = object_of(member(request.params, "_meta"));
  const auto* const token = sent.if_contains("progressToken");
  return {.rpc = request.id,
          .tool = text_at(request.params, "name"),
          .progress_token = token != nullptr ? *token : json::value(),
          .client_capabilities = meta.client_capabilities,
          .log_level = meta.log_level,
          .kept = {}};
}

std::string event_id_of(const LostCall& call, std::string_view credential_id,
                        const ServerState& server) {
  EventId id{.session = {},
             .stream = random_id(),
             .node = server.options.streams.node,
             .rpc = json::serialize(call.rpc),
             .position = 0,
             .counter = 1};
  const std::string plain = to_string(id);
  if (!parse_event_id(plain)) return {};
  if (call.kept.empty()) return plain;
  id.stream = server.sealer.seal(to_json(call), purpose_for(credential_id), wall_now());
  std::string carrying = to_string(id);
  return parse_event_id(carrying) ? carrying : plain;
}

std::optional<http::Response> resume_lost_call(ShardState& here, const Principal& principal,
                                               std::string_view last_event_id) {
  const auto id = parse_event_id(last_event_id);
  if (!id || !id->session.empty()) return std::nullopt;
  auto rpc = parse_rpc_id(id->rpc);
  if (!rpc) return std::nullopt;
  const ServerState& server = here.server();
  const auto state = server.sealer.open(id->stream, purpose_for(principal.credential_id),
                                        wall_now(), server.options.state_ttl);
  if (!state) return ended(*rpc, server.methods.catalog().stop_hint);
  LostCall lost = read_lost_call(*state);
  lost.rpc = *std::move(rpc);
  return go_on(here, principal, std::move(lost));
}

}  // namespace oriel::mcp
