#include "posix/descriptors/descriptor_message.h"

#include <gmock/gmock.h>
#include <sys/socket.h>

#include <array>
#include <fcntl.h>
#include <optional>

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSoon{5000};

class DescriptorMessageTest : public testing::Test {
 protected:
  DescriptorMessageTest() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw std::runtime_error("no pair of sockets");
    here_ = FileDescriptor(ends[0]);
    there_ = FileDescriptor(ends[1]);
  }

  FileDescriptor here_;
  FileDescriptor there_;
};

TEST_F(DescriptorMessageTest, CarriesTextAndDescriptorsThatStayOpen) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const FileDescriptor reader(ends[0]);
  std::optional<FileDescriptor> writer(ends[1]);
  const std::array numbers{writer->get()};
  ASSERT_TRUE(send_message(here_.get(), "hello\n", numbers));
  writer.reset();
  auto message = receive_message(there_.get(), kSoon).value();
  EXPECT_EQ(message.text, "hello\n");
  ASSERT_EQ(message.descriptors.size(), 1U);
  const int passed = message.descriptors[0].get();
  EXPECT_NE(::fcntl(passed, F_GETFD) & FD_CLOEXEC, 0) << "agents must not get it";
  EXPECT_EQ(::write(passed, "x", 1), 1);
  char byte = 0;
  EXPECT_EQ(::read(reader.get(), &byte, 1), 1);
}

TEST_F(DescriptorMessageTest, NeedsNoDescriptors) {
  ASSERT_TRUE(send_message(here_.get(), "hello\n"));
  const auto message = receive_message(there_.get(), kSoon).value();
  EXPECT_EQ(message.text, "hello\n");
  EXPECT_TRUE(message.descriptors.empty());
}

TEST_F(DescriptorMessageTest, TheEndOfTheStreamIsAnEmptyText) {
  here_ = FileDescriptor();
  EXPECT_EQ(receive_message(there_.get(), kSoon).value().text, "");
}

TEST_F(DescriptorMessageTest, WaitsOnlyThatLong) {
  EXPECT_EQ(receive_message(there_.get(), milliseconds(1)).error().message, "no answer in time");
}

TEST_F(DescriptorMessageTest, APeerThatHasGoneIsAnError) {
  there_ = FileDescriptor();
  EXPECT_FALSE(send_message(here_.get(), "hello\n"));
}

}  // namespace
}  // namespace oriel
