#include "posix/threads/thread_priority.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <thread>

namespace oriel {
namespace {

int own_priority() {
  return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()));
}

TEST(ThreadPriority, IsLoweredForOneThreadOnly) {
  const int before = own_priority();
  std::thread([&] {
    lower_own_priority();
    EXPECT_GT(own_priority(), before);
  }).join();
  EXPECT_EQ(own_priority(), before);
}

}  // namespace
}  // namespace oriel
