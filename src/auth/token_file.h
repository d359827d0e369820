#pragma once
// The token file: JSON, mode 0600, replaced atomically. Everything here blocks. Failures are
// exceptions that name the file and the remedy.

#include "posix/file_descriptor.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct Token {
  std::string id;    // random_id()
  std::string name;  // chosen by the operator
  bool may_write = false;
  std::string sha256;   // of the secret, in hex
  std::string created;  // RFC 3339

  bool operator==(const Token&) const = default;
};

// Detects changes of a file without reading it.
struct FileStamp {
  std::uint64_t inode = 0;  // 0: no file
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;

  bool operator==(const FileStamp&) const = default;
};

// {"version":1,"tokens":[...]}, a token on each line.
std::string format_tokens(const std::vector<Token>& tokens);

// Throws std::runtime_error that says what is wrong with the text.
std::vector<Token> parse_tokens(std::string_view text);

class TokenFile {
 public:
  explicit TokenFile(std::filesystem::path path);

  // While it is open, no other process holds the lock. Waits for it.
  [[nodiscard]] FileDescriptor lock() const;

  FileStamp stamp() const;

  struct Contents {
    std::vector<Token> tokens;
    FileStamp stamp;
  };

  // A missing file holds no tokens. Logs a warning if others than the owner can read it.
  Contents read() const;

  // Requires lock(). Durable on return.
  void replace(const std::vector<Token>& tokens) const;

 private:
  std::filesystem::path path_;
};

}  // namespace oriel
