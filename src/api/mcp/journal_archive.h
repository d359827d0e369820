#pragma once
// Keeps the state of MCP sessions, calls and tasks as documents of the journal. In a cluster each
// node has its own. A session moves to the node that its client asks, a task if its node has gone.

#include "cluster/peers.h"
#include "journal/journal.h"
#include "mcp/archive.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

// The method of calls that Archive::ask() makes, for Peers::serve().
constexpr const char* kMcpTaskCall = "mcp_task";

// Used on every shard. Construct it before the journal starts.
class JournalArchive : public mcp::Archive {
 public:
  // `peers`: of a cluster; null: there is none. `on_taken` is called on the journal's thread with
  // the key of a session or task that this node no longer has.
  explicit JournalArchive(Journal& journal, Peers* peers = nullptr,
                          std::function<void(std::string key)> on_taken = {});

  asio::awaitable<Result<void>> save(std::vector<mcp::ArchiveEntry> entries) override;
  asio::awaitable<std::vector<mcp::ArchiveEntry>> load(mcp::ArchiveQuery query) override;
  asio::awaitable<bool> take_over(std::string session_id, MayTake may_take) override;
  asio::awaitable<std::optional<mcp::ForeignEntry>> find_elsewhere(std::string key) override;
  asio::awaitable<Result<std::optional<std::string>>> ask(std::string server,
                                                          std::string request) override;
  asio::awaitable<bool> take(mcp::ForeignEntry found) override;
  asio::awaitable<std::optional<std::string>> agree(std::string key, std::string value) override;

 private:
  asio::awaitable<void> catch_up();
  asio::awaitable<std::vector<Document>> find_session(std::string session_id);
  asio::awaitable<std::optional<Document>> find_document(std::string key);
  Proposal move_here(const std::vector<Document>& documents) const;
  void report_taken(const std::vector<Document>& documents,
                    const std::function<void(std::string key)>& on_taken) const;

  Journal& journal_;
  Peers* const peers_;
  const std::string prefix_;  // of the keys of documents; empty: there are no other nodes
};

}  // namespace oriel
