#include "fixture.h"
#include "fixture_parts.h"

#include <boost/json/serialize.hpp>

namespace oriel {
namespace {

// A ReadResourceResult of one part; `key` is "text" or "blob".
boost::json::object one_part(std::string_view uri, std::string_view mime_type, std::string_view key,
                             std::string_view content) {
  boost::json::object part;
  part["uri"] = uri;
  part["mimeType"] = mime_type;
  part[key] = content;
  boost::json::object result;
  result["contents"].emplace_array().push_back(std::move(part));
  return result;
}

asio::awaitable<mcp::RpcResult> read_template(mcp::Call& call) {
  const std::string id = call.uri_part("id");
  boost::json::object data;
  data["id"] = id;
  data["templateTest"] = true;
  data["data"] = "Data for ID: " + id;
  co_return one_part("test://template/" + id + "/data", "application/json", "text",
                     boost::json::serialize(data));
}

mcp::Resource make_resource(std::string uri, std::string name, std::string description,
                            std::string mime_type, mcp::Handler handler) {
  mcp::Resource resource;
  resource.uri = std::move(uri);
  resource.name = std::move(name);
  resource.description = std::move(description);
  resource.mime_type = std::move(mime_type);
  resource.handler = std::move(handler);
  return resource;
}

mcp::Handler text(std::string_view uri, std::string_view content) {
  return always(one_part(uri, "text/plain", "text", content));
}

}  // namespace

void add_resources(mcp::Catalog& catalog) {
  auto& resources = catalog.resources;
  resources.push_back(make_resource(
      "test://static-text", "Static text", "A text that never changes", "text/plain",
      text("test://static-text", "This is the content of the static text resource.")));
  resources.push_back(make_resource(
      "test://static-binary", "Static image", "An image that never changes", "image/png",
      always(one_part("test://static-binary", "image/png", "blob", kPixelPng))));
  resources.push_back(make_resource("test://watched-resource", "Watched text",
                                    "A text that may be subscribed to", "text/plain",
                                    text("test://watched-resource", "Watched resource content")));
  catalog.templates.push_back(make_resource("test://template/{id}/data", "Data by id",
                                            "Data that its URI names", "application/json",
                                            read_template));
}

}  // namespace oriel
