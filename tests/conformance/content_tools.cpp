#include "fixture.h"
#include "fixture_parts.h"

namespace oriel {
namespace {

boost::json::object with_content(std::string_view blocks) {
  return json_object(R"({"content":)" + std::string(blocks) + "}");
}

std::string media_block(std::string_view type, std::string_view data, std::string_view mime_type) {
  return R"({"type":")" + std::string(type) + R"(","data":")" + std::string(data) +
         R"(","mimeType":")" + std::string(mime_type) + R"("})";
}

constexpr std::string_view kEmbedded = R"([{"type":"resource","resource":{
  "uri":"test://embedded-resource","mimeType":"text/plain","text":"This is an embedded resource."}}])";

constexpr std::string_view kMixedResource = R"({"type":"resource","resource":{
  "uri":"test://mixed-content-resource","mimeType":"application/json",
  "text":"{\"test\":\"data\",\"value\":123}"}})";

// Every keyword must reach the client as it stands here.
constexpr std::string_view kSchema2020 = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {"address": {"$anchor": "addressDef", "type": "object",
    "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
  "properties": {
    "name": {"type": "string"},
    "address": {"$ref": "#/$defs/address"},
    "contactMethod": {"type": "string", "enum": ["phone", "email"]},
    "phone": {"type": "string"},
    "email": {"type": "string"}},
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]},
  "else": {"required": ["email"]},
  "additionalProperties": false})";

asio::awaitable<mcp::RpcResult> tell_region(mcp::Call& call) {
  co_return mcp::text_result("Region: " + text_argument(call, "region"));
}

asio::awaitable<mcp::RpcResult> need_sampling(mcp::Call& call) {
  if (call.client_can("sampling")) co_return mcp::text_result("The client can sample.");
  co_return mcp::RpcError{mcp::kMissingCapability, "this tool needs a client that can sample",
                          json_object(R"({"requiredCapabilities":{"sampling":{}}})")};
}

}  // namespace

// The first listed tool is the one that the suite's header scenarios call, with no arguments.
void add_content_tools(mcp::Catalog& catalog) {
  const std::string image = media_block("image", kPixelPng, "image/png");
  const std::string audio = media_block("audio", kSilentWav, "audio/wav");
  const std::string mixed = R"([{"type":"text","text":"Multiple content types test:"},)" + image +
                            "," + std::string(kMixedResource) + "]";
  auto& tools = catalog.tools;
  tools.push_back(
      make_tool("test_simple_text", "Answers with text",
                always(mcp::text_result("This is a simple text response for testing."))));
  tools.push_back(make_tool("test_image_content", "Answers with an image",
                            always(with_content("[" + image + "]"))));
  tools.push_back(make_tool("test_audio_content", "Answers with audio",
                            always(with_content("[" + audio + "]"))));
  tools.push_back(make_tool("test_embedded_resource", "Answers with an embedded resource",
                            always(with_content(kEmbedded))));
  tools.push_back(make_tool("test_multiple_content_types", "Answers with several kinds of content",
                            always(with_content(mixed))));
  tools.push_back(make_tool("test_error_handling", "Fails for the model to read",
                            always(mcp::tool_error("This tool intentionally returns an error"))));
  tools.push_back(make_tool("test_x_mcp_header", "Has an argument that a header repeats",
                            tell_region,
                            R"({"region":{"type":"string","x-mcp-header":"Region"}})"));
  tools.push_back(
      make_tool("test_missing_capability", "Needs a client that can sample", need_sampling));
  tools.push_back(make_tool("json_schema_2020_12_tool", "Has a schema with many keywords",
                            always(mcp::text_result("ok"))));
  tools.back().input_schema = json_object(kSchema2020);
}

}  // namespace oriel
