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

}  // namespace
}  // namespace oriel
