#include "cli/commands/token_command.h"

#include "auth/token_store.h"
#include "auth/token_uses.h"
#include "base/text/printable.h"
#include "cli/report_error.h"

#include <spdlog/fmt/ranges.h>

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

std::string scopes_text(ScopeSet scopes) {
  std::vector<std::string_view> names;
  for (const Scope scope : scopes.list())
    names.push_back(name_of(scope));
  return fmt::format("{}", fmt::join(names, ","));
}

std::vector<std::string> row_of(const Token& token, std::optional<WallTime> last_use) {
  return {token.id,
          token.name,
          token.kind == TokenKind::kBearer ? "token" : "browser",
          scopes_text(token.scopes),
          token.projects.empty() ? "all" : fmt::format("{}", fmt::join(token.projects, ",")),
          format_time(token.created),
          token.expires ? format_time(*token.expires) : "never",
          last_use ? format_time(*last_use) : "never"};
}

// Every column as wide as its widest cell.
std::string format_columns(const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      std::size_t width = 0;
      for (const std::vector<std::string>& each : rows)
        width = std::max(width, each[column].size());
      const bool is_last = column + 1 == row.size();
      text += printable(row[column]) +
              (is_last ? "\n" : std::string(width - row[column].size() + 2, ' '));
    }
  }
  return text;
}

int create(TokenStore& store, const TokenOptions& options, std::ostream& out, std::ostream& err) {
  TokenSpec spec{.name = options.name,
                 .kind = TokenKind::kBearer,
                 .scopes = options.scopes,
                 .projects = options.projects};
  if (options.expires_in) spec.expires = wall_now() + *options.expires_in;
  const auto made = store.create(std::move(spec));
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
      made->token.name, scopes_text(made->token.scopes));
  return 0;
}

int list(const TokenStore& store, const TokenUses& uses, std::ostream& out, std::ostream& err) {
  const auto tokens = store.list();
  if (tokens.empty()) {
    err << "There are no tokens: only the server's own user on this machine has access.\n";
    return 0;
  }
  std::vector<std::vector<std::string>> rows = {
      {"ID", "NAME", "KIND", "SCOPES", "PROJECTS", "CREATED", "EXPIRES", "LAST USED"}};
  for (const Token& token : tokens)
    rows.push_back(row_of(token, uses.last(token.id)));
  out << format_columns(rows);
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
  return list(store, TokenUses(options.data_dir / kTokenUseFile), out, err);
}

}  // namespace oriel
