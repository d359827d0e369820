#include "mcp/state_saver.h"

#include "base/log.h"
#include "runtime/deadline.h"
#include "runtime/keep_running.h"

namespace oriel::mcp {
namespace {

constexpr std::chrono::seconds kPatience{5};
constexpr std::chrono::seconds kRetryAfter{1};

}  // namespace

StateSaver::StateSaver(asio::any_io_executor shard, Archive* archive)
    : shard_(shard), archive_(archive), work_(shard), progress_(shard), running_(shard) {}

void StateSaver::start() {
  if (is_enabled())
    running_.spawn("mcp state", keep_running("mcp state", [this] { return run(); }));
}

std::uint64_t StateSaver::mark(std::string key, Value value) {
  if (!is_enabled() || is_stopped_) return marked_;
  changed_.insert_or_assign(std::move(key), std::move(value));
  work_.notify();
  return ++marked_;
}

std::uint64_t StateSaver::remove(std::string key) {
  return mark(std::move(key), [] { return std::string(); });
}

asio::awaitable<void> StateSaver::run() {
  asio::steady_timer retry(shard_);
  for (;;) {
    while (changed_.empty())
      co_await work_.wait();
    Changes changes = std::exchange(changed_, {});
    const std::uint64_t until = marked_;
    auto saving = save(changes);
    const Outcome<bool> is_saved = co_await outcome_of(std::move(saving));
    if (!is_saved.result.value_or(false)) {
      changed_.merge(changes);  // newer values stay
      if (is_saved.failure) std::rethrow_exception(is_saved.failure);
      retry.expires_after(kRetryAfter);
      co_await retry.async_wait(asio::use_awaitable);
      continue;
    }
    saved_ = until;
    progress_.notify();
  }
}

asio::awaitable<bool> StateSaver::save(const Changes& changes) {
  std::vector<ArchiveEntry> entries;
  entries.reserve(changes.size());
  for (const auto& [key, value] : changes)
    entries.push_back({.key = key, .value = value()});
  auto saving = archive_->save(std::move(entries));
  const Result<void> saved = co_await std::move(saving);
  co_return !has_failed(saved);
}

bool StateSaver::has_failed(const Result<void>& saved) {
  const bool was_failing = std::exchange(is_failing_, !saved);
  if (!saved) progress_.notify();  // nobody waits for a broken disk
  if (!saved && !was_failing)
    log()->warn("MCP sessions cannot be saved, and a restart may lose them: {}",
                saved.error().message);
  if (saved && was_failing) log()->info("MCP sessions are saved again");
  return !saved;
}

asio::awaitable<void> StateSaver::saved(std::uint64_t change) {
  auto waiting = saved_by(change, std::chrono::steady_clock::now() + kPatience);
  co_await std::move(waiting);
}

asio::awaitable<void> StateSaver::saved_by(std::uint64_t change,
                                           std::chrono::steady_clock::time_point deadline) {
  const auto must_wait = [&] {
    return is_enabled() && !is_stopped_ && !is_failing_ && saved_ < change &&
           std::chrono::steady_clock::now() < deadline;
  };
  if (!must_wait()) co_return;
  asio::steady_timer limit(shard_, deadline);
  limit.async_wait([this](error_code ec) {
    if (!ec) progress_.notify();
  });
  while (must_wait())
    co_await progress_.wait();
}

asio::awaitable<void> StateSaver::stop(std::chrono::milliseconds patience) {
  auto waiting = saved_by(marked_, std::chrono::steady_clock::now() + patience);
  co_await std::move(waiting);
  is_stopped_ = true;
  running_.cancel();
  co_await running_.joined();
}

}  // namespace oriel::mcp
