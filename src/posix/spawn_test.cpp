#include "posix/spawn.h"

#include "base/temp_directory_testing.h"
#include "posix/child_process.h"
#include "posix/descriptors/open_directory.h"
#include "posix/own_children.h"
#include "posix/process_marker.h"
#include "posix/process_settings.h"
#include "posix/process_testing.h"

#include <boost/asio/read.hpp>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <fstream>

namespace oriel {
namespace {

using testing::IsEmpty;
using testing::StartsWith;

ProcessSpec shell(std::string text) {
  return ProcessSpec{.argv = {"sh", "-c", std::move(text)},
                     .environment = {{"PATH", "/usr/bin:/bin"}},
                     .directory = "/"};
}

// What a program writes until it ends.
asio::awaitable<std::string> output_of(ProcessSpec command, FileDescriptor directory = {}) {
  Result<Spawned> spawned = spawn(command, directory);
  ChildProcess child(co_await asio::this_coro::executor, std::move(spawned.value()));
  std::string text;
  co_await asio::async_read(child.output(), asio::dynamic_buffer(text), kNoThrow);
  co_await child.exited();
  child.reap();
  co_return text;
}

Error refusal(const ProcessSpec& command) {
  Result<Spawned> spawned = spawn(command);
  EXPECT_FALSE(spawned);
  EXPECT_THAT(own_children_left(), IsEmpty());
  return spawned ? Error{} : spawned.error();
}

// An executable file, until the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) { std::ofstream(path_) << content; }

  std::string path() const { return path_.string(); }

  void make_executable() { std::filesystem::permissions(path_, std::filesystem::perms::owner_all); }

 private:
  TempDirectory directory_;
  std::filesystem::path path_ = directory_ / "program";
};

TEST(Spawn, GivesAProgramASessionOfItsOwn) {
  const std::string stat = run_here(output_of(shell("read -r line </proc/$$/stat; echo $line")));
  const auto process = parse_stat(stat);
  ASSERT_TRUE(process) << stat;
  EXPECT_EQ(process->group, process->pid);
  EXPECT_EQ(process->session, process->pid);
}

TEST(Spawn, PassesNoFileOfOurs) {
  const FileDescriptor leaky(::open("/dev/null", O_RDONLY));
  ASSERT_TRUE(leaky);
  const std::string file = "/proc/self/fd/" + std::to_string(leaky.get());
  EXPECT_EQ(run_here(output_of(shell("[ -e " + file + " ] || echo closed"))), "closed\n");
}

TEST(Spawn, GivesDefaultSignalsNoCoreDumpsAndNothingInherited) {
  const std::string text =
      run_here(output_of(shell("grep -E 'Sig(Blk|Ign)' /proc/self/status; ulimit -c; exec env")));
  EXPECT_EQ(text,
            "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n0\n"
            "PATH=/usr/bin:/bin\nPWD=/\n");
}

TEST(Spawn, RestoresTheUmaskAndTheOpenFileLimitThatOrielWasStartedWith) {
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  const rlimit low{.rlim_cur = 200, .rlim_max = files.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
  const mode_t umask_before = ::umask(0027);
  make_new_files_private();
  EXPECT_EQ(raise_open_file_limit(), files.rlim_max);

  EXPECT_EQ(run_here(output_of(shell("umask; ulimit -n"))), "0027\n200\n");
  EXPECT_EQ(::umask(umask_before), 0077U) << "Oriel's own files stay private";
  ::setrlimit(RLIMIT_NOFILE, &files);
}

TEST(Spawn, EntersTheOpenedDirectoryWhateverItsPathLeadsToByNow) {
  const TempDirectory directory;
  ProcessSpec command = shell("ls");
  directory.add("work/own", "");
  directory.add("other/secret", "");
  command.directory = directory / "work";
  FileDescriptor opened = open_directory(command.directory);
  std::filesystem::rename(command.directory, directory / "moved");
  std::filesystem::create_directory_symlink(directory / "other", command.directory);
  EXPECT_EQ(run_here(output_of(command, std::move(opened))), "own\n");
  EXPECT_EQ(run_here(output_of(command)), "secret\n");
}

TEST(Spawn, LimitsTheMemoryOfEachProcess) {
  ProcessSpec command =
      shell("ulimit -d; ulimit -H -d; head -c 99000000 /dev/zero | tail -c 98000000 | wc -c");
  EXPECT_EQ(run_here(output_of(command)), "unlimited\nunlimited\n98000000\n");
  command.max_data = 64 << 20;
  EXPECT_EQ(run_here(output_of(command)), "65536\n65536\n0\n");
}

TEST(Spawn, SaysWhichDirectoryIsMissing) {
  ProcessSpec command = shell("exit 0");
  command.directory = "/no/such/directory";
  const Error error = refusal(command);
  EXPECT_EQ(error.kind, ErrorKind::kDirectoryMissing);
  EXPECT_EQ(error.message,
            "cannot enter the directory '/no/such/directory': No such file or directory");
}

TEST(Spawn, SaysThatAProgramIsNotInstalled) {
  ProcessSpec command = shell("");
  command.argv = {"oriel-no-such-program"};
  EXPECT_EQ(refusal(command).kind, ErrorKind::kProgramMissing);
  command.argv = {"/no/such/program"};
  EXPECT_EQ(refusal(command).message, "'/no/such/program' does not exist");
}

TEST(Spawn, SaysThatAFileIsNotExecutable) {
  TemporaryFile file("neither a program nor a script");
  ProcessSpec command = shell("");
  command.argv = {file.path()};
  EXPECT_EQ(refusal(command).message, "'" + file.path() + "' is not an executable file");
  file.make_executable();
  EXPECT_EQ(refusal(command).message, "cannot execute '" + file.path() + "': Exec format error");
  command.argv = {"/"};
  EXPECT_EQ(refusal(command).kind, ErrorKind::kProgramNotExecutable);
}

TEST(Spawn, SaysThatAScriptNamesAnInterpreterThatIsMissing) {
  TemporaryFile file("#!/no/such/interpreter\n");
  file.make_executable();
  ProcessSpec command = shell("");
  command.argv = {file.path()};
  EXPECT_EQ(refusal(command).kind, ErrorKind::kCannotStart);
}

asio::awaitable<ExitStatus> status_of(ProcessSpec command) {
  Result<Spawned> spawned = spawn(command);
  ChildProcess child(co_await asio::this_coro::executor, std::move(spawned.value()));
  const ExitStatus status = co_await child.exited();
  child.reap();
  co_return status;
}

TEST(ChildProcess, ReportsItsCodeOrItsSignal) {
  EXPECT_EQ(run_here(status_of(shell("exit 5"))), (ExitStatus{.code = 5, .signal = 0}));
  EXPECT_EQ(run_here(status_of(shell("kill -TERM $$"))),
            (ExitStatus{.code = 0, .signal = SIGTERM}));
}

TEST(ChildProcess, DoesNotOutliveItsOwner) {
  asio::io_context io(1);
  {
    const ChildProcess child(io.get_executor(), spawn(shell("exec sleep 600")).value());
    EXPECT_EQ(own_children_left().size(), 1u);
  }
  EXPECT_THAT(own_children_left(), IsEmpty());
}

TEST(OwnChildren, LeaveTheExitOfEachToItsOwner) {
  asio::io_context io(1);
  ChildProcess child(io.get_executor(), spawn(shell("exit 6")).value());
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child.pid()), &info, WEXITED | WNOWAIT), 0);
  reap_orphans();
  EXPECT_EQ(own_children_left().size(), 1u);
  child.reap();
  EXPECT_THAT(own_children_left(), IsEmpty());
}

// How a process with this marker ends: by itself, with code 9, unless it is ended as abandoned.
asio::awaitable<ExitStatus> fate_of(std::string marker) {
  ProcessSpec command = shell("read line; exit 9");
  command.environment[std::string(kMarkerName)] = std::move(marker);
  ChildProcess child(co_await asio::this_coro::executor, spawn(command).value());
  end_abandoned();
  child.input().close();
  const ExitStatus status = co_await child.exited();
  child.reap();
  co_return status;
}

TEST(Spawn, WithoutFreeDescriptorsAStartFailsAndTheNextSucceeds) {
  const ProcessSpec command = shell("echo here");
  ErrorKind kind = ErrorKind::kUnknown;
  {
    const DescriptorShortage shortage;
    if (const auto spawned = spawn(command); !spawned) kind = spawned.error().kind;
    EXPECT_FALSE(list_processes());
    EXPECT_EQ(make_marker().error().kind, ErrorKind::kCannotStart);
  }
  EXPECT_EQ(kind, ErrorKind::kCannotStart);
  EXPECT_EQ(run_here(output_of(command)), "here\n");
}

TEST(Marker, IsUniqueAndNamesALivingOriel) {
  const std::string marker = make_marker().value();
  EXPECT_NE(marker, make_marker().value());
  EXPECT_THAT(marker, StartsWith("oriel-"));
  EXPECT_EQ(run_here(fate_of(marker)), (ExitStatus{.code = 9, .signal = 0}));
}

TEST(Marker, FindsWhatAnEarlierOrielLeftBehind) {
  const std::string marker = make_marker().value();
  const std::size_t end = marker.rfind('-');
  const std::string earlier = marker.substr(0, end) + "1" + marker.substr(end);
  EXPECT_EQ(run_here(fate_of(earlier)), (ExitStatus{.code = 0, .signal = SIGKILL}));
}

}  // namespace
}  // namespace oriel
