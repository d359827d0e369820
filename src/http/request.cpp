#include "http/request.h"

#include <algorithm>

namespace oriel {
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

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string_view stripped(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

}  // namespace oriel
