#pragma once
// Brings the files of uploads to the node that runs the session, and those of sessions back to the
// node that is asked for them. One piece is under way at a time, so that a slow disk or network
// slows the sender down.

#include "base/moment.h"
#include "cluster/peers.h"
#include "runtime/task_group.h"
#include "supervisor/cluster/file_calls.h"
#include "supervisor/sessions/uploads.h"

#include <chrono>
#include <map>
#include <memory>
#include <string>

namespace oriel {

struct FileTransferOptions {
  std::chrono::milliseconds piece_deadline = std::chrono::seconds(15);
  // Files are removed if nothing more arrives and nobody takes them for so long.
  std::chrono::milliseconds max_idle = std::chrono::minutes(1);
  std::size_t max_incoming = 64;  // uploads from other nodes at once
};

// Owned by the supervisor; lives on the first shard. Its errors are those of Upload, and
// node_unreachable.
class FileTransfers {
 public:
  // Construct it before the peers start. `uploads` are those of this node.
  FileTransfers(asio::any_io_executor shard, Peers& peers, Uploads& uploads,
                FileTransferOptions options);

  void start();

  // Removes what nobody has taken.
  asio::awaitable<void> stop();

  // Sends all files to a node, within its limits, and returns the id under which it has them.
  asio::awaitable<Result<std::string>> send(std::string node, std::shared_ptr<Upload> upload);

  // The files that have arrived under this id, once. Null: there are none, or no more.
  std::shared_ptr<Upload> take(const std::string& transfer_id);

  // Opens a file of a session whose files this node has. May be used on any shard, as may its
  // result. Error: unknown_file.
  asio::awaitable<Result<Download>> open(std::string node, std::string session_id, TurnFile file);

 private:
  struct Incoming {
    std::shared_ptr<Upload> upload;
    SteadyTime used_at;
  };

  asio::awaitable<Result<void>> send_file(std::string node, std::string transfer_id,
                                          std::shared_ptr<Upload> upload, TurnFile file);
  asio::awaitable<Result<std::string>> put(std::string message);
  asio::awaitable<Result<std::string>> get(std::string message);
  Result<std::shared_ptr<Upload>> upload_for(const PutCall& call);
  asio::awaitable<void> remove_idle();

  Peers& peers_;
  Uploads& uploads_;
  const FileTransferOptions options_;
  std::map<std::string, Incoming> incoming_;  // by transfer id
  asio::steady_timer timer_;
  TaskGroup tasks_;
};

}  // namespace oriel
