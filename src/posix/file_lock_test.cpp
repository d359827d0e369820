#include "posix/file_lock.h"

#include "base/temp_directory_testing.h"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <thread>

namespace oriel {
namespace {

using std::chrono::milliseconds;

TEST(FileLock, OneAtATimeHoldsIt) {
  const TempDirectory directory;
  const FileLock lock(directory / "a.lock");
  EXPECT_THROW(FileLock(directory / "a.lock"), std::runtime_error);
}

TEST(FileLock, OthersCanWaitForItsEnd) {
  const TempDirectory directory;
  const std::filesystem::path file = directory / "a.lock";
  EXPECT_TRUE(wait_until_unlocked(file, milliseconds(0))) << "there is no such file";
  std::optional<FileLock> lock(std::in_place, file);
  EXPECT_FALSE(wait_until_unlocked(file, milliseconds(1)));
  std::jthread holder([&] { lock.reset(); });
  EXPECT_TRUE(wait_until_unlocked(file, milliseconds(5000)));
  holder.join();
  const FileLock next(file);
}

}  // namespace
}  // namespace oriel
