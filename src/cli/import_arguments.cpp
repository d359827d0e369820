#include "base/quantity.h"
#include "cli/help.h"
#include "cli/parse_commands.h"

#include <filesystem>

namespace oriel {
namespace {

constexpr std::uint64_t kMaxDays = 36'500;

}  // namespace

Result<Command> parse_import(const Words& words, const Environment& environment) {
  const auto arguments = parse_arguments({.command = "import",
                                          .values = {"days", "url", "token"},
                                          .lists = {},
                                          .switches = {"dry-run", "cancel", "json"},
                                          .positionals = {"PATH"},
                                          .takes_rest = true},
                                         words);
  if (!arguments) return arguments.error();
  if (arguments->wants_help) return ShowText{.text = import_help()};
  auto access = read_access(*arguments, environment);
  if (!access) return access.error();
  ImportCommandOptions options;
  options.server = std::move(*access);
  options.is_dry_run = arguments->has("dry-run");
  options.is_cancel = arguments->has("cancel");
  options.is_json = arguments->has("json");
  const bool has_wish =
      options.is_dry_run || arguments->value("days") || !arguments->positionals.empty();
  if (options.is_cancel && has_wish)
    return bad_option("flag --cancel ends the import that runs", "give it alone");
  if (const auto days = arguments->value("days")) {
    options.days = parse_number(*days);
    if (!options.days || *options.days < 1 || *options.days > kMaxDays)
      return bad_flag("days", *days, "a whole number from 1 to 36500");
  }
  for (const std::string& path : arguments->positionals) {
    if (path.empty()) return bad_option("an empty path", "name a directory or a file");
    options.paths.push_back(std::filesystem::absolute(path).lexically_normal().string());
  }
  return Command(std::move(options));
}

}  // namespace oriel
