// Turns that come with files: POST /api/turns with a form, and the files back.

#include "hosted_fixture.h"
#include "observed_fixture.h"
#include "raw_client.h"
#include "session_client.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct File {
  std::string name;
  std::string content;
  std::string type = "text/plain";
};

std::string field(const std::string& name, const std::string& value) {
  return "--xyz\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
}

std::string part(const File& file) {
  return "--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + file.name +
         "\"\r\nContent-Type: " + file.type + "\r\n\r\n" + file.content + "\r\n";
}

HttpRequest form(std::string parts) {
  return {.method = "POST",
          .target = "/api/turns",
          .headers = {{"Content-Type", "multipart/form-data; boundary=xyz"}},
          .body = std::move(parts) + "--xyz--\r\n"};
}

HttpResponse upload(HostedFixture& fixture, const std::string& session_id,
                    const std::vector<File>& files, const std::string& more = "") {
  std::string parts = field("session_id", session_id) + more;
  for (const File& file : files)
    parts += part(file);
  return call(fixture.server(), form(parts));
}

// Of all uploads, by session: what is kept and what is on its way.
std::vector<fs::path> stored(const HostedFixture& fixture) {
  std::vector<fs::path> found;
  std::error_code ec;
  for (fs::recursive_directory_iterator entry(fixture.data() / "uploads", ec);
       !ec && entry != fs::end(entry); entry.increment(ec)) {
    if (entry->is_regular_file()) found.push_back(entry->path());
  }
  return found;
}

// Files are removed after the answer.
bool holds_nothing(const HostedFixture& fixture) {
  return eventually([&] { return stored(fixture).empty(); });
}

HttpResponse download(HostedFixture& fixture, const std::string& session_id,
                      const std::string& file_id) {
  return get(fixture.server(), "/api/sessions/" + session_id + "/files/" + file_id);
}

std::string file_id(const HttpResponse& answer, std::size_t number = 0) {
  return std::string(answer.json().at("files").at(number).at("file_id").as_string());
}

TEST(R_TURN_1, AnUploadReachesTheAgentAndIsOneTurn) {
  HostedFixture fixture;
  SseClient watcher(fixture.server(), "/api/events?types=turn_created");
  watcher.hello();
  SessionClient session(fixture.server(), fixture.request());
  const HttpResponse answer =
      upload(fixture, session.id(), {{.name = "notes.txt", .content = "first line\nsecond\n"}},
             field("text", "what is in this?"));
  ASSERT_EQ(answer.status, 202) << answer.body;
  const Events events = session.until_rest();
  EXPECT_THAT(final_answer(events), HasSubstr("It begins: \"first line\"")) << to_text(events);

  auto turns = fixture.turns(session.id());
  std::erase_if(turns, [](const json::object& turn) { return turn.at("actor") != "user"; });
  ASSERT_THAT(turns, SizeIs(1));
  EXPECT_EQ(turns.front().at("turn_id"), answer.json().at("turn_id"));
  EXPECT_EQ(turns.front().at("text"), "what is in this?");
  EXPECT_EQ(turns.front().at("source"), "upload");
  EXPECT_EQ(turns.front().at("files"), answer.json().at("files"));
  const json::value& file = turns.front().at("files").at(0);
  EXPECT_EQ(file.at("name"), "notes.txt");
  EXPECT_EQ(file.at("type"), "text/plain");
  EXPECT_EQ(file.at("size").to_number<int>(), 18);
  const json::object created = watcher.next_event().json();
  EXPECT_EQ(created.at("data").at("source"), "upload");
  EXPECT_EQ(created.at("data").at("files"), answer.json().at("files"));
}

TEST(R_TURN_1, AFileIsKeptAsItWasSentAndLeadsNowhereElse) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  std::string bytes = "\r\n--xy";
  for (int i = 0; i < 3'000'000; ++i)
    bytes += static_cast<char>(i * 7 % 251);
  bytes += "\r\n--xy\r\n";
  const HttpResponse answer = upload(
      fixture, session.id(),
      {{.name = "../../../tmp/evil & co.bin", .content = bytes, .type = "application/octet-stream"},
       {.name = ".bashrc", .content = ""}});
  ASSERT_EQ(answer.status, 202) << answer.body;
  session.until_rest();
  const fs::path directory = fixture.data() / "uploads" / session.id();
  const fs::path path = directory / (file_id(answer) + "-evil _ co.bin");
  EXPECT_TRUE(read_file(path) == bytes);
  EXPECT_TRUE(fs::exists(directory / (file_id(answer, 1) + "-bashrc")));
  EXPECT_THAT(stored(fixture), SizeIs(2));

  struct stat status {};

  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  ASSERT_EQ(stat(directory.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
  const HttpResponse back = download(fixture, session.id(), file_id(answer));
  EXPECT_EQ(back.status, 200);
  EXPECT_TRUE(back.body == bytes);
  EXPECT_EQ(download(fixture, session.id(), file_id(answer, 1)).body, "");
  EXPECT_EQ(fixture.turns(session.id()).front().at("text"), "Files: evil _ co.bin, bashrc");
}

TEST(R_TURN_1, AFileIsGivenBackAsADownloadAndNeverAsAPage) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  const std::string script = "<script>alert(1)</script>";
  const HttpResponse answer =
      upload(fixture, session.id(),
             {{.name = "a.html", .content = script, .type = "text/html"},
              {.name = "a.svg", .content = script, .type = "image/svg+xml"},
              {.name = "a.png", .content = script, .type = "image/png"},
              {.name = "\xc3\xbc.txt", .content = script, .type = "text/plain; charset=utf-7"}});
  ASSERT_EQ(answer.status, 202) << answer.body;
  const std::vector<std::string> types = {"application/octet-stream", "application/octet-stream",
                                          "image/png", "text/plain; charset=utf-8"};
  for (std::size_t i = 0; i < types.size(); ++i) {
    const HttpResponse back = download(fixture, session.id(), file_id(answer, i));
    EXPECT_EQ(back.status, 200);
    EXPECT_EQ(back.body, script);
    EXPECT_EQ(back.header("content-type"), types[i]);
    EXPECT_THAT(back.header("content-disposition"), testing::StartsWith("attachment; filename="));
    EXPECT_EQ(back.header("x-content-type-options"), "nosniff");
    EXPECT_EQ(back.header("content-security-policy"),
              "sandbox; default-src 'none'; frame-ancestors 'none'");
  }
  session.until_rest();
}

TEST(R_TURN_1, OnlyFilesOfTheSessionsTurnsAreGivenBack) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  SessionClient other(fixture.server(), fixture.request());
  const HttpResponse answer = upload(fixture, session.id(), {{.name = "a", .content = "1"}});
  session.until_rest();
  EXPECT_EQ(download(fixture, other.id(), file_id(answer)).error_code(), "unknown_file");
  EXPECT_EQ(download(fixture, session.id(), "..%2F..%2Fjournal.db").status, 400);
  EXPECT_EQ(download(fixture, session.id(), file_id(answer) + "-a").status, 404);
  EXPECT_EQ(download(fixture, "ses_none", file_id(answer)).error_code(), "unknown_session");
  fs::remove(stored(fixture).at(0));
  EXPECT_EQ(download(fixture, session.id(), file_id(answer)).error_code(), "unknown_file");
}

TEST(R_TURN_1, UploadsBeyondTheLimitsAreRefusedAndLeaveNothing) {
  HostedFixture fixture({"--max-upload-bytes", "2KiB", "--max-upload-files", "2",
                         "--max-uploads-total", "3KiB", "--upload-types", "text/*",
                         "--max-body-bytes", "4KiB"});
  SessionClient session(fixture.server(), fixture.request());
  const File large{.name = "a", .content = std::string(2049, 'x')};
  const File full{.name = "a", .content = std::string(2048, 'x')};
  const File small{.name = "b", .content = "1"};
  const auto refusal = [&](const std::vector<File>& files, const std::string& more = "") {
    const HttpResponse answer = upload(fixture, session.id(), files, more);
    return std::to_string(answer.status) + " " + answer.error_code();
  };
  EXPECT_EQ(refusal({small, large}), "413 file_too_large");
  EXPECT_EQ(refusal({small, small, small}), "413 too_many_files");
  EXPECT_EQ(refusal({full, full}), "413 uploads_full");
  EXPECT_EQ(refusal({small, {.name = "c", .content = "1", .type = "image/png"}}),
            "415 type_not_allowed");
  EXPECT_EQ(refusal({small}, field("text", std::string(5000, 'x'))), "413 body_too_large");
  EXPECT_EQ(refusal({{.name = "a", .content = std::string(3 << 20, 'x')}}), "413 body_too_large");
  EXPECT_TRUE(holds_nothing(fixture));
  EXPECT_THAT(fixture.turns(session.id()), IsEmpty());
  EXPECT_EQ(upload(fixture, session.id(), {full}).status, 202);
  session.until_rest();
}

TEST(R_TURN_1, MalformedUploadsAreRefusedAndLeaveNothing) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  const File file{.name = "a", .content = "1"};
  const std::string good = field("session_id", session.id()) + part(file);
  const auto status = [&](const HttpRequest& request) {
    return call(fixture.server(), request).status;
  };
  EXPECT_EQ(status(form(part(file))), 400);
  EXPECT_EQ(status(form(field("session_id", session.id()))), 400);
  EXPECT_EQ(status(form(good + field("session_id", session.id()))), 400);
  EXPECT_EQ(status(form(good + field("color", "red"))), 400);
  EXPECT_EQ(status(form(good + field("timestamp", "soon"))), 400);
  EXPECT_EQ(status(form(good + field("request_id", "a b"))), 400);
  EXPECT_EQ(status(form(good + part({.name = "", .content = "1"}))), 400);
  HttpRequest cut = form(good);
  cut.body = good;
  EXPECT_EQ(status(cut), 400);
  HttpRequest other = form(good);
  other.headers = {{"Content-Type", "multipart/form-data; boundary=abc"}};
  EXPECT_EQ(status(other), 400);
  other.headers = {{"Content-Type", "multipart/form-data"}};
  EXPECT_EQ(status(other), 400);
  other.headers = {{"Content-Type", "multipart/mixed; boundary=xyz"}};
  EXPECT_EQ(status(other), 415);
  EXPECT_EQ(upload(fixture, "ses_none", {file}).status, 404);
  EXPECT_EQ(upload(fixture, "..", {file}).status, 404);
  session.end();
  EXPECT_EQ(upload(fixture, session.id(), {file}).error_code(), "session_ended");
  EXPECT_TRUE(holds_nothing(fixture));
  EXPECT_THAT(fixture.turns(session.id()), IsEmpty());
}

TEST(R_TURN_1, ASenderThatGoesAwayLeavesNothing) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  HttpRequest request = form(field("session_id", session.id()) +
                             part({.name = "a", .content = std::string(2 << 20, 'x')}));
  const std::string bytes = request.bytes();
  {
    RawClient client(fixture.server().port());
    client.send(std::string_view(bytes).substr(0, bytes.size() - 1000));
    EXPECT_TRUE(eventually([&] { return stored(fixture).size() == 1; }));
  }
  EXPECT_TRUE(holds_nothing(fixture));
  EXPECT_THAT(fixture.turns(session.id()), IsEmpty());
}

TEST(R_TURN_1, AFileAndItsTurnSurviveAKillAndAHalfOneDoesNot) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  const HttpResponse answer = upload(fixture, session.id(), {{.name = "a", .content = "kept"}});
  session.until_rest();
  HttpRequest request = form(field("session_id", session.id()) +
                             part({.name = "b", .content = std::string(2 << 20, 'x')}));
  const std::string bytes = request.bytes();
  RawClient client(fixture.server().port());
  client.send(std::string_view(bytes).substr(0, bytes.size() - 1000));
  EXPECT_TRUE(eventually([&] { return stored(fixture).size() == 2; }));
  fixture.server().kill();
  ASSERT_THAT(stored(fixture), SizeIs(2));
  fixture.restart();
  EXPECT_TRUE(eventually([&] { return stored(fixture).size() == 1; }));
  EXPECT_EQ(fixture.turns(session.id()).front().at("files"), answer.json().at("files"));
  EXPECT_EQ(download(fixture, session.id(), file_id(answer)).body, "kept");
}

TEST(R_TURN_1, ARepeatedUploadIsTakenOnce) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  const std::string id = field("request_id", "r1");
  const HttpResponse first = upload(fixture, session.id(), {{.name = "a", .content = "1"}}, id);
  const HttpResponse again = upload(fixture, session.id(), {{.name = "a", .content = "1"}}, id);
  EXPECT_EQ(first.status, 202);
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.json().at("turn_id"), first.json().at("turn_id"));
  EXPECT_EQ(again.json().at("files"), first.json().at("files"));
  session.until_rest();
  EXPECT_TRUE(eventually([&] { return stored(fixture).size() == 1; }));
}

TEST(R_TURN_1, AnUploadMayComeInChunksAfterTheServerSaysThatItMay) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  const HttpRequest request =
      form(field("session_id", session.id()) + part({.name = "a", .content = "first\n"}));
  RawClient client(fixture.server().port());
  client.send(
      "POST /api/turns HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
      "Content-Type: multipart/form-data; boundary=xyz\r\nTransfer-Encoding: chunked\r\n\r\n");
  EXPECT_THAT(client.read_until("\r\n\r\n"), HasSubstr("100 Continue"));
  for (const char c : request.body)
    client.send("1\r\n" + std::string(1, c) + "\r\n");
  client.send("0\r\n\r\n");
  EXPECT_EQ(read_response(client).status, 202);
  // The connection goes on.
  EXPECT_EQ(call(client, {.target = "/health"}).status, 200);
  session.until_rest();
}

TEST(R_TURN_1, ASenderWithoutAccessIsRejectedBeforeTheUploadIsRead) {
  HostedFixture fixture;
  RawClient client(fixture.server().port());
  client.send(
      "POST /api/turns HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 100000000\r\n"
      "Content-Type: multipart/form-data; boundary=xyz\r\n\r\n");
  EXPECT_EQ(read_response(client).status, 403);
  RawClient greedy(fixture.server().port());
  greedy.send(
      "POST /api/turns HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000000\r\n"
      "Content-Type: multipart/form-data; boundary=xyz\r\n\r\n");
  EXPECT_EQ(read_response(greedy).status, 413);
}

TEST(R_TURN_1, AnAgentInASandboxReadsWhatItIsSent) {
  if (std::system("bwrap --unshare-pid --ro-bind / / --dev /dev --proc /proc true 2>/dev/null") !=
      0)
    GTEST_SKIP() << "bubblewrap is not installed, or the kernel forbids it";
  HostedFixture fixture({}, "sandbox = \"bubblewrap\"\n");
  SessionClient session(fixture.server(), fixture.request());
  for (const char* text : {"one", "two"}) {  // the second comes when the sandbox is up already
    ASSERT_EQ(upload(fixture, session.id(), {{.name = "a.txt", .content = text}}).status, 202);
    EXPECT_THAT(final_answer(session.until_rest()),
                HasSubstr("It begins: \"" + std::string(text) + "\""));
  }
}

}  // namespace
}  // namespace oriel
