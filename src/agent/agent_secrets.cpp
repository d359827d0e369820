#include "agent/agent_secrets.h"

#include "agent/agent_environment.h"

#include <algorithm>
#include <array>
#include <string>

namespace oriel {
namespace {

constexpr std::array<std::string_view, 10> kSecretWords = {
    "KEY",    "APIKEY", "TOKEN",      "SECRET",      "PASSWORD",
    "PASSWD", "PASS",   "CREDENTIAL", "CREDENTIALS", "PAT"};
constexpr std::array<std::string_view, 4> kSecretEnds = {"PASSWORD", "PASSWD", "APIKEY", "SECRET"};

// What ordinary text contains, and would be masked in it.
constexpr std::array<std::string_view, 14> kPlainNames = {
    "PATH", "HOME",    "LANG",  "LANGUAGE", "TERM",   "TZ",     "USER",
    "PWD",  "LOGNAME", "SHELL", "TMPDIR",   "EDITOR", "OLDPWD", "NO_COLOR"};
constexpr std::array<std::string_view, 14> kPlainEnds = {
    "URL",     "MODEL",    "PROXY",  "DIR",     "FILE", "HOME", "ENABLED",
    "PROJECT", "LOCATION", "REGION", "SANDBOX", "HOST", "PATH", "CONFIG"};

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& letter : upper)
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  return upper;
}

template <class Take>
void for_each_word(std::string_view variable, Take take) {
  while (true) {
    const std::size_t end = std::min(variable.find('_'), variable.size());
    take(variable.substr(0, end));
    if (end == variable.size()) return;
    variable.remove_prefix(end + 1);
  }
}

template <class Words>
bool is_among(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <class Words>
bool ends_with_any(std::string_view text, const Words& ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](std::string_view end) { return text.ends_with(end); });
}

// "user:password" in "https://user:password@host/"; empty: there is none.
std::string_view user_info(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == url.npos) return {};
  std::string_view rest = url.substr(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("/?#"));
  const std::size_t end = rest.rfind('@');
  return end == rest.npos ? std::string_view() : rest.substr(0, end);
}

bool is_path_or_url(std::string_view value) {
  return value.starts_with('/') || value.starts_with("~/") || value.starts_with("./") ||
         value.find("://") != value.npos;
}

bool is_plain_name(std::string_view variable) {
  const std::string name = upper_case(variable);
  if (is_among(kPlainNames, name) || name.starts_with("LC_")) return true;
  bool is_plain = false;  // by its last word
  for_each_word(name, [&](std::string_view word) { is_plain = is_among(kPlainEnds, word); });
  return is_plain;
}

// Whether the variable is no secret. A URL with a password is one, under any name.
bool is_plain(std::string_view variable, std::string_view value) {
  return user_info(value).empty() && (is_plain_name(variable) || is_path_or_url(value));
}

void add_user_info(std::vector<SecretValue>& secrets, const std::string& name,
                   std::string_view value) {
  const std::string_view info = user_info(value);
  if (info.empty()) return;
  secrets.push_back({.name = name, .value = std::string(info)});
  if (const std::size_t colon = info.find(':'); colon != info.npos)
    secrets.push_back({.name = name, .value = std::string(info.substr(colon + 1))});
}

}  // namespace

bool names_a_secret(std::string_view variable) {
  bool is_secret = false;
  const std::string name = upper_case(variable);
  for_each_word(name, [&](std::string_view word) {
    is_secret = is_secret || is_among(kSecretWords, word) || ends_with_any(word, kSecretEnds);
  });
  return is_secret;
}

std::vector<SecretValue> secrets_in(const Environment& environment) {
  std::vector<SecretValue> secrets;
  for (const auto& [name, value] : environment) {
    if (names_a_secret(name)) secrets.push_back({.name = name, .value = value});
    add_user_info(secrets, name, value);
  }
  return secrets;
}

std::vector<SecretValue> secrets_of(const AgentSpec& spec, const Environment& own) {
  const Environment received = agent_environment(spec, own);
  std::vector<SecretValue> secrets = secrets_in(received);
  std::vector<std::string> given = spec.pass_env;
  for (const auto& [name, value] : spec.env)
    given.push_back(name);
  for (const std::string& name : given) {
    const auto found = received.find(name);
    if (found == received.end() || names_a_secret(name) || is_plain(name, found->second)) continue;
    secrets.push_back({.name = name, .value = found->second});
  }
  return secrets;
}

}  // namespace oriel
