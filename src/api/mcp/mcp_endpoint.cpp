#include "api/mcp/mcp_endpoint.h"

#include "api/mcp/prompts.h"
#include "mcp/sessions/session.h"

#include <limits>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kAnnounceEvery{250};
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

// Delivers events at or above the level that the client has set when they arrive.
std::shared_ptr<SessionWatcher> make_watcher(ToolContext& context, mcp::Session& session) {
  EventMessageCache& messages = context.messages[session.shard().index()];
  auto deliver = [&session, &messages](const std::string& session_id, const FramePtr& frame) {
    const RecordPtr& record = frame->record;
    const auto least = session.log_level();
    const mcp::LogLevel level = record ? level_of(*record) : mcp::LogLevel::kWarning;
    if (!least || level < *least) return;
    const auto hold = [&](mcp::Message message) { return session.hold(std::move(message)); };
    session.notify(record ? messages.get(record, hold) : hold(gap_message(frame->gap, session_id)));
  };
  return std::make_shared<SessionWatcher>(context.hub.on(session.shard()),
                                          session.shard().executor(), std::move(deliver));
}

}  // namespace

OrielCatalog::OrielCatalog(ToolContext& context, std::string version)
    : message_(context),
      events_(context),
      sessions_(context),
      resources_(context),
      turns_(context) {
  catalog_.name = "oriel";
  catalog_.title = "Oriel";
  catalog_.version = std::move(version);
  catalog_.instructions = mcp_instructions();
  catalog_.purge_hint = "call session_events to read purged events";
  message_.add_to(catalog_);
  events_.add_to(catalog_);
  sessions_.add_to(catalog_);
  resources_.add_to(catalog_);
  turns_.add_to(catalog_);
  add_prompts(catalog_);
  catalog_.companion = [&context](mcp::Session& session) { return make_watcher(context, session); };
}

McpEndpoint::McpEndpoint(Shards& shards, VisibleSessions& sessions, Journal& journal, Hub& hub,
                         SessionReader& reader, mcp::Options options, std::string version)
    : shards_(shards),
      context_{.sessions = sessions,
               .journal = journal,
               .hub = hub,
               .reader = reader,
               .messages = std::vector<EventMessageCache>(shards.size())},
      catalog_(context_, std::move(version)),
      server_(shards, catalog_.get(), std::move(options)),
      tasks_(shards[0].executor()) {}

void McpEndpoint::start() {
  server_.start();
  ShardHub& hub = context_.hub.on(shards_[0]);
  SubscribeOptions everything;
  everything.after = hub.head();
  subscription_ = hub.subscribe(std::move(everything), [this] { announce_changes(); });
}

asio::awaitable<void> McpEndpoint::stop(std::chrono::milliseconds grace) {
  context_.hub.on(shards_[0]).unsubscribe(*subscription_);
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
