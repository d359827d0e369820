#include "supervisor/sessions/uploads.h"

#include "base/temp_directory_testing.h"
#include "runtime/deadline.h"
#include "supervisor/sessions/file_prompt.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class UploadsTest : public testing::Test {
 protected:
  UploadsTest() { make({}); }

  void make(UploadOptions options) {
    uploads_.reset();
    options.directory = directory_ / "uploads";
    uploads_ = std::make_unique<Uploads>(std::move(options));
  }

  template <class T>
  static T run(asio::awaitable<T> work) {
    asio::io_context io(1);
    auto result = asio::co_spawn(io, with_deadline(std::chrono::minutes(1), std::move(work)),
                                 asio::use_future);
    io.run();
    return result.get();
  }

  // One file as a whole. Returns what went wrong; empty: nothing.
  static std::string send(Upload& upload, std::string name, std::string bytes,
                          std::string type = "text/plain") {
    auto begun = run(upload.begin(std::move(name), std::move(type)));
    if (!begun) return std::string(code_of(begun.error().kind));
    auto written = run(upload.write(std::move(bytes)));
    if (!written) return std::string(code_of(written.error().kind));
    auto ended = run(upload.end());
    return ended ? "" : std::string(code_of(ended.error().kind));
  }

  // Everything below the directory that is no directory, when nothing is under way.
  std::vector<std::string> stored() {
    run(uploads_->remove("ses_none"));  // behind all that was posted before
    std::vector<std::string> found;
    std::error_code ec;
    for (const auto& entry : fs::recursive_directory_iterator(directory_ / "uploads", ec)) {
      if (entry.is_regular_file())
        found.push_back(entry.path().lexically_relative(root()).string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  fs::path root() const { return directory_ / "uploads"; }

  TempDirectory directory_;
  std::unique_ptr<Uploads> uploads_;
};

TEST_F(UploadsTest, AFileThatIsKeptIsTheSessionsAndNobodyElsesToRead) {
  TurnFile file;
  {
    Upload upload(*uploads_);
    EXPECT_EQ(send(upload, "../a b.txt", "hello"), "");
    ASSERT_TRUE(run(upload.move_to("ses_1")));
    file = upload.files().front();
    upload.keep();
  }
  EXPECT_EQ(file.name, "a b.txt");
  EXPECT_EQ(file.size, 5U);
  EXPECT_THAT(stored(), ElementsAre("ses_1/" + stored_name(file)));

  struct stat status {};

  ASSERT_EQ(::stat((root() / "ses_1" / stored_name(file)).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  ASSERT_EQ(::stat((root() / "ses_1").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
  const auto back = run(uploads_->open("ses_1", file));
  ASSERT_TRUE(back);
  EXPECT_EQ((*back)->size(), 5U);
  EXPECT_EQ(run(uploads_->read(*back)), "hello");
  EXPECT_EQ(run(uploads_->read(*back)), "");
}

TEST_F(UploadsTest, WhatIsNotKeptLeavesNothing) {
  {
    Upload upload(*uploads_);
    send(upload, "a", "whole");
    run(upload.begin("b", "text/plain"));
    run(upload.write("half"));
    EXPECT_EQ(uploads_->bytes(), 9U);
  }
  {
    Upload moved(*uploads_);
    send(moved, "c", "moved");
    ASSERT_TRUE(run(moved.move_to("ses_1")));
  }
  EXPECT_THAT(stored(), IsEmpty());
  EXPECT_EQ(uploads_->bytes(), 0U);
}

TEST_F(UploadsTest, AFileOfAFewBytesTooManyIsRefused) {
  make({.directory = {}, .max_file_bytes = 10});
  Upload upload(*uploads_);
  EXPECT_EQ(send(upload, "a", "0123456789"), "");
  EXPECT_EQ(send(upload, "b", "0123456789a"), "file_too_large");
}

TEST_F(UploadsTest, SoManyFilesAndNoMore) {
  make({.directory = {}, .max_files = 2});
  Upload upload(*uploads_);
  EXPECT_EQ(send(upload, "same", "1"), "");
  EXPECT_EQ(send(upload, "same", "2"), "");
  EXPECT_EQ(send(upload, "same", "3"), "too_many_files");
}

TEST_F(UploadsTest, FilesOfAllSessionsShareALimit) {
  make({.directory = {}, .max_total_bytes = 10});
  {
    Upload first(*uploads_);
    EXPECT_EQ(send(first, "a", "012345"), "");
    Upload second(*uploads_);
    EXPECT_EQ(send(second, "b", "01234"), "uploads_full");
    EXPECT_EQ(send(second, "c", "0123"), "");
  }
  stored();
  Upload third(*uploads_);
  EXPECT_EQ(send(third, "d", "0123456789"), "");
}

TEST_F(UploadsTest, TypesThatAreNotAllowedAreRejected) {
  make({.directory = {}, .types = {"text/*", "application/octet-stream"}});
  Upload upload(*uploads_);
  EXPECT_EQ(send(upload, "a", "", "Text/HTML; charset=utf-8"), "");
  EXPECT_EQ(send(upload, "b", "", "image/png"), "type_not_allowed");
  EXPECT_EQ(send(upload, "c", "", "nonsense"), "");
  EXPECT_EQ(upload.files().at(0).type, "text/html");
  EXPECT_EQ(upload.files().at(1).type, "application/octet-stream");
}

TEST_F(UploadsTest, AStartRemovesWhatIsOfNoSessionAndCountsTheRest) {
  directory_.add("uploads/ses_1/x-a", "12345");
  directory_.add("uploads/ses_9/x-b", "12345");
  directory_.add("uploads/.incoming/x-c", "12345");
  run(uploads_->start([](const std::string& id) { return id == "ses_1"; }));
  EXPECT_EQ(uploads_->bytes(), 5U);
  EXPECT_TRUE(fs::exists(root() / "ses_1" / "x-a"));
  EXPECT_FALSE(fs::exists(root() / "ses_9"));
  EXPECT_FALSE(fs::exists(root() / ".incoming"));
  run(uploads_->remove("ses_1"));
  EXPECT_EQ(uploads_->bytes(), 0U);
  EXPECT_FALSE(fs::exists(root() / "ses_1"));
}

TEST_F(UploadsTest, ASessionThatIsForgottenMeanwhileTakesItsFilesOnce) {
  {
    Upload upload(*uploads_);
    send(upload, "a", "12345");
    ASSERT_TRUE(run(upload.move_to("ses_1")));
    run(uploads_->remove("ses_1"));
  }
  stored();
  EXPECT_EQ(uploads_->bytes(), 0U);
}

TEST_F(UploadsTest, OnlyAPlainFileIsGivenBack) {
  directory_.add("secret", "secret");
  fs::create_directories(root() / "ses_1");
  fs::create_symlink(directory_ / "secret", root() / "ses_1" / "f1-a");
  fs::create_directory(root() / "ses_1" / "f2-a");
  for (const char* id : {"f1", "f2", "f3"}) {
    const auto file =
        run(uploads_->open("ses_1", {.file_id = id, .name = "a", .type = "text/plain", .size = 6}));
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().kind, ErrorKind::kUnknownFile);
  }
}

TEST_F(UploadsTest, ADiskThatDoesNotTakeItIsAnErrorThatNamesThePlace) {
  directory_.add("uploads", "a file where a directory should be");
  Upload upload(*uploads_);
  const auto begun = run(upload.begin("a", "text/plain"));
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().kind, ErrorKind::kUploadFailed);
  EXPECT_THAT(begun.error().message, HasSubstr((directory_ / "uploads").string()));
}

}  // namespace
}  // namespace oriel
