#include "posix/log_writer.h"

#include "posix/file_descriptor.h"

#include <gmock/gmock.h>
#include <spdlog/logger.h>

#include <array>
#include <fcntl.h>
#include <sstream>

namespace oriel {
namespace {

using testing::HasSubstr;

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
    reader = FileDescriptor(ends[0]);
    writer = FileDescriptor(ends[1]);
  }

  // Reads until the writer is closed.
  std::string read_all() const {
    std::string all;
    std::array<char, 4096> buffer{};
    for (ssize_t size = 0; (size = ::read(reader.get(), buffer.data(), buffer.size())) > 0;)
      all.append(buffer.data(), static_cast<std::size_t>(size));
    return all;
  }

  FileDescriptor reader;
  FileDescriptor writer;
};

spdlog::logger logger_on(const std::shared_ptr<LogWriter>& writer) {
  spdlog::logger logger("test", writer);
  logger.set_pattern("%v");
  return logger;
}

TEST(LogWriter, WritesLinesInOrder) {
  Pipe pipe;
  const auto writer = std::make_shared<LogWriter>(pipe.writer.get(), LogWriterLimits());
  spdlog::logger logger = logger_on(writer);
  logger.info("one");
  logger.info("two");
  writer->stop();
  pipe.writer = FileDescriptor();
  EXPECT_EQ(pipe.read_all(), "one\ntwo\n");
}

// A pipe holds 64 KiB. The rest is queued, then dropped and counted; nothing waits for the reader.
TEST(LogWriter, DropsAndCountsLinesThatNobodyReads) {
  constexpr int kLines = 300;
  Pipe pipe;
  const auto writer = std::make_shared<LogWriter>(
      pipe.writer.get(),
      LogWriterLimits{.max_queued_bytes = 32 << 10, .flush_for = std::chrono::seconds(60)});
  spdlog::logger logger = logger_on(writer);
  for (int i = 0; i < kLines; ++i)
    logger.info(std::string(1023, 'x'));

  std::thread stopping([&] {
    writer->stop();
    pipe.writer = FileDescriptor();
  });
  std::istringstream lines(pipe.read_all());
  stopping.join();
  int written = 0;
  int dropped = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('x')) {
      ++written;
    } else {
      EXPECT_THAT(line, HasSubstr("log lines were dropped"));
      dropped += std::stoi(line);
    }
  }
  EXPECT_GT(dropped, 0);
  EXPECT_EQ(written + dropped, kLines);
}

TEST(LogWriter, StopsInTimeAlthoughNobodyReads) {
  Pipe pipe;
  LogWriter writer(pipe.writer.get(),
                   {.max_queued_bytes = 1 << 20, .flush_for = std::chrono::milliseconds(20)});
  const std::string line(1023, 'x');
  for (int i = 0; i < 200; ++i)
    writer.log(spdlog::details::log_msg("test", spdlog::level::info, line));
  writer.flush();
  writer.stop();
  SUCCEED();  // or it hangs
}

}  // namespace
}  // namespace oriel
