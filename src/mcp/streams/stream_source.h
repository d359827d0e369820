#pragma once
// Messages that a stream sends without storing them: they are read from their source by position,
// and read again when the client resumes, also after a restart.

#include "mcp/message.h"
#include "runtime/asio.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace oriel::mcp {

struct SourceEvent {
  std::uint64_t position = 0;  // rising; 0: that of the event before
  SharedMessage message;
};

// Reads a source for one connection. Lives on the session's shard.
class SourceReader {
 public:
  virtual ~SourceReader() = default;

  // Appends the next events, oldest first; none if there are none now.
  virtual void take(std::vector<SourceEvent>& events, std::size_t max_events,
                    std::size_t max_bytes) = 0;

  // All events up to here have been taken or can be taken now.
  virtual std::uint64_t position() const = 0;
};

// Positions that a source has removed.
struct Removed {
  std::uint64_t oldest = 0;  // that it still has
  std::uint64_t newest = 0;
};

// Belongs to a session and lives on its shard.
class StreamSource {
 public:
  virtual ~StreamSource() = default;

  // Reads the events after `position`. Calls `on_ready` when there may be events to take or
  // position() may have risen, but never from within a call of the reader.
  virtual std::unique_ptr<SourceReader> read_after(std::uint64_t position,
                                                   std::function<void()> on_ready) = 0;

  // Position of the newest event of all.
  virtual std::uint64_t head() const = 0;

  // Whether positions from before a restart mean nothing, because events are numbered anew.
  virtual bool is_renumbered() const { return false; }

  // Whether events of this stream after `position` were removed; none if all are there.
  virtual asio::awaitable<std::optional<Removed>> removed_after(std::uint64_t position) = 0;

  // The client has everything up to `position` and will not ask for it again.
  virtual void settled(std::uint64_t position) = 0;
};

}  // namespace oriel::mcp
