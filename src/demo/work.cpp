#include "demo/work.h"

#include "base/text/quote.h"
#include "demo/workspace_facts.h"
#include "demo/workspace_files.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kListedInAnswer = 10;
constexpr std::size_t kMaxMatches = 100;
constexpr std::size_t kMaxReadInAll = 32 << 20;
constexpr std::size_t kMaxToolOutput = 64 << 10;
constexpr std::string_view kSelf = "I am Oriel's demo agent: I follow simple rules and no model. ";

std::string shortened(std::string text) {
  if (text.size() <= kMaxToolOutput) return text;
  text.resize(kMaxToolOutput);
  return text + "\n(cut here)";
}

std::string file_lines(const std::vector<FileEntry>& files) {
  std::string lines;
  for (const FileEntry& file : files)
    lines += fmt::format("{} ({})\n", file.path, describe_size(file.bytes));
  return lines;
}

void say_problem(DemoTask& task, const Error& error) {
  task.say(fmt::format("That did not work: {}.", describe(error)));
}

// Announced as a tool call; what it found stays here.
Result<FileListing> list(DemoTask& task, const fs::path& workspace, const std::string& directory) {
  const DemoTool tool{.name = "list_files",
                      .kind = "search",
                      .title = "List " + (directory.empty() ? "the workspace" : directory),
                      .input = {{"directory", directory.empty() ? "." : directory}}};
  Result<FileListing> listing = FileListing{};
  const auto output = task.use(tool, [&]() -> Result<ToolOutput> {
    listing = list_files(workspace, directory);
    if (!listing) return listing.error();
    return ToolOutput{
        shortened(listing->files.empty() ? "(no files)" : file_lines(listing->files))};
  });
  if (!output) return output.error();
  return listing;
}

Result<FileContent> use_read_file(DemoTask& task, const fs::path& workspace,
                                  const std::string& path) {
  const DemoTool tool{
      .name = "read_file", .kind = "read", .title = "Read " + path, .input = {{"path", path}}};
  Result<FileContent> content = FileContent{};
  const auto output = task.use(tool, [&]() -> Result<ToolOutput> {
    content = read_file(workspace, path);
    if (!content) return content.error();
    if (is_binary(content->bytes)) {
      return ToolOutput{fmt::format("(binary, {})", describe_size(content->bytes.size()))};
    }
    return ToolOutput{shortened(content->bytes)};
  });
  if (!output) return output.error();
  return content;
}

void do_list(const DemoRequest& request, const fs::path& workspace, DemoTask& task) {
  task.say("Let me look.\n\n");
  const auto listing = list(task, workspace, request.subject);
  if (!listing) return say_problem(task, listing.error());
  const auto& files = listing->files;
  const std::size_t shown = std::min(files.size(), kListedInAnswer);
  task.say(fmt::format("There {} {}{} here{}\n", files.size() == 1 ? "is" : "are",
                       listing->is_cut ? "more than " : "", counted(files.size(), "file"),
                       files.empty() ? "." : ":"));
  for (std::size_t i = 0; i < shown; ++i)
    task.say(fmt::format("- {} ({})\n", files[i].path, describe_size(files[i].bytes)));
  if (files.size() > shown) task.say(fmt::format("and {} more.\n", files.size() - shown));
}

void read_and_tell(DemoTask& task, const fs::path& directory, const std::string& file) {
  const auto content = use_read_file(task, directory, file);
  if (!content) return say_problem(task, content.error());
  if (is_binary(content->bytes)) {
    return task.say(
        fmt::format("It is a binary file of {}.", describe_size(content->bytes.size())));
  }
  const TextCounts counts = count_text(content->bytes);
  task.say(fmt::format("It has {} and {}{}. It begins: \"{}\"", counted(counts.lines, "line"),
                       counted(counts.words, "word"), content->is_cut ? " in its first MiB" : "",
                       first_line(content->bytes)));
}

void do_read(const DemoRequest& request, const fs::path& workspace, DemoTask& task) {
  if (request.subject.empty()) return task.say("Tell me which file, like this: read README.md");
  task.say(fmt::format("I read {}.\n\n", request.subject));
  read_and_tell(task, workspace, request.subject);
}

// They lie outside the workspace: each is read from the directory that the prompt names.
void do_read_attached(const DemoRequest& request, DemoTask& task) {
  for (const std::string& file : request.files) {
    const fs::path path(file);
    task.say(fmt::format("I read {}.\n\n", path.filename().string()));
    read_and_tell(task, path.parent_path(), path.filename().string());
    task.say("\n");
  }
}

struct Search {
  std::string lines;  // "path:12: the line"
  std::size_t matches = 0;
  std::size_t files_read = 0;
};

Result<Search> search_files(const fs::path& workspace, const std::string& word) {
  const auto listing = list_files(workspace, "");
  if (!listing) return listing.error();
  Search search;
  std::size_t bytes = 0;
  for (const FileEntry& file : listing->files) {
    if (search.matches == kMaxMatches || bytes > kMaxReadInAll) break;
    const auto content = read_file(workspace, file.path);
    if (!content || is_binary(content->bytes)) continue;
    ++search.files_read;
    bytes += content->bytes.size();
    for (const std::string& line :
         matching_lines(content->bytes, word, kMaxMatches - search.matches)) {
      search.lines += fmt::format("{}:{}\n", file.path, line);
      ++search.matches;
    }
  }
  return search;
}

void do_search(const DemoRequest& request, const fs::path& workspace, DemoTask& task) {
  if (request.subject.empty()) return task.say("Tell me which word, like this: search TODO");
  task.say(fmt::format("I search all files for {}.\n\n", quote(request.subject)));
  const DemoTool tool{.name = "search_files",
                      .kind = "search",
                      .title = "Search for " + request.subject,
                      .input = {{"word", request.subject}}};
  Search search;
  const auto output = task.use(tool, [&]() -> Result<ToolOutput> {
    auto found = search_files(workspace, request.subject);
    if (!found) return found.error();
    search = std::move(*found);
    return ToolOutput{search.matches == 0 ? "(nothing found)" : shortened(search.lines)};
  });
  if (!output) return say_problem(task, output.error());
  task.say(fmt::format("I found {}{} in {} that I read.",
                       search.matches == kMaxMatches ? "at least " : "",
                       counted(search.matches, "line"), counted(search.files_read, "file")));
}

TextCounts count_files(const fs::path& workspace, const std::vector<FileEntry>& files) {
  TextCounts counts;
  for (const FileEntry& file : files) {
    if (counts.bytes > kMaxReadInAll) break;
    const auto content = read_file(workspace, file.path);
    if (content && !is_binary(content->bytes)) counts += count_text(content->bytes);
  }
  return counts;
}

void do_count(const DemoRequest& request, const fs::path& workspace, DemoTask& task) {
  task.say("I count.\n\n");
  std::vector<FileEntry> files{{.path = request.subject, .bytes = 0}};
  if (request.subject.empty()) {
    const auto listing = list(task, workspace, "");
    if (!listing) return say_problem(task, listing.error());
    files = listing->files;
  }
  const DemoTool tool{.name = "count_words",
                      .kind = "read",
                      .title = "Count " + (request.subject.empty() ? "all files" : request.subject),
                      .input = {{"files", files.size()}}};
  const auto output = task.use(tool, [&]() -> Result<ToolOutput> {
    if (!request.subject.empty()) {
      const auto content = read_file(workspace, request.subject);
      if (!content) return content.error();
    }
    const TextCounts counts = count_files(workspace, files);
    return ToolOutput{fmt::format("{}, {}, {}", counted(counts.lines, "line"),
                                  counted(counts.words, "word"), describe_size(counts.bytes))};
  });
  if (!output) return say_problem(task, output.error());
  task.say(fmt::format("{} in {}.", output->text, counted(files.size(), "file")));
}

void do_write(const DemoRequest& request, const fs::path& workspace, DemoTask& task) {
  if (request.subject.empty() || request.text.empty()) {
    return task.say("Tell me what to write and where, like this: write notes.txt: hello");
  }
  task.say(fmt::format("I would like to write {}, and ask you first.\n\n", request.subject));
  const DemoTool tool{.name = "write_file",
                      .kind = "edit",
                      .title = "Write " + request.subject,
                      .input = {{"path", request.subject}, {"content", request.text}}};
  const auto output = task.use_if_allowed(tool, [&]() -> Result<ToolOutput> {
    const auto written = write_file(workspace, request.subject, request.text + "\n");
    if (!written) return written.error();
    return ToolOutput{fmt::format("wrote {}", describe_size(request.text.size() + 1))};
  });
  if (output) return task.say(fmt::format("Done: I {} to {}.", output->text, request.subject));
  if (output.error().kind == ErrorKind::kRefused) {
    return task.say("You said no, so I have not written anything.");
  }
  say_problem(task, output.error());
}

void do_ask(DemoTask& task) {
  task.say("I have a question.\n\n");
  const std::string chosen = task.ask("Tea or coffee?", {{"tea", "Tea", "allow_once"},
                                                         {"coffee", "Coffee", "allow_once"},
                                                         {"neither", "Neither", "reject_once"}});
  task.say(chosen.empty() ? "You did not answer; that is fine too."
                          : fmt::format("You chose {}. Thank you!", chosen));
}

void do_help(DemoTask& task) {
  task.say(kSelf);
  task.say(
      "Ask me for one of these:\n"
      "- list [DIRECTORY]\n"
      "- read FILE\n"
      "- search WORD\n"
      "- count [FILE]\n"
      "- write FILE: text (I ask before I write)\n"
      "- ask (I ask you something)\n"
      "Anything else gets you an overview of the workspace. \"slowly\" makes me slow.");
}

std::string find_readme(const std::vector<FileEntry>& files) {
  for (const std::string_view name : {"README.md", "README", "README.txt", "readme.md"}) {
    const auto is_it = [name](const FileEntry& file) { return file.path == name; };
    if (std::any_of(files.begin(), files.end(), is_it)) return std::string(name);
  }
  return {};
}

void do_overview(const fs::path& workspace, DemoTask& task) {
  task.think("No rule fits this request, so I give an overview of the workspace.");
  task.say(kSelf);
  task.say("I cannot think about your request, but I can look around in the workspace.\n\n");
  const auto listing = list(task, workspace, "");
  if (!listing) return say_problem(task, listing.error());
  if (listing->files.empty()) return task.say("It is empty. Try: write notes.txt: hello");
  task.say(fmt::format("It has {}{}: {}.\n", listing->is_cut ? "more than " : "",
                       counted(listing->files.size(), "file"), describe_kinds(listing->files)));
  const std::string readme = find_readme(listing->files);
  if (!readme.empty()) {
    const auto content = use_read_file(task, workspace, readme);
    if (content) task.say(fmt::format("{} begins: \"{}\"\n", readme, first_line(content->bytes)));
  }
  task.say("The largest files:\n");
  for (const FileEntry& file : largest_files(listing->files, 3))
    task.say(fmt::format("- {} ({})\n", file.path, describe_size(file.bytes)));
  task.say("Say \"help\" to see what I can do.");
}

}  // namespace

void do_work(const DemoRequest& request, const fs::path& workspace, DemoTask& task) {
  switch (request.action) {
    case DemoAction::kList:
      return do_list(request, workspace, task);
    case DemoAction::kRead:
      return do_read(request, workspace, task);
    case DemoAction::kSearch:
      return do_search(request, workspace, task);
    case DemoAction::kCount:
      return do_count(request, workspace, task);
    case DemoAction::kWrite:
      return do_write(request, workspace, task);
    case DemoAction::kAsk:
      return do_ask(task);
    case DemoAction::kReadAttached:
      return do_read_attached(request, task);
    case DemoAction::kHelp:
      return do_help(task);
    default:
      return do_overview(workspace, task);
  }
}

}  // namespace oriel
