#include "api/rest/file_endpoint.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(FileEndpoint, ServesNothingThatABrowserWouldRun) {
  for (const char* type : {"text/html", "image/svg+xml", "application/xhtml+xml", "text/xml",
                           "text/javascript", "application/pdf", "text/css", "", "IMAGE/PNG"})
    EXPECT_EQ(served_type(type), "application/octet-stream") << type;
  EXPECT_EQ(served_type("image/png"), "image/png");
  EXPECT_EQ(served_type("text/plain"), "text/plain; charset=utf-8");
}

TEST(FileEndpoint, EncodesTheFileNameForAllClients) {
  EXPECT_EQ(disposition_of("a b.txt"),
            "attachment; filename=\"a b.txt\"; filename*=UTF-8''a%20b.txt");
  EXPECT_EQ(disposition_of("\xc3\xbc.txt"),
            "attachment; filename=\"__.txt\"; filename*=UTF-8''%C3%BC.txt");
  EXPECT_EQ(disposition_of("50%.txt"),
            "attachment; filename=\"50_.txt\"; filename*=UTF-8''50%25.txt");
}

}  // namespace
}  // namespace oriel
