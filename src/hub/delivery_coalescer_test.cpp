#include "hub/delivery_coalescer.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;

const DeliveryCoalescer::Clock::time_point kBegin{1h};

TEST(DeliveryCoalescer, TheFirstDeliveryIsImmediate) {
  EXPECT_LT(DeliveryCoalescer(2ms).next(), kBegin);
}

TEST(DeliveryCoalescer, ADeliveryIsFollowedByAPauseOfItsOwnLength) {
  DeliveryCoalescer coalescer(2ms);
  coalescer.delivered(kBegin, kBegin + 700us);
  EXPECT_EQ(coalescer.next(), kBegin + 1400us);
}

TEST(DeliveryCoalescer, ALongDeliveryDelaysTheNextByNoMoreThanTheMaximum) {
  DeliveryCoalescer coalescer(2ms);
  coalescer.delivered(kBegin, kBegin + 30ms);
  EXPECT_EQ(coalescer.next(), kBegin + 32ms);
}

}  // namespace
}  // namespace oriel
