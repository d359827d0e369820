#pragma once
// Connections that publish with keep-alive POSTs, one outstanding request each. "As fast as
// possible" is thereby a closed loop with the same concurrency for every server.

#include "tcp.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace oriel {

struct Post {
  std::string path;
  std::string body;  // contains stamp_room()
};

struct PublishOptions {
  std::uint16_t port = 0;
  std::uint32_t connections = 16;
  std::function<std::vector<Post>(std::uint32_t publisher)> posts;  // round-robin
};

// The mark and a placeholder of a stamp's length.
std::string stamp_room();

class Publishers {
 public:
  explicit Publishers(const PublishOptions& options);

  // Readable when poll() has something to do.
  const Descriptor& epoll() const { return epoll_; }

  // Sets the load: events per second, as many as possible, or a number of events at once.
  void publish_at(double events_per_second);
  void publish_as_fast_as_possible();
  void publish_some(std::uint64_t events);
  void stop();

  // Handles responses and timer ticks and sends events that are due, without blocking.
  void poll();

  // True while an event is due or awaits its response.
  bool is_busy() const { return due_ > 0 || idle_.size() < publishers_.size(); }

  std::uint64_t accepted() const { return accepted_; }

  std::uint64_t rejected() const { return rejected_; }

  const std::string& last_rejection() const { return last_rejection_; }

 private:
  struct Publisher {
    Descriptor socket;
    std::vector<std::string> requests;  // round-robin
    std::string answer;
    std::uint32_t serial = 0;
  };

  void count_ticks();
  void read_answer(std::uint32_t index);
  void send_due();
  void send_event(std::uint32_t index);

  Descriptor epoll_;
  Descriptor ticks_;
  std::vector<Publisher> publishers_;
  std::deque<std::uint32_t> idle_;  // longest idle first
  std::uint64_t due_ = 0;
  std::uint64_t accepted_ = 0;
  std::uint64_t rejected_ = 0;
  std::string last_rejection_;
};

}  // namespace oriel
