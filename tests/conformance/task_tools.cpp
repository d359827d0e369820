#include "fixture.h"
#include "fixture_parts.h"

namespace oriel {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kConfirmForm =
    R"({"type":"object","properties":{"confirm":{"type":"boolean"}},"required":["confirm"]})";

asio::awaitable<mcp::RpcResult> greet(mcp::Call& call) {
  co_return mcp::text_result("Hello, " + text_argument(call, "name") + "!");
}

asio::awaitable<mcp::RpcResult> compute_slowly(mcp::Call& call) {
  const auto* value = call.arguments().if_contains("seconds");
  const double seconds = value && value->is_number() ? value->to_number<double>() : 0;
  auto pausing = pause(call, std::chrono::milliseconds(static_cast<long>(1000 * seconds)));
  co_await std::move(pausing);
  co_return mcp::text_result("Computed " + text_argument(call, "label") + ".");
}

asio::awaitable<mcp::RpcResult> fail_for_model(mcp::Call& call) {
  auto pausing = pause(call, 1s);
  co_await std::move(pausing);
  co_return mcp::tool_error("The job failed, as it always does.");
}

asio::awaitable<mcp::RpcResult> fail_for_program(mcp::Call& call) {
  auto pausing = pause(call, 100ms);
  co_await std::move(pausing);
  co_return mcp::RpcError{mcp::kInternalError, "the job cannot be run, as always", {}};
}

std::vector<mcp::InputRequest> ask_to_delete(const mcp::Call& call) {
  return {elicitation("confirm", "Delete " + text_argument(call, "filename") + "?", kConfirmForm)};
}

std::vector<mcp::InputRequest> ask_two_names(const mcp::Call&) {
  return {elicitation("first", "First name?", kNameForm),
          elicitation("second", "Second name?", kNameForm)};
}

std::vector<mcp::InputRequest> ask_user_name(const mcp::Call&) {
  return {elicitation("user_name", "What is your name?", kNameForm)};
}

mcp::RpcResult delete_or_not(const mcp::Call& call, const boost::json::object& answers) {
  const auto confirm = field_of(answers, "confirm", "confirm");
  if (!confirm) return confirm.error();
  return mcp::text_result((*confirm == "true" ? "Deleted " : "Kept ") +
                          text_argument(call, "filename"));
}

mcp::RpcResult join_names(const mcp::Call&, const boost::json::object& answers) {
  const auto first = field_of(answers, "first", "name");
  if (!first) return first.error();
  const auto second = field_of(answers, "second", "name");
  if (!second) return second.error();
  return mcp::text_result(*first + " and " + *second);
}

mcp::Tool with_tasks(mcp::TaskSupport support, mcp::Tool tool) {
  tool.tasks = support;
  return tool;
}

}  // namespace

void add_task_tools(mcp::Catalog& catalog) {
  auto& tools = catalog.tools;
  tools.push_back(make_tool("greet", "Answers at once", greet, R"({"name":{"type":"string"}})"));
  tools.push_back(
      with_tasks(mcp::TaskSupport::kOptional,
                 make_tool("slow_compute", "Takes as long as requested", compute_slowly,
                           R"({"seconds":{"type":"number"},"label":{"type":"string"}})")));
  tools.push_back(
      with_tasks(mcp::TaskSupport::kRequired,
                 make_tool("failing_job", "Fails for the model to read", fail_for_model)));
  tools.push_back(with_tasks(
      mcp::TaskSupport::kRequired,
      make_tool("protocol_error_job", "Fails for the program to handle", fail_for_program)));
  tools.push_back(with_tasks(
      mcp::TaskSupport::kOptional,
      make_tool("confirm_delete", "Asks while it runs", asks(ask_to_delete, delete_or_not),
                R"({"filename":{"type":"string"}})")));
  tools.push_back(with_tasks(mcp::TaskSupport::kOptional,
                             make_tool("multi_input", "Asks two questions while it runs",
                                       asks(ask_two_names, join_names))));
  tools.push_back(with_tasks(mcp::TaskSupport::kRequired,
                             make_tool("test_tool_with_task", "Asks before it becomes a task",
                                       asks(ask_user_name, greet_user))));
  tools.back().asks_first = true;
}

}  // namespace oriel
