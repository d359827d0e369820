#pragma once
// JSON Schemas (2020-12) for the arguments and results of Oriel's MCP tools.

#include <boost/json/object.hpp>

#include <cstdint>
#include <initializer_list>
#include <string_view>

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
Schema or_null(Schema schema);  // an anyOf: some clients cannot show a type that is a list
Schema object_schema(std::initializer_list<Property> properties,
                     std::initializer_list<std::string_view> required);

// The whole schema of a tool's arguments, without additional properties, or of its result.
Schema input_schema(std::initializer_list<Property> properties,
                    std::initializer_list<std::string_view> required = {});
Schema output_schema(Schema object);

Schema event_schema();
Schema session_schema();
Schema session_row_schema();  // a session, or its most important fields
Schema permission_schema();

}  // namespace oriel
