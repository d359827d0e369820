// Measures the import of transcripts: `generate` creates them from the recordings, `plain` only
// reads them and parses each line, `oriel` makes a server import them twice.
//
// Prints one line per measurement, tab-separated: import, label, bytes, seconds, seconds of CPU,
// maximum bytes of memory, sessions, turns.

#include "clock.h"
#include "print.h"
#include "rest_client.h"
#include "server_usage.h"

#include <CLI/CLI.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::size_t kFileBytes = 2 << 20;  // of one transcript, approximately
constexpr std::size_t kPieceBytes = 1 << 20;

struct Options {
  std::string label = "oriel";
  std::string recordings = "tests/recordings/transcripts";
  std::string directory;
  std::uint64_t bytes = 1'000'000'000;
  std::uint16_t port = 0;
  pid_t server = 0;
};

std::string read_all(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string hex8(std::uint64_t number) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(8, '0');
  for (std::size_t i = text.size(); i-- > 0; number >>= 4)
    text[i] = kDigits[number & 15];
  return text;
}

bool is_uuid(std::string_view text) {
  constexpr std::size_t kLength = 36;
  if (text.size() < kLength) return false;
  for (std::size_t i = 0; i < kLength; ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_dash ? text[i] != '-' : std::isxdigit(static_cast<unsigned char>(text[i])) == 0)
      return false;
  }
  return true;
}

// The same conversation with different ids and times.
std::string retold(const std::string& text, std::uint64_t copy, std::uint64_t of_file) {
  constexpr std::string_view kDay = "2026-11-16T";
  const std::string mark = hex8(copy * 2'654'435'761U);
  const std::string day = std::to_string(100 + of_file % 28 + 1).substr(1);
  const std::string month = std::to_string(100 + of_file / 28 % 10 + 1).substr(1);
  std::string out;
  out.reserve(text.size() + text.size() / 64);
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (is_uuid(rest)) {
      out.append(mark).append(rest.substr(8, 28));
      i += 36;
    } else if (rest.starts_with(kDay)) {
      out.append("2026-").append(month).append("-").append(day).append("T");
      i += kDay.size();
    } else if (rest.starts_with("msg_0")) {
      out.append("msg_").append(mark);
      i += 4;
    } else {
      out += text[i++];
    }
  }
  return out;
}

void generate(const Options& options) {
  std::vector<std::pair<std::string, std::string>> recordings;
  for (const auto& each : fs::directory_iterator(options.recordings))
    recordings.emplace_back(each.path().stem().string(), read_all(each.path()));
  std::sort(recordings.begin(), recordings.end());
  std::uint64_t written = 0;
  std::uint64_t copy = 0;
  for (std::uint64_t file = 0; written < options.bytes; ++file) {
    const auto& [name, text] = recordings[file % recordings.size()];
    std::string content;
    for (std::uint64_t i = 0; content.size() < kFileBytes; ++i)
      content += retold(text, ++copy, i);
    const fs::path directory = fs::path(options.directory) / name;
    fs::create_directories(directory);
    std::ofstream(directory / (name + "-" + std::to_string(file) + ".jsonl"), std::ios::binary)
        << content;
    written += content.size();
  }
}

struct Result {
  std::uint64_t bytes = 0;
  double seconds = 0;
  double cpu_seconds = 0;
  std::uint64_t memory = 0;
  std::uint64_t sessions = 0;
  std::uint64_t turns = 0;
};

void print(const std::string& label, const Result& result) {
  print_line("import", label, result.bytes, number(result.seconds, 3),
             number(result.cpu_seconds, 3), result.memory, result.sessions, result.turns);
}

// Parses each line and discards the value.
std::uint64_t parse_lines(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string piece(kPieceBytes, '\0');
  std::string rest;
  std::uint64_t bytes = 0;
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())), file.gcount() > 0) {
    std::string_view text(piece.data(), static_cast<std::size_t>(file.gcount()));
    bytes += text.size();
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
      rest += text.substr(0, end);
      if (!json::parse(rest).is_object()) throw std::runtime_error("a line is not an object");
      rest.clear();
      text.remove_prefix(end + 1);
    }
    rest += text;
  }
  return bytes;
}

void measure_plain(const Options& options) {
  Result result;
  const std::int64_t cpu = cpu_time_ns(getpid());
  const std::int64_t begin = now_ns();
  for (const auto& each : fs::recursive_directory_iterator(options.directory)) {
    if (each.is_regular_file()) result.bytes += parse_lines(each.path());
  }
  result.seconds = static_cast<double>(now_ns() - begin) / 1e9;
  result.cpu_seconds = static_cast<double>(cpu_time_ns(getpid()) - cpu) / 1e9;
  result.memory = resident_bytes(getpid()).peak;
  print(options.label, result);
}

Result import_once(const Options& options, RestClient& client) {
  Result result;
  const std::int64_t cpu = cpu_time_ns(options.server);
  const std::int64_t begin = now_ns();
  client.post("/api/import", R"({"days":36500})");
  json::object progress;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    progress = json::parse(client.get("/api/import")).as_object();
  } while (progress.at("state") == "running");
  result.seconds = static_cast<double>(now_ns() - begin) / 1e9;
  result.cpu_seconds = static_cast<double>(cpu_time_ns(options.server) - cpu) / 1e9;
  result.memory = resident_bytes(options.server).peak;
  const auto count = [&](std::string_view key) {
    return progress.at(key).to_number<std::uint64_t>();
  };
  const bool is_well = progress.at("state") == "done" && count("lines_skipped") == 0 &&
                       count("files_failed") == 0 && count("files_left") == 0;
  if (!is_well) throw std::runtime_error("the import went wrong: " + json::serialize(progress));
  result.bytes = count("bytes_done");
  result.sessions = count("sessions");
  result.turns = count("turns");
  return result;
}

void measure_oriel(const Options& options) {
  RestClient client(options.port);
  print(options.label, import_once(options, client));
  print(options.label + "-again", import_once(options, client));
}

void run(int argc, char** argv) {
  Options options;
  CLI::App app("How fast transcripts are imported");
  app.require_subcommand(1);
  app.fallthrough();
  app.add_option("--label", options.label, "In the results");
  app.add_option("--recordings", options.recordings, "What transcripts are made of");
  app.add_option("--dir", options.directory, "Where they are");
  app.add_option("--bytes", options.bytes, "Of all of them");
  app.add_option("--port", options.port, "The server's");
  app.add_option("--server-pid", options.server, "The server");
  app.add_subcommand("generate", "Make transcripts")->final_callback([&] { generate(options); });
  app.add_subcommand("plain", "Parse each line")->final_callback([&] { measure_plain(options); });
  app.add_subcommand("oriel", "Import them")->final_callback([&] { measure_oriel(options); });
  constexpr unsigned kLongest = 600;
  alarm(kLongest);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
}

}  // namespace
}  // namespace oriel

int main(int argc, char** argv) {
  try {
    oriel::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "import_bench: " << error.what() << '\n';
    return 1;
  }
}
