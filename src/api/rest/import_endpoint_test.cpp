#include "api/rest/import_endpoint.h"

#include "api/api_testing.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

class ImportEndpointTest : public ApiFixture {
 protected:
  ImportEndpointTest() { endpoint_.add_routes(router_); }

  ImportEndpoint endpoint_{supervisor_.importer(), audit_};
};

TEST_F(ImportEndpointTest, ReportsThatNothingRuns) {
  EXPECT_EQ(json_of(send("GET", "/api/import")).at("state").as_string(), "idle");
  EXPECT_EQ(json_of(send("DELETE", "/api/import")).at("state").as_string(), "idle");
}

TEST_F(ImportEndpointTest, ADryRunStoresNothing) {
  const http::Response plan = send("POST", "/api/import", R"({"dry_run":true})");
  EXPECT_EQ(plan.status, 200);
  EXPECT_TRUE(json_of(plan).at("files").as_array().empty());
  EXPECT_EQ(json_of(send("GET", "/api/import")).at("state").as_string(), "idle");
}

TEST_F(ImportEndpointTest, RejectsFoldersOutsideTheRoots) {
  const http::Response response = send("POST", "/api/import", R"({"folders":["/etc"]})");
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(code_in(response), "path_not_allowed");
}

TEST_F(ImportEndpointTest, IsNotForAnAdministratorOfAProject) {
  principal_.credential_id = "1";
  principal_.projects = {"web"};
  for (const char* method : {"POST", "GET", "DELETE"}) {
    const http::Response response = send(method, "/api/import");
    EXPECT_EQ(response.status, 403) << method;
    EXPECT_EQ(code_in(response), "not_allowed") << method;
  }
}

TEST_F(ImportEndpointTest, RejectsMalformedBodies) {
  const json::array many(101, json::value("/a"));
  const std::string folders = json::serialize(json::object{{"folders", many}});
  for (const std::string& body :
       {folders, std::string(R"({"days":0})"), std::string(R"({"days":36501})"),
        std::string(R"({"dry_run":1})"), std::string(R"({"when":1})")}) {
    const http::Response response = send("POST", "/api/import", body);
    EXPECT_EQ(response.status, 400) << body;
    EXPECT_EQ(code_in(response), "invalid_request") << body;
  }
}

}  // namespace
}  // namespace oriel
