#pragma once
// Which children of this process it started itself. All others are adopted: the kernel gives Oriel
// the orphans among its agents' descendants, so that none of them gets out of sight.

#include "base/mutex.h"

#include <sys/types.h>

#include <set>

namespace oriel {

// The one list of this process, because the kernel keeps one. Everything that Oriel starts goes
// through it: an exited child that is not listed counts as an orphan and is reaped by whoever sees
// it.
class OwnChildren {
 public:
  static OwnChildren& of_this_process();

  // Runs `start`, which returns a new child's pid, or less than 1 when there is none.
  template <class Start>
  pid_t add(Start start) {
    const MutexLock lock(mutex_);
    const pid_t pid = start();
    if (pid > 0) pids_.insert(pid);
    return pid;
  }

  // Takes the exit of one of ours, which has ended; its pid may be used again from now on.
  void reap(pid_t pid);

  // Takes the exit of an adopted child, if it has ended. Not one of ours: its owner does that.
  void reap_adopted(pid_t pid);

  // Makes one of ours an orphan.
  void forget(pid_t pid);

  bool contains(pid_t pid) const;
  bool is_only(pid_t pid) const;

 private:
  OwnChildren();

  // Agents of all shards start and end at once, and a pid must not change its owner between a look
  // at the list and waitpid().
  mutable Mutex mutex_;
  std::set<pid_t> pids_ GUARDED_BY(mutex_);
};

}  // namespace oriel
