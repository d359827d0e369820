#pragma once
// Tracks the children that this process started. All other children are adopted: as a subreaper,
// Oriel becomes the parent of orphans that agents leave behind.

#include "base/mutex.h"

#include <sys/types.h>

#include <set>

namespace oriel {

// One instance per process. Everything that Oriel starts must be added: an exited child that is not
// listed is treated as an orphan and reaped.
class OwnChildren {
 public:
  static OwnChildren& of_this_process();

  // Runs `start`, which returns the pid of a new child, or less than 1 on failure.
  template <class Start>
  pid_t add(Start start) {
    const MutexLock lock(mutex_);
    const pid_t pid = start();
    if (pid > 0) pids_.insert(pid);
    return pid;
  }

  // Adds a child that is no agent and starts nothing; is_only() ignores it.
  void add_helper(pid_t pid);

  // Reaps an exited child of ours; its pid may be reused afterwards.
  void reap(pid_t pid);

  // Reaps an adopted child if it has exited. Never reaps our own: their owner does.
  void reap_adopted(pid_t pid);

  // Treats a child of ours as an orphan from now on.
  void forget(pid_t pid);

  bool contains(pid_t pid) const;
  bool is_only(pid_t pid) const;

 private:
  OwnChildren();

  // All shards start and reap concurrently, and a pid must not change owner between the look-up and
  // waitpid().
  mutable Mutex mutex_;
  std::set<pid_t> pids_ GUARDED_BY(mutex_);
  std::set<pid_t> helpers_ GUARDED_BY(mutex_);
};

}  // namespace oriel
