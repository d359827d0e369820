#include "fixture.h"
#include "fixture_parts.h"

#include <boost/json/serialize.hpp>

namespace oriel {
namespace {

constexpr std::string_view kContactForm = R"({"type":"object","properties":{
  "username":{"type":"string","description":"User's response"},
  "email":{"type":"string","description":"User's email address"}},
  "required":["username","email"]})";

constexpr std::string_view kDefaultsForm = R"({"type":"object","properties":{
  "name":{"type":"string","default":"John Doe"},
  "age":{"type":"integer","default":30},
  "score":{"type":"number","default":95.5},
  "status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
  "verified":{"type":"boolean","default":true}},
  "required":[]})";

constexpr std::string_view kEnumsForm = R"({"type":"object","properties":{
  "untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
  "titledSingle":{"type":"string","oneOf":[
    {"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"}]},
  "legacyEnum":{"type":"string","enum":["opt1","opt2"],"enumNames":["Option One","Option Two"]},
  "untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2"]}},
  "titledMulti":{"type":"array","items":{"anyOf":[
    {"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"}]}}},
  "required":[]})";

// Always the same question.
Questions one(mcp::InputRequest question) {
  return [question = std::move(question)](const mcp::Call&) {
    return std::vector<mcp::InputRequest>{question};
  };
}

std::vector<mcp::InputRequest> sampling_of_prompt(const mcp::Call& call) {
  return {sampling("prompt", text_argument(call, "prompt"))};
}

std::vector<mcp::InputRequest> elicitation_of_message(const mcp::Call& call) {
  return {elicitation("contact", text_argument(call, "message"), kContactForm)};
}

// Only what this client can answer.
std::vector<mcp::InputRequest> what_client_can(const mcp::Call& call) {
  std::vector<mcp::InputRequest> questions;
  if (call.client_can("elicitation"))
    questions.push_back(elicitation("name", "What is your name?", kNameForm));
  if (call.client_can("sampling"))
    questions.push_back(sampling("capital", "What is the capital of France?"));
  return questions;
}

AnswerHandler tell(std::string before) {
  return [before = std::move(before)](const mcp::Call&, const boost::json::object& answers) {
    return mcp::RpcResult(mcp::text_result(before + boost::json::serialize(answers)));
  };
}

// Those that send their question while they run, before 2026-07-28.
void add_sending_tools(std::vector<mcp::Tool>& tools) {
  tools.push_back(make_tool("test_sampling", "Asks the client's model",
                            asks(sampling_of_prompt, tell("LLM response: ")),
                            R"({"prompt":{"type":"string"}})"));
  tools.back().input_schema["required"].emplace_array().emplace_back("prompt");
  tools.push_back(make_tool("test_elicitation", "Asks the user",
                            asks(elicitation_of_message, tell("User response: ")),
                            R"({"message":{"type":"string"}})"));
  tools.back().input_schema["required"].emplace_array().emplace_back("message");
  tools.push_back(
      make_tool("test_elicitation_sep1034_defaults", "Asks with a default for each kind of field",
                asks(one(elicitation("form", "Please review the defaults", kDefaultsForm)),
                     tell("Elicitation completed: "))));
  tools.push_back(make_tool("test_elicitation_sep1330_enums", "Asks with each kind of choice",
                            asks(one(elicitation("form", "Please choose", kEnumsForm)),
                                 tell("Elicitation completed: "))));
}

}  // namespace

void add_asking_tools(mcp::Catalog& catalog) {
  auto& tools = catalog.tools;
  add_sending_tools(tools);
  const auto ask_name = one(elicitation("user_name", "What is your name?", kNameForm));
  tools.push_back(
      make_tool("test_streaming_elicitation", "Asks the user's name", asks(ask_name, greet_user)));
  tools.push_back(make_tool("test_input_required_result_elicitation", "Asks the user's name",
                            asks(ask_name, greet_user)));
  tools.push_back(
      make_tool("test_input_required_result_sampling", "Asks the client's model",
                asks(one(sampling("capital", "What is the capital of France?")), tell("Model: "))));
  tools.push_back(make_tool("test_input_required_result_list_roots", "Asks for the client's roots",
                            asks(one(roots("roots")), tell("Roots: "))));
  tools.push_back(make_tool("test_input_required_result_capabilities",
                            "Asks only what the client can answer",
                            asks(what_client_can, tell("Answers: "))));
}

}  // namespace oriel
