#include "core/json_text.h"

#include <boost/json/serialize.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

namespace oriel {
namespace {

namespace json = boost::json;

void append(std::string& out, const json::value& value);

bool needs_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

// Most strings are written as they are: the library's serializer costs more to begin than these.
void append_string(std::string& out, json::string_view text) {
  if (std::any_of(text.begin(), text.end(), needs_escape)) {
    out += json::serialize(text);
    return;
  }
  out += '"';
  out.append(text.data(), text.size());
  out += '"';
}

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
    append_string(out, key);
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
    case json::kind::string:
      return append_string(out, value.get_string());
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
