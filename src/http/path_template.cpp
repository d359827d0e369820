#include "http/path_template.h"

namespace oriel::http {
namespace {

// Removes and returns the segment before the next slash; none after the last one.
std::optional<std::string_view> take_segment(std::optional<std::string_view>& text) {
  if (!text) return std::nullopt;
  const std::size_t end = text->find('/');
  const std::string_view segment = text->substr(0, end);
  if (end == std::string_view::npos)
    text = std::nullopt;
  else
    text->remove_prefix(end + 1);
  return segment;
}

}  // namespace

std::string_view parameter_name(std::string_view segment) {
  if (segment.size() < 3 || segment.front() != '{' || segment.back() != '}') return {};
  return segment.substr(1, segment.size() - 2);
}

std::optional<PathParams> match_template(std::string_view path_template, std::string_view path) {
  // Rejects most routes of a request without splitting the path.
  if (!path.starts_with(path_template.substr(0, path_template.find('{')))) return std::nullopt;
  PathParams params;
  std::optional<std::string_view> wanted_rest = path_template;
  std::optional<std::string_view> given_rest = path;
  while (wanted_rest || given_rest) {
    const auto wanted = take_segment(wanted_rest);
    const auto given = take_segment(given_rest);
    if (!wanted || !given) return std::nullopt;
    const std::string_view name = parameter_name(*wanted);
    if (name.empty() ? *given != *wanted : given->empty()) return std::nullopt;
    if (!name.empty()) params.emplace_back(name, *given);
  }
  return params;
}

}  // namespace oriel::http
