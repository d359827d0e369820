#include "journal/sqlite/file_identity.h"

#include "base/temp_directory_testing.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;

class FileIdentityTest : public testing::Test {
 protected:
  fs::path make_file() {
    directory_.add("data/file", "content");
    return directory_ / "data/file";
  }

  TempDirectory directory_;
  const fs::path path_ = make_file();
  std::ifstream open_ = std::ifstream(path_);
  FileIdentity identity_{path_};
};

TEST_F(FileIdentityTest, StaysWhileTheFileIsWritten) {
  std::ofstream(path_, std::ios::app) << "more";
  EXPECT_TRUE(identity_.is_there());
}

TEST_F(FileIdentityTest, NoticesADeletedFile) {
  fs::remove(path_);
  EXPECT_FALSE(identity_.is_there());
}

TEST_F(FileIdentityTest, NoticesADeletedDirectory) {
  fs::remove_all(path_.parent_path());
  EXPECT_FALSE(identity_.is_there());
}

TEST_F(FileIdentityTest, NoticesAnotherFileWithTheSameContent) {
  directory_.add("data/other", "content");
  fs::rename(directory_ / "data/other", path_);
  EXPECT_FALSE(identity_.is_there());
}

TEST_F(FileIdentityTest, NeedsAFile) {
  EXPECT_THROW(FileIdentity(directory_ / "none"), std::runtime_error);
}

}  // namespace
}  // namespace oriel
