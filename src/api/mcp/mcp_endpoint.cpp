#include "api/mcp/mcp_endpoint.h"

#include "api/mcp/prompts.h"
#include "mcp/sessions/session.h"
#include "runtime/keep_running.h"

#include <limits>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kAnnounceEvery{250};
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

std::shared_ptr<SessionWatcher> make_watcher(ToolContext& context, mcp::Session& session,
                                             const boost::json::object& before) {
  Shard& shard = session.shard();
  return std::make_shared<SessionWatcher>(
      context.hub.on(shard), context.journal, context.messages[shard.index()], shard.executor(),
      SessionWatcher::Client{.level = [&session] { return session.log_level(); },
                             .changed = [&session] { session.changed(); }},
      before);
}

mcp::Options with_archive(mcp::Options options, McpDurability durability, mcp::Archive& archive) {
  if (durability == McpDurability::kRestart) options.archive = &archive;
  return options;
}

}  // namespace

OrielCatalog::OrielCatalog(ToolContext& context, std::string version)
    : message_(context),
      events_(context),
      sessions_(context),
      changes_(context),
      search_(context.search),
      resources_(context),
      turns_(context) {
  catalog_.name = "oriel";
  catalog_.title = "Oriel";
  catalog_.version = std::move(version);
  catalog_.instructions = mcp_instructions();
  catalog_.stop_hint = "session_list and session_events show how far it came";
  catalog_.purge_hint = "call session_events to read purged events";
  message_.add_to(catalog_);
  events_.add_to(catalog_);
  sessions_.add_to(catalog_);
  changes_.add_to(catalog_);
  search_.add_to(catalog_);
  resources_.add_to(catalog_);
  turns_.add_to(catalog_);
  add_prompts(catalog_);
  catalog_.companion = [&context](mcp::Session& session, const boost::json::object& before) {
    return make_watcher(context, session, before);
  };
}

McpEndpoint::McpEndpoint(Shards& shards, VisibleSessions& sessions, Journal& journal, Hub& hub,
                         SessionReader& reader, SessionSearch& search, mcp::Options options,
                         const McpArchiveOptions& archive, std::string version,
                         FollowOptions follow)
    : shards_(shards),
      context_{.sessions = sessions,
               .journal = journal,
               .hub = hub,
               .reader = reader,
               .search = search,
               .messages = std::vector<EventMessageCache>(shards.size()),
               .follow = follow},
      catalog_(context_, std::move(version)),
      archive_(journal, archive.peers,
               [this](std::string key) { server_.release(std::move(key)); }),
      server_(shards, catalog_.get(),
              with_archive(std::move(options), archive.durability, archive_)),
      tasks_(shards[0].executor()) {
  if (archive.peers != nullptr) {
    archive.peers->serve(kMcpTaskCall,
                         [this](std::string request) { return answer(std::move(request)); });
  }
}

// For another node.
asio::awaitable<Result<std::string>> McpEndpoint::answer(std::string request) {
  auto answering = server_.answer(std::move(request));
  co_return co_await std::move(answering);
}

asio::awaitable<void> McpEndpoint::start() {
  co_await server_.start();
  ShardHub& hub = context_.hub.on(shards_[0]);
  SubscribeOptions everything;
  everything.after = hub.head();
  subscription_ = hub.subscribe(std::move(everything), [this] { announce_changes(); });
}

asio::awaitable<void> McpEndpoint::stop(std::chrono::milliseconds grace) {
  if (subscription_) context_.hub.on(shards_[0]).unsubscribe(*subscription_);
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
  if (changes_.needs_tick() && !std::exchange(is_ticking_, true))
    tasks_.spawn("changes", keep_running("changes", [this] { return tick(); }));
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
