#include "cli/mcp/standard_io.h"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <thread>
#include <unistd.h>

namespace oriel {
namespace {

class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe(ends_.data()), 0); }

  ~Pipe() {
    close(0);
    close(1);
  }

  int out() const { return ends_[0]; }

  int in() const { return ends_[1]; }

  void close(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }

 private:
  std::array<int, 2> ends_{};
};

TEST(StandardIo, ReadsUntilTheEnd) {
  Pipe pipe;
  const StandardIo io(pipe.out(), STDOUT_FILENO);
  ASSERT_EQ(::write(pipe.in(), "abc", 3), 3);
  EXPECT_EQ(io.read(), "abc");
  pipe.close(1);
  EXPECT_EQ(io.read(), std::nullopt);
}

TEST(StandardIo, WritesMoreThanAPipeHolds) {
  Pipe pipe;
  const StandardIo io(STDIN_FILENO, pipe.in());
  const std::string bytes(300'000, 'x');
  std::thread writer([&] {
    EXPECT_TRUE(io.write(bytes));
    pipe.close(1);
  });
  const StandardIo reader(pipe.out(), STDOUT_FILENO);
  std::string got;
  while (const auto more = reader.read())
    got += *more;
  writer.join();
  EXPECT_EQ(got, bytes);
}

TEST(StandardIo, StopEndsBlockingCalls) {
  Pipe full;
  Pipe empty;
  const StandardIo io(empty.out(), full.in());
  std::thread reader([&] { EXPECT_EQ(io.read(), std::nullopt); });
  std::thread writer([&] { EXPECT_FALSE(io.write(std::string(300'000, 'x'))); });
  io.stop();
  reader.join();
  writer.join();
}

TEST(StandardIo, WriteFailsWithoutAReader) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  const StandardIo io(STDIN_FILENO, pipe.in());
  pipe.close(0);
  EXPECT_FALSE(io.write("abc"));
}

}  // namespace
}  // namespace oriel
