// Every interleaving of a small journal, a shard's deliveries, a replay and a reader, around the
// real Subscription.

#include "hub/subscription.h"

#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace oriel {

// What a page reads up to. All but the first are mistakes.
enum class PageBound {
  kDelivered,  // what the shard had delivered when the page began
  kCommitted,  // what the journal had stored then
  kEarlier,    // less than the shard had delivered
};

struct ReplayModelOptions {
  Sequence commits = 6;
  Sequence purges = 2;
  bool is_filtered = false;  // odd sequences are not wanted
  bool starts_live = false;
  PageBound bound = PageBound::kDelivered;
};

enum class ReplayAction {
  kCommit,
  kPurge,                // retention removes the oldest record
  kDeliver,              // what is committed
  kDeliverBypassing,     // likewise, and the reader sends the first frame at once
  kDeliverTakingAtFull,  // likewise, and the reader takes all when its queue is full
  kBeginPage,
  kEndPage,
  kEndPageEarly,  // the page has space for one record
  kTakeOne,
  kTakeAll,
};

constexpr ReplayAction kAllReplayActions[] = {
    ReplayAction::kCommit,
    ReplayAction::kPurge,
    ReplayAction::kDeliver,
    ReplayAction::kDeliverBypassing,
    ReplayAction::kDeliverTakingAtFull,
    ReplayAction::kBeginPage,
    ReplayAction::kEndPage,
    ReplayAction::kEndPageEarly,
    ReplayAction::kTakeOne,
    ReplayAction::kTakeAll,
};

// One state. ShardHub's part is repeated here without its coroutines, the journal and the reader
// are a few numbers.
class ReplayModel : public LiveReader {
 public:
  explicit ReplayModel(ReplayModelOptions options)
      : options_(options), subscription_(subscribe_options(), [] {}) {
    committed_ = delivered_ = 1;
    if (!options_.starts_live) return;
    subscription_.position_ = seen_ = 1;
    subscription_.state_ = SubscriptionState::kLive;
  }

  bool can(ReplayAction action) const {
    switch (action) {
      case ReplayAction::kCommit:
        return committed_ <= options_.commits;
      case ReplayAction::kPurge:
        return oldest_ <= options_.purges && oldest_ < committed_;
      case ReplayAction::kDeliver:
      case ReplayAction::kDeliverBypassing:
      case ReplayAction::kDeliverTakingAtFull:
        return delivered_ < committed_;
      case ReplayAction::kBeginPage:
        return !page_bound_ && !is_live() && !subscription_.must_pause_replay();
      case ReplayAction::kEndPage:
      case ReplayAction::kEndPageEarly:
        return page_bound_.has_value();
      default:
        return subscription_.queued_bytes() > 0;
    }
  }

  void perform(ReplayAction action) {
    switch (action) {
      case ReplayAction::kCommit:
        ++committed_;
        break;
      case ReplayAction::kPurge:
        ++oldest_;
        break;
      case ReplayAction::kBeginPage:
        page_bound_ = bound_at(subscription_.begin_page(delivered_));
        break;
      case ReplayAction::kEndPage:
        return end_page(committed_);
      case ReplayAction::kEndPageEarly:
        return end_page(1);
      case ReplayAction::kTakeOne:
        return take(1);
      case ReplayAction::kTakeAll:
        return take(committed_ + 1);
      default:
        deliver(action);
    }
  }

  // Lets everybody go on without new commits, until nothing more happens.
  void finish() {
    constexpr ReplayAction kFair[] = {ReplayAction::kDeliver, ReplayAction::kEndPage,
                                      ReplayAction::kTakeAll, ReplayAction::kBeginPage};
    for (int i = 0; i < 20; ++i) {
      for (const ReplayAction action : kFair)
        if (can(action)) perform(action);
    }
    if (!is_live()) problem_ = "not live again";
    expect_nothing_wanted_before(committed_ + 1);
  }

  const std::string& problem() const { return problem_; }

  // Equal for states that behave alike.
  std::string key() const {
    std::string key;
    const auto add = [&key](std::uint64_t number) { key += std::to_string(number) + ' '; };
    for (const std::uint64_t number : {committed_, delivered_, oldest_, seen_, announced_,
                                       page_bound_.value_or(0), subscription_.position_})
      add(number);
    add(static_cast<std::uint64_t>(subscription_.state_));
    for (std::size_t i = subscription_.taken_; i < subscription_.queue_.size(); ++i)
      add(number_of(*subscription_.queue_[i]));
    key += '|';
    for (const FramePtr& frame : subscription_.held_)
      add(number_of(*frame));
    return key;
  }

 private:
  static RecordPtr record(Sequence sequence) {
    auto record = std::make_shared<Record>();
    record->sequence = sequence;
    record->type = sequence % 2 == 0 ? "even" : "uneven";
    record->body = std::string(100 - record->type.size(), 'x');
    return record;
  }

  SubscribeOptions subscribe_options() {
    SubscribeOptions options;
    if (options_.is_filtered) options.filter.types = {"even"};
    options.max_queued_bytes = 3 * Frame(record(1)).cost();
    options.live_reader = this;
    return options;
  }

  static std::uint64_t number_of(const Frame& frame) {
    return frame.record ? frame.record->sequence : 1000 + frame.gap.oldest;
  }

  bool is_live() const { return subscription_.state() == SubscriptionState::kLive; }

  bool is_wanted(Sequence sequence) const { return !options_.is_filtered || sequence % 2 == 0; }

  Sequence bound_at(Sequence correct) const {
    if (options_.bound == PageBound::kCommitted) return committed_;
    return options_.bound == PageBound::kEarlier ? correct - 1 : correct;
  }

  // As ShardHub::deliver().
  void deliver(ReplayAction how) {
    std::vector<FramePtr> frames;
    while (delivered_ < committed_)
      frames.push_back(std::make_shared<const Frame>(record(++delivered_)));
    const FrameBatch batch(std::move(frames));
    sends_live_ = how == ReplayAction::kDeliverBypassing;
    const std::size_t sent = subscription_.send_live(batch);
    for (std::size_t i = sent; i < batch.frames().size(); ++i) {
      if (subscription_.offer(batch.frames()[i])) continue;
      if (how == ReplayAction::kDeliverTakingAtFull) take(committed_ + 1);
      if (subscription_.offer(batch.frames()[i])) continue;
      return subscription_.return_to_journal();
    }
  }

  std::size_t send_live(const FrameBatch& batch) override {
    if (!sends_live_) return 0;
    receive(*batch.frames().front());
    return 1;
  }

  // As ShardHub::read_page().
  void end_page(Sequence max_records) {
    const Sequence bound = *std::exchange(page_bound_, std::nullopt);
    std::vector<FramePtr> frames;
    Sequence next = subscription_.position_ + 1;
    if (next < oldest_ && next <= bound) {
      frames.push_back(std::make_shared<const Frame>(
          Gap{.oldest = oldest_, .head = committed_, .missed = oldest_ - next}));
      next = oldest_;
    }
    for (; next <= bound && max_records > 0; ++next) {
      if (!is_wanted(next)) continue;
      frames.push_back(std::make_shared<const Frame>(record(next)));
      --max_records;
    }
    subscription_.end_page(std::move(frames), next - 1, bound);
    const std::size_t page = (committed_ + 1) * Frame(record(1)).cost();
    if (subscription_.queued_bytes() > subscription_.options_.max_queued_bytes + page)
      problem_ = "the queue is beyond its limit";
  }

  void take(std::size_t count) {
    std::vector<FramePtr> frames;
    subscription_.take(frames, count, 1 << 20);
    for (const FramePtr& frame : frames)
      receive(*frame);
  }

  void receive(const Frame& frame) {
    if (!frame.record) {
      announced_ = std::max(announced_, frame.gap.oldest - 1);
      return;
    }
    const Sequence sequence = frame.record->sequence;
    if (sequence <= seen_) problem_ = std::to_string(sequence) + " again or in wrong order";
    if (!is_wanted(sequence)) problem_ = std::to_string(sequence) + " is not wanted";
    expect_nothing_wanted_before(sequence);
    seen_ = std::max(seen_, sequence);
  }

  void expect_nothing_wanted_before(Sequence end) {
    for (Sequence missed = std::max(seen_, announced_) + 1; missed < end; ++missed)
      if (is_wanted(missed)) problem_ = std::to_string(missed) + " is missing without a gap";
  }

  ReplayModelOptions options_;
  Sequence committed_ = 0;
  Sequence delivered_ = 0;  // ShardHub::head()
  Sequence oldest_ = 1;
  std::optional<Sequence> page_bound_;  // of the page that is being read
  Subscription subscription_;
  bool sends_live_ = false;
  Sequence seen_ = 0;       // the newest that was received
  Sequence announced_ = 0;  // everything up to it may be missing
  std::string problem_;
};

namespace {

using ReplayPath = std::vector<ReplayAction>;

struct Exploration {
  std::size_t states = 0;
  std::string problem;  // with the number of actions that lead to it; empty: none
};

// A subscription cannot be copied: each state is reached again by its path.
Exploration explore_replays(const ReplayModelOptions& options) {
  std::deque<ReplayPath> open{{}};
  std::set<std::string> known;
  while (!open.empty()) {
    const ReplayPath path = std::move(open.back());
    open.pop_back();
    ReplayModel model(options);
    for (const ReplayAction action : path)
      model.perform(action);
    if (!known.insert(model.key()).second) continue;
    for (const ReplayAction action : kAllReplayActions) {
      if (!model.can(action)) continue;
      open.push_back(path);
      open.back().push_back(action);
    }
    if (model.problem().empty()) model.finish();
    if (!model.problem().empty())
      return {.states = known.size(),
              .problem = model.problem() + " after " + std::to_string(path.size()) + " actions"};
  }
  return {.states = known.size(), .problem = {}};
}

class ReplayModelTest : public testing::TestWithParam<std::pair<bool, bool>> {
 protected:
  ReplayModelOptions options() const {
    // A queue fills with half as many unless the others are filtered out.
    const auto [is_filtered, starts_live] = GetParam();
    return {
        .commits = is_filtered ? 9U : 6U, .is_filtered = is_filtered, .starts_live = starts_live};
  }
};

TEST_P(ReplayModelTest, EveryInterleavingDeliversEachRecordOnceOrAnnouncesAGapAndIsLiveAgain) {
  const Exploration found = explore_replays(options());
  EXPECT_EQ(found.problem, "");
  EXPECT_GT(found.states, 300U);
}

TEST_P(ReplayModelTest, ABoundBeyondWhatWasDeliveredIsFound) {
  ReplayModelOptions wrong = options();
  wrong.bound = PageBound::kCommitted;
  EXPECT_NE(explore_replays(wrong).problem, "");
}

TEST_P(ReplayModelTest, ABoundBelowWhatWasDeliveredIsFound) {
  ReplayModelOptions wrong = options();
  wrong.bound = PageBound::kEarlier;
  EXPECT_NE(explore_replays(wrong).problem, "");
}

INSTANTIATE_TEST_SUITE_P(Readers, ReplayModelTest,
                         testing::Values(std::pair(false, false), std::pair(false, true),
                                         std::pair(true, false), std::pair(true, true)));

}  // namespace
}  // namespace oriel
