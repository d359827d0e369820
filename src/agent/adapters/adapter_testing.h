#pragma once
// For tests of adapters: short forms of the results of steps.

#include "agent/adapters/adapter.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <string>
#include <vector>

namespace oriel {

namespace json = boost::json;

// Each line as JSON, so that the order of members does not matter.
inline std::vector<json::value> sent(const AgentStep& step) {
  std::vector<json::value> lines;
  for (const std::string& line : step.lines)
    lines.push_back(json::parse(line));
  return lines;
}

// The events of one kind.
template <class Event>
std::vector<Event> of(const AgentStep& step) {
  std::vector<Event> found;
  for (const AgentEvent& event : step.events)
    if (const Event* match = std::get_if<Event>(&event)) found.push_back(*match);
  return found;
}

// Receives several lines and joins their steps.
inline AgentStep receive(Adapter& adapter, const std::vector<std::string>& lines) {
  AgentStep all;
  for (const std::string& line : lines) {
    AgentStep step = adapter.receive(line);
    all.lines.insert(all.lines.end(), step.lines.begin(), step.lines.end());
    all.events.insert(all.events.end(), step.events.begin(), step.events.end());
    all.wait_for_quiet = step.wait_for_quiet;
    all.is_noise |= step.is_noise;
  }
  return all;
}

}  // namespace oriel
