#pragma once
// `oriel login-link`: a link that logs a browser in, once.

#include "client/server_access.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace oriel {

struct LoginLinkOptions {
  ServerAccess server;
  std::string name;                   // of the login, in `oriel token list`; empty: "browser"
  std::vector<std::string> scopes;    // empty: the server's default
  std::vector<std::string> projects;  // that it is limited to; empty: none
};

// Prints the link on `out` and, for a terminal and a link that a phone can open, its QR code.
// Returns the exit code.
int login_link_command(const LoginLinkOptions& options, bool is_terminal, std::ostream& out,
                       std::ostream& err);

}  // namespace oriel
