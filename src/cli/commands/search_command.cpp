#include "cli/commands/search_command.h"

#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "base/text/quantity.h"
#include "base/text/quote.h"
#include "cli/render/age.h"
#include "cli/report_error.h"
#include "client/session_api.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <ostream>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kFound = "1;33";  // bold yellow

// The first byte of a character, by its number; the end for those beyond.
std::size_t byte_of(std::string_view text, std::int64_t character) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool is_first = (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
    if (is_first && character-- == 0) break;
  }
  return at;
}

// The snippet with its matches painted.
std::string painted_snippet(const json::object& result, bool is_colored) {
  const std::string snippet = text_at(result, "snippet");
  std::string out;
  std::size_t shown = 0;
  for (const json::value& range : elements_of(member(result, "ranges"))) {
    const json::array& bounds = elements_of(range);
    if (bounds.size() != 2) continue;
    const auto begin = byte_of(snippet, number_of(bounds[0]).value_or(0));
    const auto end = byte_of(snippet, number_of(bounds[1]).value_or(0));
    if (begin < shown || end <= begin) continue;
    out += printable(std::string_view(snippet).substr(shown, begin - shown));
    out +=
        paint(is_colored, kFound, printable(std::string_view(snippet).substr(begin, end - begin)));
    shown = end;
  }
  return out + printable(std::string_view(snippet).substr(shown));
}

// Who said it, or which tool.
std::string source_of(const json::object& result) {
  const std::string type = text_at(result, "type");
  const std::string tool = text_at(result, "tool_name");
  if (type == "message") return text_at(result, "role");
  if (type == "tool_call") return tool.empty() ? "tool" : tool;
  if (type == "tool_result") return tool.empty() ? "result" : tool + " result";
  return type;
}

std::string page_of(const ServerAccess& server) {
  return server.url.origin() + server.url.path + "/";
}

std::string notes_of(const json::object& answer) {
  std::string notes;
  if (elements_of(member(answer, "results")).empty()) notes += "Nothing found.\n";
  if (is_true(member(answer, "has_more"))) notes += "There is more: add words, or raise --limit.\n";
  const auto pending = number_of(member(answer, "pending_events")).value_or(0);
  if (pending > 0) notes += fmt::format("Not searched yet: {} new events.\n", pending);
  return notes;
}

}  // namespace

Result<std::string> search_time(const std::string& text, WallTime now) {
  if (text.empty() || parse_time(text)) return text;
  const auto ago = parse_duration(text);
  if (ago && *ago <= std::chrono::hours(24 * 36'500)) return format_time(now - *ago);
  return Error{.kind = ErrorKind::kBadOption,
               .message = quote(text) + " is not a time",
               .hint =
                   "write how long ago, such as 2h or 7d, or a time such as "
                   "2026-11-19T21:00:00Z"};
}

std::string search_result_text(const json::object& result, const std::string& page,
                               const Screen& screen, WallTime now) {
  const std::string title = printable(text_at(result, "title"), 60);
  std::string where = text_at(result, "agent");
  for (const std::string& more :
       {text_at(result, "project_id"), age_of(text_at(result, "timestamp"), now)}) {
    if (!more.empty()) where += " \u00b7 " + more;
  }
  return paint(screen.is_colored, kBold, title.empty() ? "(untitled)" : title) + "  " +
         paint(screen.is_colored, kDim, printable(where)) + "\n  " + printable(source_of(result)) +
         ": " + painted_snippet(result, screen.is_colored) + "\n  " +
         paint(screen.is_colored, kDim, page + printable(text_at(result, "link"))) + "\n";
}

int search_command(const SearchCommandOptions& options, const Screen& screen, std::ostream& out,
                   std::ostream& err) {
  const auto answer = get_now(options.server, api_target("/api/search", options.parameters));
  if (!answer) return report_error(err, answer.error(), kExitFailure);
  const std::string page = page_of(options.server);
  for (const json::value& result : elements_of(member(*answer, "results"))) {
    out << (options.is_json ? json_text(result) + "\n"
                            : search_result_text(object_of(result), page, screen, wall_now()));
  }
  (options.is_json ? err : out) << notes_of(*answer);
  out << std::flush;
  return out ? 0 : kExitFailure;
}

}  // namespace oriel
