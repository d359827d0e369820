#pragma once
// For tests of endpoints and tools: everything below them, without sockets.

#include "api/feed/publish_endpoint.h"
#include "api/session_reader.h"
#include "api/session_search.h"
#include "base/eventually_testing.h"
#include "base/temp_directory_testing.h"
#include "http/query.h"
#include "http/router.h"
#include "journal/memory_engine.h"
#include "runtime/deadline.h"

#include <boost/asio/use_future.hpp>
#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <string>
#include <utility>

namespace oriel {

// A journal in memory and a supervisor whose one agent, "silent", reads and writes nothing.
class ApiFixture : public testing::Test {
 protected:
  explicit ApiFixture(MemoryEngineOptions engine = {}, std::vector<ProjectSpec> projects = {})
      : journal_(make_memory_engine(engine), {}), projects_(std::move(projects)) {
    journal_.start();
    shards_.start();
    wait(supervisor_.start());
  }

  ~ApiFixture() override {
    wait(supervisor_.stop());
    wait(index_.stop());
    wait(hub_.on(shards_[0]).joined());
    journal_.stop();
    shards_.join();
  }

  template <class T>
  T wait(asio::awaitable<T> work) {
    auto limited = with_deadline(std::chrono::minutes(1), std::move(work));
    return asio::co_spawn(shards_[0].executor(), std::move(limited), asio::use_future).get();
  }

  // The response of the endpoint that router_ finds, or of the router itself.
  http::Response send(std::string method, const std::string& target, std::string body = {}) {
    const http::Target parsed = http::parse_target(target).value();
    http::Request request;
    request.method = std::move(method);
    request.path = parsed.path;
    request.query = parsed.query;
    request.principal = principal_;
    request.headers = headers_;
    request.body = std::move(body);
    auto found = router_.find(request.method, request.path);
    if (!found) return found.error();
    request.path_params = found->path_params;
    return wait(found->route->handler(std::move(request), shards_[0]));
  }

  static boost::json::value json_of(const http::Response& response) {
    return boost::json::parse(*response.body);
  }

  static std::string code_in(const http::Response& response) {
    return std::string(json_of(response).at("error").at("code").as_string());
  }

  // Stores an event of a service; returns its sequence.
  Sequence publish(std::string_view json) {
    std::vector<SessionEvent> events{parse_publication(json).value()};
    return wait(journal_.append(std::move(events))).value().front()->sequence;
  }

  // Runs `work` on the shard.
  template <class Work>
  auto on_shard(Work work) {
    return wait(run_on(shards_[0].executor(), std::move(work)));
  }

  // True as soon as `condition`, checked on the shard, holds; false if it never does.
  bool eventually(const std::function<bool()>& condition) {
    return oriel::eventually([&] { return on_shard(condition); });
  }

  std::string create_session() { return wait(supervisor_.create({})).value().session->session_id; }

  http::Headers headers_{{"content-type", "application/json"}};  // of the requests of send()
  Principal principal_{
      .name = "local", .credential_id = "", .scopes = ScopeSet::all(), .projects = {}};
  TempDirectory directory_;
  Shards shards_{1};
  Journal journal_;
  SearchIndex index_{shards_[0].executor(), journal_, {.poll = std::chrono::milliseconds(2)}};
  const std::vector<ProjectSpec> projects_;
  Hub hub_{shards_, journal_, {}};
  Supervisor supervisor_{shards_, journal_, supervisor_options()};
  AuditLog audit_{journal_};
  VisibleSessions sessions_{supervisor_, audit_};
  SessionReader reader_{journal_, hub_, sessions_};
  SessionSearch search_{sessions_, index_};
  http::Router router_;

 private:
  SupervisorOptions supervisor_options() const {
    AgentSpec silent;
    silent.name = "silent";
    silent.command = {"/bin/sleep", "600"};
    SupervisorOptions options;
    options.agents = {silent};
    options.default_agent = "silent";
    options.projects = projects_;
    options.observer.agent.projects = projects_;
    options.sandbox.workspaces = directory_ / "workspaces";
    options.runner.agent.close_grace = std::chrono::milliseconds(100);
    return options;
  }
};

}  // namespace oriel
