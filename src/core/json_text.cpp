#include "core/json_text.h"

#include <boost/json/serialize.hpp>
#include <spdlog/fmt/fmt.h>

#include <cmath>

namespace oriel {
namespace {

namespace json = boost::json;

void append(std::string& out, const json::value& value);

void append_array(std::string& out, const json::array& array) {
  out += '[';
  const char* separator = "";
  for (const json::value& element : array) {
    out += separator;
    append(out, element);
    separator = ",";
  }
  out += ']';
}

void append_object(std::string& out, const json::object& object) {
  out += '{';
  const char* separator = "";
  for (const auto& [key, member] : object) {
    out += separator;
    out += json::serialize(key);
    out += ':';
    append(out, member);
    separator = ",";
  }
  out += '}';
}

// As deep as the parser allows a document to be, so the recursion is bounded.
void append(std::string& out, const json::value& value) {
  switch (value.kind()) {
    case json::kind::array:
      return append_array(out, value.get_array());
    case json::kind::object:
      return append_object(out, value.get_object());
    case json::kind::double_:
      // The parser takes 1e999 for infinity, which JSON has no word for.
      out += std::isfinite(value.get_double()) ? fmt::format("{}", value.get_double()) : "null";
      return;
    default:
      out += json::serialize(value);
  }
}

}  // namespace

std::string json_text(const boost::json::value& value) {
  std::string out;
  append(out, value);
  return out;
}

std::string json_text(const boost::json::object& object) {
  std::string out;
  append_object(out, object);
  return out;
}

}  // namespace oriel
