#include "app/doctor_checks.h"

#include "agent/known_agents.h"
#include "app/json_fields.h"
#include "app/program_output.h"
#include "app/quantity.h"
#include "app/server_access.h"
#include "http/token_store.h"

#include <boost/asio/ip/tcp.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <system_error>
#include <unistd.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLittleSpace = 1ULL << 30;
constexpr std::uintmax_t kNoSpace = 64ULL << 20;

Finding fine(std::string subject, std::string message) {
  return {
      .level = FindingLevel::kFine, .subject = std::move(subject), .message = std::move(message)};
}

Finding note(std::string subject, std::string message, std::string remedy) {
  return {.level = FindingLevel::kNote,
          .subject = std::move(subject),
          .message = std::move(message),
          .remedy = std::move(remedy)};
}

Finding broken(std::string subject, std::string message, std::string remedy) {
  return {.level = FindingLevel::kBroken,
          .subject = std::move(subject),
          .message = std::move(message),
          .remedy = std::move(remedy)};
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

struct SandboxProgram {
  std::string name;
  std::vector<std::string> trial;  // arguments with which it proves that it works
  std::string install;
  std::string repair;
};

SandboxProgram sandbox_program(SandboxKind kind) {
  if (kind == SandboxKind::kBubblewrap) {
    return {.name = "bwrap",
            .trial = {"--ro-bind", "/", "/", "--unshare-pid", "true"},
            .install = "apt install bubblewrap, for sandbox = \"bubblewrap\"",
            .repair =
                "the kernel may forbid user namespaces: sysctl "
                "kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns"};
  }
  if (kind == SandboxKind::kPodman) {
    return {.name = "podman",
            .trial = {"version", "--format", "{{.Client.Version}}"},
            .install = "apt install podman, for sandbox = \"podman\"",
            .repair = "podman info tells more"};
  }
  return {.name = "docker",
          .trial = {"version", "--format", "{{.Server.Version}}"},
          .install = "install Docker, for sandbox = \"docker\"",
          .repair = "is its daemon running, and are you of the group docker?"};
}

// Where a server that listens there is reached from here.
HttpUrl local_url(const ServeOptions& options) {
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

// The directory itself, or the one that it would be made in.
fs::path nearest_existing(fs::path directory) {
  std::error_code unknown;
  directory = fs::absolute(directory, unknown);
  while (!fs::exists(directory, unknown) && directory.has_relative_path())
    directory = directory.parent_path();
  return directory;
}

}  // namespace

Finding check_agent(const AgentSpec& agent, const std::string& path) {
  const std::string subject = "agent " + agent.name;
  const std::string install = how_to_install(agent.name);
  const auto program = find_program(agent.command.front(), path);
  if (!program) {
    return note(subject, "not installed: no program " + agent.command.front(),
                install.empty() ? "install it, or correct its command in oriel.toml" : install);
  }
  const auto version = program_output({program->string(), "--version"}, kCheckLimit);
  if (!version) {
    return broken(subject, "--version: " + version.error().message,
                  install.empty() ? "does it run when you start it yourself?"
                                  : "install it anew: " + install);
  }
  return fine(subject, fmt::format("{} ({})", first_line(*version), program->string()));
}

Finding check_any_agent(const std::vector<Finding>& agents) {
  const auto count = std::count_if(agents.begin(), agents.end(), [](const Finding& finding) {
    return finding.level == FindingLevel::kFine;
  });
  if (count > 0) return fine("agents", fmt::format("{} can be used", count));
  return broken("agents", "there is none that could be used",
                "install one of the agents above; the demo agent comes with oriel");
}

Finding check_sandbox(SandboxKind kind, const std::string& path) {
  const SandboxProgram sandbox = sandbox_program(kind);
  const std::string subject = "sandbox " + sandbox.name;
  const auto program = find_program(sandbox.name, path);
  if (!program) return note(subject, "not installed", sandbox.install);
  std::vector<std::string> words = {program->string()};
  words.insert(words.end(), sandbox.trial.begin(), sandbox.trial.end());
  const auto trial = program_output(words, kCheckLimit);
  if (!trial) return note(subject, "does not work: " + trial.error().message, sandbox.repair);
  const std::string version = first_line(*trial);
  return fine(subject, version.empty() ? "works (" + program->string() + ")"
                                       : fmt::format("{} ({})", version, program->string()));
}

Finding check_git(const std::string& path) {
  const auto program = find_program("git", path);
  if (!program) {
    return note("git", "not installed",
                "apt install git, for workspaces that are made from a repository");
  }
  const auto version = program_output({program->string(), "--version"}, kCheckLimit);
  if (!version) return broken("git", version.error().message, "install it anew");
  return fine("git", first_line(*version));
}

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
      return broken("address", fmt::format("Oriel {} at {} is not well", version, where),
                    "look at " + where + "/health and at the server's log");
    }
    return broken("address", "another program answers at " + where,
                  "end it, or give Oriel another port by --listen");
  }
  if (answer.error().code == "tls_untrusted") {
    return note("address", "a server with a certificate that is not trusted is at " + where,
                answer.error().hint);
  }
  const auto problem = try_to_bind(options);
  if (!problem) return fine("address", where + " is free");
  return broken("address", fmt::format("{} cannot be used: {}", where, problem.message()),
                "end what uses it, or give Oriel another address by --listen");
}

Finding check_tokens(const ServeOptions& options) {
  const bool is_local = boost::asio::ip::make_address(options.listen_host).is_loopback();
  try {
    const std::size_t count = TokenStore(options.data_dir / "tokens.json").list().size();
    if (count > 0) return fine("tokens", fmt::format("{}; every request needs one", count));
    if (is_local) return fine("tokens", "none: this machine's users need none, others cannot come");
    return broken("tokens", "none, and --listen " + options.listen_host + " needs one",
                  "oriel token create NAME, or listen on 127.0.0.1");
  } catch (const std::exception& problem) {
    return broken("tokens", problem.what(), "oriel token list says more");
  }
}

Finding check_data_dir(const fs::path& directory) {
  const fs::path existing = nearest_existing(directory);
  std::error_code problem;
  if (!fs::is_directory(existing, problem)) {
    return broken("data", existing.string() + " is not a directory", "name another by --data-dir");
  }
  if (::access(existing.c_str(), W_OK | X_OK) != 0) {
    return broken("data", existing.string() + " cannot be written",
                  "change its owner or permissions, or name another by --data-dir");
  }
  const fs::space_info space = fs::space(existing, problem);
  const std::string room =
      problem ? ""
              : fmt::format(", {:.1f} GiB free", static_cast<double>(space.available) / (1 << 30));
  const std::string what =
      directory.string() + (existing == directory ? "" : ", made at the first start") + room;
  if (!problem && space.available < kNoSpace)
    return broken("data", what, "make room: the journal cannot grow");
  if (!problem && space.available < kLittleSpace)
    return note("data", what, "make room, or lower --retain-bytes");
  return fine("data", what);
}

}  // namespace oriel
