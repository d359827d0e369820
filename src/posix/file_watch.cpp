#include "posix/file_watch.h"

#include "base/log.h"
#include "runtime/keep_running.h"

#include <sys/inotify.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

namespace oriel {
namespace {

constexpr std::uint32_t kChanges = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
                                   IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

}  // namespace

FileWatch::Ticket::Ticket(Ticket&& other) noexcept
    : watch_(std::exchange(other.watch_, nullptr)),
      directory_(other.directory_),
      number_(other.number_) {}

FileWatch::Ticket& FileWatch::Ticket::operator=(Ticket&& other) noexcept {
  if (this == &other) return *this;
  end();
  watch_ = std::exchange(other.watch_, nullptr);
  directory_ = other.directory_;
  number_ = other.number_;
  return *this;
}

FileWatch::Ticket::~Ticket() {
  end();
}

bool FileWatch::Ticket::is_watched() const {
  return watch_ && watch_->directories_.contains(directory_);
}

void FileWatch::Ticket::end() {
  if (watch_) watch_->remove(directory_, number_);
  watch_ = nullptr;
}

FileWatch::FileWatch(asio::any_io_executor shard) : notify_(shard), tasks_(shard) {
  const int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (descriptor < 0) {
    log()->warn(
        "cannot watch files ({}): transcripts are polled twice a second instead; "
        "raise fs.inotify.max_user_instances",
        std::strerror(errno));
    return;
  }
  notify_.assign(descriptor);
  tasks_.spawn("file watch", keep_running("file watch", [this] { return read_events(); }));
}

FileWatch::Ticket FileWatch::watch(const std::string& path, std::function<void()> changed) {
  const std::filesystem::path file(path);
  if (!notify_.is_open()) return {};
  const int directory =
      inotify_add_watch(notify_.native_handle(), file.parent_path().c_str(), kChanges);
  if (directory < 0) return {};
  const std::uint64_t number = next_number_++;
  directories_[directory].emplace(
      number, Watcher{.name = file.filename().string(), .changed = std::move(changed)});
  return {*this, directory, number};
}

asio::awaitable<void> FileWatch::stop() {
  tasks_.cancel();
  co_await tasks_.joined();
}

asio::awaitable<void> FileWatch::read_events() {
  // After a failure, which may have dropped events.
  for (const auto& [directory, watchers] : directories_)
    notify(watchers, {});
  std::vector<char> buffer(64 << 10);
  for (;;) {
    const auto [problem, size] = co_await notify_.async_read_some(asio::buffer(buffer), kNoThrow);
    if (problem) co_return;
    take_events(std::string_view(buffer.data(), size));
  }
}

void FileWatch::take_events(std::string_view bytes) {
  inotify_event event{};
  while (bytes.size() >= sizeof(event)) {
    std::memcpy(&event, bytes.data(), sizeof(event));
    bytes.remove_prefix(sizeof(event));
    std::string_view name = bytes.substr(0, event.len);
    bytes.remove_prefix(name.size());
    name = name.substr(0, name.find('\0'));
    if (event.mask & IN_Q_OVERFLOW) {
      for (const auto& [directory, watchers] : directories_)
        notify(watchers, {});
      continue;
    }
    const auto directory = directories_.find(event.wd);
    if (directory == directories_.end()) continue;
    if (event.mask & IN_IGNORED) {
      const Watchers watchers = std::move(directory->second);
      directories_.erase(directory);
      notify(watchers, {});
      continue;
    }
    notify(directory->second, name);
  }
}

// An event without a name concerns the directory and thus all its files.
void FileWatch::notify(const Watchers& watchers, std::string_view name) {
  for (const auto& [number, watcher] : watchers) {
    if (name.empty() || watcher.name == name) watcher.changed();
  }
}

void FileWatch::remove(int directory, std::uint64_t number) {
  const auto found = directories_.find(directory);
  if (found == directories_.end()) return;
  found->second.erase(number);
  if (!found->second.empty()) return;
  directories_.erase(found);
  inotify_rm_watch(notify_.native_handle(), directory);
}

}  // namespace oriel
