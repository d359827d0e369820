#include "mcp_fixture.h"

#include "programs.h"

namespace oriel {

McpFixture::McpFixture() {
  const std::filesystem::path work = dir_.path() / "work";
  const std::filesystem::path home = dir_.path() / "home";
  std::filesystem::create_directories(work);
  std::filesystem::create_directories(home);
  write_file(work / "one.txt", "one\n");
  write_file(work / "two.txt", "two\n");
  write_file(dir_.path() / "oriel.toml", "[agents.demo]\ncommand = [\"" + demo_agent_program() +
                                             "\", \"--pace\", \"0\"]\nhome = \"" + home.string() +
                                             "\"\n");
}

std::vector<std::string> McpFixture::flags(std::vector<std::string> more) const {
  more.insert(more.end(), {"--config", (dir_.path() / "oriel.toml").string()});
  return more;
}

boost::json::object McpFixture::message(std::string_view text, boost::json::object more) const {
  more["message"] = text;
  more["agent"] = "demo";
  more["workspace"] = (dir_.path() / "work").string();
  return more;
}

}  // namespace oriel
