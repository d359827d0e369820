#include "api/session_search.h"

#include "base/id.h"
#include "base/text/quote.h"

#include <spdlog/fmt/fmt.h>

#include <unordered_map>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

Error invalid_search(std::string message, std::string hint) {
  return {
      .kind = ErrorKind::kInvalidParameter, .message = std::move(message), .hint = std::move(hint)};
}

Result<std::vector<SearchKind>> parse_kinds(const std::vector<std::string>& names) {
  std::vector<SearchKind> kinds;
  for (const std::string& name : names) {
    const auto kind = parse_search_kind(name);
    if (!kind) {
      return invalid_search("types: " + quote(name) + " cannot be searched",
                            "choose from message, tool_call, tool_result, error, title");
    }
    kinds.push_back(*kind);
  }
  return kinds;
}

Result<std::optional<TurnActor>> parse_role(const std::string& name) {
  const auto actor = parse_turn_actor(name);
  if (!name.empty() && !actor)
    return invalid_search("role: " + quote(name) + " is not a role", "choose user or agent");
  return actor;
}

Result<std::optional<WallTime>> parse_moment(std::string_view key, const std::string& text) {
  const auto time = parse_time(text);
  if (!text.empty() && !time) {
    return invalid_search(std::string(key) + ": " + quote(text) + " is not a time in UTC",
                          "send it as 2026-11-19T21:00:00Z");
  }
  return time;
}

std::string encoded_part(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = is_name(std::string_view(&c, 1)) || c == '/';
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// The item of the page's conversation.
std::string item_of(const SearchEntry& entry) {
  if (!entry.turn_id.empty()) return entry.turn_id;
  if (!entry.tool_call_id.empty()) return "c/" + entry.tool_call_id;
  return entry.index < 0 ? "" : "n/" + std::to_string(entry.index);
}

void put_if_any(json::object& object, std::string_view key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

using Snapshots = std::unordered_map<std::string, SessionSnapshot>;

// Those that may be found.
Snapshots snapshots_of(std::vector<SessionSnapshot> visible, const std::string& session_id) {
  Snapshots sessions;
  for (SessionSnapshot& session : visible) {
    if (!session_id.empty() && session->session_id != session_id) continue;
    std::string id = session->session_id;
    sessions.emplace(std::move(id), std::move(session));
  }
  return sessions;
}

SearchedSessions searched(const Snapshots& sessions) {
  SearchedSessions result;
  for (const auto& [id, session] : sessions) {
    // The newest session has the lowest rank.
    result[id] = {.rank = -unix_milliseconds(session->updated_at),
                  .title = session->title,
                  .project_id = session->project_id};
  }
  return result;
}

}  // namespace

Result<SearchQuery> parse_search(const SearchRequest& request) {
  SearchQuery query;
  auto words = parse_search_words(request.q);
  if (!words) return words.error();
  auto kinds = parse_kinds(request.types);
  if (!kinds) return kinds.error();
  const auto actor = parse_role(request.role);
  if (!actor) return actor.error();
  const auto since = parse_moment("since", request.since);
  if (!since) return since.error();
  const auto until = parse_moment("until", request.until);
  if (!until) return until.error();
  if (!request.cursor.empty()) {
    auto cursor = parse_search_cursor(request.cursor);
    if (!cursor) return cursor.error();
    query.cursor = *std::move(cursor);
  }
  query.words = *std::move(words);
  query.kinds = *std::move(kinds);
  query.actor = *actor;
  query.since = *since;
  query.until = *until;
  query.limit = static_cast<std::size_t>(request.limit);
  return query;
}

std::string link_to(const SearchEntry& entry) {
  std::string link = "#/sessions/" + encoded_part(entry.session_id);
  const std::string item = item_of(entry);
  return item.empty() ? link : link + "?at=" + encoded_part(item);
}

json::object to_json(const SearchHit& hit, const SessionState& session) {
  const SearchEntry& entry = hit.entry;
  json::array ranges;
  for (const TextRange& range : hit.snippet.ranges)
    ranges.push_back(json::array{range.begin, range.end});
  json::object object{{"session_id", entry.session_id}, {"title", session.title},
                      {"agent", session.agent},         {"type", name_of(entry.kind)},
                      {"snippet", hit.snippet.text},    {"ranges", std::move(ranges)},
                      {"link", link_to(entry)}};
  put_if_any(object, "project_id", session.project_id);
  if (entry.kind == SearchKind::kTitle) {
    object["timestamp"] = format_time(session.updated_at);
    return object;
  }
  object["timestamp"] = format_time(entry.time);
  if (entry.actor) object["role"] = name_of(*entry.actor);
  if (entry.index >= 0) object["index"] = entry.index;
  if (entry.sequence != kNoSequence) object["sequence"] = entry.sequence;
  put_if_any(object, "task_id", entry.task_id);
  put_if_any(object, "turn_id", entry.turn_id);
  put_if_any(object, "tool_name", entry.tool_name);
  put_if_any(object, "tool_call_id", entry.tool_call_id);
  return object;
}

asio::awaitable<Result<SearchAnswer>> SessionSearch::search(Principal principal,
                                                            SearchRequest request) {
  auto query = parse_search(request);
  if (!query) co_return query.error();
  if (!request.session_id.empty()) {
    const auto session = co_await sessions_.find(principal, request.session_id);
    if (!session) co_return session.error();
  }
  SessionFilter filter;
  filter.project_id = request.project_id;
  filter.agent = request.agent;
  auto visible = co_await sessions_.list(std::move(principal), std::move(filter));
  const Snapshots sessions = snapshots_of(std::move(visible), request.session_id);
  query->sessions = std::make_shared<const SearchedSessions>(searched(sessions));
  auto results = co_await index_.search(*std::move(query));
  if (!results) co_return results.error();
  SearchAnswer answer{.results = *std::move(results), .sessions = {}};
  for (const SearchHit& hit : answer.results.hits)
    answer.sessions.push_back(sessions.at(hit.entry.session_id));
  co_return answer;
}

}  // namespace oriel
