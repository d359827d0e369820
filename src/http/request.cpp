#include "http/request.h"

#include <algorithm>

namespace oriel::http {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs::const_iterator find_name(const Pairs& pairs, std::string_view name) {
  return std::find_if(pairs.begin(), pairs.end(),
                      [name](const auto& pair) { return pair.first == name; });
}

}  // namespace

std::optional<std::string_view> Request::header(std::string_view name) const {
  const auto found = find_name(headers, name);
  if (found == headers.end()) return std::nullopt;
  return found->second;
}

std::string_view Request::path_param(std::string_view name) const {
  const auto found = find_name(path_params, name);
  if (found == path_params.end()) return {};
  return found->second;
}

}  // namespace oriel::http
