#include "fixture.h"
#include "fixture_parts.h"

#include <array>

namespace oriel {
namespace {

using namespace std::chrono_literals;

constexpr std::array kProgress = {0.0, 50.0, 100.0};
constexpr std::array<std::string_view, 3> kLogLines = {
    "Tool execution started", "Tool processing data", "Tool execution completed"};

asio::awaitable<RpcResult> report_progress(McpCall& call) {
  for (const double done : kProgress) {
    call.progress(done, 100.0);
    auto pausing = pause(call, 50ms);
    co_await std::move(pausing);
  }
  co_return text_result("Progress was reported.");
}

asio::awaitable<RpcResult> write_logs(McpCall& call) {
  for (const std::string_view line : kLogLines) {
    call.log(LogLevel::kInfo, "fixture", boost::json::value(line));
    auto pausing = pause(call, 50ms);
    co_await std::move(pausing);
  }
  co_return text_result("The log was written.");
}

asio::awaitable<RpcResult> write_one_log(McpCall& call) {
  call.log(LogLevel::kInfo, "fixture", boost::json::value("A line for those who asked for it"));
  co_return text_result("The log was written, if the call asked for one.");
}

// The client has to come back for the answer.
asio::awaitable<RpcResult> outlive_connection(McpCall& call) {
  call.end_connection();
  auto pausing = pause(call, 100ms);
  co_await std::move(pausing);
  co_return text_result("Reconnection test completed successfully.");
}

asio::awaitable<RpcResult> announce_change(Announce announce, McpChange change) {
  announce(std::move(change));
  co_return text_result("The change was announced.");
}

McpHandler announces(const Announce& announce, McpChange::What what) {
  McpChange change;
  change.what = what;
  return [announce, change](McpCall&) { return announce_change(announce, change); };
}

}  // namespace

void add_live_tools(McpCatalog& catalog) {
  auto& tools = catalog.tools;
  tools.push_back(
      make_tool("test_tool_with_progress", "Reports its progress three times", report_progress));
  tools.push_back(make_tool("test_tool_with_logging", "Logs three lines", write_logs));
  tools.push_back(
      make_tool("test_logging_tool", "Logs a line for those who asked for it", write_one_log));
  tools.push_back(
      make_tool("test_reconnection", "Ends its connection before it answers", outlive_connection));
}

void add_change_tools(McpCatalog& catalog, const Announce& announce) {
  auto& tools = catalog.tools;
  tools.push_back(make_tool("test_trigger_tool_change", "Announces that the tools have changed",
                            announces(announce, McpChange::What::kTools)));
  tools.push_back(make_tool("test_trigger_prompt_change", "Announces that the prompts have changed",
                            announces(announce, McpChange::What::kPrompts)));
}

}  // namespace oriel
