#pragma once
// Arguments and JSON that the REST and MCP interfaces to sessions share.

#include "api/object_reader.h"
#include "supervisor/supervisor.h"

#include <boost/json/object.hpp>

namespace oriel {

// agent, project_id, workspace, title, permissions, message, request_id
NewSession read_new_session(ObjectReader& reader);

// Requires exactly one of decision, option_id and answers.
Decision read_decision(ObjectReader& reader, const std::string& by);

boost::json::object to_json(const AgentInfo& agent);

}  // namespace oriel
