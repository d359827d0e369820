#pragma once
// What a node has put into the log and not yet seen come back. Repeats it, from the oldest entry on
// (go-back-N): repetitions are harmless, because an entry is stored in its turn only. Pure: gets
// the time, and says what to publish.

#include "base/moment.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace oriel {

struct PublishWindowOptions {
  std::size_t max_entries = 256;
  // All nodes read what one repeats: together it must not be more than a server keeps for a reader.
  std::size_t max_bytes = 8 << 20;
  // Without progress for so long, and the time that the bytes under way may take, everything is
  // repeated; then after twice as long, and so on until an entry comes back.
  std::chrono::milliseconds min_stall{1000};
  std::chrono::milliseconds max_stall{8000};
  // The pause after a refusal, such as without a leader of the stream; doubled by each further one.
  std::chrono::milliseconds min_pause{50};
  std::chrono::milliseconds max_pause{500};
};

class PublishWindow {
 public:
  // A message to be published. `attempt` counts the times that the window went back.
  struct Sending {
    std::uint64_t number = 0;
    std::uint32_t attempt = 0;
    std::shared_ptr<std::string> message;
  };

  explicit PublishWindow(PublishWindowOptions options) : options_(options) {}

  // An empty window has room for an entry of any size.
  bool has_room() const;

  std::size_t size() const { return slots_.size(); }

  // Numbers rise by one.
  void add(std::uint64_t number, std::vector<std::string> messages, SteadyTime now);

  // The next message to be published now; none: nullopt. Call it again after each one.
  std::shared_ptr<const Sending> next(SteadyTime now);

  // It could not be published, as long as there is no connection.
  void unsent(const Sending& sending, SteadyTime now);

  // Answers of the server; a refusal of an old attempt says nothing any more.
  void acknowledged(SteadyTime now);
  void refused(std::uint32_t attempt, SteadyTime now);

  // The entry came back in its turn, and so have those before it.
  void stored(std::uint64_t number, SteadyTime now);

  // An entry came back before its turn: one before it was lost.
  void passed_over(std::uint32_t attempt, SteadyTime now);

  // Nothing of it is to be published any more.
  void clear();

  // What was on its way may be lost.
  void reconnected(SteadyTime now);

  // When to call next() if nothing else happens; max() if the window is empty.
  SteadyTime due() const;

  // Since when the oldest entry has been waiting without any progress; max() if there is none.
  SteadyTime waiting_since() const;

  std::uint64_t repeated() const { return repeated_; }

 private:
  struct Slot {
    std::uint64_t number = 0;
    std::vector<std::shared_ptr<std::string>> messages;
    std::size_t bytes = 0;
    bool was_sent = false;
  };

  void go_back();
  void note_progress(SteadyTime now);
  SteadyTime next_stall(SteadyTime now) const;

  const PublishWindowOptions options_;
  std::deque<Slot> slots_;
  std::size_t bytes_ = 0;
  std::size_t next_slot_ = 0;  // to be published
  std::size_t next_part_ = 0;
  std::uint32_t attempt_ = 0;
  std::uint64_t repeated_ = 0;  // entries
  SteadyTime progress_ = SteadyTime::max();
  SteadyTime stalled_at_ = SteadyTime::max();  // when everything is to be repeated
  SteadyTime paused_until_ = SteadyTime::min();
  std::chrono::milliseconds stall_ = options_.min_stall;
  std::chrono::milliseconds pause_ = options_.min_pause;
};

}  // namespace oriel
