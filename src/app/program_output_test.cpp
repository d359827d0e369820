#include "app/program_output.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds kPlenty{30};

Result<std::string> shell(const std::string& script, milliseconds limit = kPlenty) {
  return program_output({"/bin/sh", "-c", script}, limit);
}

TEST(ProgramOutput, IsWhatItWritesOnBothOutputs) {
  EXPECT_EQ(shell("echo one; echo two >&2").value(), "one\ntwo\n");
}

TEST(ProgramOutput, HasNothingToRead) {
  EXPECT_EQ(shell("cat; echo end").value(), "end\n");
}

TEST(ProgramOutput, IsCutWhenItIsLong) {
  EXPECT_EQ(shell("head -c 300000 /dev/zero").value().size(), 65'536U);
}

TEST(ProgramOutput, SaysHowTheProgramFailed) {
  EXPECT_EQ(shell("echo oh no; exit 3").error().message, "/bin/sh ended with code 3: oh no");
  EXPECT_EQ(shell("kill -TERM $$").error().message, "/bin/sh was ended by signal 15");
  EXPECT_EQ(program_output({"/nowhere/x"}, kPlenty).error().message,
            "/nowhere/x cannot be started: No such file or directory");
}

TEST(ProgramOutput, EndsAProgramThatDoesNotAnswer) {
  EXPECT_EQ(shell("sleep 60 & sleep 60", milliseconds(50)).error().message,
            "/bin/sh did not answer within 50ms");
  EXPECT_EQ(shell("exec >&- 2>&-; sleep 60", milliseconds(50)).error().message,
            "/bin/sh did not answer within 50ms");
}

}  // namespace
}  // namespace oriel
