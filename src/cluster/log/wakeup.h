#pragma once
// Ends the sleep of a thread that has several things to wait for.

#include "base/moment.h"
#include "base/mutex.h"

namespace oriel {

class Wakeup {
 public:
  // On any thread.
  void wake() {
    {
      const MutexLock lock(mutex_);
      is_awake_ = true;
    }
    changed_.notify_one();
  }

  // Returns at this time, or after a wake() since the last call.
  void sleep_until(SteadyTime until) {
    const MutexLock lock(mutex_);
    while (!is_awake_ && changed_.wait_until(mutex_, until)) {
    }
    is_awake_ = false;
  }

 private:
  Mutex mutex_;  // between the thread that sleeps and those that wake it
  ConditionVariable changed_;
  bool is_awake_ GUARDED_BY(mutex_) = false;
};

}  // namespace oriel
