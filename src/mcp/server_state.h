#pragma once
// Shared by all parts of an MCP server. Immutable, or safe on any thread.

#include "base/keyed_limit.h"
#include "mcp/change.h"
#include "mcp/methods.h"
#include "mcp/options.h"
#include "mcp/stateless/sealed_state.h"
#include "mcp/streams/store_budget.h"
#include "runtime/shards.h"

#include <atomic>
#include <cstdint>
#include <functional>

namespace oriel::mcp {

// Rejected requests, by limit.
struct Refusals {
  std::atomic<std::uint64_t> sessions{0};
  std::atomic<std::uint64_t> sessions_per_principal{0};
  std::atomic<std::uint64_t> calls_per_session{0};
  std::atomic<std::uint64_t> tasks{0};
  std::atomic<std::uint64_t> tasks_per_principal{0};
};

struct ServerState {
  ServerState(Shards& its_shards, const Catalog& catalog, Options its_options)
      : shards(its_shards),
        options(std::move(its_options)),
        methods(catalog),
        budget(options.event_store_bytes) {}

  Shards& shards;
  const Options options;
  const Methods methods;
  StoreBudget budget;
  StateSealer sealer;                    // set before the first request
  std::function<void(Change)> announce;  // to all shards
  std::atomic<std::size_t> sessions{0};
  std::atomic<std::size_t> tasks{0};
  KeyedLimit sessions_per_principal{options.max_sessions_per_principal};  // by credential id
  KeyedLimit tasks_per_principal{options.max_tasks_per_principal};        // by credential id
  Refusals refusals;
};

}  // namespace oriel::mcp
