#include "http/head_scanner.h"

#include <gmock/gmock.h>

namespace oriel::http {
namespace {

using testing::HasSubstr;

// "begin-end", "more", or the status of the refusal.
std::string verdict(HeadScanner& scanner, std::string_view bytes) {
  auto scanned = scanner.scan(bytes);
  if (!scanned) return std::to_string(scanned.error().status);
  if (!*scanned) return "more";
  return std::to_string((*scanned)->begin) + "-" + std::to_string((*scanned)->end);
}

std::string verdict(std::string_view bytes, std::size_t max_bytes = 1000) {
  HeadScanner scanner(max_bytes);
  return verdict(scanner, bytes);
}

// What the refusal says, when there is one.
std::string message(std::string_view bytes) {
  HeadScanner scanner(1000);
  auto scanned = scanner.scan(bytes);
  return scanned ? "" : *scanned.error().body;
}

TEST(HeadScanner, FindsTheEndOfAHead) {
  EXPECT_EQ(verdict("GET / HTTP/1.1\r\n\r\n"), "0-18");
  EXPECT_EQ(verdict("GET / HTTP/1.1\r\nHost: a\r\n\r\nbody\r\n\r\n"), "0-27");
}

TEST(HeadScanner, WaitsForTheEnd) {
  const std::string_view head = "GET / HTTP/1.0\r\nHost: a\r\n\r\n";
  HeadScanner scanner(1000);
  for (std::size_t i = 0; i < head.size(); ++i) {
    EXPECT_EQ(verdict(scanner, head.substr(0, i)), "more");
  }
  EXPECT_EQ(verdict(scanner, head), "0-27");
}

TEST(HeadScanner, SkipsOneEmptyLineBeforeTheHead) {
  EXPECT_EQ(verdict("\r\nGET / HTTP/1.1\r\n\r\n"), "2-20");
  EXPECT_EQ(verdict("\r\n\r\nGET / HTTP/1.1\r\n\r\n"), "400");
}

TEST(HeadScanner, RefusesAHeadBeyondItsLimit) {
  const std::string_view head = "GET / HTTP/1.1\r\n\r\n";
  EXPECT_EQ(verdict(head, 18), "0-18");
  EXPECT_EQ(verdict(head, 17), "431");
  EXPECT_EQ(verdict("GET /aaaaaaaaaaaaaaaaaaaaa", 17), "431");
}

TEST(HeadScanner, RefusesLineEndsOtherThanCrlf) {
  EXPECT_THAT(message("GET / HTTP/1.1\n"), HasSubstr("line feed without a carriage return"));
  EXPECT_THAT(message("\nGET"), HasSubstr("line feed without"));
  EXPECT_THAT(message("GET / HTTP/1.1\r\nA: b\rC: d\r\n\r\n"),
              HasSubstr("carriage return without a line feed"));
  EXPECT_THAT(message("GET / HTTP/1.1\r\nA: b\r\r\n\r\n"), HasSubstr("carriage return without"));
}

TEST(HeadScanner, RefusesNulsAndFoldedLines) {
  EXPECT_THAT(message(std::string_view("GET /\0", 6)), HasSubstr("NUL"));
  EXPECT_THAT(message("GET / HTTP/1.1\r\nA: b\r\n c"), HasSubstr("continues on the next line"));
  EXPECT_THAT(message("GET / HTTP/1.1\r\n\tA: b"), HasSubstr("continues on the next line"));
}

TEST(HeadScanner, RecognizesTlsByItsFirstByte) {
  EXPECT_THAT(message("\x16"), HasSubstr("TLS handshake"));
}

TEST(HeadScanner, RefusesOtherVersionsAsSoonAsTheLineEnds) {
  EXPECT_EQ(verdict("PRI * HTTP/2.0\r\n"), "505");
  EXPECT_EQ(verdict("GET / HTTP/0.9\r\n"), "505");
  EXPECT_EQ(verdict("GET / HTTP/1.2\r\n"), "505");
  EXPECT_EQ(verdict("GET / HTTP/3.0\r\nHost"), "505");
}

TEST(HeadScanner, RefusesALineWithoutVersion) {
  for (const std::string_view line :
       {"GET /\r\n", "GET\r\n", "GET / HTTP/1\r\n", "GET / HTTP/11\r\n", "GET / http/1.1\r\n",
        "GET / HTTP/1.1 \r\n", "GET / HTTP/1.x\r\n", "HTTP/1.1\r\n", " \r\n"}) {
    EXPECT_EQ(verdict(line), "400") << line;
  }
}

}  // namespace
}  // namespace oriel::http
