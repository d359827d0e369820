#pragma once
// Who is told when a file changes. One inotify instance for all files of a shard, one watch for
// each directory: instances are few on a machine, and a file that does not exist yet has no watch.

#include "runtime/condition.h"
#include "runtime/task_group.h"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <map>
#include <memory>
#include <string>

namespace oriel {

// Lives on one shard, before and after those who watch. Where the kernel has no watch left, or the
// directory is not there, files are simply not watched: whoever waits looks again after a while.
class FileWatch {
 public:
  explicit FileWatch(asio::any_io_executor shard);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // A wish to be told of one file; ends with it.
  class Ticket {
   public:
    Ticket() = default;
    Ticket(FileWatch& watch, std::string directory, std::uint64_t number);
    Ticket(Ticket&& other) noexcept;
    Ticket& operator=(Ticket&& other) noexcept;
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;
    ~Ticket();

    bool is_watched() const { return watch_ != nullptr; }

   private:
    void end();

    FileWatch* watch_ = nullptr;
    std::string directory_;
    std::uint64_t number_ = 0;
  };

  // `changed` is notified when the file is written, made, moved or removed. It outlives the ticket.
  Ticket watch(const std::string& path, Condition& changed);

  // Ends its reading; to be awaited on its shard before it is destroyed.
  asio::awaitable<void> stop();

 private:
  struct Wish {
    std::string name;
    Condition* changed = nullptr;
  };

  struct Directory {
    int descriptor = -1;  // inotify's
    std::map<std::uint64_t, Wish> wishes;
  };

  void begin();
  asio::awaitable<void> read_events();
  void tell(int descriptor, std::string_view name, bool is_gone);
  void tell_all();
  void forget(const std::string& directory, std::uint64_t number);

  asio::any_io_executor shard_;
  asio::posix::stream_descriptor notify_;
  std::map<std::string, Directory> directories_;
  std::map<int, std::string> paths_;  // by inotify's descriptor
  std::uint64_t next_number_ = 1;
  TaskGroup tasks_;
};

}  // namespace oriel
