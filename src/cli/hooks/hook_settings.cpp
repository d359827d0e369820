#include "cli/hooks/hook_settings.h"

#include "base/hook_kind.h"
#include "base/text/json_access.h"
#include "base/text/quote.h"
#include "cli/hooks/json_members.h"
#include "cli/render/pretty_json.h"

#include <boost/json/parse.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cctype>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kSpaces = " \t\r\n";

// Seconds. `oriel hook` takes a few milliseconds and at most one second. It is not "async", because
// Claude Code kills async hooks when it exits, which would lose the last ones.
constexpr int kTimeout = 2;

Error unfit_settings(std::string problem) {
  return {.kind = ErrorKind::kUnfitFile,
          .message = std::move(problem),
          .hint = "it was not changed: repair it, or name another file with --settings"};
}

// "/usr/bin/oriel hook --url ...", whatever its path and quotes.
bool is_ours(const json::value& hook) {
  if (!hook.is_object()) return false;
  std::string command = text_at(hook.get_object(), "command");
  std::erase_if(command, [](char c) { return c == '\'' || c == '"'; });
  const std::size_t words = command.find("oriel hook");
  if (words == command.npos || (words > 0 && command[words - 1] != '/')) return false;
  const std::string_view rest = std::string_view(command).substr(words + 10);
  return rest.empty() || rest.front() == ' ';
}

struct Settings {
  json::object hooks;
  bool are_disabled = false;
};

// On success every event's value is a list.
Result<Settings> parse_settings(const std::string& text) {
  if (text.find_first_not_of(kSpaces) == text.npos) return Settings{};
  json::error_code problem;
  const json::value whole = json::parse(text, problem);
  if (problem) return unfit_settings("is not JSON: " + problem.message());
  if (!whole.is_object()) return unfit_settings("is not a JSON object");
  Settings settings;
  settings.are_disabled = is_true(member(whole.get_object(), "disableAllHooks"));
  const json::value* const hooks = whole.get_object().if_contains("hooks");
  if (hooks == nullptr) return settings;
  if (!hooks->is_object()) return unfit_settings("has a value other than an object at \"hooks\"");
  for (const HookKind kind : kHookKinds) {
    const json::value* const groups = hooks->get_object().if_contains(event_name_of(kind));
    if (groups != nullptr && !groups->is_array())
      return unfit_settings("has a value other than a list at " + quote(event_name_of(kind)) +
                            " of \"hooks\"");
  }
  settings.hooks = hooks->get_object();
  return settings;
}

// The hooks of a group of an event; null if it has none.
json::array* hooks_in(json::value& group) {
  if (!group.is_object()) return nullptr;
  json::value* const hooks = group.get_object().if_contains("hooks");
  return hooks == nullptr ? nullptr : hooks->if_array();
}

// Replaces our first hook by `wanted`, or removes it if that is null; removes our other hooks, and
// groups without other hooks. Returns whether there were any.
bool replace_ours(json::array& groups, const json::object* wanted) {
  std::size_t found = 0;
  const auto without_ours = [&](const json::array& hooks) {
    json::array kept;
    for (const json::value& hook : hooks) {
      if (!is_ours(hook)) {
        kept.push_back(hook);
      } else if (++found == 1 && wanted != nullptr) {
        kept.emplace_back(*wanted);
      }
    }
    return kept;
  };
  json::array kept_groups;
  for (json::value& group : groups) {
    json::array* const hooks = hooks_in(group);
    if (hooks != nullptr && !hooks->empty()) {
      *hooks = without_ours(*hooks);
      if (hooks->empty()) continue;
    }
    kept_groups.push_back(group);
  }
  groups = std::move(kept_groups);
  return found > 0;
}

std::string cut(const std::string& text, std::size_t begin, std::size_t end) {
  return text.substr(0, begin) + text.substr(end);
}

std::string without(const std::string& text, const std::vector<JsonMember>& members,
                    std::size_t index) {
  if (members.size() == 1) return cut(text, text.find('{') + 1, text.rfind('}'));
  if (index == 0) return cut(text, members[0].key_begin, members[1].key_begin);
  return cut(text, members[index - 1].value_end, members[index].value_end);
}

// The text with its hooks replaced.
std::string with_hooks(const std::string& text, const json::object& hooks) {
  const auto members = json_members(text).value_or(std::vector<JsonMember>());
  const std::string indent = indent_of(text);
  const JsonMember* const old = find_member(members, "hooks");
  if (old != nullptr && hooks.empty())
    return without(text, members, static_cast<std::size_t>(old - members.data()));
  const std::string value = pretty_json(hooks, indent, indent);
  if (old != nullptr) return text.substr(0, old->value_begin) + value + text.substr(old->value_end);
  const std::string member = "\n" + indent + "\"hooks\": " + value;
  if (members.empty()) return "{" + member + "\n}\n";
  const std::size_t end = members.back().value_end;
  return text.substr(0, end) + "," + member + text.substr(end);
}

EditedText edited(const std::string& text, const json::object& before, const json::object& after) {
  if (before == after) return EditedText(std::nullopt);
  return EditedText(std::optional(with_hooks(text, after)));
}

bool is_plain(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("/._-+:@%=,").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

std::string shell_word(const std::string& word) {
  if (is_plain(word)) return word;
  std::string quoted = "'";
  for (const char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

EditedText install_hooks(const std::string& text, const std::string& command) {
  const auto settings = parse_settings(text);
  if (!settings) return settings.error();
  const json::object wanted{{"type", "command"}, {"command", command}, {"timeout", kTimeout}};
  json::object hooks = settings->hooks;
  for (const HookKind kind : kHookKinds) {
    json::value& groups = hooks[event_name_of(kind)];
    if (groups.is_null()) groups = json::array();
    if (replace_ours(groups.get_array(), &wanted)) continue;
    groups.get_array().emplace_back(json::object{{"hooks", json::array{wanted}}});
  }
  return edited(text, settings->hooks, hooks);
}

EditedText remove_hooks(const std::string& text) {
  const auto settings = parse_settings(text);
  if (!settings) return settings.error();
  json::object hooks = settings->hooks;
  for (const HookKind kind : kHookKinds) {
    const auto found = hooks.find(event_name_of(kind));
    if (found == hooks.end()) continue;
    json::array& groups = found->value().get_array();
    if (!replace_ours(groups, nullptr)) continue;
    if (groups.empty()) hooks.stable_erase(found);
  }
  return edited(text, settings->hooks, hooks);
}

Result<InstalledHooks> installed_hooks(const std::string& text) {
  const auto settings = parse_settings(text);
  if (!settings) return settings.error();
  InstalledHooks installed{.hooks = {}, .are_disabled = settings->are_disabled};
  json::object hooks = settings->hooks;
  for (const HookKind kind : kHookKinds) {
    InstalledHook& hook = installed.hooks.emplace_back(InstalledHook{event_name_of(kind), {}});
    const auto found = hooks.find(event_name_of(kind));
    if (found == hooks.end()) continue;
    for (json::value& group : found->value().get_array()) {
      const json::array* const group_hooks = hooks_in(group);
      if (group_hooks == nullptr) continue;
      for (const json::value& one : *group_hooks) {
        if (is_ours(one)) hook.commands.push_back(text_at(one.get_object(), "command"));
      }
    }
  }
  return installed;
}

std::string hook_command_line(const std::string& program, const std::string& url) {
  return shell_word(program) + " hook" + (url.empty() ? "" : " --url " + shell_word(url));
}

}  // namespace oriel
