#pragma once
// Looks up what a descriptor from another process is: a listening stream socket, and where.

#include "base/error.h"
#include "runtime/asio.h"

#include <boost/asio/ip/tcp.hpp>

#include <filesystem>
#include <optional>

namespace oriel {

// Where a socket listens.
struct ListeningAt {
  std::optional<asio::ip::tcp::endpoint> tcp;  // none: a Unix socket
  std::filesystem::path path;                  // of a Unix socket

  bool operator==(const ListeningAt&) const = default;
};

// The error says what the descriptor is instead, without naming it: "not a socket".
Result<ListeningAt> listening_at(int descriptor);

// Whether both paths lead to one existing file. std::filesystem::equivalent() does not say so of
// sockets.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace oriel
