#include "mcp/methods.h"

#include "base/text/json_text.h"
#include "base/text/quote.h"
#include "mcp/uri_template.h"

#include <algorithm>
#include <array>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 8> kMethods = {
    "tools/list",     "tools/call",   "resources/list", "resources/templates/list",
    "resources/read", "prompts/list", "prompts/get",    "completion/complete"};

constexpr int kListTtl = 60'000;  // lists are fixed while the server runs

void add_text(json::object& out, std::string_view key, const std::string& text) {
  if (!text.empty()) out[key] = text;
}

json::object to_json(const Tool& tool) {
  json::object out{{"name", tool.name}};
  add_text(out, "title", tool.title);
  out["description"] = tool.description;
  out["inputSchema"] = tool.input_schema;
  if (!tool.output_schema.empty()) out["outputSchema"] = tool.output_schema;
  if (!tool.annotations.empty()) out["annotations"] = tool.annotations;
  return out;
}

json::object to_json(const Resource& resource, std::string_view uri_key) {
  json::object out{{uri_key, resource.uri}, {"name", resource.name}};
  add_text(out, "title", resource.title);
  add_text(out, "description", resource.description);
  add_text(out, "mimeType", resource.mime_type);
  return out;
}

json::object to_json(const Prompt& prompt) {
  json::object out{{"name", prompt.name}};
  add_text(out, "title", prompt.title);
  add_text(out, "description", prompt.description);
  if (!prompt.arguments.empty()) out["arguments"] = prompt.arguments;
  return out;
}

// A required string parameter.
boost::system::result<std::string, RpcError> text_param(const Call& call, std::string_view key) {
  using Text = boost::system::result<std::string, RpcError>;
  const auto* const value = call.params().if_contains(key);
  if (value == nullptr || !value->is_string())
    return invalid_params("params." + std::string(key) + " is missing or not a string");
  return Text(boost::system::in_place_value, value->as_string());
}

template <class Item>
const Item* find_named(const std::vector<Item>& items, std::string_view name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

// Every list has one page, so no cursor is valid.
std::optional<RpcError> refuse_cursor(const Call& call) {
  if (!call.params().contains("cursor")) return std::nullopt;
  return invalid_params("invalid cursor; omit it, because the list has one page");
}

RpcError unknown_resource(const Call& call, const std::string& uri) {
  return {.code = call.is_stateless() ? kInvalidParams : kResourceNotFound,
          .message = "there is no resource " + quote(uri) +
                     "; call resources/list for available resources",
          .data = json::object{{"uri", uri}}};
}

}  // namespace

Methods::Methods(const Catalog& catalog) : catalog_(catalog) {
  json::array tools;
  json::array prompts;
  json::array templates;
  for (const Tool& tool : catalog.tools) {
    if (tool.is_listed) tools.push_back(to_json(tool));
  }
  for (const Prompt& prompt : catalog.prompts)
    prompts.push_back(to_json(prompt));
  for (const Resource& resource : catalog.templates)
    templates.push_back(to_json(resource, "uriTemplate"));
  for (const Resource& resource : catalog.resources)
    resources_.push_back(to_json(resource, "uri"));
  tools_ = {{"tools", std::move(tools)}};
  prompts_ = {{"prompts", std::move(prompts)}};
  templates_ = {{"resourceTemplates", std::move(templates)}};
}

bool Methods::knows(std::string_view method) const {
  if (method == "completion/complete") return static_cast<bool>(catalog_.complete);
  return std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end();
}

const Tool* Methods::tool(std::string_view name) const {
  return find_named(catalog_.tools, name);
}

asio::awaitable<RpcResult> Methods::run(Call& call) const {
  const std::string& method = call.method();
  if (method == "tools/call") return call_tool(call);
  if (method == "prompts/get") return get_prompt(call);
  if (method == "resources/read") return read_resource(call);
  if (method == "resources/list") return list_resources(call);
  if (method == "completion/complete") return catalog_.complete(call);
  constexpr auto kList = [](const Call& its_call,
                            const json::object& list) -> asio::awaitable<RpcResult> {
    if (auto refusal = refuse_cursor(its_call)) co_return *std::move(refusal);
    co_return list;
  };
  if (method == "tools/list") return kList(call, tools_);
  if (method == "prompts/list") return kList(call, prompts_);
  return kList(call, templates_);
}

asio::awaitable<RpcResult> Methods::call_tool(Call& call) const {
  const auto name = text_param(call, "name");
  if (!name) co_return name.error();
  if (const auto* const arguments = call.params().if_contains("arguments");
      arguments != nullptr && !arguments->is_object())
    co_return invalid_params("params.arguments is not an object");
  const Tool* const found = tool(*name);
  if (found == nullptr)
    co_return invalid_params("there is no tool " + quote(*name) +
                             "; call tools/list for available tools");
  auto handling = found->handler(call);
  co_return co_await std::move(handling);
}

asio::awaitable<RpcResult> Methods::get_prompt(Call& call) const {
  const auto name = text_param(call, "name");
  if (!name) co_return name.error();
  const Prompt* const found = find_named(catalog_.prompts, *name);
  if (found == nullptr)
    co_return invalid_params("there is no prompt " + quote(*name) +
                             "; call prompts/list for available prompts");
  auto handling = found->handler(call);
  co_return co_await std::move(handling);
}

asio::awaitable<RpcResult> Methods::list_resources(Call& call) const {
  if (auto refusal = refuse_cursor(call)) co_return *std::move(refusal);
  json::array all = resources_;
  if (catalog_.more_resources) {
    auto listing = catalog_.more_resources(call);
    RpcResult more = co_await std::move(listing);
    if (!more) co_return more.error();
    for (json::value& resource : more->at("resources").as_array())
      all.push_back(std::move(resource));
  }
  co_return json::object{{"resources", std::move(all)}};
}

asio::awaitable<RpcResult> Methods::read_resource(Call& call) const {
  const auto uri = text_param(call, "uri");
  if (!uri) co_return uri.error();
  for (const Resource& resource : catalog_.resources) {
    if (resource.uri != *uri) continue;
    auto reading = resource.handler(call);
    co_return co_await std::move(reading);
  }
  for (const Resource& resource : catalog_.templates) {
    auto parts = match_uri(resource.uri, *uri);
    if (!parts) continue;
    call.set_uri_parts(*std::move(parts));
    auto reading = resource.handler(call);
    RpcResult result = co_await std::move(reading);
    // The handler only sets the code; the message is the same for all resources.
    if (!result && result.error().code == kResourceNotFound) co_return unknown_resource(call, *uri);
    co_return result;
  }
  co_return unknown_resource(call, *uri);
}

json::object Methods::capabilities(bool is_stateless) const {
  json::object out{{"tools", {{"listChanged", true}}},
                   {"prompts", {{"listChanged", true}}},
                   {"resources", {{"subscribe", true}, {"listChanged", true}}},
                   {"logging", json::object()}};
  if (catalog_.complete) out["completions"] = json::object();
  const bool has_tasks =
      std::any_of(catalog_.tools.begin(), catalog_.tools.end(),
                  [](const Tool& tool) { return tool.tasks != TaskSupport::kForbidden; });
  if (is_stateless && has_tasks) {
    json::object extensions;
    extensions[kTasksExtension] = json::object();
    out["extensions"] = std::move(extensions);
  }
  return out;
}

json::object Methods::server_info() const {
  json::object out{{"name", catalog_.name}};
  add_text(out, "title", catalog_.title);
  out["version"] = catalog_.version;
  return out;
}

void stamp_stateless(json::object& result, std::string_view method,
                     const json::object& server_info) {
  if (!result.contains("resultType")) result["resultType"] = "complete";
  json::value& meta = result["_meta"];
  if (!meta.is_object()) meta = json::object();
  meta.as_object()["io.modelcontextprotocol/serverInfo"] = server_info;
  constexpr std::array<std::string_view, 4> kLasting = {"server/discover", "tools/list",
                                                        "prompts/list", "resources/templates/list"};
  const bool is_lasting = std::find(kLasting.begin(), kLasting.end(), method) != kLasting.end();
  if (!is_lasting && method != "resources/list" && method != "resources/read") return;
  result["ttlMs"] = is_lasting ? kListTtl : 0;
  result["cacheScope"] = is_lasting ? "public" : "private";
}

}  // namespace oriel::mcp
