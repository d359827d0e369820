#pragma once
// Keeps the state of MCP sessions, calls and tasks as documents of the journal. In a cluster each
// node has its own, and a session moves to the node that its client asks.

#include "journal/journal.h"
#include "mcp/archive.h"

#include <functional>
#include <string>
#include <vector>

namespace oriel {

// Used on every shard. Construct it before the journal starts.
class JournalArchive : public mcp::Archive {
 public:
  // `node`: of a cluster; empty: there is none. `on_taken` is called on the journal's thread with
  // the id of a session that this node no longer has.
  explicit JournalArchive(Journal& journal, const std::string& node = {},
                          std::function<void(std::string session_id)> on_taken = {});

  asio::awaitable<Result<void>> save(std::vector<mcp::ArchiveEntry> entries) override;
  asio::awaitable<std::vector<mcp::ArchiveEntry>> load(mcp::ArchiveQuery query) override;
  asio::awaitable<bool> take_over(std::string session_id, MayTake may_take) override;

 private:
  asio::awaitable<void> catch_up();
  asio::awaitable<std::vector<Document>> find_elsewhere(std::string session_id);
  Proposal move_here(const std::vector<Document>& documents) const;
  void report_taken(const std::vector<Document>& documents,
                    const std::function<void(std::string session_id)>& on_taken) const;

  Journal& journal_;
  const std::string prefix_;  // of the keys of documents; empty: there are no other nodes
};

}  // namespace oriel
