#include "api/rest/upload_form.h"

#include "base/temp_directory_testing.h"
#include "runtime/deadline.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <deque>

namespace oriel {
namespace {

using testing::HasSubstr;

// A body that comes in these pieces.
class PiecesBody : public http::RequestBody {
 public:
  explicit PiecesBody(std::deque<std::string> pieces) : pieces_(std::move(pieces)) {}

  asio::awaitable<http::BodyPart> next() override {
    if (pieces_.empty()) co_return std::string();
    std::string piece = std::move(pieces_.front());
    pieces_.pop_front();
    co_return piece;
  }

 private:
  std::deque<std::string> pieces_;
};

std::string part(const std::string& disposition, const std::string& content) {
  return "--xyz\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n" + content + "\r\n";
}

class UploadFormTest : public testing::Test {
 protected:
  // "session|text|files with sizes", or the refusal's status and body.
  std::string read(std::deque<std::string> pieces, std::size_t max_bytes = 100) {
    PiecesBody body(std::move(pieces));
    Upload upload(uploads_);
    asio::io_context io(1);
    auto reading = read_upload(body, "xyz", upload, FormFields(max_bytes));
    auto result = asio::co_spawn(io, with_deadline(std::chrono::minutes(1), std::move(reading)),
                                 asio::use_future);
    io.run();
    const auto fields = result.get();
    if (!fields) return std::to_string(fields.error().status) + " " + *fields.error().body;
    std::string seen = fields->text("session_id") + "|" + fields->text("text") + "|";
    for (const TurnFile& file : upload.files())
      seen += file.name + ":" + std::to_string(file.size) + " ";
    return seen;
  }

  TempDirectory directory_;
  Uploads uploads_{{.directory = directory_ / "uploads", .max_file_bytes = 1000, .max_files = 2}};
};

TEST_F(UploadFormTest, AcceptsFieldsAndFilesInAnyOrderAndSplitAnywhere) {
  const std::string body = part("name=f; filename=a.txt", "12345") +
                           part("name=session_id", "ses_1") + part("name=text", "look\r\nhere") +
                           part("name=f; filename=b.txt", "") + "--xyz--\r\n";
  EXPECT_EQ(read({body}), "ses_1|look\r\nhere|a.txt:5 b.txt:0 ");
  std::deque<std::string> bytes;
  for (const char c : body)
    bytes.emplace_back(1, c);
  EXPECT_EQ(read(bytes), "ses_1|look\r\nhere|a.txt:5 b.txt:0 ");
}

TEST_F(UploadFormTest, RejectsUnknownFields) {
  EXPECT_THAT(read({part("name=color", "red") + "--xyz--"}), HasSubstr("unknown field"));
  EXPECT_THAT(read({part("name=text", "a") + part("name=text", "b") + "--xyz--"}),
              HasSubstr("text: appears more than once"));
  EXPECT_THAT(read({part("name=text", "\xff") + "--xyz--"}), HasSubstr("text: is not UTF-8"));
  EXPECT_THAT(read({part("name=f; filename=\"\"", "") + "--xyz--"}),
              HasSubstr("a file without a name"));
  EXPECT_THAT(read({part("name=text", "a")}), HasSubstr("400"));
  EXPECT_THAT(read({"garbage"}), HasSubstr("400"));
}

TEST_F(UploadFormTest, LimitsTheSizeOfFields) {
  EXPECT_THAT(read({part("name=text", std::string(101, 'x')) + "--xyz--"}), HasSubstr("413"));
  EXPECT_THAT(read({part("name=text", std::string(60, 'x')) +
                    part("name=session_id", std::string(60, 'x')) + "--xyz--"}),
              HasSubstr("413"));
}

TEST_F(UploadFormTest, RejectsFilesOverTheLimits) {
  EXPECT_THAT(read({part("name=f; filename=a", std::string(1001, 'x')) + "--xyz--"}),
              HasSubstr("413"));
  const std::string one = part("name=f; filename=a", "1");
  EXPECT_THAT(read({one + one + one + "--xyz--"}), HasSubstr("too_many_files"));
}

}  // namespace
}  // namespace oriel
