#include "fixture.h"
#include "fixture_parts.h"

#include <array>

namespace oriel {
namespace {

using namespace std::chrono_literals;

constexpr std::array kProgress = {0.0, 50.0, 100.0};
constexpr std::array<std::string_view, 3> kLogLines = {
    "Tool execution started", "Tool processing data", "Tool execution completed"};

asio::awaitable<mcp::RpcResult> report_progress(mcp::Call& call) {
  for (const double done : kProgress) {
    call.progress(done, 100.0);
    auto pausing = pause(call, 50ms);
    co_await std::move(pausing);
  }
  co_return mcp::text_result("Progress was reported.");
}

asio::awaitable<mcp::RpcResult> write_logs(mcp::Call& call) {
  for (const std::string_view line : kLogLines) {
    call.log(mcp::LogLevel::kInfo, "fixture", boost::json::value(line));
    auto pausing = pause(call, 50ms);
    co_await std::move(pausing);
  }
  co_return mcp::text_result("The log was written.");
}

asio::awaitable<mcp::RpcResult> write_one_log(mcp::Call& call) {
  call.log(mcp::LogLevel::kInfo, "fixture",
           boost::json::value("A line for those who asked for it"));
  co_return mcp::text_result("The log was written, if the call asked for one.");
}

// The client has to come back for the answer.
asio::awaitable<mcp::RpcResult> outlive_connection(mcp::Call& call) {
  call.end_connection();
  auto pausing = pause(call, 100ms);
  co_await std::move(pausing);
  co_return mcp::text_result("Reconnection test completed successfully.");
}

asio::awaitable<mcp::RpcResult> announce_change(Announce announce, mcp::Change change) {
  announce(std::move(change));
  co_return mcp::text_result("The change was announced.");
}

mcp::Handler announces(const Announce& announce, mcp::Change::What what) {
  mcp::Change change;
  change.what = what;
  return [announce, change](mcp::Call&) { return announce_change(announce, change); };
}

}  // namespace

void add_live_tools(mcp::Catalog& catalog) {
  auto& tools = catalog.tools;
  tools.push_back(
      make_tool("test_tool_with_progress", "Reports its progress three times", report_progress));
  tools.push_back(make_tool("test_tool_with_logging", "Logs three lines", write_logs));
  tools.push_back(
      make_tool("test_logging_tool", "Logs a line for those who asked for it", write_one_log));
  tools.push_back(
      make_tool("test_reconnection", "Ends its connection before it answers", outlive_connection));
}

void add_change_tools(mcp::Catalog& catalog, const Announce& announce) {
  auto& tools = catalog.tools;
  tools.push_back(make_tool("test_trigger_tool_change", "Announces that the tools have changed",
                            announces(announce, mcp::Change::What::kTools)));
  tools.push_back(make_tool("test_trigger_prompt_change", "Announces that the prompts have changed",
                            announces(announce, mcp::Change::What::kPrompts)));
}

}  // namespace oriel
