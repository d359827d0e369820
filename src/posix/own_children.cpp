#include "posix/own_children.h"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <system_error>

namespace oriel {

OwnChildren& OwnChildren::of_this_process() {
  static OwnChildren children;
  return children;
}

OwnChildren::OwnChildren() {
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
    throw std::system_error(errno, std::generic_category(), "PR_SET_CHILD_SUBREAPER");
  std::signal(SIGPIPE, SIG_IGN);  // writing to a closed pipe must return an error, not kill us
}

void OwnChildren::add_helper(pid_t pid) {
  const MutexLock lock(mutex_);
  helpers_.insert(pid);
}

void OwnChildren::reap(pid_t pid) {
  const MutexLock lock(mutex_);
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  pids_.erase(pid);
  helpers_.erase(pid);
}

void OwnChildren::reap_adopted(pid_t pid) {
  const MutexLock lock(mutex_);
  if (!pids_.contains(pid) && !helpers_.contains(pid)) waitpid(pid, nullptr, WNOHANG);
}

void OwnChildren::forget(pid_t pid) {
  const MutexLock lock(mutex_);
  pids_.erase(pid);
}

bool OwnChildren::contains(pid_t pid) const {
  const MutexLock lock(mutex_);
  return pids_.contains(pid) || helpers_.contains(pid);
}

bool OwnChildren::is_only(pid_t pid) const {
  const MutexLock lock(mutex_);
  return pids_.size() == 1 && pids_.contains(pid);
}

}  // namespace oriel
