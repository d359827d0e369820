#include "posix/run_program.h"

#include "posix/process_testing.h"

#include <gmock/gmock.h>

#include <memory>
#include <vector>

namespace oriel {
namespace {

using testing::HasSubstr;

ProcessSpec shell_script(const std::string& script) {
  return {.argv = {"/bin/sh", "-c", script}, .environment = own_environment(), .directory = "/"};
}

asio::awaitable<Result<std::string>> ready(Result<std::string> piece) {
  co_return piece;
}

ProgramInput pieces(std::vector<std::string> texts) {
  auto next = std::make_shared<std::vector<std::string>>(texts.rbegin(), texts.rend());
  return [next] {
    std::string piece;
    if (!next->empty()) {
      piece = next->back();
      next->pop_back();
    }
    return ready(std::move(piece));
  };
}

Result<std::string> pipe_through(const std::string& script, ProgramPipe pipe) {
  return run_here(pipe_program(shell_script(script), std::chrono::minutes(1), std::move(pipe)));
}

TEST(PipeProgram, AProgramReadsAndWritesMoreThanAPipeHolds) {
  const std::string big(1 << 20, '\xff');
  const auto output =
      pipe_through("cat", {.input = pieces({big, "a", big}), .max_output = 3 << 20});
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(*output, big + "a" + big);
}

TEST(PipeProgram, WithoutInputItReadsItsEnd) {
  EXPECT_EQ(pipe_through("cat; echo end", {}).value(), "end\n");
}

TEST(PipeProgram, AProgramThatWritesTooMuchIsKilled) {
  const auto output = pipe_through("while :; do echo more; done", {.max_output = 1000});
  ASSERT_FALSE(output);
  EXPECT_THAT(output.error().message, HasSubstr("wrote too much"));
}

TEST(PipeProgram, OrItsOutputIsCutThere) {
  const auto output =
      pipe_through("while :; do echo more; done", {.max_output = 1002, .cuts_output = true});
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(output->size(), 1002U);
  EXPECT_EQ(pipe_through("echo all", {.max_output = 1000, .cuts_output = true}).value(), "all\n");
  EXPECT_FALSE(pipe_through("exit 3", {.cuts_output = true}));
}

TEST(PipeProgram, AProgramThatDoesNotReadItsInputSaysWhy) {
  const std::string big(1 << 20, 'x');
  const auto output = pipe_through("exec <&-; echo no >&2; exit 3", {.input = pieces({big, big})});
  ASSERT_FALSE(output);
  EXPECT_THAT(output.error().message, HasSubstr("ended with code 3: no"));
}

TEST(PipeProgram, AnInputThatFailsEndsTheProgram) {
  const Error problem{.kind = ErrorKind::kCannotRead, .message = "no more", .hint = ""};
  ProgramPipe pipe;
  pipe.input = [problem] { return ready(problem); };
  const auto output = pipe_through("cat; sleep 600", std::move(pipe));
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error(), problem);
}

TEST(PipeProgram, AProgramThatIsTooSlowIsKilled) {
  const std::size_t before = own_children_left().size();  // orphans of other tests' programs
  const auto output =
      run_here(pipe_program(shell_script("exec sleep 600"), std::chrono::milliseconds(50), {}));
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().kind, ErrorKind::kProgramSlow);
  EXPECT_LE(own_children_left().size(), before);
}

}  // namespace
}  // namespace oriel
