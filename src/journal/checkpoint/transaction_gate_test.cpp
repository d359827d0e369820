#include "journal/checkpoint/transaction_gate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using Access = TransactionGate::Access;

constexpr auto kPatience = 20s;  // reached only if the test fails

class Gate : public testing::Test {
 protected:
  // Enters on a thread of its own, and leaves at once.
  std::future<void> pass_through(Access access) {
    return std::async(std::launch::async,
                      [this, access] { const auto pass = gate_.enter(access); });
  }

  static bool is_blocked(const std::future<void>& thread) {
    return thread.wait_for(20ms) == std::future_status::timeout;
  }

  static bool ends(const std::future<void>& thread) {
    return thread.wait_for(kPatience) == std::future_status::ready;
  }

  TransactionGate gate_;
};

TEST_F(Gate, AReaderAndAWriterRunSideBySide) {
  const auto read = gate_.enter(Access::kRead);
  const auto write = gate_.enter(Access::kWrite);
}

TEST_F(Gate, TransactionsWaitForTheExclusiveOne) {
  std::future<void> reader;
  std::future<void> writer;
  {
    const auto exclusive = gate_.enter(Access::kExclusive);
    reader = pass_through(Access::kRead);
    writer = pass_through(Access::kWrite);
    EXPECT_TRUE(is_blocked(reader));
    EXPECT_TRUE(is_blocked(writer));
  }
  EXPECT_TRUE(ends(reader));
  EXPECT_TRUE(ends(writer));
}

TEST_F(Gate, TheExclusiveOneWaitsForRunningTransactionsAndIsNotOvertaken) {
  std::future<void> exclusive;
  std::future<void> writer;
  {
    const auto read = gate_.enter(Access::kRead);
    exclusive = pass_through(Access::kExclusive);
    EXPECT_TRUE(is_blocked(exclusive));
    writer = pass_through(Access::kWrite);
    EXPECT_TRUE(is_blocked(writer));
  }
  EXPECT_TRUE(ends(exclusive));
  EXPECT_TRUE(ends(writer));
}

TEST_F(Gate, StalledWritesLetReadersPass) {
  gate_.stall_writes();
  auto writer = pass_through(Access::kWrite);
  EXPECT_TRUE(ends(pass_through(Access::kRead)));
  EXPECT_TRUE(is_blocked(writer));
  gate_.resume_writes();
  EXPECT_TRUE(ends(writer));
}

}  // namespace
}  // namespace oriel
