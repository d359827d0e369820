#pragma once
// Connections that watch: each reads its stream, finds the stamps, and tracks missing events.

#include "histogram.h"
#include "stamp.h"
#include "tcp.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oriel {

struct WatchOptions {
  std::uint16_t port = 0;
  std::string path;
  std::uint32_t connections = 1;
  std::uint32_t publishers = 1;
};

// Measured since the last reset.
struct Readings {
  std::uint64_t deliveries = 0;
  std::uint64_t reads = 0;
  std::uint64_t bytes = 0;
  Histogram latency;
};

// Faults since the start. A publisher's events must arrive in order at every watcher: it sends the
// next one only after the last was accepted.
struct Faults {
  std::uint64_t duplicates = 0;
  std::uint64_t disorder = 0;  // arrived after an event that was published later
  std::uint64_t disconnected = 0;
};

class Watchers {
 public:
  // Returns after every watcher's stream has started.
  explicit Watchers(const WatchOptions& options);

  // Makes poll() return early when this is readable.
  void wake_on(const Descriptor& other);

  // Waits for data and reads a batch, short enough not to delay the publishers in between.
  void poll(int timeout_ms);

  void reset_readings() { readings_ = {}; }

  const Readings& readings() const { return readings_; }

  const Faults& faults() const { return faults_; }

  // Distinct events received by all watchers together since the start.
  std::uint64_t received() const { return received_; }

  // Events that did not arrive although a later one of their publisher did.
  std::uint64_t missing() const;

 private:
  // Serials skipped so far, [from, to).
  struct Gap {
    std::uint32_t publisher = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };

  struct Watcher {
    Descriptor socket;
    bool has_begun = false;
    std::string rest;  // an incomplete head or stamp
    std::vector<Gap> gaps;
  };

  void read_ready(std::uint32_t index, bool to_the_end);
  std::string_view skip_head(Watcher& watcher, std::string_view bytes);
  void find_stamps(std::uint32_t index, std::string_view bytes);
  std::string_view finish_stamp(std::uint32_t index, std::string_view bytes);
  void take(std::uint32_t index, const Stamp& stamp);
  void take_out_of_turn(Watcher& watcher, const Stamp& stamp, std::uint32_t& next);
  void disconnect(Watcher& watcher);

  Descriptor epoll_;
  std::uint32_t publishers_;
  std::vector<Watcher> watchers_;
  std::vector<std::uint32_t> next_;  // next serial per watcher and publisher
  std::vector<char> buffer_ = std::vector<char>(256 << 10);
  std::int64_t read_at_ = 0;
  std::uint32_t begun_ = 0;
  std::uint64_t received_ = 0;
  Readings readings_;
  Faults faults_;
};

}  // namespace oriel
