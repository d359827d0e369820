#pragma once
// Lets an object end before the connection whose messages it handles.

#include "base/mutex.h"
#include "cluster/nats_connection.h"

#include <memory>
#include <utility>

namespace oriel {

// The last member of its owner: destroying it waits for handlers that run, and ends later calls.
class HandlerGate {
 public:
  HandlerGate() = default;

  ~HandlerGate() {
    const MutexLock lock(state_->mutex);
    state_->is_open = false;
  }

  HandlerGate(const HandlerGate&) = delete;
  HandlerGate& operator=(const HandlerGate&) = delete;

  // One of the gate's handlers runs at a time.
  NatsConnection::Handler guard(NatsConnection::Handler handler) const {
    return [state = state_, handler = std::move(handler)](NatsMessage message) {
      const MutexLock lock(state->mutex);
      if (state->is_open) handler(std::move(message));
    };
  }

 private:
  struct State {
    Mutex mutex;  // between the library's threads and the owner's end
    bool is_open GUARDED_BY(mutex) = true;
  };

  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace oriel
