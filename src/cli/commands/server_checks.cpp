#include "cli/commands/server_checks.h"

#include "agent/sandbox/mount.h"
#include "auth/token_store.h"
#include "base/text/json_access.h"
#include "client/server_access.h"
#include "runtime/ip_address.h"

#include <boost/asio/ip/tcp.hpp>
#include <spdlog/fmt/fmt.h>

#include <system_error>
#include <unistd.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLittleSpace = 1ULL << 30;
constexpr std::uintmax_t kNoSpace = 64ULL << 20;

// The URL of the server from this machine.
http::Url local_url(const ServeOptions& options) {
  const auto address = boost::asio::ip::make_address(options.listen_host);
  std::string host = options.listen_host;
  if (address.is_unspecified()) host = address.is_v6() ? "::1" : "127.0.0.1";
  return {.is_tls = !options.tls_cert.empty(),
          .host = std::move(host),
          .port = options.listen_port,
          .path = ""};
}

boost::system::error_code try_to_bind(const ServeOptions& options) {
  namespace ip = boost::asio::ip;
  const ip::tcp::endpoint endpoint(ip::make_address(options.listen_host), options.listen_port);
  boost::asio::io_context io;
  ip::tcp::acceptor acceptor(io);
  boost::system::error_code problem;
  acceptor.open(endpoint.protocol(), problem);
  if (!problem) acceptor.set_option(ip::tcp::acceptor::reuse_address(true), problem);
  if (!problem) acceptor.bind(endpoint, problem);
  return problem;
}

// The directory itself, or its nearest existing parent.
fs::path nearest_existing(fs::path directory) {
  std::error_code unknown;
  directory = fs::absolute(directory, unknown);
  while (!fs::exists(directory, unknown) && directory.has_relative_path())
    directory = directory.parent_path();
  return directory;
}

}  // namespace

Finding check_listen(const ServeOptions& options) {
  if (options.listen_port == 0) return fine("address", "any free port of " + options.listen_host);
  const ServerAccess access{.url = local_url(options), .token = ""};
  const std::string where = access.url.origin();
  const auto answer = fetch_now(make_request(access, "GET", "/health"));
  if (answer) {
    const auto health = parse_object(answer->body);
    const bool is_oriel = health.contains("sse") && health.contains("version");
    const std::string version = text_at(health, "version");
    if (is_oriel && text_at(health, "status") == "ok")
      return fine("address", fmt::format("Oriel {} is running at {}", version, where));
    if (is_oriel) {
      return broken("address", fmt::format("Oriel {} at {} is unhealthy", version, where),
                    "look at " + where + "/health and at the server's log");
    }
    return broken("address", "another program answers at " + where,
                  "stop it, or set another port with --listen");
  }
  if (answer.error().kind == ErrorKind::kTlsUntrusted) {
    return note("address", "untrusted certificate of the server at " + where, answer.error().hint);
  }
  const auto problem = try_to_bind(options);
  if (!problem) return fine("address", where + " is free");
  return broken("address", fmt::format("{} cannot be used: {}", where, problem.message()),
                "stop the program that uses it, or set another address with --listen");
}

Finding check_tokens(const ServeOptions& options) {
  const bool is_local = is_loopback(boost::asio::ip::make_address(options.listen_host));
  try {
    const std::size_t count = TokenStore(options.data_dir / "tokens.json").list().size();
    const bool needs_one = !is_local || !options.public_url.empty();
    if (count > 0) return fine("tokens", std::to_string(count));
    if (!needs_one) return fine("tokens", "none: only the server's own user has access");
    return broken("tokens", "none, and --listen beyond loopback and --public-url need one",
                  "oriel token create NAME");
  } catch (const std::exception& problem) {
    return broken("tokens", problem.what(), "see oriel token list");
  }
}

Finding check_data_dir(const fs::path& directory) {
  const fs::path existing = nearest_existing(directory);
  std::error_code problem;
  if (!fs::is_directory(existing, problem)) {
    return broken("data", existing.string() + " is not a directory", "set another with --data-dir");
  }
  if (::access(existing.c_str(), W_OK | X_OK) != 0) {
    return broken("data", existing.string() + " cannot be written",
                  "change its owner or permissions, or set another with --data-dir");
  }
  const fs::space_info space = fs::space(existing, problem);
  const std::string free_space =
      problem ? ""
              : fmt::format(", {:.1f} GiB free", static_cast<double>(space.available) / (1 << 30));
  const std::string what = directory.string() +
                           (existing == directory ? "" : ", created at the first start") +
                           free_space;
  if (!problem && space.available < kNoSpace)
    return broken("data", what, "free disk space: the journal cannot grow");
  if (!problem && space.available < kLittleSpace)
    return note("data", what, "free disk space, or lower --retain-bytes");
  return fine("data", what);
}

std::optional<Finding> check_config(const ServeOptions& options) {
  std::error_code ec;
  const fs::path file = fs::canonical(options.config_file, ec);
  if (options.config_file.empty() || ec) return std::nullopt;
  for (const ProjectSpec& project : options.projects) {
    const fs::path workspace = fs::weakly_canonical(project.workspace, ec);
    if (project.workspace.empty() || ec || !is_within(file, workspace)) continue;
    return note("configuration",
                fmt::format("{} lies in the workspace of the project {}: an agent without a "
                            "sandbox can change it",
                            file.string(), project.id),
                "move it to your home or /etc/oriel, and name it with --config");
  }
  return fine("configuration", file.string());
}

}  // namespace oriel
