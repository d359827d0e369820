#pragma once
// What `oriel verify` is asked for.

#include "client/server_access.h"
#include "verify/promise.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct VerifyOptions {
  std::optional<ServerAccess> server;  // a running one; none: starts `program` itself
  std::filesystem::path program;       // oriel
  std::filesystem::path directory;     // of the started server's files; must exist
  std::size_t nodes = 0;               // of a cluster that it starts; 0: one server alone
  std::chrono::milliseconds duration{60'000};
  std::uint64_t seed = 0;
  std::vector<Promise> only = {};  // empty: all
  std::uint64_t memory_limit = std::uint64_t(512) << 20;
  std::string mutants = {};        // of the started server, which then does not crash at failpoints
  std::filesystem::path log = {};  // empty: none
};

}  // namespace oriel
