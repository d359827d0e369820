#include "base/event/turn_list.h"

#include <boost/json/array.hpp>

#include <algorithm>
#include <iterator>
#include <map>

namespace oriel {
namespace {

WorkState state_after(const Turn& turn) {
  switch (turn.intent) {
    case TurnIntent::kCommand:
      return WorkState::kCommanded;
    case TurnIntent::kCompletion:
    case TurnIntent::kEndOfTask:
      return WorkState::kComplete;
    case TurnIntent::kQuestion:
      return is_open_question(turn) ? WorkState::kAwaitingInput : WorkState::kProcessing;
    case TurnIntent::kAnswer:
    case TurnIntent::kProgress:
      break;
  }
  return WorkState::kProcessing;
}

Task task_at(const Turn& turn) {
  Task task;
  task.task_id = turn.task_id;
  task.opened_at = turn.timestamp;
  return task;
}

}  // namespace

TurnPage page_of(std::vector<Turn> turns, const TurnPageQuery& query) {
  const auto place_of = [&](const TurnKey& key) {
    return std::partition_point(turns.begin(), turns.end(),
                                [&](const Turn& turn) { return turn.key() < key; });
  };
  auto first = turns.begin();
  auto last = turns.end();
  const auto limit = static_cast<std::ptrdiff_t>(query.limit);
  if (query.after) {
    first = place_of(*query.after);
    if (first != turns.end() && first->key() == *query.after) ++first;
    if (last - first > limit) last = first + limit;
  } else {
    if (query.before) last = place_of(*query.before);
    if (last - first > limit) first = last - limit;
  }
  TurnPage page;
  page.count = turns.size();
  page.has_earlier = first != turns.begin();
  page.has_later = last != turns.end();
  std::move(first, last, std::back_inserter(page.turns));
  return page;
}

std::vector<Task> tasks_of(const std::vector<Turn>& turns) {
  std::vector<Task> tasks;
  std::map<std::string, std::size_t> places;
  for (const Turn& turn : turns) {
    if (turn.task_id.empty()) continue;
    const auto [place, is_new] = places.emplace(turn.task_id, tasks.size());
    if (is_new) tasks.push_back(task_at(turn));
    Task& task = tasks[place->second];
    if (task.title.empty() && turn.intent == TurnIntent::kCommand) task.title = turn.text;
    task.state = state_after(turn);
    task.updated_at = turn.timestamp;
    ++task.turns;
  }
  return tasks;
}

boost::json::object to_json(const Task& task) {
  return {{"task_id", task.task_id},
          {"title", task.title},
          {"state", name_of(task.state)},
          {"opened_at", format_time(task.opened_at)},
          {"updated_at", format_time(task.updated_at)},
          {"turns", task.turns}};
}

boost::json::object to_json(const TurnPage& page) {
  boost::json::array turns;
  for (const Turn& turn : page.turns)
    turns.push_back(to_json(turn));
  return {{"turns", std::move(turns)},
          {"count", page.count},
          {"has_earlier", page.has_earlier},
          {"has_later", page.has_later}};
}

boost::json::object to_json(const std::vector<Task>& tasks, std::size_t limit) {
  boost::json::array last;
  for (std::size_t i = tasks.size() - std::min(tasks.size(), limit); i < tasks.size(); ++i)
    last.push_back(to_json(tasks[i]));
  return {{"tasks", std::move(last)}, {"count", tasks.size()}};
}

}  // namespace oriel
