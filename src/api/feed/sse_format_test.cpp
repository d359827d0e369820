#include "api/feed/sse_format.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(R_SSE_2, ARecordsFrameIsIdEventAndOneLineOfData) {
  auto record = std::make_shared<Record>();
  record->sequence = 12;
  record->index = 3;
  record->type = "deploy";
  record->body = R"("type":"deploy"})";
  EXPECT_EQ(*encode_frame(std::make_shared<const Frame>(record), "k7q2mzx4c0v8b1tn"),
            "id: 12-k7q2mzx4c0v8b1tn\n"
            "event: deploy\n"
            "data: {\"index\":3,\"type\":\"deploy\"}\n\n");
}

TEST(R_SSE_3, HelloHasTheClientsIdAndCursor) {
  const Hello hello{.client_id = "c1",
                    .epoch = "k7q2mzx4c0v8b1tn",
                    .start = 7,
                    .head = 9,
                    .oldest = 2,
                    .is_resumed = true,
                    .missed = 0,
                    .retry = std::chrono::milliseconds(2000)};
  EXPECT_EQ(hello_frame(hello),
            "retry: 2000\n"
            "id: 7-k7q2mzx4c0v8b1tn\n"
            "event: hello\n"
            "data: {\"client_id\":\"c1\",\"epoch\":\"k7q2mzx4c0v8b1tn\",\"head\":9,\"oldest\":2,"
            "\"resumed\":true,\"missed\":0}\n\n");
}

TEST(R_SSE_10, AGapOfUnknownSizeSaysNull) {
  EXPECT_EQ(gap_frame(5, 9, std::nullopt),
            "event: gap\ndata: {\"oldest\":5,\"head\":9,\"missed\":null}\n\n");
}

TEST(R_SSE_11, ByeHasAReasonAndTheReconnectDelay) {
  EXPECT_EQ(bye_frame("shutdown", std::chrono::milliseconds(500)),
            "retry: 500\nevent: bye\ndata: {\"reason\":\"shutdown\",\"retry_ms\":500}\n\n");
}

TEST(R_SSE_10, ACursorFrameHasNoDataAndSoIsNoEvent) {
  EXPECT_EQ(cursor_frame({.sequence = 40, .epoch = "k7q2mzx4c0v8b1tn"}),
            "id: 40-k7q2mzx4c0v8b1tn\n\n");
}

}  // namespace
}  // namespace oriel
