#pragma once
// Who is told when a file changes. One inotify instance for all files of a shard, one watch for
// each directory: instances are few on a machine, and a file that does not exist yet has no watch.

#include "runtime/task_group.h"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace oriel {

// Lives on one shard, longer than those who watch. Where the kernel has no watch left, or the
// directory is not there, a file is simply not watched: whoever waits looks again after a while.
class FileWatch {
 public:
  explicit FileWatch(asio::any_io_executor shard);
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // A wish to be told of one file; ends with it.
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

  // `changed` is called when the file is written, made, moved or removed.
  Ticket watch(const std::string& path, std::function<void()> changed);

  // Ends its reading; to be awaited on its shard before it is destroyed.
  asio::awaitable<void> stop();

 private:
  struct Wish {
    std::string name;  // in its directory
    std::function<void()> changed;
  };

  using Wishes = std::map<std::uint64_t, Wish>;

  asio::awaitable<void> read_events();
  void take_events(std::string_view bytes);
  void tell(const Wishes& wishes, std::string_view name) const;
  void forget(int directory, std::uint64_t number);

  asio::posix::stream_descriptor notify_;
  std::map<int, Wishes> directories_;  // by inotify's number of the watch
  std::uint64_t next_number_ = 1;
  TaskGroup tasks_;
};

}  // namespace oriel
