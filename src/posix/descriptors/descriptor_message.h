#pragma once
// Text and file descriptors over a Unix stream socket (SCM_RIGHTS). Blocks, within deadlines.

#include "base/error.h"
#include "posix/file_descriptor.h"

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

constexpr std::size_t kMaxPassedDescriptors = 8;

struct DescriptorMessage {
  std::string text;                         // as much as has come
  std::vector<FileDescriptor> descriptors;  // closed at exec
};

// Sends a short text with copies of these descriptors, all at once. Never waits: it fails if the
// peer has not read what it was sent before.
Result<void> send_message(int socket, std::string_view text, std::span<const int> descriptors = {});

// Returns what comes next; empty text at the end of the stream. kRequestTimeout after that time,
// and another error if the stream breaks.
Result<DescriptorMessage> receive_message(int socket, std::chrono::milliseconds within);

}  // namespace oriel
