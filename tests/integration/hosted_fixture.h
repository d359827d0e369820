#pragma once
// A server whose demo agent works in a directory of its own.

#include "http_call.h"
#include "programs.h"
#include "server_process.h"
#include "temp_dir.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace oriel {

class HostedFixture {
 public:
  // `agent` is more of [agents.demo] in oriel.toml.
  explicit HostedFixture(std::vector<std::string> flags = {}, const std::string& agent = {})
      : flags_(std::move(flags)) {
    std::filesystem::create_directories(dir_.path() / "work");
    std::filesystem::create_directories(dir_.path() / "home");
    write_file(dir_.path() / "oriel.toml", "[agents.demo]\ncommand = [\"" + demo_agent_program() +
                                               "\", \"--pace\", \"0\"]\nhome = \"" +
                                               (dir_.path() / "home").string() + "\"\n" + agent);
    restart();
  }

  void restart() {
    server_.reset();
    std::vector<std::string> flags = {"--config", (dir_.path() / "oriel.toml").string()};
    flags.insert(flags.end(), flags_.begin(), flags_.end());
    server_ = std::make_unique<ServerProcess>(flags, dir_.path() / "data");
  }

  boost::json::object request() const {
    return {
        {"agent", "demo"}, {"project_id", "web"}, {"workspace", (dir_.path() / "work").string()}};
  }

  std::vector<boost::json::object> turns(const std::string& session_id) const {
    std::vector<boost::json::object> turns;
    const boost::json::object page = get(*server_, "/api/sessions/" + session_id + "/turns").json();
    for (const boost::json::value& turn : page.at("turns").as_array())
      turns.push_back(turn.as_object());
    return turns;
  }

  std::filesystem::path data() const { return dir_.path() / "data"; }

  ServerProcess& server() { return *server_; }

 private:
  TempDir dir_;
  std::vector<std::string> flags_;
  std::unique_ptr<ServerProcess> server_;
};

}  // namespace oriel
