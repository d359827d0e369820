#pragma once
// What Oriel's MCP tools share: annotations, arguments and errors.

#include "api/mcp/schema.h"
#include "api/object_reader.h"
#include "mcp/call.h"
#include "mcp/catalog.h"

#include <boost/json/object.hpp>

#include <initializer_list>
#include <string_view>

namespace oriel {

enum class Effect { kReads, kChanges, kDestroys };

// readOnlyHint, destructiveHint, idempotentHint, openWorldHint
boost::json::object annotations(std::string_view title, Effect effect, bool is_repeatable);

// The arguments of a call; null counts as absent.
ObjectReader read_arguments(const mcp::Call& call, std::initializer_list<std::string_view> known);

// A tool result with isError. Its text names the next tool to call for a model; programs find code,
// hint and data in _meta["oriel/error"].
boost::json::object error_result(const Error& error, const boost::json::object& data = {});

}  // namespace oriel
