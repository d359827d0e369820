#include "prometheus_text.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace oriel {
namespace {

[[noreturn]] void refuse(const std::string& why, std::string_view line) {
  throw std::runtime_error(why + ": " + std::string(line));
}

// Takes what stands before the character, and the character.
std::string take_until(std::string_view& text, char end) {
  const std::size_t place = text.find(end);
  if (place == text.npos) refuse(std::string("no '") + end + "'", text);
  std::string taken(text.substr(0, place));
  text.remove_prefix(place + 1);
  return taken;
}

bool is_name(std::string_view text) {
  const auto may_stand = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == ':'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), may_stand);
}

void check_labels(std::string_view labels) {
  while (!labels.empty()) {
    if (!is_name(take_until(labels, '='))) refuse("not a label's name", labels);
    if (!take_until(labels, '"').empty()) refuse("not in quotes", labels);
    take_until(labels, '"');
    if (!labels.empty() && !take_until(labels, ',').empty()) refuse("no comma", labels);
  }
}

std::string family_of(const std::string& name, const Metrics& metrics) {
  if (metrics.contains(name)) return name;
  for (const std::string suffix : {"_bucket", "_sum", "_count"}) {
    if (!name.ends_with(suffix)) continue;
    const std::string family = name.substr(0, name.size() - suffix.size());
    const auto found = metrics.find(family);
    if (found != metrics.end() && found->second.type == "histogram") return family;
  }
  refuse("a sample without a type", name);
}

void take_sample(Metrics& metrics, std::string_view line) {
  std::string_view rest = line;
  const std::string name(rest.substr(0, rest.find_first_of("{ ")));
  if (!is_name(name)) refuse("not a name", line);
  rest.remove_prefix(name.size());
  std::string labels;
  if (rest.starts_with('{')) {
    labels = take_until(rest, '}') + "}";
    check_labels(std::string_view(labels).substr(1, labels.size() - 2));
  }
  if (!rest.starts_with(' ')) refuse("no value", line);
  const std::string value(rest.substr(1));
  std::size_t used = 0;
  const double number = std::stod(value, &used);
  if (used != value.size()) refuse("not a number", line);
  const std::string family = family_of(name, metrics);
  Metric& metric = metrics.at(family);
  if (metric.type.empty()) refuse("no TYPE before", line);
  const bool is_new = metric.samples.emplace(name.substr(family.size()) + labels, number).second;
  if (!is_new) refuse("twice", line);
}

void take_help(Metrics& metrics, std::string_view rest) {
  const std::string name = take_until(rest, ' ');
  if (!is_name(name) || rest.empty()) refuse("not a HELP", rest);
  if (!metrics.emplace(name, Metric{.type = "", .help = std::string(rest), .samples = {}}).second) {
    refuse("HELP twice", name);
  }
}

void take_type(Metrics& metrics, std::string_view rest) {
  const std::string name = take_until(rest, ' ');
  const auto found = metrics.find(name);
  if (found == metrics.end()) refuse("no HELP before the TYPE of", name);
  if (!found->second.type.empty()) refuse("TYPE twice", name);
  if (rest != "counter" && rest != "gauge" && rest != "histogram") refuse("not a type", rest);
  found->second.type = rest;
}

void take_line(Metrics& metrics, std::string_view line) {
  constexpr std::string_view kHelp = "# HELP ";
  constexpr std::string_view kType = "# TYPE ";
  if (line.starts_with(kHelp)) return take_help(metrics, line.substr(kHelp.size()));
  if (line.starts_with(kType)) return take_type(metrics, line.substr(kType.size()));
  take_sample(metrics, line);
}

}  // namespace

Metrics parse_prometheus(std::string_view text) {
  Metrics metrics;
  while (!text.empty())
    take_line(metrics, take_until(text, '\n'));
  return metrics;
}

}  // namespace oriel
