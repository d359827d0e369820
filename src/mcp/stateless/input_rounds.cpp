#include "mcp/stateless/input_rounds.h"

namespace oriel::mcp {

namespace json = boost::json;

namespace {

using Rounds = boost::system::result<InputRounds, RpcError>;

// Only an object is a valid answer; anything else is asked again.
void add_answers(json::object& into, const json::object& answers) {
  for (const auto& [key, value] : answers) {
    if (value.is_object()) into[key] = value;
  }
}

}  // namespace

Rounds InputRounds::read(const json::object& params, const StateSealer& sealer,
                         const std::string& purpose, std::chrono::milliseconds max_age) {
  InputRounds rounds;
  if (const auto* const text = params.if_contains("requestState")) {
    if (!text->is_string()) return invalid_params("params.requestState is not a string");
    const auto state = sealer.open(text->as_string(), purpose, wall_now(), max_age);
    if (!state)
      return invalid_params(
          "params.requestState is invalid for this call or has expired; call again without it");
    rounds.answers_ = state->at("answers").as_object();
    rounds.kept_ = state->at("kept").as_object();
  }
  const auto* const answers = params.if_contains("inputResponses");
  if (answers != nullptr && answers->is_object())
    add_answers(rounds.answers_, answers->as_object());
  return rounds;
}

InputRounds InputRounds::after(json::object kept) {
  InputRounds rounds;
  rounds.kept_ = std::move(kept);
  return rounds;
}

std::optional<json::object> InputRounds::answers_to(const std::vector<InputRequest>& inputs) {
  json::object answers;
  for (const InputRequest& input : inputs) {
    const auto* const answer = answers_.if_contains(input.key);
    if (answer == nullptr) return std::nullopt;
    answers[input.key] = *answer;
  }
  return answers;
}

void InputRounds::ask(std::vector<InputRequest> inputs, json::object keep) {
  questions_ = std::move(inputs);
  kept_ = std::move(keep);
}

json::object InputRounds::to_result(const StateSealer& sealer, const std::string& purpose) const {
  const json::object state{{"answers", answers_}, {"kept", kept_}};
  return {{"resultType", "input_required"},
          {"inputRequests", questions_json(questions_)},
          {"requestState", sealer.seal(state, purpose, wall_now())}};
}

json::object questions_json(const std::vector<InputRequest>& inputs) {
  json::object out;
  for (const InputRequest& input : inputs)
    out[input.key] = json::object{{"method", input.method}, {"params", input.params}};
  return out;
}

}  // namespace oriel::mcp
