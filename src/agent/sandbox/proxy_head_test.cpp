#include "agent/sandbox/proxy_head.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(ProxyHead, ConnectNamesItsDestination) {
  const auto request =
      parse_proxy_head("CONNECT api.example.com:443 HTTP/1.1\r\nHost: evil:1\r\n\r\n").value();
  EXPECT_EQ(request.destination, (HostPort{"api.example.com", 443}));
  EXPECT_EQ(request.forwarded, "");
  EXPECT_EQ(parse_proxy_head("CONNECT [::1]:80 HTTP/1.0\r\n\r\n").value().destination,
            (HostPort{"::1", 80}));
}

TEST(ProxyHead, ARequestIsPassedOnWithoutTheHeadersOfTheProxysConnection) {
  const auto request =
      parse_proxy_head(
          "POST http://Model.example:8080/v1?q=1 HTTP/1.1\r\nHost: model.example\r\n"
          "Proxy-Connection: keep-alive\r\nconnection: keep-alive\r\n"
          "Proxy-Authorization: Basic x\r\nContent-Length: 5\r\n\r\n")
          .value();
  EXPECT_EQ(request.destination, (HostPort{"model.example", 8080}));
  EXPECT_EQ(request.forwarded,
            "POST /v1?q=1 HTTP/1.1\r\nHost: model.example\r\nContent-Length: 5\r\n"
            "Connection: close\r\n\r\n");
  EXPECT_EQ(parse_proxy_head("GET http://h HTTP/1.1\r\n\r\n").value().forwarded,
            "GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(parse_proxy_head("GET http://h?a HTTP/1.1\r\n\r\n").value().destination,
            (HostPort{"h", 80}));
}

TEST(ProxyHead, AnythingElseIsRefused) {
  for (const char* head :
       {"", "\r\n\r\n", "CONNECT\r\n\r\n", "CONNECT h HTTP/1.1\r\n\r\n",
        "CONNECT h:0 HTTP/1.1\r\n\r\n", "CONNECT h:1 HTTP/2\r\n\r\n", "CONNECT h:1\r\n\r\n",
        "CONNECT a b:1 HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
        "GET https://h/ HTTP/1.1\r\n\r\n", "GET http:///x HTTP/1.1\r\n\r\n",
        "GET http://user@h/ HTTP/1.1\r\n\r\n", "GET http://h\t/ HTTP/1.1\r\n\r\n",
        " http://h/ HTTP/1.1\r\n\r\n", "\x16\x03\x01"}) {
    const auto request = parse_proxy_head(head);
    ASSERT_FALSE(request) << head;
    EXPECT_EQ(request.error().kind, ErrorKind::kBadRequest);
  }
}

}  // namespace
}  // namespace oriel
