#include "cli/commands/token_command.h"

#include "auth/token_store.h"
#include "base/text/printable.h"
#include "cli/report_error.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <ostream>

namespace oriel {
namespace {

// Hides even file names from other users of this machine.
void make_data_dir(const std::filesystem::path& directory) {
  if (std::filesystem::create_directories(directory)) {
    std::filesystem::permissions(directory, std::filesystem::perms::owner_all);
  }
}

int create(TokenStore& store, const TokenOptions& options, std::ostream& out, std::ostream& err) {
  const bool is_first = store.empty();
  const auto made = store.create(options.name, !options.is_read_only);
  if (!made) {
    const bool is_bad_name = made.error().kind == ErrorKind::kInvalidTokenName;
    return report_error(err, made.error(), is_bad_name ? kExitUsage : kExitFailure);
  }
  out << made->secret << std::endl;
  if (!out) {
    const auto revoked = store.revoke(made->token.id);
    const Error lost{.kind = ErrorKind::kOutputFailed,
                     .message = "the secret could not be written, so its token was revoked",
                     .hint = revoked ? "" : revoked.error().message};
    return report_error(err, lost, kExitFailure);
  }
  err << fmt::format(
      "This is the secret of token \"{}\" ({}). It is not stored and not shown again.\n"
      "  curl -H 'Authorization: Bearer SECRET' http://127.0.0.1:7433/api/events\n"
      "  ORIEL_TOKEN=SECRET oriel watch\n",
      made->token.name, options.is_read_only ? "may read" : "may read and publish");
  if (is_first) err << "From now on every request except /health needs a token.\n";
  return 0;
}

int list(const TokenStore& store, std::ostream& out, std::ostream& err) {
  const auto tokens = store.list();
  if (tokens.empty()) {
    err << "There are no tokens: the server listens on loopback only and needs none.\n";
    return 0;
  }
  std::size_t width = 4;
  for (const Token& token : tokens)
    width = std::max(width, token.name.size());
  out << fmt::format("{:<16}  {:<{}}  {:<10}  {}\n", "ID", "NAME", width, "ACCESS", "CREATED");
  for (const Token& token : tokens) {
    out << fmt::format("{:<16}  {:<{}}  {:<10}  {}\n", printable(token.id), printable(token.name),
                       width, token.may_write ? "read-write" : "read", printable(token.created));
  }
  out.flush();
  return out ? 0 : kExitFailure;
}

int revoke(TokenStore& store, const TokenOptions& options, std::ostream& out, std::ostream& err) {
  const auto revoked = store.revoke(options.name);
  if (!revoked) return report_error(err, revoked.error(), kExitFailure);
  out << "revoked " << printable(revoked->name) << " (" << printable(revoked->id) << ")"
      << std::endl;
  return 0;
}

}  // namespace

int token_command(const TokenOptions& options, std::ostream& out, std::ostream& err) {
  if (options.action == TokenAction::kCreate) make_data_dir(options.data_dir);
  TokenStore store(options.data_dir / "tokens.json");
  switch (options.action) {
    case TokenAction::kCreate:
      return create(store, options, out, err);
    case TokenAction::kRevoke:
      return revoke(store, options, out, err);
    case TokenAction::kList:
      break;
  }
  return list(store, out, err);
}

}  // namespace oriel
