#include "mcp/server.h"

#include "base/text/ascii.h"
#include "base/text/base64.h"
#include "mcp/accept.h"
#include "mcp/handling.h"
#include "mcp/owner_shard.h"
#include "mcp/sessions/session_endpoint.h"
#include "mcp/shard_state.h"
#include "mcp/stateless/lost_call.h"
#include "mcp/stateless/stateless_endpoint.h"
#include "mcp/stateless/task_request.h"
#include "runtime/keep_running.h"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <array>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

constexpr std::string_view kSealingKey = "mcp/key";
constexpr std::array kRestored = {kSessionKeys, kCallKeys, kTaskKeys};
constexpr std::size_t kRestoredAtOnce = 128;

// The session or task that a key of the archive names.
std::string_view archived_id(std::string_view key) {
  key.remove_prefix(std::min(key.size(), key.find('/', key.find('/') + 1) + 1));
  return key.substr(0, key.find('/'));
}

http::Response rpc_refusal(int status, int code, std::string message) {
  return rpc_response(
      status, rpc_error(nullptr, {.code = code, .message = std::move(message), .data = {}}));
}

std::string header_text(const http::Request& request, std::string_view name) {
  return std::string(request.header(name).value_or(""));
}

SessionRequest session_request(const http::Request& request) {
  return {.principal = request.principal,
          .session_id = header_text(request, "mcp-session-id"),
          .version = header_text(request, "mcp-protocol-version"),
          .last_event_id = header_text(request, "last-event-id")};
}

bool is_json(const http::Request& request) {
  const std::string type = lower_case(request.header("content-type").value_or(""));
  return type.substr(0, type.find(';')) == "application/json";
}

// Runs in place when already on the owner shard: a hop costs more than most calls.
template <class T>
asio::awaitable<T> on_home(ShardState& owner, const Shard& here, asio::awaitable<T> work) {
  if (owner.shard().index() == here.index()) return work;
  return finish_on<T>(owner.shard().executor(), std::move(work));
}

const json::object& params_of_first(const RpcBody& body) {
  static const json::object kNone;
  const RpcMessage& first = body.messages.front();
  if (const auto* const request = std::get_if<RpcRequest>(&first)) return request->params;
  if (const auto* const note = std::get_if<RpcNotification>(&first)) return note->params;
  return kNone;
}

// A stream as its connection, which may be on another shard, names it.
struct StreamName {
  ShardState& owner;
  std::string session;
  std::string stream;
  const StreamConnection* connection;
};

using ConnectionChange = void (StreamTracker::*)(std::string_view stream,
                                                 const StreamConnection* connection);

void report(const std::shared_ptr<const StreamName>& name, ConnectionChange change) {
  asio::dispatch(name->owner.shard().executor(), [name, change] {
    if (const auto session = name->owner.find_session(name->session))
      (session->streams().*change)(name->stream, name->connection);
  });
}

}  // namespace

Server::Server(Shards& shards, const Catalog& catalog, Options options)
    : server_(std::make_unique<ServerState>(shards, catalog, std::move(options))),
      restoring_(shards[0].executor()) {
  server_->announce = [this](Change change) { announce(std::move(change)); };
  for (const auto& shard : shards)
    shard_states_.push_back(std::make_unique<ShardState>(*shard, *server_));
}

Server::~Server() = default;

void Server::add_routes(http::Router& router, const std::string& path) {
  using Member = asio::awaitable<http::Response> (Server::*)(http::Request, Shard&);
  const auto add = [&](const char* method, Member member) {
    router.add({method, path, Scope::kRead, [this, member](http::Request request, Shard& shard) {
                  return (this->*member)(std::move(request), shard);
                }});
  };
  add("POST", &Server::post);
  add("GET", &Server::get);
  add("DELETE", &Server::remove);
}

asio::awaitable<void> Server::start() {
  const bool is_durable = server_->options.archive != nullptr;
  if (is_durable) {
    auto restoring = restore_key();
    co_await std::move(restoring);
  }
  for (const auto& owner : shard_states_)
    asio::post(owner->shard().executor(), [&owner = *owner] { owner.start(); });
  if (is_durable)
    restoring_.spawn("restore mcp", keep_running("restore mcp", [this] { return restore_all(); }));
}

// The key of sealed state outlives a restart, as the clients that carry it do, and is the same for
// all servers that share the archive: a client may go on at any of them.
asio::awaitable<void> Server::restore_key() {
  std::string proposed = base64url(server_->sealer.key());
  auto agreeing = server_->options.archive->agree(std::string(kSealingKey), proposed);
  const auto agreed = co_await std::move(agreeing);
  const auto key = agreed ? from_base64url(*agreed) : std::nullopt;
  if (key)
    server_->sealer = StateSealer(*key);
  else
    shard_states_[0]->keep(std::string(kSealingKey), std::move(proposed));
}

// Page by page, while requests are served: the start does not wait for thousands of sessions.
asio::awaitable<void> Server::restore_all() {
  for (const std::string_view prefix : kRestored) {
    ArchiveQuery query{.prefix = std::string(prefix), .max_entries = kRestoredAtOnce};
    for (;;) {
      auto loading = server_->options.archive->load(query);
      std::vector<ArchiveEntry> page = co_await std::move(loading);
      if (page.empty()) break;
      query.after = page.back().key;
      auto restoring = restore(std::move(page));
      co_await std::move(restoring);
    }
  }
  for (const auto& owner : shard_states_)
    asio::post(owner->shard().executor(), [&owner = *owner] { owner.restored(); });
}

asio::awaitable<void> Server::restore(std::vector<ArchiveEntry> page) {
  std::vector<std::vector<ArchiveEntry>> by_shard(shard_states_.size());
  for (ArchiveEntry& entry : page)
    by_shard[shard_index(archived_id(entry.key), by_shard.size())].push_back(std::move(entry));
  for (std::size_t i = 0; i < by_shard.size(); ++i) {
    ShardState& owner = *shard_states_[i];
    auto work = [&owner, entries = std::move(by_shard[i])]() mutable {
      owner.restore(std::move(entries));
    };
    auto restoring = run_on(owner.shard().executor(), std::move(work));
    co_await std::move(restoring);
  }
}

asio::awaitable<void> Server::stop(std::chrono::milliseconds grace) {
  restoring_.cancel();
  co_await restoring_.joined();
  TaskGroup stopping(server_->shards[0].executor());
  for (const auto& owner : shard_states_)
    stopping.spawn("mcp's end", finish_on<void>(owner->shard().executor(), owner->stop(grace)));
  co_await stopping.joined();
}

void Server::announce(Change change) {
  const auto shared = std::make_shared<const Change>(std::move(change));
  for (const auto& owner : shard_states_)
    asio::post(owner->shard().executor(), [&owner = *owner, shared] { owner.announce(*shared); });
}

void Server::release(std::string key) {
  ShardState& owner = owner_of(archived_id(key));
  asio::post(owner.shard().executor(), [&owner, key = std::move(key)] { owner.release(key); });
}

asio::awaitable<std::string> Server::answer(std::string request) {
  auto asked = parse_task_request(request);
  if (!asked) co_return to_text(RpcResult(invalid_params("this is no request about a task")));
  auto answering = answer_about_task(shard_states_, *std::move(asked));
  const RpcResult result = co_await std::move(answering);
  co_return to_text(result);
}

Counts Server::counts() const {
  const Refusals& refusals = server_->refusals;
  Counts counts{.sessions = server_->sessions.load(),
                .streams = 0,
                .tasks = server_->tasks.load(),
                .stored_bytes = server_->budget.held(),
                .refused_sessions = refusals.sessions.load(),
                .refused_sessions_per_principal = refusals.sessions_per_principal.load(),
                .refused_calls_per_session = refusals.calls_per_session.load(),
                .refused_tasks = refusals.tasks.load(),
                .refused_tasks_per_principal = refusals.tasks_per_principal.load()};
  for (const auto& owner : shard_states_)
    counts.streams += owner->open_streams();
  return counts;
}

ShardState& Server::owner_of(std::string_view id) {
  return *shard_states_[shard_index(id, shard_states_.size())];
}

asio::awaitable<http::Response> Server::post(http::Request request, Shard& shard) {
  if (!is_json(request))
    co_return rpc_refusal(415, kInvalidRequest, "the Content-Type must be application/json");
  if (!accepts(request, "application/json") || !accepts(request, "text/event-stream"))
    co_return rpc_refusal(406, kInvalidRequest,
                          "the Accept header must name application/json and text/event-stream");
  auto body = parse_rpc(request.body);
  if (!body) co_return rpc_response(400, rpc_error(body.error().id, body.error().error));
  ShardState& here = *shard_states_[shard.index()];
  if (is_stateless(request, params_of_first(*body))) {
    if (body->is_batch)
      co_return rpc_refusal(400, kInvalidRequest, "a batch is not allowed; send one message");
    auto answering =
        post_stateless(shard_states_, here, std::move(request), std::move(body->messages.front()));
    co_return co_await std::move(answering);
  }
  SessionRequest wanted = session_request(request);
  ShardState& owner = wanted.session_id.empty() ? here : owner_of(wanted.session_id);
  auto answering =
      on_home(owner, shard, post_to_session(owner, std::move(wanted), *std::move(body)));
  SessionAnswer answer = co_await std::move(answering);
  co_return respond(std::move(answer), std::move(request.principal), owner, here);
}

asio::awaitable<http::Response> Server::get(http::Request request, Shard& shard) {
  if (!request.header("accept") || !accepts(request, "text/event-stream"))
    co_return rpc_refusal(406, kInvalidRequest, "the Accept header must name text/event-stream");
  SessionRequest wanted = session_request(request);
  if (wanted.session_id.empty()) {
    auto resumed =
        resume_lost_call(*shard_states_[shard.index()], request.principal, wanted.last_event_id);
    if (resumed) co_return *std::move(resumed);
  }
  ShardState& owner = owner_of(wanted.session_id);
  auto answering = on_home(owner, shard, get_from_session(owner, std::move(wanted)));
  SessionAnswer answer = co_await std::move(answering);
  co_return respond(std::move(answer), std::move(request.principal), owner,
                    *shard_states_[shard.index()]);
}

asio::awaitable<http::Response> Server::remove(http::Request request, Shard& shard) {
  SessionRequest wanted = session_request(request);
  ShardState& owner = owner_of(wanted.session_id);
  auto answering = on_home(owner, shard, delete_session(owner, std::move(wanted)));
  SessionAnswer answer = co_await std::move(answering);
  co_return respond(std::move(answer), std::move(request.principal), owner,
                    *shard_states_[shard.index()]);
}

http::Response Server::respond(SessionAnswer answer, Principal principal, ShardState& owner,
                               ShardState& here) {
  if (!answer.stream) {
    http::Response response = rpc_response(answer.status, std::move(answer.body));
    if (!answer.session_id.empty())
      response.headers.emplace_back("Mcp-Session-Id", std::move(answer.session_id));
    if (answer.status == 429 || answer.status == 503)
      response.headers.emplace_back("Retry-After", "5");
    return response;
  }
  http::Response response = stream_response();
  response.take_over = [&owner, &here, principal = std::move(principal),
                        ticket = *std::move(answer.stream)](
                           std::unique_ptr<http::Transport> transport, std::string head) {
    const auto connection = here.connections().make(here.shard(), principal);
    const auto name = std::make_shared<const StreamName>(
        StreamName{owner, ticket.session_id, ticket.stream_id, connection.get()});
    // Posted before the first byte leaves: a client that has read it finds the stream taken.
    asio::post(owner.shard().executor(), [&owner, principal, ticket, connection] {
      attach_to_session(owner, principal, ticket, connection);
    });
    connection->start(std::move(transport), head + ticket.first_bytes,
                      {.drained = [name] { report(name, &StreamTracker::connection_drained); },
                       .ended = [name] { report(name, &StreamTracker::connection_ended); }});
  };
  return response;
}

}  // namespace oriel::mcp
