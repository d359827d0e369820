#include "auth/token_file.h"

#include "base/id.h"
#include "base/log.h"
#include "base/text/quote.h"
#include "posix/atomic_file.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_from.hpp>
#include <spdlog/fmt/fmt.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;
using FileStatus = struct stat;

constexpr mode_t kOthersRead = 0044;
constexpr mode_t kOthersWrite = 0022;
constexpr std::string_view kBearer = "bearer";
constexpr std::string_view kBrowser = "browser";
constexpr const char* kRemedy = "; it must belong to the user who runs the server";

[[noreturn]] void fail(const char* action, const fs::path& path) {
  const std::string reason = std::generic_category().message(errno);
  throw std::runtime_error(std::string("cannot ") + action + " " + path.string() + ": " + reason +
                           kRemedy);
}

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

FileStamp stamp_of(const FileStatus& status) {
  return {.inode = status.st_ino,
          .size = static_cast<std::uint64_t>(status.st_size),
          .modified_ns = nanoseconds(status.st_mtim),
          .changed_ns = nanoseconds(status.st_ctim)};
}

std::string read_all(int fd, const fs::path& path) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path);
    if (got == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

// Another user who can write the file could have added a token.
void check_owner(const FileStatus& status, uid_t user, const fs::path& path) {
  if (status.st_uid != user)
    throw std::runtime_error(
        fmt::format("{} belongs to another user ({}){}", path.string(), status.st_uid, kRemedy));
  if ((status.st_mode & kOthersWrite) != 0)
    throw std::runtime_error(path.string() +
                             " can be changed by other users: check its tokens with 'oriel token "
                             "list' after chmod 600, or delete it and create tokens anew");
  if ((status.st_mode & kOthersRead) != 0)
    log()->warn("{} is open to other users: run chmod 600 on it", path.string());
}

[[noreturn]] void malformed(const std::string& problem) {
  throw std::runtime_error(problem);
}

const json::value& member(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  if (value == nullptr) malformed("a token lacks " + quote(key));
  return *value;
}

std::string text_member(const json::object& object, std::string_view key) {
  const json::string* const text = member(object, key).if_string();
  if (text == nullptr) malformed(quote(key) + " of a token is not a string");
  return {text->data(), text->size()};
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::vector<std::string> texts_member(const json::object& object, std::string_view key) {
  const json::array* const list = member(object, key).if_array();
  if (list == nullptr) malformed(quote(key) + " of a token is not a list");
  std::vector<std::string> texts;
  for (const json::value& value : *list) {
    const json::string* const text = value.if_string();
    if (text == nullptr) malformed(quote(key) + " of a token has something else than strings");
    texts.emplace_back(*text);
  }
  return texts;
}

WallTime time_member(const json::object& object, std::string_view key) {
  const std::string text = text_member(object, key);
  const auto time = parse_time(text);
  if (!time) malformed(quote(key) + " of a token is not a time");
  return *time;
}

TokenKind kind_member(const json::object& object) {
  const std::string kind = text_member(object, "kind");
  if (kind != kBearer && kind != kBrowser) malformed("the kind of a token is " + quote(kind));
  return kind == kBearer ? TokenKind::kBearer : TokenKind::kBrowser;
}

json::value parse_json(std::string_view text) {
  json::error_code ec;
  json::value root = json::parse(text, ec);
  if (ec) malformed("it is not JSON (" + ec.message() + ")");
  return root;
}

Token token_in(const json::value& value) {
  const json::object* const object = value.if_object();
  if (object == nullptr) malformed("a token is not an object");
  Token token;
  token.id = text_member(*object, "id");
  token.name = text_member(*object, "name");
  token.kind = kind_member(*object);
  token.projects = texts_member(*object, "projects");
  token.sha256 = text_member(*object, "sha256");
  token.created = time_member(*object, "created");
  if (object->contains("expires")) token.expires = time_member(*object, "expires");
  if (object->contains("creator")) token.creator = text_member(*object, "creator");
  if (!is_random_id(token.id)) malformed(quote(token.id) + " is not a token's id");
  if (!is_name(token.name)) malformed(quote(token.name) + " is not a token's name");
  if (!is_sha256(token.sha256)) malformed("the hash of " + quote(token.name) + " is not SHA-256");
  for (const std::string& name : texts_member(*object, "scopes")) {
    const auto scope = parse_scope(name);
    if (!scope) malformed(quote(token.name) + " has the unknown scope " + quote(name));
    token.scopes.insert(*scope);
  }
  return token;
}

json::object to_json(const Token& token) {
  json::array scopes;
  for (const Scope scope : token.scopes.list())
    scopes.emplace_back(name_of(scope));
  json::object object{{"id", token.id},
                      {"name", token.name},
                      {"kind", token.kind == TokenKind::kBearer ? kBearer : kBrowser},
                      {"scopes", std::move(scopes)},
                      {"projects", json::value_from(token.projects)},
                      {"sha256", token.sha256},
                      {"created", format_time(token.created)}};
  if (token.expires) object["expires"] = format_time(*token.expires);
  if (!token.creator.empty()) object["creator"] = token.creator;
  return object;
}

std::set<std::string> shared_in(const json::object& root) {
  std::set<std::string> ids;
  if (!root.contains("shared")) return ids;
  for (std::string& id : texts_member(root, "shared")) {
    if (!is_random_id(id)) malformed(quote(id) + " is not a token's id");
    ids.insert(std::move(id));
  }
  return ids;
}

}  // namespace

const Token* find_token(const std::vector<Token>& tokens, std::string_view id) {
  const auto found = std::find_if(tokens.begin(), tokens.end(),
                                  [id](const Token& token) { return token.id == id; });
  return found == tokens.end() ? nullptr : &*found;
}

std::string format_token(const Token& token) {
  return json::serialize(to_json(token));
}

Token parse_token(std::string_view text) {
  return token_in(parse_json(text));
}

std::string format_tokens(const TokenList& list) {
  std::string text = "{\"version\":2,";
  if (!list.shared.empty())
    text += "\"shared\":" + json::serialize(json::value_from(list.shared)) + ",\n";
  text += "\"tokens\":[";
  for (const Token& token : list.tokens) {
    text += &token == &list.tokens.front() ? "\n" : ",\n";
    text += format_token(token);
  }
  text += "\n]}\n";
  return text;
}

TokenList parse_tokens(std::string_view text) {
  const json::value root = parse_json(text);
  const json::object* const object = root.if_object();
  const json::value* const version = object ? object->if_contains("version") : nullptr;
  if (version == nullptr || *version != 2) malformed("its version is not 2");
  const json::value* const tokens = object->if_contains("tokens");
  if (tokens == nullptr || !tokens->is_array()) malformed("it has no list of tokens");

  TokenList list{.tokens = {}, .shared = shared_in(*object)};
  std::set<std::string> names;
  for (const json::value& value : tokens->get_array()) {
    list.tokens.push_back(token_in(value));
    const Token& token = list.tokens.back();
    if (!names.insert(token.id).second || !names.insert(token.name).second) {
      malformed("the token " + quote(token.name) + " is there twice");
    }
  }
  return list;
}

TokenFile::TokenFile(fs::path path, std::uint32_t user) : path_(std::move(path)), user_(user) {}

FileDescriptor TokenFile::lock() const {
  if (path_.has_parent_path()) fs::create_directories(path_.parent_path());
  const fs::path file = path_.string() + ".lock";
  FileDescriptor lock(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock) fail("create", file);
  while (flock(lock.get(), LOCK_EX) != 0) {
    if (errno != EINTR) fail("lock", file);
  }
  return lock;
}

FileStamp TokenFile::stamp() const {
  FileStatus status{};
  if (stat(path_.c_str(), &status) == 0) return stamp_of(status);
  if (errno != ENOENT) fail("read", path_);
  return {};
}

TokenFile::Contents TokenFile::read() const {
  const FileDescriptor file(open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file && errno == ENOENT) return {};
  FileStatus status{};
  if (!file || fstat(file.get(), &status) != 0) fail("read", path_);
  check_owner(status, user_, path_);
  const std::string text = read_all(file.get(), path_);
  try {
    return {.list = parse_tokens(text), .stamp = stamp_of(status)};
  } catch (const std::runtime_error& problem) {
    throw std::runtime_error("the tokens file " + path_.string() + " cannot be used: " +
                             problem.what() + "; repair it, or delete it and create tokens anew");
  }
}

void TokenFile::replace(const TokenList& list) const {
  const auto replaced = replace_file(path_, format_tokens(list));
  if (!replaced) throw std::runtime_error(replaced.error().message + kRemedy);
}

}  // namespace oriel
