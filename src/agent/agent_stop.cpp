// Stopping an agent.

#include "agent/agent.h"
#include "agent/sandbox/container.h"
#include "base/log.h"
#include "posix/process_tree.h"
#include "runtime/deadline.h"

#include <csignal>

namespace oriel {

asio::awaitable<void> Agent::stop() {
  if (!is_stopping_) {
    is_stopping_ = true;
    stop_.spawn("agent stop", escalate());  // runs to its end even if the caller is cancelled
  }
  co_await stop_.joined();
}

asio::awaitable<void> Agent::escalate() {
  if (child_) {
    if (!exit_) co_await end_gently();
    if (launch_->removal) co_await remove_container(*launch_->removal, limits_.removal_grace);
    co_await end_by_force();
  }
  changed_.notify();
  while (is_taken_)
    co_await changed_.wait();
}

asio::awaitable<void> Agent::end_gently() {
  apply(adapter_->close());
  writer_->finish();
  const bool is_gone = co_await happens_within(&Agent::has_exited, limits_.close_grace);
  if (is_gone) co_return;
  ask_to_end();
  co_await happens_within(&Agent::has_exited, limits_.term_grace);
}

asio::awaitable<void> Agent::end_by_force() {
  child_->signal_group(SIGKILL);
  const Strays strays = launch_->removal ? Strays::kSpare : Strays::kEnd;
  const auto left = co_await end_family(child_->pid(), id_, strays, limits_.kill_grace);
  for (const ProcessInfo& process : left)
    log()->error("agent {}: process {} does not end", spec_.name, process.pid);
  co_await happens_within(&Agent::is_over, limits_.kill_grace);
  tasks_.cancel();
  co_await tasks_.joined();
  if (exit_) {
    child_->reap();
  } else {
    child_->abandon();
    exit_ = ExitStatus{.signal = SIGKILL};
  }
  open_sources_ = 0;
}

void Agent::give_up(std::string cause, std::chrono::milliseconds grace) {
  if (exit_ || is_stopping_ || is_giving_up_) return;
  is_giving_up_ = true;
  tasks_.spawn("agent end", end_after(grace, std::move(cause)));
}

asio::awaitable<void> Agent::end_after(std::chrono::milliseconds grace, std::string cause) {
  const bool was_ending = co_await happens_within(&Agent::has_exited, grace);
  if (was_ending) co_return;
  cause_ = std::move(cause);
  ask_to_end();
  const bool is_gone = co_await happens_within(&Agent::has_exited, limits_.term_grace);
  if (!is_gone) child_->signal_group(SIGKILL);
}

void Agent::ask_to_end() {
  if (launch_->is_wrapped) {
    signal_descendants(child_->pid(), SIGTERM);
  } else {
    child_->signal_group(SIGTERM);
  }
}

asio::awaitable<void> Agent::wait_for(Check check) {
  while (!(this->*check)())
    co_await changed_.wait();
}

asio::awaitable<bool> Agent::happens_within(Check check, std::chrono::milliseconds limit) {
  try {
    auto happening = wait_for(check);
    co_await with_deadline(limit, std::move(happening));
  } catch (const TimedOut&) {
  }
  co_return (this->*check)();
}

}  // namespace oriel
