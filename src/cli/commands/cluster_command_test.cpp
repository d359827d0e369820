#include "cli/commands/cluster_command.h"

#include "base/text/json_access.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::Not;

boost::json::object status_of(const std::string& chain_agreed, const std::string& connected) {
  return parse_object(R"({"enabled":true,"nodes":[
    {"name":"a","self":true,"serving":true,"draining":false,"version":"0.1.0","url":"",
     "lag":0,"sessions":2,"max_sessions":100,"chain_agreed":null},
    {"name":"b","self":false,"serving":true,"draining":true,"version":"0.1.0",
     "url":"http://10.0.0.7:7433","lag":3,"sessions":1,"max_sessions":100,
     "labels":["gpu","linux"],"chain_agreed":)" +
                      chain_agreed + R"(}],
    "log":{"name":"l","place":7,"known":10,"replicas":3,"leader":"n1"},
    "nats":{"connected":)" +
                      connected + R"(,"version":"2.9.10"},
    "warnings":["three replicas need nats-server 2.10.27"]})");
}

TEST(ClusterCommandTest, ShowsEachNodeWithItsLoadAndItsLag) {
  const std::string report = cluster_report(status_of("true", "true"));
  EXPECT_THAT(report, HasSubstr("* a                serving      2/100  lag 0"));
  EXPECT_THAT(report, HasSubstr("  b                draining     1/100  lag 3"));
  EXPECT_THAT(report, HasSubstr("http://10.0.0.7:7433 [gpu, linux]"));
}

TEST(ClusterCommandTest, SaysWhetherANodeHasTheSameEvents) {
  EXPECT_THAT(cluster_report(status_of("true", "true")), HasSubstr("same events"));
  EXPECT_THAT(cluster_report(status_of("false", "true")), HasSubstr("DIFFERS"));
  EXPECT_THAT(cluster_report(status_of("null", "true")), Not(HasSubstr("same events")));
}

TEST(ClusterCommandTest, ShowsTheLogItsServersAndTheWarnings) {
  const std::string report = cluster_report(status_of("true", "true"));
  EXPECT_THAT(report, HasSubstr("place 7 of 10, 3 replica(s), leader n1"));
  EXPECT_THAT(report, HasSubstr("NATS connected, version 2.9.10"));
  EXPECT_THAT(report, HasSubstr("warning: three replicas need nats-server 2.10.27"));
  EXPECT_THAT(cluster_report(status_of("true", "false")), HasSubstr("NATS not connected"));
}

}  // namespace
}  // namespace oriel
