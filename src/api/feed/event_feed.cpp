#include "api/feed/event_feed.h"

#include "api/error_response.h"
#include "api/visible_sessions.h"
#include "http/query.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value_from.hpp>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::chrono::milliseconds kCatchUpDeadline{
    5000};  // with the node that a client comes from

Result<void> add_all(std::vector<std::string>& list, const http::Request& request,
                     std::string_view parameter) {
  for (const std::string_view value : http::query_values(request, parameter)) {
    if (auto added = add_names(list, parameter, value); !added) return added;
  }
  return {};
}

Error too_many_clients(FullSlots limit, const ClientLimits& limits) {
  constexpr const char* kRetry = "retry after the time in Retry-After, or raise ";
  if (limit == FullSlots::kAll) {
    return {.kind = ErrorKind::kTooManyClients,
            .message = "limit of " + std::to_string(limits.all) + " streams reached",
            .hint = std::string(kRetry) + "--max-sse-clients"};
  }
  return {.kind = ErrorKind::kTooManyClients,
          .message = "limit of " + std::to_string(limits.per_principal) +
                     " streams per credential reached",
          .hint = std::string(kRetry) + "--max-sse-clients-per-principal"};
}

http::Response full_response(FullSlots limit, const FeedOptions& options) {
  const auto retry = std::chrono::ceil<std::chrono::seconds>(options.retry);
  return error_response(too_many_clients(limit, options.clients),
                        std::max(retry, std::chrono::seconds(1)));
}

http::Response behind_response(const FeedOptions& options) {
  const Error behind{.kind = ErrorKind::kStarting,
                     .message = "this node does not have the event of the cursor yet",
                     .hint = "retry after the time in Retry-After, or ask another node"};
  const auto retry = std::chrono::ceil<std::chrono::seconds>(options.retry);
  return error_response(behind, std::max(retry, std::chrono::seconds(1)));
}

http::Response stream_response() {
  http::Response response;
  response.headers = {{"Content-Type", "text/event-stream"},
                      {"Cache-Control", "no-cache"},
                      {"X-Accel-Buffering", "no"}};
  return response;
}

json::object to_json(const SseClientInfo& client) {
  json::object filters;
  filters["types"] = json::value_from(client.filter.types);
  filters["project_id"] = json::value_from(client.filter.projects);
  filters["session_id"] = json::value_from(client.filter.sessions);
  json::object out;
  out["client_id"] = client.client_id;
  out["address"] = client.address;
  out["principal"] = client.principal;
  out["connected_at"] = format_time(client.connected_at);
  out["last_write_at"] = format_time(client.last_write_at);
  out["filters"] = std::move(filters);
  out["queued_bytes"] = client.queued_bytes;
  out["sent_bytes"] = client.sent_bytes;
  out["state"] = client.is_live ? "live" : "replaying";
  return out;
}

}  // namespace

Result<FeedRequest> parse_feed_request(const http::Request& request) {
  const auto known = http::check_query(
      request, {"types", "project_id", "session_id", "agent_id", "last_event_id"});
  if (!known) return known.error();
  FeedRequest feed;
  if (auto types = add_all(feed.filter.types, request, "types"); !types) return types.error();
  if (auto projects = add_all(feed.filter.projects, request, "project_id"); !projects) {
    return projects.error();
  }
  for (const std::string_view name : {"session_id", "agent_id"}) {
    if (auto sessions = add_all(feed.filter.sessions, request, name); !sessions) {
      return sessions.error();
    }
  }
  // A browser that reconnects repeats its first URL with the old cursor, so the header is newer.
  auto cursor = request.header("last-event-id");
  if (!cursor || cursor->empty()) cursor = http::query_value(request, "last_event_id");
  if (cursor) {
    auto parsed = parse_cursor(*cursor);
    if (!parsed) return parsed.error();
    feed.cursor = *std::move(parsed);
  }
  return feed;
}

EventFeed::EventFeed(Shards& shards, Journal& journal, Hub& hub, const TokenStore& tokens,
                     FeedOptions options)
    : options_(options),
      shards_(shards),
      journal_(journal),
      slots_(std::make_shared<ClientSlots>(options.clients)),
      stopping_(shards[0].executor()) {
  for (auto& shard : shards) {
    feeds_.push_back(
        std::make_unique<ShardFeed>(shard->executor(), journal, hub.on(*shard), tokens, options_));
  }
}

void EventFeed::add_routes(http::Router& router) {
  const auto stream = [this](http::Request request, Shard& shard) {
    return open(std::move(request), shard);
  };
  const auto list = [this](http::Request request, Shard& shard) {
    return list_clients(std::move(request), shard);
  };
  const auto show = [this](http::Request request, Shard& shard) {
    return show_client(std::move(request), shard);
  };
  router.add({"GET", "/api/events", Scope::kRead, stream, true});
  router.add({"GET", "/api/events/stream", Scope::kRead, stream, true});
  router.add({"GET", "/api/clients", Scope::kAdmin, list});
  router.add({"GET", "/api/clients/{id}", Scope::kAdmin, show});
}

void EventFeed::start() {
  for (auto& feed : feeds_)
    feed->start();
}

asio::awaitable<http::Response> EventFeed::open(http::Request request, Shard& shard) {
  auto wanted = parse_feed_request(request);
  if (!wanted) co_return error_response(wanted.error());
  auto filter = narrow(request.principal, std::move(wanted->filter));
  if (!filter) co_return error_response(filter.error());
  http::Response response = stream_response();
  if (request.method == "HEAD") co_return response;
  if (wanted->cursor) {
    auto reaching = reaches(*wanted->cursor);
    const bool is_reached = co_await std::move(reaching);
    if (!is_reached) co_return behind_response(options_);
  }
  auto slot = slots_->take(request.principal.credential_id);
  if (!slot) co_return full_response(slot.error(), options_);
  NewClient client{.principal = std::move(request.principal),
                   .address = std::move(request.peer),
                   .filter = *std::move(filter),
                   .cursor = std::move(wanted->cursor),
                   .slot = *std::move(slot)};
  ShardFeed& feed = *feeds_[shard.index()];
  response.take_over = [&feed, client = std::move(client)](
                           std::unique_ptr<http::Transport> connection, std::string head) mutable {
    feed.open(std::move(client), std::move(connection), std::move(head));
  };
  co_return response;
}

// In a cluster, a client may have seen on another node what this one gets in a moment, or not yet.
// To begin after what this node has would repeat events, or leave some out.
asio::awaitable<bool> EventFeed::reaches(Cursor cursor) {
  if (cursor.epoch != journal_.epoch() || cursor.sequence <= journal_.head()) co_return true;
  const auto until = std::chrono::steady_clock::now() + kCatchUpDeadline;
  auto holding = journal_.holds(cursor.sequence, until);
  const bool is_held = co_await std::move(holding);
  co_return is_held || !journal_.is_behind();
}

asio::awaitable<std::vector<SseClientInfo>> EventFeed::clients_for(Principal reader) {
  std::vector<SseClientInfo> all;
  for (std::size_t i = 0; i < feeds_.size(); ++i) {
    auto ask = [feed = feeds_[i].get()] { return feed->clients(); };
    auto some = co_await run_on(shards_[i].executor(), ask);
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  std::erase_if(all, [&](const SseClientInfo& client) { return !sees_all(reader, client.filter); });
  std::sort(all.begin(), all.end(), [](const SseClientInfo& a, const SseClientInfo& b) {
    return std::tie(a.connected_at, a.client_id) < std::tie(b.connected_at, b.client_id);
  });
  co_return all;
}

asio::awaitable<http::Response> EventFeed::list_clients(http::Request request, Shard&) {
  if (auto known = http::check_query(request, {}); !known) co_return error_response(known.error());
  const auto all = co_await clients_for(request.principal);
  json::array clients;
  for (const SseClientInfo& client : all)
    clients.push_back(to_json(client));
  json::object body;
  body["count"] = clients.size();
  body["limit"] = slots_->limits().all;
  body["clients"] = std::move(clients);
  co_return http::json_response(200, body);
}

asio::awaitable<http::Response> EventFeed::show_client(http::Request request, Shard&) {
  const std::string_view id = request.path_param("id");
  const auto all = co_await clients_for(request.principal);
  const auto found = std::find_if(
      all.begin(), all.end(), [id](const SseClientInfo& client) { return client.client_id == id; });
  if (found == all.end()) {
    co_return error_response({.kind = ErrorKind::kUnknownClient,
                              .message = "no client with this id is connected",
                              .hint = "GET /api/clients lists the connected clients"});
  }
  co_return http::json_response(200, to_json(*found));
}

asio::awaitable<void> EventFeed::stop(std::chrono::milliseconds grace, FeedEnd end) {
  is_running_ = false;
  for (std::size_t i = 0; i < feeds_.size(); ++i) {
    auto stop_one = [](Shard& shard, ShardFeed& feed, std::chrono::milliseconds limit,
                       FeedEnd why) -> asio::awaitable<void> {
      auto stopped = feed.stop(limit, why);
      co_await asio::co_spawn(shard.executor(), std::move(stopped), asio::use_awaitable);
    };
    stopping_.spawn("stop", stop_one(shards_[i], *feeds_[i], grace, end));
  }
  co_await stopping_.joined();
}

std::vector<const FeedCounters*> EventFeed::counters() const {
  std::vector<const FeedCounters*> all;
  for (const auto& feed : feeds_)
    all.push_back(&feed->counters());
  return all;
}

}  // namespace oriel
