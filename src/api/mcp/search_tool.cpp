#include "api/mcp/search_tool.h"

#include "api/mcp/tool.h"
#include "base/text/json_text.h"
#include "base/text/printable.h"

#include <boost/json/array.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::int64_t kDefaultFound = 10;
constexpr std::size_t kMaxAnswerBytes = 4096;  // unless a limit was requested
constexpr std::size_t kMaxFoundTitle = 40;     // columns

Schema result_schema() {
  return object_schema(
      {{"session_id", text_schema("")},
       {"title", text_schema("Of the session.")},
       {"agent", text_schema("")},
       {"project_id", text_schema("")},
       {"type", choice_schema("What was found.",
                              {"message", "tool_call", "tool_result", "error", "title"})},
       {"role", choice_schema("Whose message it is.", {"user", "agent"})},
       {"tool_name", text_schema("")},
       {"index", number_schema("Of the event: session_events with since_index one below it reads "
                               "from there.")},
       {"task_id", text_schema("")},
       {"turn_id", text_schema("")},
       {"timestamp", text_schema("")},
       {"snippet", text_schema("The text around what was found.")}},
      {"session_id", "title", "agent", "type", "timestamp", "snippet"});
}

mcp::Tool search_tool() {
  return {
      .name = "session_search",
      .title = "Search all sessions",
      .description =
          "Finds words in all agent sessions: in messages of people and agents, tool calls and "
          "their results, errors, and titles. Use it to find out whether and where something was "
          "asked, done or decided before. All words must match; \"a phrase\" in quotes, prefix*. "
          "Newest first, at most 10 results and 4 KB unless limit asks for more.",
      .input_schema = input_schema(
          {
              {"q", text_schema("The words.")},
              {"project_id", text_schema("Only sessions of this project.")},
              {"agent", text_schema("Only sessions of this agent.")},
              {"session_id", text_schema("Only this session.")},
              {"types", list_schema("Only these types.",
                                    choice_schema("", {"message", "tool_call", "tool_result",
                                                       "error", "title"}))},
              {"role",
               choice_schema("Only messages of the user, or of the agent.", {"user", "agent"})},
              {"since", text_schema("Not before this time, as 2026-11-19T21:00:00Z.")},
              {"until", text_schema("Before this time.")},
              {"limit",
               number_schema("The maximum number of results.", 1, kMaxSearchLimit, kDefaultFound)},
              {"cursor", text_schema("From the previous result, for more.")},
          },
          {"q"}),
      .output_schema = output_schema(object_schema(
          {{"results", list_schema("Titles first, then the newest first.", result_schema())},
           {"has_more", flag_schema("More may match: pass cursor, or filter.")},
           {"cursor", or_null(text_schema("For the next call."))},
           {"pending_events", number_schema("New events that are not searched yet.")}},
          {"results", "has_more", "cursor", "pending_events"})),
      .annotations = annotations("Search all sessions", Effect::kReads, true),
      .handler = {}};
}

SearchRequest read_search(ObjectReader& arguments) {
  SearchRequest request{.q = arguments.text("q"),
                        .project_id = arguments.text("project_id"),
                        .agent = arguments.text("agent"),
                        .session_id = arguments.text("session_id"),
                        .types = arguments.texts("types"),
                        .role = arguments.text("role"),
                        .since = arguments.text("since"),
                        .until = arguments.text("until"),
                        .cursor = arguments.text("cursor")};
  request.limit = arguments.number("limit", kDefaultFound, 1, kMaxSearchLimit);
  if (!arguments.has("q")) arguments.refuse("q", "is missing");
  return request;
}

// For a model: without what only a page needs.
json::object found_row(const SearchHit& hit, const SessionState& session) {
  json::object row = to_json(hit, session);
  row["title"] = printable(session.title, kMaxFoundTitle);
  for (const char* const key : {"ranges", "link", "sequence", "tool_call_id"})
    row.erase(key);
  return row;
}

}  // namespace

void SearchTool::add_to(mcp::Catalog& catalog) {
  mcp::Tool tool = search_tool();
  tool.handler = [this](mcp::Call& call) { return search(call); };
  catalog.tools.push_back(std::move(tool));
}

asio::awaitable<mcp::RpcResult> SearchTool::search(mcp::Call& call) {
  ObjectReader arguments = read_arguments(call, {"q", "project_id", "agent", "session_id", "types",
                                                 "role", "since", "until", "limit", "cursor"});
  SearchRequest request = read_search(arguments);
  const bool has_limit = arguments.has("limit");
  if (arguments.error()) co_return error_result(*arguments.error());
  const auto answer = co_await search_.search(call.principal(), std::move(request));
  if (!answer) co_return error_result(answer.error());

  const SearchResults& found = answer->results;
  std::optional<SearchCursor> next = found.next;
  json::array rows;
  std::size_t bytes = 256;  // of the rest
  for (std::size_t i = 0; i < found.hits.size(); ++i) {
    json::object row = found_row(found.hits[i], *answer->sessions[i]);
    bytes += json_text(row).size() + 1;
    if (!has_limit && bytes > kMaxAnswerBytes) {
      next = cursor_after(found, i);
      break;
    }
    rows.push_back(std::move(row));
  }
  json::object content{{"results", std::move(rows)},
                       {"has_more", next.has_value()},
                       {"pending_events", found.pending_events}};
  content["cursor"] = next ? json::value(format_search_cursor(*next)) : nullptr;
  co_return mcp::structured_result(std::move(content));
}

}  // namespace oriel
