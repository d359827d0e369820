#pragma once
// Where an MCP server keeps what must survive a restart: its sessions, calls and tasks.

#include "base/error.h"
#include "runtime/asio.h"

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace oriel::mcp {

struct ArchiveEntry {
  std::string key;    // letters, digits, '/' and '_'
  std::string value;  // JSON; empty: removes the entry
};

// Selects entries whose keys start with `prefix` and come after `after`, ordered by key.
struct ArchiveQuery {
  std::string prefix;
  std::string after = {};  // empty: from the first
  std::size_t max_entries = std::numeric_limits<std::size_t>::max();
};

// Used on every shard.
class Archive {
 public:
  virtual ~Archive() = default;

  // Stores all or nothing, and returns once it is durable. Resumes on the caller's shard.
  virtual asio::awaitable<Result<void>> save(std::vector<ArchiveEntry> entries) = 0;

  // What was saved, also before a restart. Throws if it cannot be read.
  virtual asio::awaitable<std::vector<ArchiveEntry>> load(ArchiveQuery query) = 0;

  using MayTake = std::function<bool(std::string_view session)>;

  // Moves a session, with its calls, here from another server that shares the store, provided that
  // `may_take` accepts what was saved of it. The other server must then call Server::release().
  // False if nothing was moved.
  virtual asio::awaitable<bool> take_over(std::string /*session_id*/, MayTake /*may_take*/) {
    co_return false;
  }
};

}  // namespace oriel::mcp
