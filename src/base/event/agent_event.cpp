#include "base/event/agent_event.h"

#include "base/enum_names.h"

namespace oriel {
namespace {

constexpr std::array<std::string_view, 3> kTaskEnds = {"completed", "cancelled", "error"};

}  // namespace

std::string_view name_of(TaskEnd end) {
  return name_in(kTaskEnds, end);
}

std::optional<TaskEnd> parse_task_end(std::string_view name) {
  return find_name<TaskEnd>(kTaskEnds, name);
}

}  // namespace oriel
