#include "agent/sandbox/program_files.h"

#include "posix/program.h"

#include <fstream>
#include <sstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxShebang = 256;

// The outermost node_modules above a file: packages find each other in it. Else the file itself.
fs::path package_root(const fs::path& file) {
  fs::path root;
  for (const fs::path& part : file) {
    root /= part;
    if (part == "node_modules") return root;
  }
  return file;
}

// The words after #! in a script; none in other programs.
std::vector<std::string> interpreter_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string line(kMaxShebang, '\0');
  stream.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(stream.gcount()));
  if (!line.starts_with("#!")) return {};
  std::istringstream words(line.substr(2, line.find('\n') - 2));
  std::vector<std::string> command;
  for (std::string word; words >> word;)
    command.push_back(word);
  return command;
}

class Finder {
 public:
  Finder(const std::string& path, const std::vector<Mount>& shown) : path_(path), all_(shown) {}

  // A program or file at `place`, which may be a link.
  void add(const fs::path& place) {
    std::error_code ec;
    const fs::path real = fs::canonical(place, ec);
    if (ec) return;
    if (!is_shown(all_, real)) add(show(package_root(real)));
    // A script that is reached through a link looks for its package at the link's end.
    const fs::path named = fs::absolute(place, ec).lexically_normal();
    if (named != real && !is_shown(all_, named))
      add({.kind = MountKind::kLink, .target = named, .source = real});
    add_interpreter(interpreter_of(real));
  }

  std::vector<Mount> found;

 private:
  void add(Mount mount) {
    all_.push_back(mount);
    found.push_back(std::move(mount));
  }

  void add_interpreter(const std::vector<std::string>& words) {
    if (words.empty() || depth_ > 0) return;  // an interpreter is not a script
    ++depth_;
    const bool is_env = fs::path(words.front()).filename() == "env" && words.size() > 1;
    const std::string& name = is_env && words[1] == "-S" && words.size() > 2 ? words[2]
                              : is_env                                       ? words[1]
                                                                             : words.front();
    if (const auto program = find_program(name, path_)) add(fs::path(*program));
    --depth_;
  }

  const std::string& path_;
  std::vector<Mount> all_;
  int depth_ = 0;
};

}  // namespace

std::vector<Mount> find_program_files(const std::vector<std::string>& command,
                                      const std::string& path, const std::vector<Mount>& shown) {
  Finder finder(path, shown);
  if (command.empty()) return finder.found;
  if (const auto program = find_program(command.front(), path)) finder.add(fs::path(*program));
  for (std::size_t i = 1; i < command.size(); ++i) {
    std::error_code ec;
    const fs::path argument = command[i];
    if (argument.is_absolute() && fs::is_regular_file(argument, ec)) finder.add(argument);
  }
  return finder.found;
}

fs::path find_sandbox_init() {
  std::error_code unknown;
  return fs::read_symlink("/proc/self/exe", unknown).parent_path() / "oriel-sandbox-init";
}

}  // namespace oriel
