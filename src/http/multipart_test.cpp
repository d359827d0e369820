#include "http/multipart.h"

#include <gmock/gmock.h>

namespace oriel::http {
namespace {

using testing::HasSubstr;

// What is read, in short: "[name]", "[name file type]", its bytes, "." at its end; or the refusal.
std::string read(std::string_view body, std::size_t step = 1 << 20, MultipartLimits limits = {}) {
  MultipartParser parser("xyz", limits);
  std::string seen;
  for (std::size_t i = 0; i < body.size(); i += step) {
    const auto events = parser.feed(body.substr(i, step));
    if (!events) return events.error().message;
    for (const MultipartEvent& event : *events) {
      if (const auto* begins = std::get_if<PartBegins>(&event)) {
        seen += "[" + begins->name;
        if (begins->filename) seen += " " + *begins->filename + " " + begins->type;
        seen += "]";
      } else if (const auto* bytes = std::get_if<PartBytes>(&event)) {
        EXPECT_FALSE(bytes->bytes.empty());
        seen += bytes->bytes;
      } else {
        seen += ".";
      }
    }
  }
  const auto end = parser.finish();
  return end ? seen : end.error().message;
}

std::string part(const std::string& disposition, const std::string& content,
                 const std::string& more = "") {
  return "--xyz\r\nContent-Disposition: form-data; " + disposition + "\r\n" + more + "\r\n" +
         content + "\r\n";
}

// The part of a body that has this one alone.
std::string read_one(const std::string& disposition) {
  return read(part(disposition, "") + "--xyz--");
}

TEST(Multipart, FindsTheBoundaryInAContentType) {
  EXPECT_EQ(multipart_boundary("multipart/form-data; boundary=----WebKitFormBoundary7MA4"),
            "----WebKitFormBoundary7MA4");
  EXPECT_EQ(multipart_boundary("Multipart/Form-Data;charset=utf-8; BOUNDARY=\"a b?:=c\" "),
            "a b?:=c");
  EXPECT_EQ(multipart_boundary("multipart/form-data"), std::nullopt);
  EXPECT_EQ(multipart_boundary("multipart/form-data; boundary="), std::nullopt);
  EXPECT_EQ(multipart_boundary("multipart/form-data; boundary=a; boundary=b"), std::nullopt);
  EXPECT_EQ(multipart_boundary("multipart/form-data; boundary=\"a"), std::nullopt);
  EXPECT_EQ(multipart_boundary("multipart/form-data; boundary=\"a \""), std::nullopt);
  EXPECT_EQ(multipart_boundary("multipart/form-data; boundary=\"a\xe4\""), std::nullopt);
  EXPECT_EQ(multipart_boundary("multipart/form-data; boundary=" + std::string(71, 'a')),
            std::nullopt);
  EXPECT_EQ(multipart_boundary("multipart/mixed; boundary=a"), std::nullopt);
  EXPECT_TRUE(is_multipart("multipart/form-data"));
  EXPECT_TRUE(is_multipart(" Multipart/form-data ;boundary=a"));
  EXPECT_FALSE(is_multipart("application/json"));
}

TEST(Multipart, ReadsFieldsAndFilesWhereverTheBytesAreCut) {
  const std::string body =
      part("name=\"text\"", "look at\r\nthis") +
      part("name=\"f\"; filename=\"a b.png\"", std::string("\x89PNG\r\n\0--xy\r\n--xy", 17),
           "Content-Type: image/png\r\nX-Other: ignored\r\n") +
      part("name=empty; filename=none.txt", "") + "--xyz--\r\n";
  const std::string expected = "[text]look at\r\nthis.[f a b.png image/png]" +
                               std::string("\x89PNG\r\n\0--xy\r\n--xy", 17) +
                               ".[empty none.txt text/plain].";
  EXPECT_EQ(read(body), expected);
  for (std::size_t step = 1; step < 90; ++step)
    EXPECT_EQ(read(body, step), expected) << step;
}

TEST(Multipart, MayHaveNoPart) {
  EXPECT_EQ(read("--xyz--"), "");
  EXPECT_EQ(read("--xyz--\r\n"), "");
}

TEST(Multipart, KeepsPartsOfOneNameApart) {
  EXPECT_EQ(read(part("name=a", "1") + part("name=a", "2") + "--xyz--"), "[a]1.[a]2.");
}

TEST(Multipart, ReadsQuotedNamesAsBrowsersAndOthersWriteThem) {
  EXPECT_EQ(read_one(R"(name="a"; filename="C:\dir\x.txt")"), R"([a C:\dir\x.txt text/plain].)");
  EXPECT_EQ(read_one(R"(name="a"; filename="say \"hi\"; x=y.txt")"),
            R"([a say "hi"; x=y.txt text/plain].)");
  EXPECT_EQ(read_one(R"(filename="../../etc/passwd"; name=a)"), "[a ../../etc/passwd text/plain].");
  EXPECT_EQ(read_one("name=\"a\"; filename=\"\xc3\xbc.txt\""), "[a \xc3\xbc.txt text/plain].");
  EXPECT_EQ(read_one("name=\"a\"; filename=\"\""), "[a  text/plain].");
}

TEST(Multipart, RefusesPartsWithoutAUsableName) {
  EXPECT_THAT(read_one("filename=x"), HasSubstr("part 1: it has no name"));
  EXPECT_THAT(read_one("name=\"\""), HasSubstr("it has no name"));
  EXPECT_THAT(read_one("name=a; name=b"), HasSubstr("Content-Disposition"));
  EXPECT_THAT(read_one("name=\"a"), HasSubstr("Content-Disposition"));
  EXPECT_THAT(read_one("name=a b"), HasSubstr("Content-Disposition"));
  EXPECT_THAT(read_one("name"), HasSubstr("Content-Disposition"));
  EXPECT_THAT(read_one("name=\"a\"; filename*=UTF-8''x"), HasSubstr("filename*"));
  EXPECT_THAT(read_one("name=\"a\xff\""), HasSubstr("malformed"));
  EXPECT_THAT(read(part("name=a", "") + "--xyz\r\n\r\nhello\r\n--xyz--"),
              HasSubstr("part 2: it has no Content-Disposition"));
  EXPECT_THAT(read("--xyz\r\nContent-Disposition: attachment; name=a\r\n\r\n\r\n--xyz--"),
              HasSubstr("not form-data"));
}

TEST(Multipart, RefusesMalformedHeads) {
  const auto with = [](const std::string& header) {
    return read(part("name=a", "", header) + "--xyz--");
  };
  EXPECT_THAT(with("Content-Disposition: form-data; name=b\r\n"), HasSubstr("repeated"));
  EXPECT_THAT(with("Content-Type: a/b\r\nContent-Type: a/c\r\n"), HasSubstr("repeated"));
  EXPECT_THAT(with("Content-Transfer-Encoding: base64\r\n"), HasSubstr("base64"));
  EXPECT_EQ(with("Content-Transfer-Encoding: Binary\r\n"), "[a].");
  EXPECT_THAT(with("no colon\r\n"), HasSubstr("malformed"));
  EXPECT_THAT(with(" folded: line\r\n"), HasSubstr("malformed"));
  EXPECT_THAT(with("X: bare\nfeed\r\n"), HasSubstr("malformed"));
  EXPECT_THAT(with("X: bare\rreturn\r\n"), HasSubstr("malformed"));
  EXPECT_THAT(with("X: " + std::string(1, '\0') + "\r\n"), HasSubstr("malformed"));
}

TEST(Multipart, RefusesWhatIsNotBetweenBoundaries) {
  EXPECT_THAT(read("preamble\r\n--xyz--"), HasSubstr("does not begin with the boundary"));
  EXPECT_THAT(read("--xy"), HasSubstr("ends before its last boundary"));
  EXPECT_THAT(read(""), HasSubstr("ends before its last boundary"));
  EXPECT_THAT(read("--xyz--\r\nepilogue"), HasSubstr("follows the last boundary"));
  EXPECT_THAT(read("--xyz \r\n"), HasSubstr("not followed by a line break"));
  EXPECT_THAT(read("--xyz\nContent-Disposition: form-data; name=a\n\n1\n--xyz--\n"),
              HasSubstr("not followed by a line break"));
}

TEST(Multipart, ABoundaryThatGoesOnIsNotTaken) {
  EXPECT_THAT(read(part("name=a", "1\r\n--xyzz") + "--xyz--"),
              HasSubstr("not followed by a line break"));
}

TEST(Multipart, ABodyThatIsCutOffIsRefused) {
  const std::string body = part("name=a", "hello") + "--xyz--";
  for (std::size_t size = 0; size < body.size(); ++size)
    EXPECT_THAT(read(body.substr(0, size)), HasSubstr("ends before its last boundary")) << size;
}

TEST(Multipart, HoldsNoMoreThanItMay) {
  const MultipartLimits limits{.max_head_bytes = 100, .max_parts = 2};
  const std::string long_head = part("name=a", "", "X: " + std::string(100, 'x') + "\r\n");
  EXPECT_THAT(read(long_head + "--xyz--", 1 << 20, limits), HasSubstr("exceeds 100 bytes"));
  EXPECT_THAT(read("--xyz\r\n" + std::string(200, 'x'), 7, limits), HasSubstr("exceeds 100 bytes"));
  const std::string one = part("name=a", "1");
  EXPECT_EQ(read(one + one + "--xyz--", 1 << 20, limits), "[a]1.[a]1.");
  EXPECT_THAT(read(one + one + one + "--xyz--", 1 << 20, limits), HasSubstr("more than 2 parts"));
}

TEST(Multipart, GivesBytesOnAsTheyCome) {
  MultipartParser parser("xyz");
  const auto events = parser.feed("--xyz\r\nContent-Disposition: form-data; name=a\r\n\r\n" +
                                  std::string(1000, 'x'));
  ASSERT_TRUE(events);
  ASSERT_EQ(events->size(), 2U);
  EXPECT_GT(std::get<PartBytes>(events->at(1)).bytes.size(), 990U);
}

}  // namespace
}  // namespace oriel::http
