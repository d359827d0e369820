// Every interleaving of the commands of one session, its eviction and a shutdown, around the real
// registry: a session has one runner at most, and all are stopped.

#include "supervisor/sessions/session_registry.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace oriel {
namespace {

// What the model gets wrong.
enum class OwnershipMistake {
  kNone,
  kTwoRunners,          // a command takes a new runner although there is one
  kRunnerWhenStopping,  // a command takes a new runner after the shutdown began
  kEvictWithoutStop,
  kLateState,  // the registry learns of the end of a session after its runner has gone
};

enum class Actor { kCreate, kMessage, kAnotherMessage, kCancel, kEnd, kAnotherEnd, kEvict, kStop };

constexpr std::size_t kActors = 8;
constexpr const char* kId = "ses_1";

// A SessionRunner, as far as its owner can tell.
struct ModelRunner {
  enum class Phase { kOpen, kEnded, kStopped };
  Phase phase = Phase::kOpen;
  SessionStatus status = SessionStatus::kIdle;
};

struct OwnershipOptions {
  std::vector<Actor> actors;
  OwnershipMistake mistake = OwnershipMistake::kNone;
};

// One state. The coroutines of Supervisor, SessionRunners and SessionCreator are repeated here: a
// step is what they do on one shard without waiting.
class OwnershipModel {
 public:
  explicit OwnershipModel(const OwnershipOptions& options)
      : mistake_(options.mistake), registry_(RegistryLimits{.max_kept_sessions = 0}) {
    for (const Actor actor : options.actors)
      steps_.at(index_of(actor)) = 0;
    if (!is_there(Actor::kCreate)) registry_.add(state_with(SessionStatus::kIdle));
  }

  // Actions: the next step of an actor, a task's end, the next message to the owner shard.
  static constexpr std::size_t kActions = kActors + 2;

  bool can(std::size_t action) const {
    if (action == kActors) return working_runner() != nullptr;
    if (action == kActors + 1) return !posted_.empty();
    return steps_.at(action) >= 0 && !is_waiting_.at(action) && !must_wait(Actor(action));
  }

  void perform(std::size_t action) {
    if (action == kActors) {
      finish_task();
    } else if (action == kActors + 1) {
      deliver();
    } else {
      step(Actor(action));
    }
    if (count_running() > 1) problem_ = "a session has two runners";
  }

  // Call this when nothing can happen any more.
  void expect_all_owned() {
    const SessionEntry* const entry = registry_.find(kId);
    for (const ModelRunner& runner : runners_) {
      if (runner.phase == ModelRunner::Phase::kStopped) continue;
      if (is_stopped_) problem_ = "a runner is left after the shutdown";
      if (entry == nullptr || entry->runner.get() != as_runner(runner))
        problem_ = "a runner without an entry is not stopped";
    }
    if (entry != nullptr && (entry->is_claimed || entry->is_being_created))
      problem_ = "a slot is not released";
  }

  const std::string& problem() const { return problem_; }

  // Equal for states that behave alike.
  std::string key() {
    std::string key;
    const auto add = [&key](auto number) {
      key += std::to_string(static_cast<long>(number)) + ' ';
    };
    const auto number_of = [this](const SessionRunner* wanted) {
      long number = 1;
      for (const ModelRunner& runner : runners_) {
        if (as_runner(runner) == wanted) return number;
        ++number;
      }
      return 0L;
    };
    for (std::size_t i = 0; i < kActors; ++i) {
      add(steps_.at(i));
      add(is_waiting_.at(i));
      add(number_of(used_.at(i).get()));
      add(flags_.at(i).has_value());
    }
    for (const ModelRunner& runner : runners_) {
      add(runner.phase);
      add(runner.status);
    }
    for (const Post& post : posted_) {
      add(post.actor ? index_of(*post.actor) : kActors);
      add(post.status.value_or(SessionStatus::kFailed));
      add(post.is_stored);
    }
    add(late_.has_value());
    add(is_refusing_);
    if (const SessionEntry* const entry = registry_.find(kId)) {
      add(entry->state->status);
      add(entry->unstored ? entry->unstored->status : SessionStatus::kFailed);
      add(number_of(entry->runner.get()));
      add(entry->is_claimed);
      add(entry->is_being_created);
    }
    return key;
  }

 private:
  using RunnerPtr = std::shared_ptr<SessionRunner>;
  using Phase = ModelRunner::Phase;

  // To the owner shard: a state, or the continuation of an actor.
  struct Post {
    std::optional<SessionStatus> status;
    std::optional<Actor> actor;
    bool is_stored = true;  // the state
  };

  static std::size_t index_of(Actor actor) { return static_cast<std::size_t>(actor); }

  bool is_there(Actor actor) const { return steps_.at(index_of(actor)) >= 0; }

  static SessionState state_with(SessionStatus status) {
    SessionState state;
    state.session_id = kId;
    state.status = status;
    state.is_live = status == SessionStatus::kRunning;
    return state;
  }

  // An identity for the registry, which never uses its runners.
  static SessionRunner* as_runner(const ModelRunner& runner) {
    return reinterpret_cast<SessionRunner*>(const_cast<ModelRunner*>(&runner));
  }

  static ModelRunner& model_of(const RunnerPtr& runner) {
    return *reinterpret_cast<ModelRunner*>(runner.get());
  }

  // As SessionRunners::add_runner().
  void add_runner(SessionEntry& entry) {
    if (has_ended_) problem_ = "a session that has ended gets a runner";
    ModelRunner& runner = runners_.emplace_back();
    entry.shard = 0;
    entry.runner = RunnerPtr(std::make_shared<int>(), as_runner(runner));
  }

  // As SessionRunners::open().
  RunnerPtr open(SessionEntry& entry) {
    const bool is_stopping = is_refusing_ && mistake_ != OwnershipMistake::kRunnerWhenStopping;
    const auto source = find_runner_source(entry, is_stopping);
    if (!source) return nullptr;
    if (*source == RunnerSource::kNew || mistake_ == OwnershipMistake::kTwoRunners)
      add_runner(entry);
    return entry.runner;
  }

  std::size_t count_running() const {
    std::size_t count = 0;
    for (const ModelRunner& runner : runners_)
      count += runner.phase != Phase::kStopped ? 1 : 0;
    return count;
  }

  const ModelRunner* working_runner() const {
    for (const ModelRunner& runner : runners_)
      if (runner.phase == Phase::kOpen && runner.status == SessionStatus::kRunning) return &runner;
    return nullptr;
  }

  // Requests to a session follow its creation.
  bool must_wait(Actor actor) const {
    const bool needs_session = actor != Actor::kCreate && actor != Actor::kStop;
    return needs_session && steps_.at(index_of(actor)) == 0 && steps_.at(0) == 0;
  }

  void set_state(ModelRunner& runner, SessionStatus status) {
    runner.status = status;
    post({.status = status, .actor = {}, .is_stored = false});
    post({.status = status, .actor = {}});
  }

  void post(Post post) {
    const bool is_late = mistake_ == OwnershipMistake::kLateState && post.is_stored &&
                         post.status == SessionStatus::kCompleted;
    if (is_late) late_ = post;
    if (!is_late) posted_.push_back(post);
  }

  void finish_task() {
    set_state(const_cast<ModelRunner&>(*working_runner()), SessionStatus::kIdle);
  }

  void deliver() {
    const Post next = posted_.front();
    posted_.pop_front();
    if (next.actor) is_waiting_.at(index_of(*next.actor)) = false;
    if (next.status) note(*next.status, next.is_stored);
  }

  // As SessionRunners::note_change() and note_stored().
  void note(SessionStatus status, bool is_stored) {
    SessionEntry* const entry = registry_.find(kId);
    if (entry == nullptr) return;
    if (!is_stored && entry->runner)
      entry->unstored = std::make_shared<const SessionState>(state_with(status));
    if (!is_stored) return;
    const bool is_newest = entry->unstored && entry->unstored->status == status;
    registry_.update(is_newest ? entry->unstored
                               : std::make_shared<const SessionState>(state_with(status)));
  }

  // On the session's shard; the actor goes on at its owner.
  void go_on_at_owner(Actor actor) {
    is_waiting_.at(index_of(actor)) = true;
    post({.status = {}, .actor = actor});
  }

  void step(Actor actor) {
    int& step = steps_.at(index_of(actor));
    const int now = step++;
    bool has_more = false;
    switch (actor) {
      case Actor::kCreate:
        has_more = create(now);
        break;
      case Actor::kMessage:
      case Actor::kAnotherMessage:
        has_more = message(actor, now);
        break;
      case Actor::kCancel:
        has_more = cancel(now);
        break;
      case Actor::kEnd:
      case Actor::kAnotherEnd:
        has_more = end(actor, now);
        break;
      case Actor::kEvict:
        has_more = evict(now);
        break;
      case Actor::kStop:
        has_more = stop_all(now);
        break;
    }
    if (has_more) return;
    step = -1;
    used_.at(index_of(actor)).reset();
    flags_.at(index_of(actor)).reset();
  }

  // The steps return false after the last one.

  bool create(int now) {
    auto& flag = flags_.at(index_of(Actor::kCreate));
    if (now == 0) {
      if (is_refusing_) return false;
      registry_.add(state_with(SessionStatus::kIdle));
      flag.emplace(registry_, kId, &SessionEntry::is_being_created);
      return true;  // waits for the workspace
    }
    if (now == 1) {
      if (is_refusing_) {
        registry_.remove(kId);
        return false;
      }
      add_runner(*registry_.find(kId));
      go_on_at_owner(Actor::kCreate);
      return true;
    }
    return false;
  }

  bool message(Actor actor, int now) {
    RunnerPtr& runner = used_.at(index_of(actor));
    if (now == 0) {
      SessionEntry* const entry = registry_.find(kId);
      if (entry == nullptr) return false;
      if (becomes_active(*entry, is_refusing_))
        flags_.at(index_of(actor)).emplace(registry_, kId, &SessionEntry::is_claimed);
      runner = open(*entry);
      return runner != nullptr;
    }
    if (now == 1) {
      if (model_of(runner).phase == Phase::kOpen)
        set_state(model_of(runner), SessionStatus::kRunning);
      go_on_at_owner(actor);
      return true;
    }
    return false;
  }

  bool cancel(int now) {
    RunnerPtr& runner = used_.at(index_of(Actor::kCancel));
    if (now == 0) {
      SessionEntry* const entry = registry_.find(kId);
      if (entry != nullptr) runner = open(*entry);
      return runner != nullptr;
    }
    const bool has_task = now == 1 && &model_of(runner) == working_runner();
    if (has_task) set_state(model_of(runner), SessionStatus::kIdle);
    return false;
  }

  bool end(Actor actor, int now) {
    RunnerPtr& runner = used_.at(index_of(actor));
    if (now == 0) {
      SessionEntry* const entry = registry_.find(kId);
      if (entry == nullptr) return false;
      if (entry->state->status == SessionStatus::kCompleted && !entry->runner) return false;
      runner = open(*entry);
      return runner != nullptr;
    }
    if (now == 1) {
      ModelRunner& model = model_of(runner);
      if (model.phase == Phase::kStopped) return false;
      if (model.phase == Phase::kOpen) {
        model.phase = Phase::kEnded;
        has_ended_ = true;
        set_state(model, SessionStatus::kCompleted);
      }
      go_on_at_owner(actor);
      return true;
    }
    if (now == 2) {
      model_of(runner).phase = Phase::kStopped;
      go_on_at_owner(actor);
      return true;
    }
    if (SessionEntry* const ended = registry_.find(kId)) ended->close();
    if (late_) posted_.push_back(*std::exchange(late_, std::nullopt));
    return false;
  }

  bool evict(int now) {
    RunnerPtr& runner = used_.at(index_of(Actor::kEvict));
    if (now == 0) {
      const auto evicted = registry_.evict_oldest();
      if (evicted) runner = evicted->runner;
      return runner != nullptr && mistake_ != OwnershipMistake::kEvictWithoutStop;
    }
    model_of(runner).phase = Phase::kStopped;
    return false;
  }

  bool stop_all(int now) {
    RunnerPtr& runner = used_.at(index_of(Actor::kStop));
    if (now == 0) {
      is_refusing_ = true;
      return true;
    }
    if (now == 1) {
      const SessionEntry* const entry = registry_.find(kId);
      if (entry != nullptr) runner = entry->runner;
      return true;
    }
    if (now == 2) {
      if (runner) model_of(runner).phase = Phase::kStopped;
      go_on_at_owner(Actor::kStop);
      return true;
    }
    if (SessionEntry* const entry = registry_.find(kId)) entry->close();
    is_stopped_ = true;
    return false;
  }

  OwnershipMistake mistake_;
  SessionRegistry registry_;
  std::list<ModelRunner> runners_;                                  // also those that have stopped
  std::array<int, kActors> steps_{-1, -1, -1, -1, -1, -1, -1, -1};  // the next; -1: none
  std::array<bool, kActors> is_waiting_{};                          // for a post
  std::array<RunnerPtr, kActors> used_;
  std::array<std::optional<EntryFlag>, kActors> flags_;
  std::deque<Post> posted_;
  std::optional<Post> late_;
  bool is_refusing_ = false;
  bool is_stopped_ = false;
  bool has_ended_ = false;
  std::string problem_;
};

using OwnershipPath = std::vector<std::size_t>;

struct OwnershipExploration {
  std::size_t states = 0;
  std::string problem;  // the first; empty: none
};

// Flags refer to their registry, so a state is not copied: each is reached again by its path.
OwnershipExploration explore_ownership(const OwnershipOptions& options) {
  std::deque<OwnershipPath> open{{}};
  std::set<std::string> known;
  while (!open.empty()) {
    const OwnershipPath path = std::move(open.back());
    open.pop_back();
    OwnershipModel model(options);
    for (const std::size_t action : path)
      model.perform(action);
    if (!known.insert(model.key()).second) continue;
    bool is_final = true;
    for (std::size_t action = 0; action < OwnershipModel::kActions; ++action) {
      if (!model.can(action)) continue;
      is_final = false;
      open.push_back(path);
      open.back().push_back(action);
    }
    if (is_final) model.expect_all_owned();
    if (!model.problem().empty()) return {.states = known.size(), .problem = model.problem()};
  }
  return {.states = known.size(), .problem = {}};
}

OwnershipOptions all_of(std::vector<Actor> actors, OwnershipMistake mistake) {
  return {.actors = std::move(actors), .mistake = mistake};
}

TEST(SessionOwnership, EveryInterleavingHasOneRunnerAndStopsIt) {
  const std::vector<std::vector<Actor>> cases = {
      {Actor::kMessage, Actor::kAnotherMessage, Actor::kEnd, Actor::kEvict, Actor::kStop},
      {Actor::kMessage, Actor::kCancel, Actor::kEnd, Actor::kAnotherEnd, Actor::kEvict},
      {Actor::kCreate, Actor::kMessage, Actor::kEnd, Actor::kEvict, Actor::kStop},
  };
  for (const std::vector<Actor>& actors : cases) {
    const OwnershipExploration found = explore_ownership(all_of(actors, OwnershipMistake::kNone));
    EXPECT_EQ(found.problem, "");
    EXPECT_GT(found.states, 500U);
  }
}

TEST(SessionOwnership, ASecondRunnerIsFound) {
  EXPECT_EQ(explore_ownership(
                all_of({Actor::kMessage, Actor::kAnotherMessage}, OwnershipMistake::kTwoRunners))
                .problem,
            "a session has two runners");
}

TEST(SessionOwnership, ARunnerThatBeginsDuringTheShutdownIsFound) {
  EXPECT_EQ(explore_ownership(
                all_of({Actor::kMessage, Actor::kStop}, OwnershipMistake::kRunnerWhenStopping))
                .problem,
            "a runner is left after the shutdown");
}

TEST(SessionOwnership, AnEvictionThatStopsNothingIsFound) {
  EXPECT_EQ(explore_ownership(
                all_of({Actor::kCancel, Actor::kEvict}, OwnershipMistake::kEvictWithoutStop))
                .problem,
            "a runner without an entry is not stopped");
}

TEST(SessionOwnership, AnEndThatTheRegistryLearnsTooLateIsFound) {
  EXPECT_EQ(explore_ownership(all_of({Actor::kMessage, Actor::kEnd}, OwnershipMistake::kLateState))
                .problem,
            "a session that has ended gets a runner");
}

}  // namespace
}  // namespace oriel
