#pragma once
// The token of a running agent that may reach Oriel.

#include <functional>
#include <string>
#include <utility>

namespace oriel {

// Issues and revokes the token of a session. Provided by the server. Called on any shard.
struct TokenIssuer {
  std::function<std::string(const std::string& session_id)> issue;  // returns the secret
  std::function<void(const std::string& session_id)> revoke;
};

// Valid until its destruction. The issuer must outlive it and have both functions.
class AgentToken {
 public:
  AgentToken(const TokenIssuer& issuer, std::string session_id)
      : issuer_(issuer), session_id_(std::move(session_id)), secret_(issuer.issue(session_id_)) {}

  ~AgentToken() { issuer_.revoke(session_id_); }

  AgentToken(const AgentToken&) = delete;
  AgentToken& operator=(const AgentToken&) = delete;

  const std::string& secret() const { return secret_; }

 private:
  const TokenIssuer& issuer_;
  std::string session_id_;
  std::string secret_;
};

}  // namespace oriel
