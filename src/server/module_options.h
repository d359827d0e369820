#pragma once
// The options of each module, made of those of `oriel serve`. Pure, except for links that are
// resolved in paths.

#include "api/feed/event_feed.h"
#include "api/mcp/mcp_endpoint.h"
#include "auth/authenticator.h"
#include "auth/token_store.h"
#include "base/text/redactor.h"
#include "cluster/cluster.h"
#include "http/server.h"
#include "journal/sqlite/sqlite_engine.h"
#include "search/search_index.h"
#include "server/serve_options.h"
#include "supervisor/supervisor.h"

#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

namespace oriel {

// Of the disk space that is kept for the shutdown; memory needs no disk.
std::uint64_t reserve_bytes(const ServeOptions& options);

FeedOptions feed_options(const ServeOptions& options);

AuthOptions auth_options(const ServeOptions& options,
                         std::function<void(const http::Route&, const http::Request&)> audit);

// Whether a principal's token still exists, asked at any time.
std::function<bool(const Principal&)> validity_of(const TokenStore& tokens);

// `cluster` is null if there is none.
McpArchiveOptions mcp_archive_options(const ServeOptions& options, const Cluster* cluster);
mcp::Options mcp_options(const ServeOptions& options, const TokenStore& tokens);

// Of the user who runs the server; empty if unknown.
std::filesystem::path home_directory();

// Masks the secrets of the server's own environment.
std::shared_ptr<const Redactor> observed_redactor(const ServeOptions& options);

SearchOptions search_options(const ServeOptions& options);
SqliteEngineOptions sqlite_options(const ServeOptions& options);

// Throws UsageError if the machine's name cannot be the node's, and --node does not give another.
ClusterOptions cluster_options(const ServeOptions& options, const std::string& version);

// Throws UsageError if the default agent is unknown, if an agent may reach Oriel at an address
// where Oriel does not listen, if --shared-workspaces is no directory, or if workspaces are pushed
// and git is missing. `cluster` has prepared the journal; null: there is none.
SupervisorOptions supervisor_options(const ServeOptions& options, SessionTokens& tokens,
                                     const Cluster* cluster = nullptr);

// Throws UsageError if the address or --public-url admits clients that would need a token, and
// there is none.
asio::ip::tcp::endpoint listen_endpoint(const ServeOptions& options, bool has_token);

http::ServerOptions server_options(const ServeOptions& options,
                                   const asio::ip::tcp::endpoint& listen);

}  // namespace oriel
