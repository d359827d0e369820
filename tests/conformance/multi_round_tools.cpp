#include "fixture.h"
#include "fixture_parts.h"

namespace oriel {
namespace {

constexpr std::string_view kOkForm =
    R"({"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]})";
constexpr std::string_view kColorForm =
    R"({"type":"object","properties":{"color":{"type":"string"}},"required":["color"]})";

std::vector<mcp::InputRequest> confirmation(const mcp::Call&) {
  return {elicitation("confirm", "Please confirm", kOkForm)};
}

std::vector<mcp::InputRequest> three_kinds(const mcp::Call&) {
  return {elicitation("user_name", "What is your name?", kNameForm),
          sampling("greeting", "Say hello"), roots("client_roots")};
}

std::vector<mcp::InputRequest> first_step() {
  return {elicitation("step1", "Step 1: What is your name?", kNameForm)};
}

std::vector<mcp::InputRequest> second_step() {
  return {elicitation("step2", "Step 2: What is your favorite color?", kColorForm)};
}

// From 2026-07-28 on the call comes again with what it has kept; before, it has never ended.
mcp::RpcResult confirm_state(const mcp::Call& call, const boost::json::object& answers) {
  const auto ok = field_of(answers, "confirm", "ok");
  if (!ok) return ok.error();
  if (call.is_stateless() && !call.kept().contains("purpose"))
    return mcp::RpcError{
        mcp::kInvalidParams, "the state is missing; repeat what the question came with", {}};
  return mcp::text_result("state-ok");
}

mcp::RpcResult count_answers(const mcp::Call&, const boost::json::object& answers) {
  return mcp::text_result(std::to_string(answers.size()) + " answers");
}

// Comes up to three times: without answers, with the first, with the second.
asio::awaitable<mcp::RpcResult> ask_twice(mcp::Call& call) {
  std::string name;
  if (const auto* kept = call.kept().if_contains("name")) {
    name = kept->as_string();
  } else {
    boost::json::object keep;
    keep["step"] = 1;
    auto asking = call.ask(first_step(), std::move(keep));
    const mcp::InputAnswers answers = co_await std::move(asking);
    if (!answers) co_return answers.error();
    const auto given = field_of(*answers, "step1", "name");
    if (!given) co_return given.error();
    name = *given;
  }
  boost::json::object keep;
  keep["name"] = name;
  auto asking = call.ask(second_step(), std::move(keep));
  const mcp::InputAnswers answers = co_await std::move(asking);
  if (!answers) co_return answers.error();
  const auto color = field_of(*answers, "step2", "color");
  if (!color) co_return color.error();
  co_return mcp::text_result(name + " likes " + *color + ".");
}

}  // namespace

void add_multi_round_tools(mcp::Catalog& catalog) {
  const auto keep = json_object(R"({"purpose":"conformance"})");
  auto& tools = catalog.tools;
  tools.push_back(make_tool("test_input_required_result_request_state",
                            "Asks, and keeps something until the answer",
                            asks(confirmation, confirm_state, keep)));
  tools.push_back(make_tool("test_input_required_result_tampered_state",
                            "Asks, and keeps something that must come back unchanged",
                            asks(confirmation, confirm_state, keep)));
  tools.push_back(make_tool("test_input_required_result_multiple_inputs",
                            "Asks three questions at once",
                            asks(three_kinds, count_answers, keep)));
  tools.push_back(make_tool("test_input_required_result_multi_round",
                            "Asks one question after another", ask_twice));
}

}  // namespace oriel
