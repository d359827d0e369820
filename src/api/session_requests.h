#pragma once
// Arguments and JSON that the REST and MCP interfaces to sessions share.

#include "api/object_reader.h"
#include "http/request.h"
#include "supervisor/supervisor.h"

#include <boost/json/object.hpp>

namespace oriel {

constexpr std::size_t kMaxTitleBytes = 1 << 10;

// agent, project_id, workspace, node, node_labels, title, permissions, message, request_id
NewSession read_new_session(ObjectReader& reader);

// title, is_pinned, is_archived, labels; requires at least one.
OrganizationChange read_organization(ObjectReader& reader);

// Requires exactly one of decision, option_id and answers.
Decision read_decision(ObjectReader& reader);

// Shows the command line only to principals that may write, because it may contain secrets.
boost::json::object to_json(const AgentInfo& agent, const Principal& reader);

}  // namespace oriel
