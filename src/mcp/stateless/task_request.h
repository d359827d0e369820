#pragma once
// Requests about a task, as servers that share an archive send them to the one that runs it. Pure.

#include "base/principal.h"
#include "mcp/rpc.h"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace oriel::mcp {

struct TaskRequest {
  std::string method;  // "tasks/get", "tasks/update" or "tasks/cancel"
  std::string task_id;
  boost::json::object params;
  Principal principal;
};

std::string to_text(const TaskRequest& request);
std::optional<TaskRequest> parse_task_request(std::string_view text);

std::string to_text(const RpcResult& result);

// Text that to_text() does not write is an error, too.
RpcResult parse_result(std::string_view text);

}  // namespace oriel::mcp
