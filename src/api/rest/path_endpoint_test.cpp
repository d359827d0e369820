#include "api/rest/path_endpoint.h"

#include "api/api_testing.h"

#include <filesystem>

namespace oriel {
namespace {

namespace json = boost::json;

const TempDirectory& project_directory() {
  static const TempDirectory kDirectory;
  return kDirectory;
}

std::vector<ProjectSpec> projects() {
  ProjectSpec project;
  project.id = "shop";
  project.workspace = project_directory().make("shop");
  return {project};
}

class PathEndpointTest : public ApiFixture {
 protected:
  PathEndpointTest() : ApiFixture({}, projects()) {
    endpoint_.add_routes(router_);
    directory_.add("workspace/one.txt", "x");
    directory_.add("workspace/two.txt", "x");
    NewSession wanted;
    wanted.workspace = directory_.make("workspace");
    wanted.project_id = "shop";
    id_ = wait(supervisor_.create(std::move(wanted))).value().session->session_id;
  }

  http::Response find(const std::string& query) {
    return send("GET", "/api/sessions/" + id_ + "/paths" + query);
  }

  PathEndpoint endpoint_{sessions_, directory_.path()};
  std::string id_;
};

TEST_F(PathEndpointTest, FindsPathsOfTheWorkspace) {
  EXPECT_EQ(json_of(find("?match=tw")), json::parse(R"({"paths":["two.txt"],"is_complete":true})"));
  EXPECT_EQ(json_of(find("?limit=1")), json::parse(R"({"paths":["one.txt"],"is_complete":false})"));
}

TEST_F(PathEndpointTest, NeedsTheScopeOfThoseWhoMayWriteToTheAgent) {
  EXPECT_EQ(router_.find("GET", "/api/sessions/" + id_ + "/paths")->route->scope, Scope::kStart);
}

TEST_F(PathEndpointTest, HidesTheWorkspaceOfOtherProjects) {
  principal_.projects = {"other"};
  EXPECT_EQ(code_in(find("")), "unknown_session");
}

TEST_F(PathEndpointTest, CompletesDirectoriesForTheOperatorAlsoFromHome) {
  const std::string home = directory_.path().string();
  const json::value found = json_of(send("GET", "/api/directories?match=~/work"));
  EXPECT_EQ(found.at("match").as_string(), home + "/work");
  EXPECT_EQ(found.at("directories").at(0).as_string(), home + "/workspace/");
}

TEST_F(PathEndpointTest, ShowsATokenOnlyTheWorkspacesOfItsProjects) {
  principal_.credential_id = "token";
  const std::string shop = project_directory().path().string() + "/shop/";
  EXPECT_EQ(json_of(send("GET", "/api/directories?match=/")).at("directories"),
            json::value(json::array{json::string(shop)}));
  EXPECT_TRUE(
      json_of(send("GET", "/api/directories?match=~/")).at("directories").as_array().empty());
  principal_.projects = {"other"};
  EXPECT_TRUE(
      json_of(send("GET", "/api/directories?match=/")).at("directories").as_array().empty());
}

TEST_F(PathEndpointTest, RejectsMalformedQueries) {
  EXPECT_EQ(find("?limit=101").status, 400);
  EXPECT_EQ(find("?path=/etc").status, 400);
  EXPECT_EQ(find("?match=" + std::string(257, 'a')).status, 400);
  EXPECT_EQ(send("GET", "/api/directories?path=/etc").status, 400);
}

TEST_F(PathEndpointTest, AWorkspaceThatIsGoneIsAnError) {
  std::filesystem::remove_all(directory_ / "workspace");
  EXPECT_EQ(code_in(find("")), "workspace_failed");
}

}  // namespace
}  // namespace oriel
