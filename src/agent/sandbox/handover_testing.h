#pragma once
// For tests of the ways out of a sandbox.

#include "posix/descriptors/descriptor_message.h"
#include "posix/file_descriptor.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <filesystem>
#include <span>
#include <string>

namespace oriel {

// As oriel-sandbox-init does. Returns whether it worked.
inline bool hand_over(const std::filesystem::path& handover, int descriptor) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = handover.string();
  if (path.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const FileDescriptor oriel(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(oriel.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return false;
  return send_message(oriel.get(), "x", std::span(&descriptor, 1)).has_value();
}

}  // namespace oriel
