#pragma once
// A session's turns as lists: a page of them, and the tasks that they belong to. Pure.

#include "base/event/turn.h"
#include "base/event/work_state.h"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <vector>

namespace oriel {

// Selects the first turns after a key, or the last before one; without a key, the last turns.
struct TurnPageQuery {
  std::optional<TurnKey> after;
  std::optional<TurnKey> before;  // not both
  std::size_t limit = 100;
};

struct TurnPage {
  std::vector<Turn> turns;  // in their order
  bool has_earlier = false;
  bool has_later = false;
  std::size_t count = 0;  // of all
};

// `turns` are in their order.
TurnPage page_of(std::vector<Turn> turns, const TurnPageQuery& query);

struct Task {
  std::string task_id;
  std::string title;  // its command
  WorkState state = WorkState::kCommanded;
  WallTime opened_at;
  WallTime updated_at;
  std::size_t turns = 0;
};

// In the order of their first turns.
std::vector<Task> tasks_of(const std::vector<Turn>& turns);

boost::json::object to_json(const Task& task);

// As every endpoint returns them: {"turns","count","has_earlier","has_later"}; the last `limit`
// tasks as
// {"tasks","count"}.
boost::json::object to_json(const TurnPage& page);
boost::json::object to_json(const std::vector<Task>& tasks, std::size_t limit);

}  // namespace oriel
