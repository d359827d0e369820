#include "supervisor/sessions/file_prompt.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

const std::vector<TurnFile> kFiles = {
    {.file_id = "abc", .name = "a b.png", .type = "image/png", .size = 12},
    {.file_id = "def", .name = "notes.txt", .type = "text/plain", .size = 0}};

TEST(FilePrompt, SaysWhereTheFilesLieBehindWhatThePersonSaid) {
  EXPECT_EQ(prompt_with_files("look", kFiles, "/data/uploads/ses_1"),
            "look\n\nAttached files:\n- /data/uploads/ses_1/abc-a b.png (image/png, 12 bytes)\n"
            "- /data/uploads/ses_1/def-notes.txt (text/plain, 0 bytes)\n");
}

TEST(FilePrompt, IsTheTextAloneWithoutFiles) {
  EXPECT_EQ(prompt_with_files("look", {}, "/data"), "look");
}

TEST(FilePrompt, NamesTheFilesOfAPersonWhoSaidNothing) {
  EXPECT_EQ(text_of_files(kFiles), "Files: a b.png, notes.txt");
  EXPECT_EQ(text_of_files({kFiles.front()}), "File: a b.png");
}

}  // namespace
}  // namespace oriel
