#include "mcp/sessions/session_endpoint.h"

#include "base/text/quote.h"
#include "mcp/client_info.h"
#include "mcp/stateless/stateless_gate.h"
#include "mcp/streams/event_id.h"

#include <boost/asio/dispatch.hpp>

#include <algorithm>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

constexpr std::string_view kOpenComment = ": open\n\n";

SessionAnswer refuse(int status, int code, std::string message, json::value data = {}) {
  return {.status = status,
          .body = rpc_error(nullptr,
                            {.code = code, .message = std::move(message), .data = std::move(data)}),
          .session_id = {},
          .stream = {}};
}

SessionAnswer body_answer(int status, std::string body) {
  return {.status = status, .body = std::move(body), .session_id = {}, .stream = {}};
}

bool is_session_version(std::string_view version) {
  return std::find(kSessionVersions.begin(), kSessionVersions.end(), version) !=
         kSessionVersions.end();
}

struct Found {
  std::shared_ptr<Session> session;
  SessionAnswer refusal;  // set if there is no session
};

Found not_found(int status, int code, std::string message) {
  return {nullptr, refuse(status, code, std::move(message))};
}

// `request` belongs to the caller, who awaits this.
asio::awaitable<Found> find_session(ShardState& owner, const SessionRequest& request) {
  if (request.session_id.empty())
    co_return not_found(400, kInvalidRequest,
                        "the Mcp-Session-Id header is missing; initialize returns it");
  auto session = owner.find_session(request.session_id, request.principal);
  if (!session) {
    auto opening = owner.reopen_session(request.session_id, request.principal);
    session = co_await std::move(opening);
  }
  if (!session)
    co_return not_found(
        404, kSessionNotFound,
        "there is no such MCP session (ended or expired); start one with initialize");
  if (!request.version.empty() && !is_session_version(request.version))
    co_return not_found(400, kInvalidRequest,
                        "MCP-Protocol-Version " + quote(request.version) +
                            " is not supported; initialize agrees on one of 2025-11-25, 2025-06-18 "
                            "and 2025-03-26");
  session->touch();
  co_return Found{std::move(session), {}};
}

json::object object_param(const json::object& params, std::string_view key) {
  const auto* const value = params.if_contains(key);
  return value != nullptr && value->is_object() ? value->as_object() : json::object();
}

asio::awaitable<SessionAnswer> initialize(ShardState& owner, SessionRequest request,
                                          RpcRequest initialize) {
  const auto* const asked = initialize.params.if_contains("protocolVersion");
  if (asked == nullptr || !asked->is_string())
    co_return body_answer(400,
                          rpc_error(initialize.id, {.code = kInvalidParams,
                                                    .message = "params.protocolVersion is missing",
                                                    .data = {}}));
  auto info = read_client_info(object_param(initialize.params, "clientInfo"));
  if (!info) co_return body_answer(400, rpc_error(initialize.id, info.error()));
  auto capabilities = read_capabilities(object_param(initialize.params, "capabilities"));
  if (!capabilities) co_return body_answer(400, rpc_error(initialize.id, capabilities.error()));
  const std::string_view wanted = asked->as_string();
  ClientHello hello{
      .version = std::string(is_session_version(wanted) ? wanted : kSessionVersions.front()),
      .info = *std::move(info),
      .capabilities = *std::move(capabilities)};
  co_await owner.is_restored();
  const auto opened = owner.open_session(request.principal, std::move(hello));
  if (!opened) co_return body_answer(503, rpc_error(initialize.id, opened.error()));
  const std::shared_ptr<Session>& session = *opened;
  const Methods& methods = owner.server().methods;
  json::object result{{"protocolVersion", session->client().version},
                      {"capabilities", methods.capabilities(false)},
                      {"serverInfo", methods.server_info()}};
  if (!methods.catalog().instructions.empty())
    result["instructions"] = methods.catalog().instructions;
  co_await session->saved();
  SessionAnswer answer = body_answer(200, rpc_result(initialize.id, result));
  answer.session_id = session->id();
  co_return answer;
}

void take(Session& session, const RpcNotification& notification) {
  if (notification.method != "notifications/cancelled") return;
  const auto* const id = notification.params.if_contains("requestId");
  if (id != nullptr) session.cancel_call(*id);
}

RpcResult subscribe(Session& session, const std::string& uri) {
  const SubscriptionLimits& limits = session.server().options.subscriptions;
  if (uri.size() > limits.max_uri_bytes)
    return invalid_params("params.uri exceeds " + std::to_string(limits.max_uri_bytes) + " bytes");
  if (!session.subscribe(uri))
    return RpcError{
        .code = kInvalidRequest,
        .message = "limit of " + std::to_string(limits.max_count) +
                   " subscriptions per session reached; unsubscribe from another resource first",
        .data = {}};
  return json::object();
}

// Handles methods that need only the session; none for other methods.
std::optional<RpcResult> answer_now(Session& session, const RpcRequest& request) {
  const auto text = [&](std::string_view key) -> std::optional<std::string> {
    const auto* const value = request.params.if_contains(key);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    return std::string(value->as_string());
  };
  if (request.method == "ping") return json::object();
  if (request.method == "logging/setLevel") {
    const auto level = parse_log_level(text("level").value_or(""));
    if (!level)
      return invalid_params(
          "params.level must be one of debug, info, notice, warning, error, critical, "
          "alert and emergency");
    session.set_log_level(*level);
    return json::object();
  }
  if (request.method == "resources/subscribe" || request.method == "resources/unsubscribe") {
    const auto uri = text("uri");
    if (!uri) return invalid_params("params.uri is missing or not a string");
    if (request.method == "resources/subscribe") return subscribe(session, *uri);
    session.unsubscribe(*uri);
    return json::object();
  }
  if (request.method == "initialize")
    return RpcError{
        .code = kInvalidRequest,
        .message = "this session is already initialized; omit Mcp-Session-Id to start another",
        .data = {}};
  if (session.server().methods.knows(request.method)) return std::nullopt;
  return RpcError{.code = kMethodNotFound,
                  .message = "there is no method " + quote(request.method),
                  .data = {}};
}

std::string first_bytes(Session& session, const Stream& stream, StreamPlace after) {
  return session.takes_priming() ? session.streams().priming(stream, after)
                                 : std::string(kOpenComment);
}

SessionAnswer stream_answer(Session& session, const Stream& stream, StreamPlace after) {
  SessionAnswer answer;
  answer.stream = StreamTicket{.session_id = session.id(),
                               .stream_id = stream.id(),
                               .after = after,
                               .first_bytes = first_bytes(session, stream, after)};
  return answer;
}

// A call that has begun, or why it cannot.
using BegunCall = boost::system::result<std::shared_ptr<SessionCall>, RpcError>;

BegunCall begin_call(ShardState& owner, Session& session, RpcRequest request) {
  if (session.has_max_calls()) {
    owner.server().refusals.calls_per_session.fetch_add(1);
    return RpcError{.code = kInternalError,
                    .message = "limit of " +
                               std::to_string(owner.server().options.max_calls_per_session) +
                               " running calls per MCP session reached; wait for a call to end, or "
                               "raise --mcp-max-calls-per-session",
                    .data = {}};
  }
  auto call = session.begin_call(std::move(request));
  if (call) return call;
  return RpcError{
      .code = kInvalidRequest, .message = "a request with this id is already running", .data = {}};
}

asio::awaitable<SessionAnswer> answer_request(ShardState& owner, std::shared_ptr<Session> session,
                                              RpcRequest request) {
  if (const auto now = answer_now(*session, request)) {
    if (request.method != "ping") co_await session->saved();
    co_return body_answer(200, rpc_answer(request.id, *now));
  }
  if (session->streams().is_full())
    co_return body_answer(
        429,
        rpc_error(
            request.id,
            {.code = kInternalError,
             .message = "limit of running calls of this session reached; wait for a call to end",
             .data = {}}));
  const json::value id = request.id;
  const BegunCall begun = begin_call(owner, *session, std::move(request));
  if (!begun) {
    const bool is_busy = begun.error().code == kInternalError;
    co_return body_answer(is_busy ? 429 : 400, rpc_error(id, begun.error()));
  }
  const std::shared_ptr<SessionCall>& call = *begun;
  owner.running().spawn("mcp call", call->run());
  co_await call->settled();
  co_await session->saved();
  if (call->stream() != nullptr)
    co_return stream_answer(*session, *call->stream(), session->streams().beginning());
  if (call->answer().empty()) co_return body_answer(202, "");  // cancelled
  co_return body_answer(200, call->answer());
}

// Batches exist only in 2025-03-26; their responses leave together.
asio::awaitable<SessionAnswer> answer_batch(ShardState& owner, std::shared_ptr<Session> session,
                                            RpcBody body) {
  std::vector<std::string> answers;
  std::vector<std::shared_ptr<SessionCall>> calls;
  for (RpcMessage& message : body.messages) {
    if (const auto* const notification = std::get_if<RpcNotification>(&message)) {
      take(*session, *notification);
    } else if (auto* const response = std::get_if<RpcResponse>(&message)) {
      session->take_answer(std::move(*response));
    } else {
      RpcRequest& request = std::get<RpcRequest>(message);
      if (const auto now = answer_now(*session, request)) {
        answers.push_back(rpc_answer(request.id, *now));
        continue;
      }
      const json::value id = request.id;
      const BegunCall begun = begin_call(owner, *session, std::move(request));
      if (!begun) {
        answers.push_back(rpc_error(id, begun.error()));
        continue;
      }
      const std::shared_ptr<SessionCall>& call = *begun;
      call->keep_off_streams();
      owner.running().spawn("mcp call", call->run());
      calls.push_back(call);
    }
  }
  for (const auto& call : calls) {
    co_await call->settled();
    if (!call->answer().empty()) answers.push_back(call->answer());
  }
  if (answers.empty()) co_return body_answer(202, "");
  std::string all = "[";
  for (const std::string& answer : answers)
    all += (all.size() > 1 ? "," : "") + answer;
  co_return body_answer(200, all + "]");
}

// Runs the call again whose stream this id names, if a restart has ended it; or answers it with an
// error, if it cannot run again.
void continue_call(ShardState& owner, Session& session, const std::string& last_event_id) {
  const auto id = parse_event_id(last_event_id);
  if (!id || !session.streams().is_lost_request(*id)) return;
  if (const auto call = session.continue_call(*id)) {
    owner.running().spawn("mcp call", call->run());
    return;
  }
  const auto rpc = parse_rpc_id(id->rpc);
  if (!rpc) return;
  Stream& stream = session.streams().open(id->rpc, id->stream);
  const RpcError lost{.code = kInternalError,
                      .message = "the server was restarted while this call ran; call it again",
                      .data = {}};
  session.streams().send(stream, session.hold(rpc_error(*rpc, lost)), EventKind::kResponse);
  session.streams().finish(stream);
}

// Reports what the source of the standalone stream has removed.
asio::awaitable<void> check_source(Session& session, Resume& resume) {
  const auto companion = session.companion();
  StreamSource* const source = companion ? companion->source() : nullptr;
  if (source == nullptr) co_return;
  const auto removed = co_await source->removed_after(resume.after.position);
  if (!removed) co_return;
  resume.outcome = ResumeOutcome::kPurged;
  resume.oldest = removed->oldest;
  resume.newest = removed->newest;
}

bool is_initialize(const RpcBody& body) {
  const auto* const request = std::get_if<RpcRequest>(&body.messages.front());
  return body.messages.size() == 1 && request != nullptr && request->method == "initialize";
}

}  // namespace

asio::awaitable<SessionAnswer> post_to_session(ShardState& owner, SessionRequest request,
                                               RpcBody body) {
  if (request.session_id.empty() && is_initialize(body)) {
    auto initializing =
        initialize(owner, std::move(request), std::get<RpcRequest>(body.messages.front()));
    co_return co_await std::move(initializing);
  }
  auto finding = find_session(owner, request);
  Found found = co_await std::move(finding);
  if (!found.session) co_return std::move(found.refusal);
  const std::shared_ptr<Session> session = found.session;
  if (body.is_batch) {
    if (session->client().version != "2025-03-26")
      co_return refuse(400, kInvalidRequest,
                       "a batch is not allowed since 2025-06-18; send one message at a time");
    auto answering = answer_batch(owner, session, std::move(body));
    co_return co_await std::move(answering);
  }
  RpcMessage& message = body.messages.front();
  if (const auto* const notification = std::get_if<RpcNotification>(&message)) {
    take(*session, *notification);
    co_return body_answer(202, "");
  }
  if (auto* const response = std::get_if<RpcResponse>(&message)) {
    session->take_answer(std::move(*response));
    co_return body_answer(202, "");
  }
  auto answering = answer_request(owner, session, std::get<RpcRequest>(std::move(message)));
  co_return co_await std::move(answering);
}

asio::awaitable<SessionAnswer> get_from_session(ShardState& owner, SessionRequest request) {
  auto finding = find_session(owner, request);
  Found found = co_await std::move(finding);
  if (!found.session) co_return std::move(found.refusal);
  Session& session = *found.session;
  StreamTracker& streams = session.streams();
  continue_call(owner, session, request.last_event_id);
  Resume resume = streams.resume(request.last_event_id);
  if (resume.outcome == ResumeOutcome::kAttach && resume.stream == &streams.standalone()) {
    auto checking = check_source(session, resume);
    co_await std::move(checking);
  }
  if (resume.outcome == ResumeOutcome::kUnknown) {
    if (streams.standalone().is_connected())
      co_return refuse(409, kInvalidRequest,
                       "this session has a stream open already; a GET with Last-Event-ID takes it "
                       "over");
    resume = streams.resume_unnamed();
  }
  if (resume.outcome == ResumeOutcome::kDone) co_return body_answer(204, "");
  if (resume.outcome == ResumeOutcome::kPurged)
    co_return refuse(410, kEventsPurged,
                     "events were purged; " + owner.server().methods.catalog().purge_hint,
                     json::object{{"oldest", resume.oldest}, {"newest", resume.newest}});
  co_return stream_answer(session, *resume.stream, resume.after);
}

asio::awaitable<SessionAnswer> delete_session(ShardState& owner, SessionRequest request) {
  auto finding = find_session(owner, request);
  Found found = co_await std::move(finding);
  if (!found.session) co_return std::move(found.refusal);
  owner.end_session(*found.session);
  co_return body_answer(204, "");
}

void attach_to_session(ShardState& owner, const Principal& principal, const StreamTicket& ticket,
                       std::shared_ptr<StreamConnection> connection) {
  const auto session = owner.find_session(ticket.session_id, principal);
  Stream* const stream = session ? session->streams().find(ticket.stream_id) : nullptr;
  if (stream != nullptr)
    return session->streams().attach(*stream, std::move(connection), ticket.after);
  asio::dispatch(connection->shard().executor(), [connection] { connection->finish(); });
}

}  // namespace oriel::mcp
