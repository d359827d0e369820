#pragma once
// Reads the events of a client's watched sessions for one connection of its standalone stream.

#include "api/mcp/session_watcher.h"

#include <functional>
#include <memory>
#include <vector>

namespace oriel {

// Lives on the session's shard, owned by its stream. The watcher outlives it.
class WatchReader : public mcp::SourceReader {
 public:
  WatchReader(SessionWatcher& watcher, Sequence after, std::function<void()> on_ready);
  ~WatchReader() override;

  void take(std::vector<mcp::SourceEvent>& events, std::size_t max_events,
            std::size_t max_bytes) override;

  std::uint64_t position() const override;

  // Reads all sessions that are watched now.
  void resubscribe();

  // A call has come further, or has ended.
  void decided();

 private:
  void subscribe(Sequence after);
  void unsubscribe();
  void ready();
  void retry_later();
  bool offer(const FramePtr& frame, std::vector<mcp::SourceEvent>& events);

  SessionWatcher& watcher_;
  std::function<void()> on_ready_;
  std::shared_ptr<Subscription> subscription_;  // null: no session is watched
  std::vector<FramePtr> frames_;                // taken from it
  std::size_t next_ = 0;                        // of frames_
  Sequence passed_;                             // everything up to here has been passed on
  bool is_undecided_ = false;                   // frames_[next_] waits for a call
  std::unique_ptr<asio::steady_timer> retry_;   // null until the journal could not be read
  std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace oriel
