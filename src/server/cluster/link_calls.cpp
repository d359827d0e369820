#include "server/cluster/link_calls.h"

#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "base/time.h"
#include "http/digest.h"

#include <boost/json/value_from.hpp>

#include <chrono>
#include <utility>
#include <vector>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr const char* kMethod = "redeem_login_link";
constexpr std::chrono::seconds kDeadline{2};
constexpr std::size_t kCodeLength = 43;  // 256 bits in base64url

asio::awaitable<Result<std::string>> redeem_here(OneTimeCodes& links, std::string hash) {
  const auto grant = links.redeem_hash(hash, wall_now());
  co_return grant ? to_json(*grant) : std::string("null");
}

}  // namespace

std::string to_json(const Principal& grant) {
  json::array scopes;
  for (const Scope scope : grant.scopes.list())
    scopes.emplace_back(name_of(scope));
  return json_text(json::object{{"name", grant.name},
                                {"credential_id", grant.credential_id},
                                {"scopes", std::move(scopes)},
                                {"projects", json::value_from(grant.projects)}});
}

std::optional<Principal> parse_grant(std::string_view text) {
  const json::object object = parse_object(text);
  if (!member(object, "scopes").is_array() || !member(object, "projects").is_array())
    return std::nullopt;
  Principal grant{.name = text_at(object, "name"),
                  .credential_id = text_at(object, "credential_id"),
                  .scopes = {},
                  .projects = {}};
  for (const json::value& name : elements_of(member(object, "scopes"))) {
    const auto scope = parse_scope(text_of(name));
    if (!scope) return std::nullopt;
    grant.scopes.insert(*scope);
  }
  // Without one that it was limited to it would see more.
  for (const json::value& project : elements_of(member(object, "projects"))) {
    if (text_of(project).empty()) return std::nullopt;
    grant.projects.emplace_back(text_of(project));
  }
  return grant;
}

LinkCalls::LinkCalls(Peers& peers, OneTimeCodes& links) : peers_(peers) {
  peers_.serve(kMethod, [&links](std::string hash) { return redeem_here(links, std::move(hash)); });
}

asio::awaitable<std::optional<Principal>> LinkCalls::redeem(std::string code) {
  if (code.size() != kCodeLength) co_return std::nullopt;
  const std::string hash = http::sha256_hex(code);
  for (const Node& node : peers_.alive()) {
    auto calling = peers_.call(node.name, kMethod, hash, kDeadline);
    const auto answer = co_await std::move(calling);
    auto grant = answer ? parse_grant(*answer) : std::nullopt;
    if (grant) co_return grant;
  }
  co_return std::nullopt;
}

}  // namespace oriel
