#include "cluster/heartbeat.h"

#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "base/text/text_hash.h"

#include <boost/json/value_from.hpp>

#include <algorithm>
#include <charconv>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxNodeName = 64;
constexpr std::string_view kNodeNameCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

// JSON numbers lose precision beyond 2^53.
std::optional<std::uint64_t> parse_hex(std::string_view text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [read, failure] = std::from_chars(text.data(), end, number, 16);
  if (failure != std::errc() || read != end || text.size() != 16) return std::nullopt;
  return number;
}

std::uint64_t count_at(const json::object& from, std::string_view key) {
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(number_of(member(from, key)).value_or(0), 0));
}

bool is_life_of(std::string_view life, std::string_view name) {
  return life.size() > name.size() + 1 && life.starts_with(name) && life[name.size()] == '.';
}

}  // namespace

std::string to_json(const Heartbeat& heartbeat) {
  const Node& node = heartbeat.node;
  json::object body;
  body["node"] = node.name;
  body["life"] = node.life;
  body["url"] = node.url;
  body["version"] = node.version;
  body["labels"] = json::value_from(node.labels);
  body["place"] = node.place;
  body["chain"] = hex(node.chain);
  body["draining"] = node.load.is_draining;
  body["sessions"] = node.load.sessions;
  body["max_sessions"] = node.load.max_sessions;
  body["entry_format"] = heartbeat.entry_format;
  body["log"] = heartbeat.log;
  body["generation"] = heartbeat.generation;
  body["mark_place"] = heartbeat.mark_place;
  body["mark_chain"] = hex(heartbeat.mark_chain);
  body["refilled"] = heartbeat.refilled;
  body["serving"] = heartbeat.is_serving;
  body["leaving"] = heartbeat.is_leaving;
  return json_text(body);
}

std::optional<Heartbeat> parse_heartbeat(std::string_view text) {
  const json::object body = parse_object(text);
  const auto chain = parse_hex(text_of(member(body, "chain")));
  const auto mark_chain = parse_hex(text_of(member(body, "mark_chain")));
  if (!chain || !mark_chain) return std::nullopt;
  Heartbeat heartbeat;
  Node& node = heartbeat.node;
  node.name = text_at(body, "node");
  node.life = text_at(body, "life");
  if (!is_node_name(node.name) || !is_life_of(node.life, node.name)) return std::nullopt;
  node.url = text_at(body, "url");
  node.version = text_at(body, "version");
  for (const json::value& label : elements_of(member(body, "labels")))
    node.labels.emplace_back(text_of(label));
  node.place = count_at(body, "place");
  node.chain = *chain;
  node.load = {.is_draining = is_true(member(body, "draining")),
               .sessions = count_at(body, "sessions"),
               .max_sessions = count_at(body, "max_sessions")};
  heartbeat.entry_format = static_cast<unsigned>(count_at(body, "entry_format"));
  heartbeat.log = text_at(body, "log");
  heartbeat.generation = count_at(body, "generation");
  heartbeat.mark_place = count_at(body, "mark_place");
  heartbeat.mark_chain = *mark_chain;
  heartbeat.refilled = count_at(body, "refilled");
  heartbeat.is_serving = is_true(member(body, "serving"));
  heartbeat.is_leaving = is_true(member(body, "leaving"));
  return heartbeat;
}

bool is_node_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxNodeName &&
         text.find_first_not_of(kNodeNameCharacters) == std::string_view::npos;
}

}  // namespace oriel
