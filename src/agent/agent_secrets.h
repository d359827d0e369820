#pragma once
// The secrets that an agent receives by its environment. Pure.

#include "agent/agent_spec.h"
#include "base/text/redactor.h"
#include "posix/environment.h"

#include <string_view>
#include <vector>

namespace oriel {

// Whether a variable's name implies a secret value: it contains a word such as KEY, TOKEN, SECRET
// or PASSWORD, in any case.
bool names_a_secret(std::string_view variable);

// The secrets among these variables, and the user info of their URLs.
std::vector<SecretValue> secrets_in(const Environment& environment);

// The secrets among the variables of agent_environment(), and all values of the agent's `env` and
// `pass_env` except paths, URLs without user info, models and other plain settings.
std::vector<SecretValue> secrets_of(const AgentSpec& spec, const Environment& own);

}  // namespace oriel
