#include "hub/frame.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace oriel {
namespace {

FramePtr new_frame(std::string body) {
  auto record = std::make_shared<Record>();
  record->body = std::move(body);
  return std::make_shared<const Frame>(std::move(record));
}

TEST(Frame, IsEncodedOnceForAllThreads) {
  const FramePtr frame = new_frame("hello");
  std::atomic<int> encodings = 0;
  const auto get = [&] {
    const std::string& bytes = frame->sse.get([&] {
      ++encodings;
      return "data: " + frame->record->body;
    });
    EXPECT_EQ(bytes, "data: hello");
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back(get);
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(encodings, 1);
}

TEST(Frame, CostsAQueueTheSameBeforeAndAfterItIsEncoded) {
  const FramePtr frame = new_frame("hello");
  const std::size_t cost = frame->cost();
  EXPECT_GT(cost, frame->record->bytes());
  frame->sse.get([] { return std::string(1000, 'x'); });
  EXPECT_EQ(frame->cost(), cost);
}

TEST(FrameBatch, IsEncodedOnce) {
  const FrameBatch batch({new_frame("a"), new_frame("b")});
  int encodings = 0;
  const auto encode = [&](const FramePtr& frame) {
    ++encodings;
    return SharedBytes(frame, &frame->record->body);
  };
  batch.sse(encode);
  const auto bytes = batch.sse(encode);
  ASSERT_EQ(bytes.size(), 2U);
  EXPECT_EQ(*bytes[1], "b");
  EXPECT_EQ(encodings, 2);
}

}  // namespace
}  // namespace oriel
