#include "server/connection_limit.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(ConnectionLimit, LeavesDescriptorsForAgentsAndTheJournal) {
  EXPECT_EQ(max_connections_within(10'000, 100), 10'000U - 64 - 800);
}

TEST(ConnectionLimit, HalfOfFewDescriptorsAreForConnections) {
  EXPECT_EQ(max_connections_within(1024, 100), 512U);
  EXPECT_EQ(max_connections_within(3, 100), 2U);
}

}  // namespace
}  // namespace oriel
