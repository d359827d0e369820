#pragma once
// How a 2026-07-28 call asks its client: it ends with the questions and is called again with the
// answers and the sealed state. Pure.

#include "mcp/call.h"
#include "mcp/stateless/sealed_state.h"

#include <string>
#include <vector>

namespace oriel::mcp {

// The rounds of one call.
class InputRounds {
 public:
  // Reads params.inputResponses and params.requestState. Fails with kInvalidParams for forged,
  // misused or expired state.
  static boost::system::result<InputRounds, RpcError> read(const boost::json::object& params,
                                                           const StateSealer& sealer,
                                                           const std::string& purpose,
                                                           std::chrono::milliseconds max_age);

  // The rounds of a call that goes on from this state.
  static InputRounds after(boost::json::object kept);

  // State the handler kept in the previous round.
  const boost::json::object& kept() const { return kept_; }

  bool has_answers() const { return !answers_.empty(); }

  // All answers to these, or none if one is missing.
  std::optional<boost::json::object> answers_to(const std::vector<InputRequest>& inputs);

  void ask(std::vector<InputRequest> inputs, boost::json::object keep);

  // The result of a call that asks.
  boost::json::object to_result(const StateSealer& sealer, const std::string& purpose) const;

 private:
  boost::json::object answers_;  // from all rounds
  boost::json::object kept_;
  std::vector<InputRequest> questions_;
};

// {"key":{"method","params"}}
boost::json::object questions_json(const std::vector<InputRequest>& inputs);

}  // namespace oriel::mcp
