#include "api/rest/status_endpoint.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::Contains;
using testing::Pair;

boost::json::value status_body(const http::Response& response) {
  return boost::json::parse(*response.body);
}

TEST(StatusEndpoint, AServerIsOkDegradedOrStopping) {
  EXPECT_EQ(overall_status(true, true), "ok");
  EXPECT_EQ(overall_status(true, false), "degraded");
  EXPECT_EQ(overall_status(false, true), "stopping");
  EXPECT_EQ(overall_status(false, false), "stopping");
}

TEST(StatusEndpoint, ARunningServerWhoseJournalAcceptsEventsIsReady) {
  const http::Response response = readiness(true, std::nullopt);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(status_body(response), (boost::json::value{{"status", "ready"}}));
  EXPECT_THAT(response.headers, Contains(Pair("Cache-Control", "no-store")));
}

TEST(StatusEndpoint, AServerWhoseJournalRejectsEventsIsNotReady) {
  const http::Response response = readiness(true, "disk full");
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(status_body(response),
            (boost::json::value{{"status", "not ready"}, {"reason", "disk full"}}));
  EXPECT_THAT(response.headers, Contains(Pair("Retry-After", "1")));
}

TEST(StatusEndpoint, AStoppingServerIsNotReadyWhateverItsJournal) {
  for (const auto& refusal : {std::optional<std::string>(), std::optional<std::string>("full")}) {
    const http::Response response = readiness(false, refusal);
    EXPECT_EQ(response.status, 503);
    EXPECT_EQ(status_body(response).at("reason"), "the server is stopping");
  }
}

}  // namespace
}  // namespace oriel
