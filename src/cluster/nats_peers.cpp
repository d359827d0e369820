#include "cluster/nats_peers.h"

#include "base/log.h"
#include "runtime/deadline.h"

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

constexpr std::string_view kHeartbeatSubjects = "oriel.hb.";
constexpr std::string_view kCallSubjects = "oriel.call.";
constexpr std::size_t kMaxHeartbeat = 16 << 10;  // bytes; a longer one is none
constexpr std::size_t kMaxPendingHeartbeatBytes = 4 << 20;
constexpr std::size_t kMaxPendingCallBytes = 64 << 20;
constexpr std::chrono::milliseconds kMaxCallDeadline{600'000};

std::string subject_of(std::string_view prefix, const std::string& node) {
  return std::string(prefix) + node;
}

Error unreachable_node(const std::string& node, const std::string& reason) {
  return {.kind = ErrorKind::kNodeUnreachable,
          .message = "the node " + node + " " + reason,
          .hint = "retry after a second"};
}

Error too_many_calls(const std::string& node) {
  return {.kind = ErrorKind::kTooManyRequests,
          .message = "too many calls are waiting for the node " + node,
          .hint = "retry after a second"};
}

Error call_too_large(std::size_t size) {
  return {.kind = ErrorKind::kBodyTooLarge,
          .message = "a call between nodes has " + std::to_string(size) + " bytes, allowed are " +
                     std::to_string(kMaxCallBytes),
          .hint = "send it to the node that runs the session"};
}

Error unknown_method(const std::string& node, const std::string& method) {
  return {.kind = ErrorKind::kOtherVersion,
          .message = "the node " + node + " does not know the call " + method,
          .hint = "have all nodes run the same version of Oriel"};
}

Error call_failed(const std::string& node) {
  return {.kind = ErrorKind::kInternalError,
          .message = "the node " + node + " failed to handle a call",
          .hint = "look at its log"};
}

Node to_node(const Heartbeat& heartbeat) {
  Node node = heartbeat.node;
  // Nothing is placed on a node that does not serve yet.
  if (!heartbeat.is_serving) node.load.is_draining = true;
  return node;
}

}  // namespace

NatsPeers::NatsPeers(NatsConnection& connection, NatsPeersOptions options)
    : connection_(connection),
      options_(std::move(options)),
      inbox_(NatsConnection::new_inbox()),
      table_({.name = options_.self.name,
              .life = options_.self.life,
              .node_timeout = options_.node_timeout}) {
  connection_.subscribe(subject_of(kHeartbeatSubjects, "*"),
                        gate_.guard([this](const NatsMessage& message) { heard(message); }),
                        kMaxPendingHeartbeatBytes);
  connection_.subscribe(inbox_ + ".*",
                        gate_.guard([this](NatsMessage message) { answered(std::move(message)); }),
                        kMaxPendingCallBytes);
  connection_.subscribe(subject_of(kCallSubjects, self()),
                        gate_.guard([this](NatsMessage message) { called(std::move(message)); }),
                        kMaxPendingCallBytes);
}

NatsPeers::~NatsPeers() = default;

void NatsPeers::start(asio::any_io_executor first_shard, Journal& journal,
                      std::function<OwnState()> state) {
  shard_ = std::move(first_shard);
  journal_ = &journal;
  state_ = std::move(state);
  tasks_ = std::make_unique<TaskGroup>(shard_);
  tasks_->spawn("heartbeats", run());
  const MutexLock lock(mutex_);
  is_running_ = true;
}

asio::awaitable<void> NatsPeers::stop() {
  {
    const MutexLock lock(mutex_);
    if (!is_running_) co_return;
    is_running_ = false;
  }
  tasks_->cancel();
  co_await tasks_->joined();
  Heartbeat last = heartbeat(state_());
  last.is_serving = false;
  last.is_leaving = true;
  auto publish = [this, text = to_json(last)] {
    connection_.publish(subject_of(kHeartbeatSubjects, self()), text);
  };
  co_await sender_.run(std::move(publish));
}

void NatsPeers::expect(const std::string& life) {
  const SteadyTime now = std::chrono::steady_clock::now();
  const MutexLock lock(mutex_);
  table_.expect(life, now);
}

std::vector<Heartbeat> NatsPeers::heartbeats() const {
  const MutexLock lock(mutex_);
  return table_.alive();
}

std::vector<Node> NatsPeers::alive() const {
  std::vector<Node> nodes;
  for (const Heartbeat& heartbeat : heartbeats())
    nodes.push_back(to_node(heartbeat));
  return nodes;
}

std::optional<Node> NatsPeers::find(const std::string& name) const {
  const MutexLock lock(mutex_);
  const auto found = table_.find(name);
  if (!found) return std::nullopt;
  return to_node(*found);
}

bool NatsPeers::has_twin(SteadyTime since) const {
  const MutexLock lock(mutex_);
  return table_.has_twin(since);
}

ChainState NatsPeers::chain() const {
  const MutexLock lock(mutex_);
  return table_.chain();
}

Heartbeat NatsPeers::own() const {
  const MutexLock lock(mutex_);
  return own_;
}

unsigned NatsPeers::entry_format() const {
  const MutexLock lock(mutex_);
  return table_.entry_format();
}

void NatsPeers::on_lost(std::function<void(Node)> listener) {
  lost_ = std::move(listener);
}

void NatsPeers::serve(std::string method, Handler handler) {
  handlers_.insert_or_assign(std::move(method), std::move(handler));
}

void NatsPeers::announce(NodeLoad load) {
  const MutexLock lock(mutex_);
  load_ = load;
}

asio::awaitable<void> NatsPeers::run() {
  asio::steady_timer timer(shard_);
  while (true) {
    const SteadyTime now = std::chrono::steady_clock::now();
    const OwnState state = state_();
    const Heartbeat own = heartbeat(state);
    if (now >= next_beat_) {
      next_beat_ = now + kHeartbeatEvery;
      beat(own);
    }
    std::vector<Node> lost;
    {
      const MutexLock lock(mutex_);
      is_serving_ = state.is_serving;
      own_ = own;
      lost = table_.tick(now, state.is_caught_up);
      table_.compare(own, [this](std::uint64_t place) { return journal_->chain_at(place); });
    }
    for (const Node& node : lost) {
      log()->warn("cluster: the node {} is lost (life {})", node.name, node.life);
      if (lost_) lost_(node);
    }
    timer.expires_after(kPeerTick);
    co_await timer.async_wait(asio::use_awaitable);
  }
}

Heartbeat NatsPeers::heartbeat(const OwnState& state) const {
  Heartbeat own;
  const Applied applied = journal_->applied();
  const ChainMark mark = journal_->mark();
  own.node = options_.self;
  own.node.place = applied.place;
  own.node.chain = applied.chain;
  own.log = applied.log;
  own.generation = applied.generation;
  own.mark_place = mark.place;
  own.mark_chain = mark.chain;
  own.refilled = state.refilled;
  own.is_serving = state.is_serving;
  const MutexLock lock(mutex_);
  own.node.load = load_;
  return own;
}

void NatsPeers::beat(const Heartbeat& own) {
  // The server does not read: the next heartbeat says more.
  if (is_beating_.exchange(true)) return;
  sender_.post([this, text = to_json(own)] {
    connection_.publish(subject_of(kHeartbeatSubjects, self()), text);
    is_beating_ = false;
  });
}

// On a thread of the library.
void NatsPeers::heard(const NatsMessage& message) {
  if (message.body.size() > kMaxHeartbeat) return;
  const auto heartbeat = parse_heartbeat(message.body);
  if (!heartbeat) return;
  if (message.subject != subject_of(kHeartbeatSubjects, heartbeat->node.name)) return;
  const SteadyTime now = std::chrono::steady_clock::now();
  const MutexLock lock(mutex_);
  table_.heard(*heartbeat, now);
}

asio::awaitable<Result<std::string>> NatsPeers::call(std::string node, std::string method,
                                                     std::string body,
                                                     std::chrono::milliseconds deadline) {
  if (body.size() > kMaxCallBytes) co_return call_too_large(body.size());
  if (!is_node_name(node)) co_return unreachable_node(node, "does not exist");
  const SteadyTime until = std::chrono::steady_clock::now() + deadline;
  const auto shard = co_await asio::this_coro::executor;
  auto call = std::make_shared<PendingCall>(shard, until);
  const auto number = begin(call);
  if (!number) co_return too_many_calls(node);
  const CallRequest request{.method = std::move(method),
                            .body = std::move(body),
                            .place = journal_->applied().place,
                            .deadline = deadline};
  auto unsent = [call] {
    asio::post(call->timer.get_executor(), [call] {
      call->is_unsent = true;
      call->timer.cancel();
    });
  };
  const bool is_queued = send(subject_of(kCallSubjects, node), to_message(request),
                              inbox_ + "." + *number, std::move(unsent));
  if (is_queued) co_await call->timer.async_wait(kNoThrow);
  {
    const MutexLock lock(mutex_);
    pending_.erase(*number);
  }
  if (!is_queued) co_return too_many_calls(node);
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none)
    throw boost::system::system_error(asio::error::operation_aborted);
  auto finished = finish(std::move(node), std::move(call), until);
  co_return co_await std::move(finished);
}

// None: too many wait.
std::optional<std::string> NatsPeers::begin(const std::shared_ptr<PendingCall>& call) {
  const MutexLock lock(mutex_);
  if (pending_.size() >= options_.max_calls) return std::nullopt;
  std::string number = std::to_string(++last_call_);
  pending_.emplace(number, call);
  return number;
}

asio::awaitable<Result<std::string>> NatsPeers::finish(std::string node,
                                                       std::shared_ptr<PendingCall> call,
                                                       SteadyTime until) {
  if (call->is_unsent) co_return unreachable_node(node, "cannot be reached: NATS has gone");
  if (!call->answer) co_return unreachable_node(node, "did not answer in time");
  if (call->answer->is_no_responders) co_return unreachable_node(node, "is not there");
  auto answer = parse_call_answer(call->answer->body);
  if (!answer) co_return unreachable_node(node, "answered with something else");
  // An error may tell of something that this node has not applied yet, too.
  const bool is_applied = co_await journal_->reached(answer->place, until);
  if (!is_applied) {
    co_return unreachable_node(
        node, "answered, but this node has not applied in time what the answer speaks of");
  }
  co_return std::move(answer->result);
}

// On a thread of the library.
void NatsPeers::answered(NatsMessage message) {
  const std::size_t dot = message.subject.rfind('.');
  std::shared_ptr<PendingCall> call;
  {
    const MutexLock lock(mutex_);
    const auto found = pending_.find(std::string_view(message.subject).substr(dot + 1));
    if (found == pending_.end()) return;  // too late
    call = found->second;
  }
  asio::post(call->timer.get_executor(), [call, message = std::move(message)]() mutable {
    if (call->answer) return;
    call->answer = std::move(message);
    call->timer.cancel();
  });
}

// On a thread of the library.
void NatsPeers::called(NatsMessage message) {
  if (message.reply.empty()) return;
  std::optional<Error> refusal;
  {
    const MutexLock lock(mutex_);
    if (!is_running_ || !is_serving_) {
      refusal = unreachable_node(self(), "is starting or stopping");
    } else if (handled_ >= options_.max_handled) {
      refusal = too_many_calls(self());
    } else {
      ++handled_;
    }
  }
  if (refusal) {
    answer(message.reply, *refusal, 0);
    return;
  }
  asio::post(shard_, [this, message = std::move(message)]() mutable {
    if (is_running()) {
      tasks_->spawn("call", handle(std::move(message)));
    } else {
      --handled_;
    }
  });
}

bool NatsPeers::is_running() const {
  const MutexLock lock(mutex_);
  return is_running_;
}

asio::awaitable<void> NatsPeers::handle(NatsMessage message) {
  const std::string reply = message.reply;
  auto work = result_of(std::move(message));
  auto settled = outcome_of(std::move(work));
  Outcome<Result<std::string>> outcome = co_await std::move(settled);
  --handled_;
  const std::uint64_t place = journal_->applied().place;
  if (outcome.result) {
    answer(reply, std::move(*outcome.result), place);
    co_return;
  }
  answer(reply, is_running() ? call_failed(self()) : unreachable_node(self(), "is stopping"),
         place);
  std::rethrow_exception(outcome.failure);
}

asio::awaitable<Result<std::string>> NatsPeers::result_of(NatsMessage message) {
  auto request = parse_call_request(message.body);
  if (!request) {
    co_return Error{.kind = ErrorKind::kInvalidRequest,
                    .message = "the node " + self() + " was called with something else",
                    .hint = {}};
  }
  const auto handler = handlers_.find(request->method);
  if (handler == handlers_.end()) co_return unknown_method(self(), request->method);
  const SteadyTime until =
      std::chrono::steady_clock::now() + std::min(request->deadline, kMaxCallDeadline);
  const bool is_applied = co_await journal_->reached(request->place, until);
  if (!is_applied) {
    co_return unreachable_node(self(), "has not applied in time what the caller knows");
  }
  auto work = handler->second(std::move(request->body));
  Result<std::string> result = co_await std::move(work);
  if (result && result->size() > kMaxCallBytes) co_return call_too_large(result->size());
  co_return result;
}

void NatsPeers::answer(const std::string& reply, Result<std::string> result, std::uint64_t place) {
  send(reply, to_message(CallAnswer{.result = std::move(result), .place = place}));
}

// False: too much waits to be sent. `failed` is called if there is no connection.
bool NatsPeers::send(std::string subject, std::string body, std::string reply,
                     std::function<void()> failed) {
  const std::size_t size = body.size();
  if (sending_.fetch_add(size) > options_.max_sending) {
    sending_ -= size;
    return false;
  }
  sender_.post([this, size, subject = std::move(subject), body = std::move(body),
                reply = std::move(reply), failed = std::move(failed)] {
    const bool is_sent = connection_.publish(subject, body, reply);
    sending_ -= size;
    if (!is_sent && failed) failed();
  });
  return true;
}

}  // namespace oriel
