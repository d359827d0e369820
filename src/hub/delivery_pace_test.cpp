#include "hub/delivery_pace.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;

const DeliveryPace::Clock::time_point kBegin{1h};

TEST(DeliveryPace, TheFirstDeliveryWaitsForNothing) {
  EXPECT_LT(DeliveryPace(2ms).next(), kBegin);
}

TEST(DeliveryPace, ADeliveryIsFollowedByARestOfItsOwnLength) {
  DeliveryPace pace(2ms);
  pace.delivered(kBegin, kBegin + 700us);
  EXPECT_EQ(pace.next(), kBegin + 1400us);
}

TEST(DeliveryPace, ALongDeliveryDelaysTheNextByNoMoreThanTheLongestRest) {
  DeliveryPace pace(2ms);
  pace.delivered(kBegin, kBegin + 30ms);
  EXPECT_EQ(pace.next(), kBegin + 32ms);
}

}  // namespace
}  // namespace oriel
