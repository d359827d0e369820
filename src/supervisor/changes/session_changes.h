#pragma once
// What a session has changed in its workspace: compared with the start if there are snapshots, else
// as its agent reported it.

#include "base/text/redactor.h"
#include "journal/journal.h"
#include "session/session_state.h"
#include "supervisor/changes/recorded_edits.h"
#include "supervisor/changes/workspace_branch.h"
#include "supervisor/changes/workspace_snapshots.h"

#include <boost/json/object.hpp>

#include <memory>
#include <string>

namespace oriel {

enum class ChangesPart { kFiles, kDiff };

struct ChangesQuery {
  ChangesPart part = ChangesPart::kFiles;
  std::string path = {};      // of the diff; empty: all files
  std::string snapshot = {};  // of an earlier answer, to be compared again; empty: none

  bool operator==(const ChangesQuery&) const = default;
};

// As endpoints return it.
struct ChangesAnswer {
  boost::json::object json;
};

struct ChangesOf {
  std::shared_ptr<const SessionState> session;
  std::shared_ptr<const Redactor> redactor;  // of its agent; null: nothing is masked
  RepositoryLink link = RepositoryLink::kIgnored;
};

// Lives on one shard, and works elsewhere.
class SessionChanges {
 public:
  SessionChanges(const asio::any_io_executor& shard, Journal& journal, SnapshotOptions options)
      : journal_(journal), snapshots_(shard, std::move(options)) {}

  WorkspaceSnapshots& snapshots() { return snapshots_; }

  // At most 1000 files and 512 KiB of a diff: the answer says what it leaves out. Errors:
  // unknown_file (no change of this path), too_many_requests, program_slow, program_failed.
  asio::awaitable<Result<ChangesAnswer>> show(ChangesOf of, ChangesQuery query);

 private:
  struct Recorded {
    std::shared_ptr<RecordedEdits> edits;
    std::string note;  // what it leaves out
  };

  asio::awaitable<Result<ChangesAnswer>> show_compared(ChangesOf of, ChangesQuery query,
                                                       Comparison compared);
  asio::awaitable<Result<ChangesAnswer>> show_recorded(ChangesOf of, ChangesQuery query,
                                                       std::string why);
  asio::awaitable<Recorded> read_recorded(const SessionState& session);

  Journal& journal_;
  WorkspaceSnapshots snapshots_;
  BlockingThread blocking_;
};

}  // namespace oriel
