#include "runtime/task_group.h"

#include "base/log.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/system/system_error.hpp>

#include <cassert>

namespace oriel {
namespace {

void log_failure(const std::string& name, const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const boost::system::system_error& failure) {
    if (failure.code() == asio::error::operation_aborted) return;
    log()->error("{}: {}", name, failure.what());
  } catch (const std::exception& failure) {
    log()->error("{}: {}", name, failure.what());
  }
}

}  // namespace

TaskGroup::TaskGroup(asio::any_io_executor shard)
    : shard_(shard), empty_(shard, asio::steady_timer::time_point::max()) {}

TaskGroup::~TaskGroup() {
  assert(stops_.empty());
}

void TaskGroup::spawn(std::string name, asio::awaitable<void> task) {
  const auto stop = stops_.emplace(stops_.end());
  auto ended = [this, name = std::move(name), stop](const std::exception_ptr& error) {
    if (error) log_failure(name, error);
    stops_.erase(stop);
    if (stops_.empty()) empty_.cancel();
  };
  asio::co_spawn(shard_, std::move(task),
                 asio::bind_cancellation_slot(stop->slot(), std::move(ended)));
}

void TaskGroup::cancel() {
  for (auto& stop : stops_)
    stop.emit(asio::cancellation_type::terminal);
}

asio::awaitable<void> TaskGroup::joined() {
  while (!stops_.empty())
    co_await empty_.async_wait(kNoThrow);
}

}  // namespace oriel
