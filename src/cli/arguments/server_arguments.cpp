#include "cli/arguments/server_arguments.h"

#include <algorithm>
#include <system_error>

namespace oriel {
namespace {

constexpr const char* kDefaultUrl = "http://127.0.0.1:7433";

// A value and its source, for messages.
struct Sourced {
  std::string value;
  std::string source;
};

Sourced flag_or_variable(const Arguments& arguments, const std::string& flag,
                         const Environment& environment, const std::string& variable,
                         const std::string& otherwise) {
  if (const auto value = arguments.value(flag)) return {*value, "flag --" + flag};
  const auto found = environment.find(variable);
  if (found != environment.end()) return {found->second, "environment " + variable};
  return {otherwise, "default"};
}

// It becomes part of a header. Messages do not repeat it, since it is a secret.
bool is_token_text(std::string_view token) {
  return std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

}  // namespace

Option url_option() {
  return {"url", "URL", "The server (ORIEL_URL; default " + std::string(kDefaultUrl) + ")"};
}

Option token_option() {
  return {"token", "TOKEN",
          "An access token; prefer ORIEL_TOKEN, which other users of this machine cannot see"};
}

Option color_option() {
  return {"no-color", "", "Plain text; the variable NO_COLOR has the same effect"};
}

Result<ServerAccess> read_access(const Arguments& arguments, const Environment& environment) {
  const Sourced url = flag_or_variable(arguments, "url", environment, "ORIEL_URL", kDefaultUrl);
  auto parsed = http::parse_url(url.value);
  if (!parsed) return bad_option(url.source + ": " + parsed.error().message, parsed.error().hint);
  Sourced token = flag_or_variable(arguments, "token", environment, "ORIEL_TOKEN", "");
  if (!is_token_text(token.value)) {
    return bad_option(token.source + ": this is not a token: it contains a space or line break",
                      "oriel token create NAME prints one");
  }
  return ServerAccess{.url = std::move(*parsed), .token = std::move(token.value)};
}

http::Url default_url() {
  return http::parse_url(kDefaultUrl).value();
}

std::filesystem::path own_program() {
  std::error_code problem;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", problem);
  return problem ? std::filesystem::path("oriel") : program;
}

}  // namespace oriel
