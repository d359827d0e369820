#include "supervisor/sessions/new_turn.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::HasSubstr;

NewTurn upload(std::string text) {
  NewTurn turn;
  turn.text = std::move(text);
  turn.origin.files = {{.file_id = "f1", .name = "a.png", .type = "image/png", .size = 3}};
  turn.request_id = "r1";
  turn.by = "ann";
  return turn;
}

TEST(NewTurn, ThePromptNamesTheFilesAndTheShownTextDoesNot) {
  const UserMessage message = to_message(upload("look"), "/uploads");
  EXPECT_EQ(message.text, "look");
  EXPECT_THAT(message.prompt, HasSubstr("/uploads/f1-a.png"));
  EXPECT_EQ(message.request_id, "r1");
  EXPECT_EQ(message.by, "ann");
  ASSERT_TRUE(message.origin);
  EXPECT_EQ(message.origin->files.size(), 1U);
}

TEST(NewTurn, FilesWithoutWordsAreShownByTheirNames) {
  EXPECT_EQ(to_message(upload(""), "/uploads").text, "File: a.png");
}

}  // namespace
}  // namespace oriel
