#pragma once
// Notifies about file changes with inotify. One instance per shard and one watch per directory:
// instances are scarce, and a file that does not exist yet cannot be watched itself.

#include "runtime/task_group.h"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace oriel {

// Lives on one shard and outlives its tickets. Without a free watch or without the directory the
// file is not watched: callers must also poll.
class FileWatch {
 public:
  explicit FileWatch(asio::any_io_executor shard);
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // A subscription to one file; ends when destroyed.
  class Ticket {
   public:
    Ticket() = default;

    Ticket(FileWatch& watch, int directory, std::uint64_t number)
        : watch_(&watch), directory_(directory), number_(number) {}

    Ticket(Ticket&& other) noexcept;
    Ticket& operator=(Ticket&& other) noexcept;
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;
    ~Ticket();

    bool is_watched() const;

   private:
    void end();

    FileWatch* watch_ = nullptr;
    int directory_ = -1;
    std::uint64_t number_ = 0;
  };

  // Calls `changed` when the file is written, created, moved or removed.
  Ticket watch(const std::string& path, std::function<void()> changed);

  // Stops reading events. Await on its shard before destruction.
  asio::awaitable<void> stop();

 private:
  struct Watcher {
    std::string name;  // in its directory
    std::function<void()> changed;
  };

  using Watchers = std::map<std::uint64_t, Watcher>;

  asio::awaitable<void> read_events();
  void take_events(std::string_view bytes);
  static void notify(const Watchers& watchers, std::string_view name);
  void remove(int directory, std::uint64_t number);

  asio::posix::stream_descriptor notify_;
  std::map<int, Watchers> directories_;  // by inotify watch descriptor
  std::uint64_t next_number_ = 1;
  TaskGroup tasks_;
};

}  // namespace oriel
