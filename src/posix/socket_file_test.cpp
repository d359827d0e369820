#include "posix/socket_file.h"

#include "base/temp_directory_testing.h"
#include "posix/text_file.h"
#include "runtime/asio.h"

#include <boost/asio/local/stream_protocol.hpp>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <optional>
#include <string>

namespace oriel {
namespace {

namespace fs = std::filesystem;

class SocketFileTest : public testing::Test {
 protected:
  // Why nobody can listen there; empty: one can.
  static std::string refusal(const fs::path& path) {
    try {
      const SocketFile file(path);
      return "";
    } catch (const std::runtime_error& failure) {
      return failure.what();
    }
  }

  bool can_connect() {
    asio::local::stream_protocol::socket client(io_);
    error_code ec;
    client.connect(path_.string(), ec);
    return !ec;
  }

  // The file of a server that was killed.
  void leave_stale_file() {
    const asio::local::stream_protocol::acceptor dead(io_, path_.string());
  }

  asio::io_context io_;
  TempDirectory dir_;
  fs::path path_ = dir_ / "a.sock";
};

TEST_F(SocketFileTest, OnlyTheOwnUserMayConnectWhateverTheUmaskIs) {
  const mode_t before = ::umask(0);
  const SocketFile file(path_);
  ::umask(before);
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms(0600));
  EXPECT_TRUE(can_connect());
}

TEST_F(SocketFileTest, TheFileGoesWithItsServer) {
  std::optional<SocketFile> file(path_);
  EXPECT_TRUE(fs::exists(path_));
  file.reset();
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(SocketFileTest, TheFileOfAnotherServerStays) {
  std::optional<SocketFile> file(path_);
  fs::remove(path_);
  const SocketFile other(path_);
  file.reset();
  EXPECT_TRUE(can_connect());
}

TEST_F(SocketFileTest, TheFileOfADeadServerIsReplaced) {
  leave_stale_file();
  ASSERT_TRUE(fs::is_socket(path_));
  ASSERT_FALSE(can_connect());
  const SocketFile file(path_);
  EXPECT_TRUE(can_connect());
}

TEST_F(SocketFileTest, ALivingServerIsNotReplaced) {
  const SocketFile file(path_);
  EXPECT_EQ(refusal(path_), "another server listens on it");
  EXPECT_TRUE(can_connect());
}

TEST_F(SocketFileTest, AnAdoptedFileStaysUntilItIsOwned) {
  SocketFile first(path_);
  FileDescriptor listener = first.take_listener();
  first.disown();
  {
    SocketFile adopted(path_, FileDescriptor(::dup(listener.get())));
    const FileDescriptor kept = adopted.take_listener();
  }
  EXPECT_TRUE(can_connect());
  {
    SocketFile adopted(path_, std::move(listener));
    adopted.own();
  }
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(SocketFileTest, ADisownedFileStays) {
  std::optional<SocketFile> file(path_);
  const FileDescriptor listener = file->take_listener();
  file->disown();
  file.reset();
  EXPECT_TRUE(can_connect());
}

TEST_F(SocketFileTest, AFileThatIsNoSocketIsNotAdopted) {
  dir_.add("a.sock", "text");
  EXPECT_THROW(SocketFile(path_, FileDescriptor()), std::runtime_error);
}

TEST_F(SocketFileTest, AFileThatIsNoSocketIsNotReplaced) {
  dir_.add("a.sock", "text");
  EXPECT_EQ(refusal(path_), "the path exists and is not a socket");
  EXPECT_EQ(read_text_file(path_).value(), "text");
  fs::create_symlink("a.sock", dir_ / "link");
  EXPECT_EQ(refusal(dir_ / "link"), "the path exists and is not a socket");
}

TEST_F(SocketFileTest, ADirectoryMustExist) {
  EXPECT_EQ(refusal(dir_ / "missing/a.sock"), "No such file or directory");
}

TEST_F(SocketFileTest, APathHasAtMost107Bytes) {
  const std::string directory = dir_.path().string() + "/";
  const std::string longest = directory + std::string(107 - directory.size(), 'x');
  EXPECT_EQ(refusal(longest), "");
  EXPECT_EQ(refusal(longest + "x"), "the path has 108 bytes, and that of a socket at most 107");
}

}  // namespace
}  // namespace oriel
