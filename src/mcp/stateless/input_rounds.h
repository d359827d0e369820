#pragma once
// How a call of 2026-07-28 asks its client: it ends with the questions, and comes again with the
// answers and with the state that it was given to carry. Pure.

#include "mcp/call.h"
#include "mcp/stateless/sealed_state.h"

#include <string>
#include <vector>

namespace oriel::mcp {

// The rounds of one call so far.
class InputRounds {
 public:
  // From params.inputResponses and params.requestState. The error (kInvalidParams) is for state
  // that is not the server's, not for this purpose, or too old.
  static boost::system::result<InputRounds, RpcError> read(const boost::json::object& params,
                                                           const StateSealer& sealer,
                                                           const std::string& purpose,
                                                           std::chrono::milliseconds max_age);

  // What the handler gave to keep in the round before.
  const boost::json::object& kept() const { return kept_; }

  bool has_answers() const { return !answers_.empty(); }

  // All answers to these, or none if one is missing: then they are the next questions.
  std::optional<boost::json::object> answers_to(const std::vector<InputRequest>& inputs);

  void ask(std::vector<InputRequest> inputs, boost::json::object keep);

  // The result of a call that has to ask.
  boost::json::object to_result(const StateSealer& sealer, const std::string& purpose) const;

 private:
  boost::json::object answers_;  // of all rounds
  boost::json::object kept_;
  std::vector<InputRequest> questions_;
};

// {"key":{"method","params"}}
boost::json::object questions_json(const std::vector<InputRequest>& inputs);

}  // namespace oriel::mcp
