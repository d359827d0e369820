#include "runtime/thread_priority.h"

#include <sys/resource.h>

#include <unistd.h>

namespace oriel {
namespace {

constexpr int kNice = 10;

}  // namespace

// On Linux each thread has its own niceness.
void lower_thread_priority() {
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);
}

}  // namespace oriel
