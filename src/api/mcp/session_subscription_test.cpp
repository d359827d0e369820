#include "api/mcp/session_subscription.h"

#include "api/api_testing.h"

namespace oriel {
namespace {

using testing::ElementsAre;

class SessionSubscriptionTest : public ApiFixture {
 protected:
  ~SessionSubscriptionTest() override { close(); }

  void open(Sequence after) {
    on_shard([&] {
      subscription_ =
          SessionSubscription::open(hub_.on(shards_[0]), "a", after, [this](const FramePtr& frame) {
            sequences_.push_back(frame->record->sequence);
            if (sequences_.size() == max_records_) subscription_.reset();
          });
    });
  }

  void close() {
    on_shard([this] { subscription_.reset(); });
  }

  bool receives(std::size_t count) {
    return eventually([&] { return sequences_.size() >= count; });
  }

  std::shared_ptr<SessionSubscription> subscription_;
  std::vector<Sequence> sequences_;
  std::size_t max_records_ = 100;
};

TEST_F(SessionSubscriptionTest, PassesOnStoredAndNewRecordsOfItsSession) {
  const Sequence first = publish(R"({"type":"note","session_id":"a"})");
  publish(R"({"type":"note","session_id":"b"})");
  const Sequence stored = publish(R"({"type":"note","session_id":"a"})");
  open(first);
  const Sequence live = publish(R"({"type":"note","session_id":"a"})");
  ASSERT_TRUE(receives(2));
  EXPECT_THAT(sequences_, ElementsAre(stored, live));
  EXPECT_EQ(on_shard([this] { return subscription_->reached(); }), live);
}

TEST_F(SessionSubscriptionTest, MayBeDestroyedByItsOwnCallback) {
  publish(R"({"type":"note","session_id":"a"})");
  publish(R"({"type":"note","session_id":"a"})");
  max_records_ = 1;
  open(kNoSequence);
  ASSERT_TRUE(receives(1));
  publish(R"({"type":"note","session_id":"a"})");
  on_shard([] {});
  EXPECT_EQ(on_shard([this] { return sequences_.size(); }), 1U);
}

}  // namespace
}  // namespace oriel
