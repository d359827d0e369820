#include "cli/commands/login_command.h"

#include "base/text/json_access.h"
#include "cli/render/qr_code.h"
#include "cli/report_error.h"
#include "client/session_api.h"
#include "http/client_network.h"
#include "http/url.h"

#include <boost/json/value_from.hpp>

#include <ostream>

namespace oriel {
namespace {

namespace json = boost::json;

json::object body_of(const LoginLinkOptions& options) {
  json::object body;
  if (!options.name.empty()) body["name"] = options.name;
  if (!options.scopes.empty()) body["scopes"] = json::value_from(options.scopes);
  if (!options.projects.empty()) body["projects"] = json::value_from(options.projects);
  return body;
}

// A phone cannot open a link to this machine's loopback address.
bool is_for_phones(const std::string& url) {
  const auto parsed = http::parse_url(url);
  return parsed && !http::is_loopback_host(parsed->host);
}

}  // namespace

int login_link_command(const LoginLinkOptions& options, bool is_terminal, std::ostream& out,
                       std::ostream& err) {
  const auto made = post_now(options.server, "/api/login-links", body_of(options));
  if (!made) return report_error(err, made.error(), kExitFailure);
  const std::string public_url = text_at(*made, "public_url");
  const std::string url = public_url.empty() ? options.server.url.origin() : public_url;
  const std::string link = url + text_at(*made, "path");
  out << link << std::endl;
  if (is_terminal && is_for_phones(url)) out << qr_code(link) << std::flush;
  err << "It works once, within 10 minutes; the browser then stays logged in for 30 days. oriel "
         "token list shows it, oriel token revoke ends it.\n";
  return out ? 0 : kExitFailure;
}

}  // namespace oriel
