#include "demo/conversations.h"

#include "base/id.h"
#include "base/text/json_text.h"
#include "base/text/quote.h"
#include "base/text/utf8.h"
#include "posix/atomic_file.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace oriel {

namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

json::value to_json(const DemoConversation& conversation) {
  const auto& exchanges = conversation.exchanges;
  const std::size_t kept = std::min(exchanges.size(), kMaxKeptExchanges);
  json::array history;
  for (auto it = exchanges.end() - static_cast<std::ptrdiff_t>(kept); it != exchanges.end(); ++it) {
    history.push_back({{"prompt", valid_utf8(it->prompt.substr(0, kMaxKeptText))},
                       {"answer", valid_utf8(it->answer.substr(0, kMaxKeptText))}});
  }
  return {{"workspace", valid_utf8(conversation.workspace.native())},
          {"exchanges", std::move(history)}};
}

// Throws if the file is not as save() writes it.
DemoConversation from_json(std::string_view id, const json::value& saved) {
  DemoConversation conversation{
      .id = std::string(id),
      .workspace = std::string(saved.at("workspace").as_string()),
      .exchanges = {},
  };
  for (const json::value& exchange : saved.at("exchanges").as_array()) {
    conversation.exchanges.push_back({.prompt = std::string(exchange.at("prompt").as_string()),
                                      .answer = std::string(exchange.at("answer").as_string())});
  }
  return conversation;
}

Error unknown(std::string_view id) {
  return {.kind = ErrorKind::kUnknownConversation,
          .message = "there is no conversation " + quote(id),
          .hint = "start a new one"};
}

}  // namespace

Result<void> Conversations::save(const DemoConversation& conversation) const {
  std::error_code problem;
  fs::create_directories(directory_, problem);
  const fs::path file = directory_ / (conversation.id + ".json");
  const auto written = replace_file(file, json_text(to_json(conversation)) + '\n');
  if (!written) {
    return Error{.kind = ErrorKind::kNotSaved,
                 .message = written.error().message,
                 .hint = "make its directory writable, or set XDG_STATE_HOME"};
  }
  forget_oldest();
  return {};
}

Result<DemoConversation> Conversations::load(std::string_view id) const {
  if (!is_random_id(id)) return unknown(id);
  std::ifstream file(directory_ / (std::string(id) + ".json"), std::ios::binary);
  if (!file) return unknown(id);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  try {
    return from_json(id, json::parse(text));
  } catch (const std::exception&) {
    return unknown(id);
  }
}

void Conversations::forget_oldest() const {
  std::error_code problem;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (fs::directory_iterator entry(directory_, problem); !problem && entry != fs::end(entry);
       entry.increment(problem)) {
    std::error_code ignored;
    files.emplace_back(entry->last_write_time(ignored), entry->path());
  }
  if (files.size() <= kMaxKeptConversations) return;
  std::sort(files.begin(), files.end());
  files.resize(files.size() - kMaxKeptConversations);
  for (const auto& [time, path] : files)
    fs::remove(path, problem);
}

fs::path default_state_directory() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state && fs::path(state).is_absolute()) return fs::path(state) / "oriel-demo-agent";
  const char* home = std::getenv("HOME");
  const fs::path base = home && *home ? fs::path(home) : fs::temp_directory_path();
  return base / ".local/state/oriel-demo-agent";
}

}  // namespace oriel
