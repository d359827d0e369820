#include "cli/parse_commands.h"

#include "base/quote.h"

#include <algorithm>
#include <system_error>

namespace oriel {
namespace {

constexpr const char* kDefaultUrl = "http://127.0.0.1:7433";

// A value and who gave it, for messages.
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

// It becomes part of a header. Its value is a secret that messages do not repeat.
bool is_token_text(std::string_view token) {
  return std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

}  // namespace

Error bad_option(std::string message, std::string hint) {
  return {.kind = ErrorKind::kBadOption, .message = std::move(message), .hint = std::move(hint)};
}

Error bad_flag(const std::string& flag, std::string_view value, const std::string& allowed) {
  return bad_option("flag --" + flag + ": " + quote(value) + " is not " + allowed);
}

Result<ServerAccess> read_access(const Arguments& arguments, const Environment& environment) {
  const Sourced url = flag_or_variable(arguments, "url", environment, "ORIEL_URL", kDefaultUrl);
  auto parsed = http::parse_url(url.value);
  if (!parsed) return bad_option(url.source + ": " + parsed.error().message, parsed.error().hint);
  Sourced token = flag_or_variable(arguments, "token", environment, "ORIEL_TOKEN", "");
  if (!is_token_text(token.value)) {
    return bad_option(token.source + ": this is not a token: it holds a space or line break",
                      "oriel token create NAME prints one");
  }
  return ServerAccess{.url = std::move(*parsed), .token = std::move(token.value)};
}

std::filesystem::path own_program() {
  std::error_code problem;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", problem);
  return problem ? std::filesystem::path("oriel") : program;
}

Result<ServeOptions> read_serve_options(std::map<std::string, std::string> flags,
                                        const Environment& environment) {
  std::optional<std::string> file;
  if (const auto found = flags.extract("config")) file = found.mapped();
  auto config = find_config(file, environment);
  if (!config) return config.error();
  return load_serve_options(
      {.flags = std::move(flags), .environment = environment, .config = std::move(*config)});
}

}  // namespace oriel
