#include "doors/session_events_door.h"

#include "core/quote.h"
#include "doors/session_door.h"
#include "http/query.h"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <spdlog/fmt/fmt.h>

#include <charconv>
#include <limits>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::int64_t kMaxLimit = 5000;
constexpr std::int64_t kMaxWait = 60'000;
constexpr std::size_t kMaxPageBytes = 4 << 20;

Error invalid(std::string_view name, std::string_view text, std::int64_t min, std::int64_t max) {
  return {.code = "invalid_parameter",
          .message = fmt::format("{}: {} is not a whole number from {} to {}", name, quote(text),
                                 min, max),
          .hint = "leave it out for its default"};
}

Result<std::int64_t> number(const Request& request, std::string_view name, std::int64_t otherwise,
                            std::int64_t min, std::int64_t max) {
  const auto text = query_value(request, name);
  if (!text) return otherwise;
  std::int64_t value = 0;
  const char* const end = text->data() + text->size();
  const auto [last, problem] = std::from_chars(text->data(), end, value);
  if (problem != std::errc() || last != end || value < min || value > max)
    return invalid(name, *text, min, max);
  return value;
}

// The numbers are data too, so that a program can go on from the oldest.
Response purged(std::int64_t since, std::int64_t oldest) {
  const std::int64_t asked = since + 1;
  json::object error{
      {"code", "events_purged"},
      {"message",
       fmt::format("events before index {} were purged (oldest held: {})", oldest, oldest)},
      {"hint", fmt::format("ask again with since_index={} for all that are held", oldest - 1)},
      {"data", {{"asked_index", asked}, {"oldest_index", oldest}}}};
  return json_response(410, json::object{{"error", std::move(error)}});
}

// Told by the hub that something of a session was committed.
class CommitSignal {
 public:
  CommitSignal(ShardHub& hub, const SessionQuery& query, asio::any_io_executor shard)
      : hub_(hub), timer_(std::move(shard)) {
    SubscribeOptions options;
    options.filter.sessions = {query.session_id};
    options.filter.types = query.types;
    options.after = hub.head();
    subscription_ = hub.subscribe(std::move(options), [this] {
      is_ready_ = true;
      timer_.cancel();
    });
  }

  ~CommitSignal() { hub_.unsubscribe(*subscription_); }

  CommitSignal(const CommitSignal&) = delete;
  CommitSignal& operator=(const CommitSignal&) = delete;

  asio::awaitable<void> wait(std::chrono::milliseconds limit) {
    if (is_ready_) co_return;
    timer_.expires_after(limit);
    co_await timer_.async_wait(kNoThrow);
  }

 private:
  ShardHub& hub_;
  asio::steady_timer timer_;
  std::shared_ptr<Subscription> subscription_;
  bool is_ready_ = false;
};

}  // namespace

Result<EventsQuery> parse_events_query(const Request& request) {
  if (auto known = check_query(request, {"since_index", "limit", "types", "wait_ms"}); !known)
    return known.error();
  EventsQuery wanted;
  wanted.query.session_id = request.path_param("id");
  wanted.query.max_bytes = kMaxPageBytes;
  for (const std::string_view names : query_values(request, "types")) {
    if (auto added = add_names(wanted.query.types, "types", names); !added) return added.error();
  }
  constexpr std::int64_t kMaxIndex = std::numeric_limits<std::int64_t>::max() - 1;
  const auto since = number(request, "since_index", -1, -1, kMaxIndex);
  if (!since) return since.error();
  const auto limit = number(request, "limit", 500, 1, kMaxLimit);
  if (!limit) return limit.error();
  const auto wait = number(request, "wait_ms", 0, 0, kMaxWait);
  if (!wait) return wait.error();
  wanted.query.after_index = *since;
  wanted.query.max_records = static_cast<std::size_t>(*limit);
  wanted.wait = std::chrono::milliseconds(*wait);
  return wanted;
}

void SessionEventsDoor::add_routes(Router& router) {
  router.add({"GET", "/api/sessions/{id}/events", Access::kRead,
              [this](Request request, Shard& shard) { return poll(std::move(request), shard); }});
}

asio::awaitable<Response> SessionEventsDoor::poll(Request request, Shard& shard) {
  auto wanted = parse_events_query(request);
  if (!wanted) co_return error_response(400, wanted.error());
  const std::string id = wanted->query.session_id;
  const std::int64_t since = wanted->query.after_index;
  auto session = co_await supervisor_.find(id);
  if (!session) co_return refusal_response(session.error());
  const SessionPage page = co_await read(*std::move(wanted), shard);
  // -1 asks for all that are held, whatever is gone.
  if (since >= 0 && since + 1 < page.oldest_index) co_return purged(since, page.oldest_index);
  session = co_await supervisor_.find(id);
  if (!session) co_return refusal_response(session.error());

  std::string body = "{\"events\":[";
  for (const RecordPtr& record : page.records) {
    if (body.back() != '[') body += ',';
    body += record->json();
  }
  body += fmt::format("],\"last_index\":{},\"oldest_index\":{},\"has_more\":{},\"status\":\"{}\"}}",
                      page.reached, page.oldest_index, page.reached < page.last_index,
                      name_of((*session)->status));
  co_return text_response(200, "application/json", std::move(body));
}

// Waits only when there is nothing yet; the signal is set before the first look, so that nothing
// falls between.
asio::awaitable<SessionPage> SessionEventsDoor::read(EventsQuery wanted, Shard& shard) {
  const auto deadline = std::chrono::steady_clock::now() + wanted.wait;
  while (true) {
    CommitSignal signal(hub_.on(shard), wanted.query, shard.executor());
    SessionPage page = co_await journal_.read_session(wanted.query);
    const auto left = deadline - std::chrono::steady_clock::now();
    const bool is_behind = page.reached < page.last_index;
    if (!page.records.empty() || is_behind || left.count() <= 0) co_return page;
    co_await signal.wait(std::chrono::ceil<std::chrono::milliseconds>(left));
  }
}

}  // namespace oriel
