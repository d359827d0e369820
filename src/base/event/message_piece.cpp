#include "base/event/message_piece.h"

#include "base/event/agent_event.h"

#include <algorithm>

namespace oriel {

void append_piece(std::string& message, std::string_view piece) {
  const std::size_t room = kMaxMessageBytes - std::min(message.size(), kMaxMessageBytes);
  if (piece.size() > room) {
    std::size_t size = room;
    while (size > 0 && (static_cast<unsigned char>(piece[size]) >> 6) == 2)
      --size;
    piece = piece.substr(0, size);
  }
  message += piece;
}

}  // namespace oriel
