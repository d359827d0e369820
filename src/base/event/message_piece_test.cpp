#include "base/event/message_piece.h"

#include "base/event/agent_event.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(MessagePiece, IsAppended) {
  std::string message = "a";
  append_piece(message, "bc");
  append_piece(message, "");
  EXPECT_EQ(message, "abc");
}

TEST(MessagePiece, IsCutAtTheLimit) {
  std::string message;
  append_piece(message, std::string(kMaxMessageBytes + 1, 'x'));
  EXPECT_EQ(message.size(), kMaxMessageBytes);
  append_piece(message, "y");
  EXPECT_EQ(message.size(), kMaxMessageBytes);
}

TEST(MessagePiece, IsCutBetweenCharacters) {
  std::string message(kMaxMessageBytes - 2, 'x');
  append_piece(message, "\u2603");
  EXPECT_EQ(message.size(), kMaxMessageBytes - 2);
}

}  // namespace
}  // namespace oriel
