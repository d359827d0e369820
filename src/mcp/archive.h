#pragma once
// Where an MCP server keeps what must survive a restart: its sessions, calls and tasks.

#include "base/error.h"
#include "runtime/asio.h"

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

// What another server, which shares the store, has saved.
struct ForeignEntry {
  ArchiveEntry entry;
  std::string server;
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

  // The entry of another server that shares the store. None: there is none with this key.
  virtual asio::awaitable<std::optional<ForeignEntry>> find_elsewhere(std::string /*key*/) {
    co_return std::nullopt;
  }

  // Has the server of such an entry answer with Server::answer(). None: it does not run any more.
  virtual asio::awaitable<Result<std::optional<std::string>>> ask(std::string /*server*/,
                                                                  std::string /*request*/) {
    co_return std::optional<std::string>();
  }

  // Moves the entry here, unless it has changed. Its server must then call Server::release().
  virtual asio::awaitable<bool> take(ForeignEntry /*found*/) { co_return false; }

  // Stores the value, unless a server that shares the store has stored one under this key before,
  // and returns the one that is stored. None if nothing can be stored now.
  virtual asio::awaitable<std::optional<std::string>> agree(std::string key, std::string value) {
    ArchiveQuery query{.prefix = key, .max_entries = 1};
    auto loading = load(std::move(query));
    const std::vector<ArchiveEntry> known = co_await std::move(loading);
    if (!known.empty()) co_return known.front().value;
    std::vector<ArchiveEntry> entries = {{.key = std::move(key), .value = value}};
    auto saving = save(std::move(entries));
    const auto saved = co_await std::move(saving);
    co_return saved ? std::optional(std::move(value)) : std::nullopt;
  }
};

}  // namespace oriel::mcp
