#include "mcp/catalog.h"

#include "base/text/json_text.h"

namespace oriel::mcp {

namespace json = boost::json;

json::object text_result(std::string_view text) {
  return {{"content", json::array{json::object{{"type", "text"}, {"text", text}}}}};
}

json::object structured_result(json::object content) {
  json::object out = text_result(json_text(content));
  out["structuredContent"] = std::move(content);
  return out;
}

json::object tool_error(std::string_view text) {
  json::object out = text_result(text);
  out["isError"] = true;
  return out;
}

}  // namespace oriel::mcp
