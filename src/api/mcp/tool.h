#pragma once
// What Oriel's MCP tools have in common: JSON Schemas (2020-12), arguments, and errors that tell a
// model what to do next.

#include "api/object_reader.h"
#include "mcp/call.h"
#include "mcp/catalog.h"

#include <boost/json/object.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace oriel {

using Schema = boost::json::object;

struct Property {
  std::string_view name;
  Schema schema;
};

Schema text_schema(std::string_view description);
Schema flag_schema(std::string_view description);
Schema number_schema(std::string_view description);
Schema number_schema(std::string_view description, std::int64_t min, std::int64_t max,
                     std::int64_t otherwise);
Schema choice_schema(std::string_view description, std::initializer_list<std::string_view> choices);
Schema list_schema(std::string_view description, Schema items);
Schema any_schema(std::string_view description);
Schema or_null(Schema schema);

// An object with these properties; those of `required` are always there.
Schema object_schema(std::initializer_list<Property> properties,
                     std::initializer_list<std::string_view> required);

// The whole schema of a tool's arguments or of its result; arguments take no other key.
Schema input_schema(std::initializer_list<Property> properties,
                    std::initializer_list<std::string_view> required = {});
Schema output_schema(Schema object);

// Of values that several tools share.
Schema event_schema();
Schema session_schema();
Schema permission_schema();

enum class Effect { kReads, kChanges, kDestroys };

// readOnlyHint, destructiveHint, idempotentHint, openWorldHint
boost::json::object annotations(std::string_view title, Effect effect, bool is_repeatable);

// The arguments of a call; a null is as good as nothing.
ObjectReader read_arguments(const mcp::Call& call, std::initializer_list<std::string_view> known);

// A refusal for the model, with what to do next in words of these tools; for programs its code,
// hint and data are in _meta["oriel/error"].
boost::json::object refuse(const Error& error, const boost::json::object& data = {});

// Refused: this token may only read.
Result<void> check_may_write(const mcp::Call& call);

// A result, or the refusal.
mcp::RpcResult to_result(Result<boost::json::object> content);

}  // namespace oriel
