#include "api/mcp/mcp_endpoint.h"

#include "api/mcp/prompts.h"
#include "mcp/sessions/session.h"

#include <limits>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kAnnounceEvery{250};
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

// Whoever watches a session receives what is at or above its level when the event comes.
std::shared_ptr<void> make_watcher(ToolContext& rooms, mcp::Session& session) {
  McpPayloads& payloads = rooms.payloads[session.shard().index()];
  auto deliver = [&session, &payloads](const RecordPtr& record) {
    const auto least = session.log_level();
    if (!least || level_of(*record) < *least) return;
    session.notify(payloads.get(
        record, [&](mcp::Message message) { return session.hold(std::move(message)); }));
  };
  return std::make_shared<McpWatcher>(rooms.hub.on(session.shard()), session.shard().executor(),
                                      std::move(deliver));
}

}  // namespace

McpOffer::McpOffer(ToolContext& rooms, std::string version)
    : message_(rooms), events_(rooms), sessions_(rooms), resources_(rooms), turns_(rooms) {
  catalog_.name = "oriel";
  catalog_.title = "Oriel";
  catalog_.version = std::move(version);
  catalog_.instructions = mcp_instructions();
  catalog_.purge_hint = "call session_events for what the stream no longer holds";
  message_.add_to(catalog_);
  events_.add_to(catalog_);
  sessions_.add_to(catalog_);
  resources_.add_to(catalog_);
  turns_.add_to(catalog_);
  add_prompts(catalog_);
  catalog_.companion = [&rooms](mcp::Session& session) { return make_watcher(rooms, session); };
}

McpEndpoint::McpEndpoint(Shards& shards, Supervisor& supervisor, Journal& journal, Hub& hub,
                         SessionReader& reader, mcp::Options options, std::string version)
    : shards_(shards),
      rooms_{.supervisor = supervisor,
             .journal = journal,
             .hub = hub,
             .reader = reader,
             .payloads = std::vector<McpPayloads>(shards.size())},
      offer_(rooms_, std::move(version)),
      server_(shards, offer_.catalog(), std::move(options)),
      tasks_(shards[0].executor()) {}

void McpEndpoint::start() {
  server_.start();
  ShardHub& hub = rooms_.hub.on(shards_[0]);
  SubscribeOptions everything;
  everything.after = hub.head();
  subscription_ = hub.subscribe(std::move(everything), [this] { announce_changes(); });
}

asio::awaitable<void> McpEndpoint::stop(std::chrono::milliseconds grace) {
  rooms_.hub.on(shards_[0]).unsubscribe(*subscription_);
  tasks_.cancel();
  co_await tasks_.joined();
  co_await server_.stop(grace);
}

void McpEndpoint::announce_changes() {
  std::vector<FramePtr> frames;
  subscription_->take(frames, kAll, kAll);
  for (const FramePtr& frame : frames) {
    if (frame->record) announce(changes_.on_record(*frame->record));
  }
  if (changes_.needs_tick() && !std::exchange(is_ticking_, true)) tasks_.spawn("changes", tick());
}

void McpEndpoint::announce(std::vector<mcp::Change> changes) {
  for (mcp::Change& change : changes)
    server_.announce(std::move(change));
}

asio::awaitable<void> McpEndpoint::tick() {
  asio::steady_timer timer(shards_[0].executor());
  while (changes_.needs_tick()) {
    timer.expires_after(kAnnounceEvery);
    co_await timer.async_wait(asio::use_awaitable);
    announce(changes_.on_tick());
  }
  is_ticking_ = false;
}

}  // namespace oriel
