#include "runtime/thread_priority.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <thread>
#include <unistd.h>

namespace oriel {
namespace {

int niceness() {
  return getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()));
}

TEST(ThreadPriority, IsLoweredForTheCallingThreadOnly) {
  const int before = niceness();
  int lowered = before;
  std::thread([&] {
    lower_thread_priority();
    lowered = niceness();
  }).join();
  EXPECT_GT(lowered, before);
  EXPECT_EQ(niceness(), before);
}

}  // namespace
}  // namespace oriel
