#pragma once
// Gives a copy of a journal to another node, in pieces by request and reply.

#include "base/error.h"
#include "base/moment.h"
#include "base/mutex.h"
#include "cluster/handler_gate.h"
#include "cluster/nats_connection.h"
#include "journal/journal.h"
#include "runtime/blocking_thread.h"

#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>

namespace oriel {

struct SnapshotServerOptions {
  std::string node = {};                 // this one
  std::filesystem::path directory = {};  // for the files while they are given; all of it is theirs
  std::size_t max_files = 2;             // at once; one for each node that asks
  std::chrono::milliseconds idle{30'000};  // a file that nobody has asked for is removed
};

// Answers requests for snapshots of the journal. Each gets a file of its own, which stays as it is
// while the journal goes on.
class SnapshotServer {
 public:
  // Removes what an earlier process has left.
  SnapshotServer(NatsConnection& connection, Journal& journal, SnapshotServerOptions options);

  ~SnapshotServer() = default;
  SnapshotServer(const SnapshotServer&) = delete;
  SnapshotServer& operator=(const SnapshotServer&) = delete;

  // Removes files that nobody asks for any more. Call it each second, on any thread.
  void tidy();

 private:
  enum class Progress { kMaking, kReady, kFailed };

  struct File {
    std::filesystem::path path;
    Progress progress = Progress::kMaking;
    std::uint64_t size = 0;
    std::uint64_t digest = 0;
    std::string problem = {};
    SteadyTime used = {};
  };

  // Empty when it begins, and gone when everything that writes into it has ended.
  struct OwnDirectory {
    explicit OwnDirectory(std::filesystem::path owned);
    ~OwnDirectory();
    OwnDirectory(const OwnDirectory&) = delete;
    OwnDirectory& operator=(const OwnDirectory&) = delete;

    const std::filesystem::path path;
  };

  void requested(NatsMessage message);
  std::string answer_to(const std::string& request);
  std::string begin();
  std::string piece(const std::string& id, std::uint64_t offset);
  void end(const std::string& id);
  void make(const std::string& id, const std::filesystem::path& path);

  NatsConnection& connection_;
  Journal& journal_;
  const SnapshotServerOptions options_;
  const OwnDirectory directory_;
  std::atomic<std::size_t> waiting_ = 0;  // requests

  Mutex mutex_;  // between the threads below
  std::map<std::string, File> files_ GUARDED_BY(mutex_);

  BlockingThread maker_;   // writes files
  BlockingThread server_;  // reads them, and answers
  HandlerGate gate_;
};

// Fetches the snapshot of a node into a file that is replaced. Blocks until it is complete and its
// digest is right, or `stop` is requested. Errors: kNodeUnreachable (the node has no time, or has
// gone: ask another), kFileFailed (this node's disk), kCannotRead (damaged on the way), kStopping.
Result<void> fetch_snapshot(NatsConnection& connection, const std::string& node,
                            const std::filesystem::path& file, const std::stop_token& stop);

}  // namespace oriel
