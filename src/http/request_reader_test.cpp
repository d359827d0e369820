#include "http/request_reader.h"

#include <gmock/gmock.h>

namespace oriel::http {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr RequestLimits kSmall{.max_header_bytes = 200, .max_body_bytes = 10};

Request request_of(std::string_view bytes) {
  RequestReader reader(RequestLimits{});
  EXPECT_EQ(reader.feed(bytes), ReadState::kDone) << bytes;
  return reader.state() == ReadState::kDone ? reader.take_request() : Request{};
}

// The status that the bytes are refused with, or 0 when they are not.
int refusal_of(std::string_view bytes, RequestLimits limits = {}) {
  RequestReader reader(limits);
  return reader.feed(bytes) == ReadState::kFailed ? reader.take_refusal().status : 0;
}

// What a refusal says; empty when there is none.
std::string message_of(std::string_view bytes) {
  RequestReader reader(RequestLimits{});
  return reader.feed(bytes) == ReadState::kFailed ? *reader.take_refusal().body : "";
}

TEST(RequestReader, ReadsARequestWithoutBody) {
  const Request request =
      request_of("GET /api/events?types=a%20b HTTP/1.1\r\nHost: localhost\r\nX-Id:  7 \r\n\r\n");
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.target, "/api/events?types=a%20b");
  EXPECT_EQ(request.path, "/api/events");
  EXPECT_THAT(request.query, ElementsAre(Pair("types", "a b")));
  EXPECT_THAT(request.headers, ElementsAre(Pair("host", "localhost"), Pair("x-id", "7")));
  EXPECT_EQ(request.body, "");
  EXPECT_TRUE(request.keep_alive);
}

TEST(RequestReader, KeepsTheOrderOfRepeatedHeaders) {
  const Request request = request_of("GET / HTTP/1.1\r\nA: 1\r\nB: 2\r\na: 3\r\n\r\n");
  EXPECT_THAT(request.headers, ElementsAre(Pair("a", "1"), Pair("b", "2"), Pair("a", "3")));
}

TEST(RequestReader, ReadsABodyByItsLength) {
  EXPECT_EQ(request_of("POST /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello").body, "hello");
  EXPECT_EQ(request_of("POST /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n").body, "");
}

TEST(RequestReader, ReadsAChunkedBody) {
  const Request request = request_of(
      "POST /a HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n"
      "5;name=value\r\nhello\r\nA\r\n, world!!!\r\n0\r\n\r\n");
  EXPECT_EQ(request.body, "hello, world!!!");
}

TEST(RequestReader, DoesNotTakeTrailersForHeaders) {
  const Request request = request_of(
      "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nAuthorization: Bearer x\r\n\r\n");
  EXPECT_EQ(request.header("authorization"), std::nullopt);
}

TEST(RequestReader, ReportsWhichPartItReads) {
  RequestReader reader(RequestLimits{});
  EXPECT_EQ(reader.state(), ReadState::kIdle);
  EXPECT_EQ(reader.feed(""), ReadState::kIdle);
  EXPECT_EQ(reader.feed("POST / HTTP/1.1\r\nContent-Le"), ReadState::kHead);
  EXPECT_EQ(reader.feed("ngth: 2\r\n\r\n"), ReadState::kBody);
  EXPECT_EQ(reader.feed("h"), ReadState::kBody);
  EXPECT_EQ(reader.feed("i"), ReadState::kDone);
  EXPECT_EQ(reader.take_request().body, "hi");
  EXPECT_EQ(reader.state(), ReadState::kIdle);
}

TEST(RequestReader, StaysIdleOverAnEmptyLineAfterABody) {
  RequestReader reader(RequestLimits{});
  EXPECT_EQ(reader.feed("\r\n"), ReadState::kIdle);
  EXPECT_EQ(reader.feed("GET / HTTP/1.1\r\n\r\n"), ReadState::kDone);
  EXPECT_EQ(reader.take_request().path, "/");
}

TEST(RequestReader, KeepsTheBytesOfTheNextRequests) {
  RequestReader reader(RequestLimits{});
  reader.feed("POST /1 HTTP/1.1\r\nContent-Length: 1\r\n\r\naGET /2 HTTP/1.1\r\n\r\nGET /3");
  EXPECT_EQ(reader.take_request().body, "a");
  ASSERT_EQ(reader.state(), ReadState::kDone);
  EXPECT_EQ(reader.take_request().path, "/2");
  ASSERT_EQ(reader.state(), ReadState::kHead);
  ASSERT_EQ(reader.feed(" HTTP/1.1\r\n\r\n"), ReadState::kDone);
  EXPECT_EQ(reader.take_request().path, "/3");
}

TEST(RequestReader, GivesTheSameRequestsForEveryCut) {
  const std::string_view bytes =
      "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: 1\r\n\r\n"
      "POST /b HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi\r\n";
  for (std::size_t step = 1; step < bytes.size(); ++step) {
    RequestReader reader(RequestLimits{});
    std::vector<std::string> bodies;
    for (std::size_t i = 0; i < bytes.size(); i += step) {
      reader.feed(bytes.substr(i, step));
      while (reader.state() == ReadState::kDone)
        bodies.push_back(reader.take_request().body);
    }
    EXPECT_THAT(bodies, ElementsAre("abc", "hi")) << "in steps of " << step;
    EXPECT_EQ(reader.state(), ReadState::kIdle);
  }
}

TEST(RequestReader, KnowsWhetherTheConnectionGoesOn) {
  EXPECT_FALSE(request_of("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").keep_alive);
  EXPECT_FALSE(request_of("GET / HTTP/1.1\r\nConnection: x, Close\r\n\r\n").keep_alive);
  EXPECT_FALSE(request_of("GET / HTTP/1.0\r\n\r\n").keep_alive);
  EXPECT_TRUE(request_of("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").keep_alive);
}

TEST(RequestReader, TakesTheHostOfAnAbsoluteTarget) {
  const Request request = request_of("GET http://b:80/x HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(request.path, "/x");
  EXPECT_EQ(request.header("host"), "b:80");
}

TEST(RequestReader, AsksOnceForABodyThatWaits) {
  RequestReader reader(RequestLimits{});
  reader.feed("POST / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_TRUE(reader.wants_continue());
  EXPECT_FALSE(reader.wants_continue());
}

TEST(RequestReader, DoesNotAskForABodyThatHasBegunOrIsEmpty) {
  RequestReader begun(RequestLimits{});
  begun.feed("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nh");
  EXPECT_FALSE(begun.wants_continue());
  RequestReader chunked(RequestLimits{});
  chunked.feed("POST / HTTP/1.1\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n1");
  EXPECT_FALSE(chunked.wants_continue());
  RequestReader empty(RequestLimits{});
  empty.feed("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n");
  EXPECT_FALSE(empty.wants_continue());
}

TEST(RequestReader, RefusesAHeadThatIsTooLarge) {
  const std::string head = "GET / HTTP/1.1\r\nA: " + std::string(200, 'a');
  EXPECT_EQ(refusal_of(head, kSmall), 431);
}

TEST(RequestReader, TakesAHeaderAsLargeAsTheLimitAllows) {
  const std::string value(70'000, 'a');
  RequestReader reader({.max_header_bytes = 1 << 20});
  ASSERT_EQ(reader.feed("GET / HTTP/1.1\r\nA: " + value + "\r\n\r\n"), ReadState::kDone);
  EXPECT_EQ(reader.take_request().header("a"), value);
}

TEST(RequestReader, RefusesABodyThatIsTooLarge) {
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\n", kSmall), 0);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nContent-Length: 11\r\n\r\n", kSmall), 413);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nContent-Length: 18446744073709551615\r\n\r\n", kSmall),
            413);
  const std::string chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(refusal_of(chunked + "b\r\n", kSmall), 0) << "not enough to tell";
  EXPECT_EQ(refusal_of(chunked + "b\r\nhello", kSmall), 413);
  EXPECT_EQ(refusal_of(chunked + "9\r\n123456789\r\n2\r\n12\r\n0\r\n\r\n", kSmall), 413);
}

TEST(RequestReader, TakesALargerBodyWhereTheHeadMay) {
  const auto limit = [](const Request& head) -> std::uint64_t {
    return head.path == "/large" ? 20 : 10;
  };
  const auto status_of = [&](const std::string& bytes) {
    RequestReader reader(kSmall, limit);
    return reader.feed(bytes) == ReadState::kFailed ? reader.take_refusal().status : 0;
  };
  EXPECT_EQ(status_of("POST /large HTTP/1.1\r\nContent-Length: 20\r\n\r\n"), 0);
  EXPECT_EQ(status_of("POST /large HTTP/1.1\r\nContent-Length: 21\r\n\r\n"), 413);
  EXPECT_EQ(status_of("POST /small HTTP/1.1\r\nContent-Length: 11\r\n\r\n"), 413);
  const std::string chunked = " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(status_of("POST /large" + chunked + "A\r\n0123456789\r\nA\r\n0123456789\r\n"), 0);
  EXPECT_EQ(status_of("POST /large" + chunked + "A\r\n0123456789\r\nB\r\n"), 413);
  EXPECT_EQ(status_of("POST /small" + chunked + "FFFFFFFFFFFFFFFF\r\n"), 413);
}

TEST(RequestReader, GivesABodyAwayPieceByPiece) {
  RequestReader reader(kSmall);
  reader.feed("POST /a HTTP/1.1\r\nContent-Length: 8\r\n\r\nfirs");
  EXPECT_EQ(reader.head().path, "/a");
  EXPECT_EQ(reader.take_body(), "firs");
  EXPECT_EQ(reader.take_body(), "");
  EXPECT_EQ(reader.feed("t so"), ReadState::kDone);
  EXPECT_EQ(reader.take_body(), "t so");
  EXPECT_EQ(reader.take_request().body, "");
  EXPECT_EQ(reader.state(), ReadState::kIdle);
}

TEST(RequestReader, RefusesChunkHeadsAndTrailersThatAreTooLarge) {
  const std::string chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(refusal_of(chunked + "1;" + std::string(200, 'a'), kSmall), 431);
  EXPECT_EQ(refusal_of(chunked + "1;" + std::string(200, 'a') + "\r\nx", kSmall), 431);
  EXPECT_EQ(refusal_of(chunked + "0\r\nA: " + std::string(200, 'a'), kSmall), 431);
}

TEST(RequestReader, RefusesMalformedChunks) {
  const std::string chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const char* body : {"x\r\n\r\n\r\n", "-1\r\nabc", "1\r\nab\r\n0\r\n\r\n", "\r\n\r\n\r\n",
                           "1 \r\na\r\n0\r\n\r\n", "0\r\nContent-Length: 1\r\n\r\n",
                           "ffffffffffffffffff\r\n", "0\r\nbad\r\n\r\n"}) {
    EXPECT_EQ(refusal_of(chunked + body), 400) << body;
  }
}

TEST(RequestReader, RefusesContradictingLengths) {
  for (const char* headers :
       {"Content-Length: 1\r\nContent-Length: 2\r\n", "Content-Length: 1, 2\r\n",
        "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n",
        "Transfer-Encoding: gzip\r\nContent-Length: 1\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "Content-Length: -1\r\n",
        "Content-Length: +1\r\n", "Content-Length: 0x1\r\n", "Content-Length: \r\n",
        "Content-Length: 1 1\r\n", "Content-Length: 18446744073709551616\r\n",
        "Content-Length : 1\r\n"}) {
    EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\n" + std::string(headers) + "\r\nx"), 400) << headers;
  }
}

TEST(RequestReader, RefusesRepeatedLengthsEvenIfEqual) {
  for (const char* headers :
       {"Content-Length: 1\r\nContent-Length: 1\r\n", "Content-Length: 1, 1\r\n",
        "Content-Length: 1,\r\n", "Content-Length: 1\r\ncontent-length: 1\r\n",
        "Content-Length: 1, 1\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 1, 1\r\n"}) {
    EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\n" + std::string(headers) + "\r\nx"), 400) << headers;
  }
}

TEST(RequestReader, RefusesOtherTransferCodings) {
  for (const char* coding :
       {"gzip", "gzip, chunked", "chunked, gzip", "identity", "xchunked", ""}) {
    const std::string head =
        "POST / HTTP/1.1\r\nTransfer-Encoding: " + std::string(coding) + "\r\n\r\n";
    EXPECT_EQ(refusal_of(head), 501) << coding;
  }
  EXPECT_EQ(refusal_of(
                "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"),
            501);
  EXPECT_EQ(refusal_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
}

TEST(RequestReader, RefusesOtherVersions) {
  EXPECT_EQ(refusal_of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 505);
  EXPECT_EQ(refusal_of("GET / HTTP/1.2\r\n\r\n"), 505);
}

TEST(RequestReader, RefusesMalformedHeads) {
  for (const std::string_view head :
       {"GET  / HTTP/1.1\r\n\r\n", "G(T / HTTP/1.1\r\n\r\n", " / HTTP/1.1\r\n\r\n",
        "GET /a b HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nA\r\n\r\n", "GET / HTTP/1.1\r\n: b\r\n\r\n",
        "GET / HTTP/1.1\r\nA b: c\r\n\r\n", "GET / HTTP/1.1\r\nA : c\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\x01\r\n\r\n", "GET / HTTP/1.1\nA: b\n\n",
        "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", "GET / HTTP/1.1\r\nConnection: (\r\n\r\n",
        "GET /../a HTTP/1.1\r\n\r\n", "GET * HTTP/1.1\r\n\r\n", "CONNECT a:80 HTTP/1.1\r\n\r\n"}) {
    EXPECT_EQ(refusal_of(head), 400) << head;
  }
}

TEST(RequestReader, RefusesSecondOnesOfHeadersThatMustBeSingle) {
  EXPECT_THAT(message_of("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
              HasSubstr("host appears more than once"));
  EXPECT_THAT(message_of("GET / HTTP/1.1\r\nAuthorization: a\r\nauthorization: b\r\n\r\n"),
              HasSubstr("authorization appears more than once"));
}

TEST(RequestReader, NamesTheHeaderThatIsMalformedButNotItsValue) {
  const std::string message =
      message_of("GET / HTTP/1.1\r\nGood: 1\r\nAuthorization: secret\x01\r\n\r\n");
  EXPECT_THAT(message, HasSubstr("Authorization"));
  EXPECT_THAT(message, Not(HasSubstr("secret")));
}

TEST(RequestReader, TakesNothingMoreAfterARefusal) {
  RequestReader reader(RequestLimits{});
  reader.feed("BAD\r\n\r\n");
  EXPECT_EQ(reader.feed("GET / HTTP/1.1\r\n\r\n"), ReadState::kFailed);
}

}  // namespace
}  // namespace oriel::http
