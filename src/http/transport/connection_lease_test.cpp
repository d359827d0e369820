#include "http/transport/connection_lease.h"

#include <gtest/gtest.h>

#include <utility>

namespace oriel::http {
namespace {

class ConnectionLeaseTest : public testing::Test {
 protected:
  ConnectionLease lease(const std::string& key) {
    EXPECT_TRUE(per_key_->take(key));
    return {open_, per_key_, key};
  }

  std::shared_ptr<std::atomic<std::size_t>> open_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::shared_ptr<KeyedLimit> per_key_ = std::make_shared<KeyedLimit>(2);
};

TEST_F(ConnectionLeaseTest, CountsTheConnectionWhileItIsHeld) {
  {
    const ConnectionLease held = lease("a");
    EXPECT_EQ(*open_, 1U);
    EXPECT_EQ(per_key_->keys(), 1U);
  }
  EXPECT_EQ(*open_, 0U);
  EXPECT_EQ(per_key_->keys(), 0U);
}

TEST_F(ConnectionLeaseTest, AMovedLeaseIsReleasedOnceByItsNewOwner) {
  ConnectionLease first = lease("a");
  ConnectionLease second = std::move(first);
  EXPECT_EQ(*open_, 1U);
  second = {};
  EXPECT_EQ(*open_, 0U);
  second.release();
  EXPECT_EQ(*open_, 0U);
}

TEST_F(ConnectionLeaseTest, AnAssignedLeaseReleasesTheOneBefore) {
  ConnectionLease held = lease("a");
  held = lease("b");
  EXPECT_EQ(*open_, 1U);
  EXPECT_EQ(per_key_->keys(), 1U);
}

TEST_F(ConnectionLeaseTest, AnEmptyLeaseHoldsNothing) {
  ConnectionLease empty;
  empty.release();
  EXPECT_EQ(*open_, 0U);
}

}  // namespace
}  // namespace oriel::http
