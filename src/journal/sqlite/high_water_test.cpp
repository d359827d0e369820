#include "journal/sqlite/high_water.h"

#include "base/temp_directory_testing.h"

#include <gtest/gtest.h>

#include <fstream>

namespace oriel {
namespace {

class HighWaterFile : public testing::Test {
 protected:
  HighWater open() { return {file_, HighWater::Sync::kNever}; }

  void write(std::streamoff place, const std::string& bytes) {
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(place);
    file << bytes;
  }

  TempDirectory directory_;
  const std::filesystem::path file_ = directory_ / "journal.db.head";
};

TEST_F(HighWaterFile, ANewOneHasNoted0) {
  EXPECT_EQ(open().found_in("epoch"), 0);
}

TEST_F(HighWaterFile, KeepsTheLastNumber) {
  for (const Sequence head : {7, 8, 12}) {
    open().note("epoch", head);
    EXPECT_EQ(open().found_in("epoch"), head);
  }
  HighWater mark = open();
  for (Sequence head = 13; head <= 20; ++head)
    mark.note("epoch", head);
  EXPECT_EQ(open().found_in("epoch"), 20);
  EXPECT_EQ(std::filesystem::file_size(file_), 128);
}

TEST_F(HighWaterFile, KnowsNothingOfAnotherEpoch) {
  open().note("first", 7);
  EXPECT_EQ(open().found_in("second"), 0);
}

TEST_F(HighWaterFile, AnInterruptedWriteLeavesTheNumberBefore) {
  HighWater mark = open();
  mark.note("epoch", 7);
  mark.note("epoch", 8);
  write(64 + 50, "xx");  // in the slot of 8
  EXPECT_EQ(open().found_in("epoch"), 7);
}

TEST_F(HighWaterFile, ARestoredFileOfAnyContentIsNotTrusted) {
  std::ofstream(file_) << std::string(1000, 'x');
  EXPECT_EQ(open().found_in(std::string(48, 'x')), 0);
  open().note("epoch", 3);
  EXPECT_EQ(open().found_in("epoch"), 3);
}

TEST_F(HighWaterFile, CannotBeOpenedWithoutItsDirectory) {
  EXPECT_THROW(HighWater("/nonexistent/journal.db.head", HighWater::Sync::kNever),
               std::runtime_error);
}

}  // namespace
}  // namespace oriel
