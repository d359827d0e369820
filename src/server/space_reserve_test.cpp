#include "server/space_reserve.h"

#include "base/temp_directory_testing.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <limits>

namespace oriel {
namespace {

constexpr std::uint64_t kBytes = 1 << 20;

std::uint64_t space_of(const std::filesystem::path& file) {
  struct stat info {};

  return ::stat(file.c_str(), &info) == 0 ? static_cast<std::uint64_t>(info.st_blocks) * 512 : 0;
}

class SpaceReserveTest : public testing::Test {
 protected:
  TempDirectory directory_;
  std::filesystem::path file_ = directory_ / "journal.reserve";
};

TEST_F(SpaceReserveTest, TakesTheSpaceUntilItIsReleased) {
  SpaceReserve reserve(file_, kBytes);
  EXPECT_TRUE(reserve.fill());
  EXPECT_GE(space_of(file_), kBytes);
  reserve.release();
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(SpaceReserveTest, IsNotTakenAgainOnceReleased) {
  SpaceReserve reserve(file_, kBytes);
  reserve.release();
  EXPECT_FALSE(reserve.fill());
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(SpaceReserveTest, OfZeroBytesNeedsNoFile) {
  SpaceReserve reserve(file_, 0);
  EXPECT_FALSE(reserve.fill());
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(SpaceReserveTest, ThatIsLargerThanTheDiskLeavesItAlone) {
  SpaceReserve reserve(file_, std::numeric_limits<std::int64_t>::max() / 4);
  EXPECT_FALSE(reserve.fill());
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(SpaceReserveTest, OfAnEarlierServerIsReplaced) {
  SpaceReserve earlier(file_, 4 * kBytes);
  ASSERT_TRUE(earlier.fill());
  SpaceReserve reserve(file_, kBytes);
  EXPECT_TRUE(reserve.fill());
  EXPECT_LT(space_of(file_), 4 * kBytes);
}

}  // namespace
}  // namespace oriel
