#include "server/connection_limit.h"

#include <algorithm>

namespace oriel {
namespace {

constexpr std::uint64_t kOwnFiles = 64;
constexpr std::uint64_t kFilesPerSession = 8;  // pipes, pidfd, a watched file

}  // namespace

std::uint64_t max_connections_within(std::uint64_t open_files, std::uint64_t max_sessions) {
  return open_files - std::min(open_files / 2, kOwnFiles + kFilesPerSession * max_sessions);
}

}  // namespace oriel
