#include "posix/service/passed_sockets.h"

#include "base/text/quantity.h"
#include "base/text/quote.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace oriel {
namespace {

constexpr int kFirstPassed = 3;  // after the standard streams
constexpr std::uint64_t kMaxSockets = 64;

std::optional<std::string_view> variable(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  if (found == environment.end()) return std::nullopt;
  return found->second;
}

Error malformed(std::string_view name, std::string_view value, std::string_view allowed) {
  return {.kind = ErrorKind::kBadOption,
          .message = std::string(name) + ": " + quote(value) + " is not " + std::string(allowed),
          .hint = "the service manager sets it; unset it to start without passed sockets"};
}

std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t colon = text.find(':');
    names.emplace_back(text.substr(0, colon));
    if (colon == text.npos) return names;
    text.remove_prefix(colon + 1);
  }
}

}  // namespace

Result<std::vector<PassedSocket>> announced_sockets(const Environment& environment, pid_t process) {
  std::vector<PassedSocket> sockets;
  const auto target = variable(environment, "LISTEN_PID");
  const auto count_text = variable(environment, "LISTEN_FDS");
  if (!target || !count_text) return sockets;
  const auto target_process = parse_number(*target);
  if (!target_process) return malformed("LISTEN_PID", *target, "the number of a process");
  if (*target_process != static_cast<std::uint64_t>(process)) return sockets;
  const auto count = parse_number(*count_text);
  if (!count || *count > kMaxSockets)
    return malformed("LISTEN_FDS", *count_text, "a number of sockets from 0 to 64");
  std::vector<std::string> names;
  const auto names_text = variable(environment, "LISTEN_FDNAMES");
  if (names_text && *count > 0) {
    names = split_names(*names_text);
    if (names.size() != *count)
      return malformed("LISTEN_FDNAMES", *names_text,
                       "one name for each of the " + std::to_string(*count) + " sockets");
  }
  for (std::size_t i = 0; i < *count; ++i) {
    const int number = kFirstPassed + static_cast<int>(i);
    const bool has_name = i < names.size() && !names[i].empty();
    sockets.push_back(
        {.number = number, .name = has_name ? names[i] : "descriptor " + std::to_string(number)});
  }
  return sockets;
}

}  // namespace oriel
