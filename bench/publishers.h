#pragma once
// Connections that publish: keep-alive POSTs, one outstanding request each, so that "as fast as
// possible" is a closed loop with the same pressure on every server.

#include "tcp.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace oriel {

struct Post {
  std::string path;
  std::string body;  // with stamp_room() in it
};

struct PublishOptions {
  std::uint16_t port = 0;
  std::uint32_t connections = 16;
  std::function<std::vector<Post>(std::uint32_t publisher)> posts;  // by turns
};

// The mark, and room for a stamp.
std::string stamp_room();

class Publishers {
 public:
  explicit Publishers(const PublishOptions& options);

  // Readable whenever poll() has something to do.
  const Descriptor& epoll() const { return epoll_; }

  // What to publish from now on: so many events per second, as many as possible, or so many at
  // once.
  void publish_at(double events_per_second);
  void publish_as_fast_as_possible();
  void publish_some(std::uint64_t events);
  void stop();

  // Handles answers and ticks that are there, sends what is due and never waits.
  void poll();

  // Something is due, or waits for its answer.
  bool is_busy() const { return due_ > 0 || idle_.size() < publishers_.size(); }

  std::uint64_t accepted() const { return accepted_; }

  std::uint64_t refused() const { return refused_; }

  const std::string& last_refusal() const { return last_refusal_; }

 private:
  struct Publisher {
    Descriptor socket;
    std::vector<std::string> requests;  // by turns
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
  std::deque<std::uint32_t> idle_;  // who has waited longest first: all take their turn
  std::uint64_t due_ = 0;
  std::uint64_t accepted_ = 0;
  std::uint64_t refused_ = 0;
  std::string last_refusal_;
};

}  // namespace oriel
