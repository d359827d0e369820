#include "posix/descriptors/open_files.h"

#include "posix/process_testing.h"

#include <gtest/gtest.h>

#include <fcntl.h>

namespace oriel {
namespace {

TEST(OpenFiles, FreeDescriptorsAreThoseUpToTheLimit) {
  const std::uint64_t before = free_descriptors();
  ReservedDescriptors reserved(5);
  EXPECT_EQ(free_descriptors(), before - 5);
  reserved.release();
  EXPECT_EQ(free_descriptors(), before);
  const DescriptorShortage shortage;
  EXPECT_EQ(free_descriptors(), 0U);
}

TEST(OpenFiles, AReserveIsUsableAfterItsRelease) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  ReservedDescriptors reserved(5);
  std::vector<FileDescriptor> all;
  const rlimit low{.rlim_cur = 100, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &low);
  while (all.empty() || all.back())
    all.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  reserved.release();
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(all.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
  EXPECT_FALSE(all.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
  all.clear();
  ::setrlimit(RLIMIT_NOFILE, &before);
}

}  // namespace
}  // namespace oriel
