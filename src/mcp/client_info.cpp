#include "mcp/client_info.h"

#include <boost/json/serialize.hpp>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

RpcError too_large(std::string_view what, std::size_t max_bytes) {
  return invalid_params(std::string(what) + " exceeds " + std::to_string(max_bytes) + " bytes");
}

}  // namespace

RpcResult read_client_info(const json::object& info) {
  json::object kept;
  for (const std::string_view key : {"name", "title", "version"}) {
    const json::value* const value = info.if_contains(key);
    if (value == nullptr || !value->is_string()) continue;
    if (value->get_string().size() > kMaxClientInfoBytes)
      return too_large("clientInfo." + std::string(key), kMaxClientInfoBytes);
    kept[key] = *value;
  }
  return kept;
}

RpcResult read_capabilities(const json::object& capabilities) {
  if (json::serialize(capabilities).size() > kMaxCapabilitiesBytes)
    return too_large("the list of capabilities", kMaxCapabilitiesBytes);
  return capabilities;
}

}  // namespace oriel::mcp
