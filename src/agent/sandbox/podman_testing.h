#pragma once
// For tests that run agents in podman.

#include "agent/sandbox/confined_testing.h"

#include <memory>

namespace oriel {

// Podman with a store of its own and an image that holds busybox, made once for all tests.
class PodmanStore {
 public:
  static PodmanStore& instance() {
    static PodmanStore store;
    return store;
  }

  // Why podman does not run here; empty if it does.
  const std::string& problem() const { return problem_; }

  // The program with its global options.
  std::vector<std::string> words() const {
    return {"podman",
            "--root=" + directory_.make("root"),
            "--runroot=" + directory_.make("run"),
            "--storage-driver=vfs",
            "--cgroup-manager=cgroupfs",
            "--runtime=runc",
            "--events-backend=file"};
  }

  std::string line() const {
    std::string line;
    for (const std::string& word : words())
      line += word + " ";
    return line;
  }

  // Runs the agent in the image.
  void contain(AgentSpec& spec) const {
    spec.sandbox = SandboxKind::kPodman;
    spec.sandbox_command = words();
    spec.sandbox_init = ORIEL_SANDBOX_INIT;
    spec.unsafe_sandbox_options = {"--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"};
    spec.image = "oriel-test";
  }

 private:
  PodmanStore() {
    const std::string image = directory_.make("image");
    const std::string log = directory_.make("log") + "/setup";
    const std::string setup =
        "cd " + image + " && mkdir -p bin proc dev tmp && cp /bin/busybox bin/ && " +
        "for name in $(bin/busybox --list); do [ -e bin/$name ] || ln -s "
        "busybox bin/$name; done && " +
        "tar -c . | " + line() + " import - oriel-test && " + line() +
        " run --rm --init --network=none --ulimit=nofile=1024:1024 --ulimit=nproc=1024:1024"
        " oriel-test true";
    const bool is_available = std::system(("(" + setup + ") >" + log + " 2>&1").c_str()) == 0;
    std::ifstream file(log);
    if (!is_available)
      problem_ =
          "podman does not run here: " + std::string(std::istreambuf_iterator<char>(file), {});
    reap_orphans();
  }

  TempDirectory directory_;
  std::string problem_;
};

}  // namespace oriel
