#include "transcript/transcript_roots.h"

#include "base/temp_directory_testing.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

namespace oriel {
namespace {

namespace fs = std::filesystem;

class TranscriptRootsTest : public testing::Test {
 protected:
  TranscriptRootsTest() {
    directory_.add("home/roots/p/a.jsonl", "x\n");
    directory_.add("home/secret.jsonl", "x\n");
  }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  std::string problem_of(const std::string& name) const {
    const Result<FileDescriptor> file = roots_.open(name);
    return file ? "" : std::string(code_of(file.error().kind));
  }

  TempDirectory directory_;
  TranscriptRoots roots_{{path("home/roots/")}};
};

TEST_F(TranscriptRootsTest, ARegularFileBelowARootIsOpened) {
  EXPECT_EQ(problem_of(path("home/roots/p/a.jsonl")), "");
  EXPECT_EQ(problem_of(path("home/roots//p/./a.jsonl")), "");
}

TEST_F(TranscriptRootsTest, FilesOutsideTheRootsAreRejected) {
  for (const std::string& name :
       {path("home/secret.jsonl"), path("home/roots/../secret.jsonl"), path("home/roots"),
        path("home/rootsx/a.jsonl"), std::string("p/a.jsonl"), std::string(""),
        std::string("/etc/passwd"), path("home/roots/p/a.jsonl") + std::string("\0.jsonl", 7)})
    EXPECT_EQ(problem_of(name), "path_not_allowed") << name;
}

TEST_F(TranscriptRootsTest, FilesThatAreNoTranscriptsAreRejected) {
  directory_.add("home/roots/p/key.pem", "x");
  EXPECT_EQ(problem_of(path("home/roots/p/key.pem")), "path_not_allowed");
}

TEST_F(TranscriptRootsTest, NoSymbolicLinkLeadsOut) {
  fs::create_symlink(path("home/secret.jsonl"), path("home/roots/p/link.jsonl"));
  fs::create_directory_symlink(path("home"), path("home/roots/up"));
  EXPECT_EQ(problem_of(path("home/roots/p/link.jsonl")), "path_not_allowed");
  EXPECT_EQ(problem_of(path("home/roots/up/secret.jsonl")), "path_not_allowed");
  fs::create_symlink("a.jsonl", path("home/roots/p/inside.jsonl"));
  EXPECT_EQ(problem_of(path("home/roots/p/inside.jsonl")), "");
}

TEST_F(TranscriptRootsTest, PipesAndDirectoriesAreRejectedWithoutBlocking) {
  ASSERT_EQ(mkfifo(path("home/roots/p/pipe.jsonl").c_str(), 0600), 0);
  fs::create_directory(path("home/roots/p/dir.jsonl"));
  EXPECT_EQ(problem_of(path("home/roots/p/pipe.jsonl")), "path_not_allowed");
  EXPECT_EQ(problem_of(path("home/roots/p/dir.jsonl")), "path_not_allowed");
}

TEST_F(TranscriptRootsTest, AMissingFileIsNotFound) {
  EXPECT_EQ(problem_of(path("home/roots/p/later.jsonl")), "not_found");
  EXPECT_EQ(problem_of(path("home/roots/q/later.jsonl")), "not_found");
}

TEST_F(TranscriptRootsTest, ARootThatIsALinkHasBothPaths) {
  fs::create_directory_symlink(path("home"), path("link"));
  const TranscriptRoots roots({path("link/roots")});
  EXPECT_TRUE(roots.open(path("link/roots/p/a.jsonl")));
  EXPECT_TRUE(roots.open(path("home/roots/p/a.jsonl")));
}

TEST_F(TranscriptRootsTest, AnErrorNamesThePathAndTheSolution) {
  const Error error = roots_.check("/etc/passwd").error();
  EXPECT_NE(error.message.find("/etc/passwd"), std::string::npos);
  EXPECT_FALSE(error.hint.empty());
}

TEST_F(TranscriptRootsTest, RootsAndPathsBelowThemMayBeImported) {
  for (const char* name : {"home/roots", "home/roots/", "home/roots/p", "home/roots/p/a.jsonl"})
    EXPECT_TRUE(roots_.check_import_path(path(name))) << name;
  EXPECT_EQ(roots_.check_import_path(path("home/roots/./p/")).value(), path("home/roots/p"));
}

TEST_F(TranscriptRootsTest, PathsOutsideTheRootsMayNotBeImported) {
  fs::create_directory_symlink(path("home"), path("home/roots/way-out"));
  const auto problem = [&](const std::string& path) {
    const auto checked = roots_.check_import_path(path);
    return checked ? "" : std::string(code_of(checked.error().kind));
  };
  for (const char* name : {"home", "home/secret.jsonl", "home/roots/..", "home/rootsy",
                           "home/roots/way-out", "home/roots/way-out/secret.jsonl"})
    EXPECT_EQ(problem(path(name)), "path_not_allowed") << name;
  EXPECT_EQ(problem("home/roots"), "path_not_allowed");
  EXPECT_EQ(problem(path("home/roots/nowhere")), "not_found");
}

TEST(TranscriptRoots, TheDefaultsAreBelowTheHomeDirectory) {
  EXPECT_EQ(default_transcript_roots("/home/me"),
            (std::vector<std::string>{"/home/me/.claude/projects", "/home/me/.codex/sessions",
                                      "/home/me/.factory/sessions"}));
}

}  // namespace
}  // namespace oriel
