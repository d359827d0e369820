// An ACP agent that writes text at a given rate. Each chunk of its text is a stamp with the time
// just before it is written. Its prompts:
//
//   writer 7 events 200 rate 20   200 chunks, 20 per second
//   writer 7 events 100000        as fast as they are read
//   writer 7 events 3000 bytes 4096  each chunk has at least so many bytes
//
//   paced_agent --write PROMPT    writes the chunks without ACP

#include "clock.h"
#include "stamp.h"
#include "tcp.h"

#include <boost/json.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace oriel {
namespace {

namespace json = boost::json;

struct Task {
  std::uint32_t writer = 0;
  std::uint32_t events = 0;
  double rate = 0;        // 0: no pauses
  std::size_t bytes = 0;  // of a chunk, at least
};

Task parse_task(const std::string& prompt) {
  Task task;
  std::istringstream words(prompt);
  for (std::string name; words >> name;) {
    if (name == "writer")
      words >> task.writer;
    else if (name == "events")
      words >> task.events;
    else if (name == "rate")
      words >> task.rate;
    else if (name == "bytes")
      words >> task.bytes;
    else
      throw std::runtime_error("unknown word \"" + name + "\": use writer, events, rate and bytes");
  }
  if (!words.eof() || task.writer >= kMaxPublishers)
    throw std::runtime_error("invalid prompt \"" + prompt +
                             "\": needs numbers and a writer below 256");
  return task;
}

void write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (size < 0) fail("write");
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
}

// Writers start at pseudo-random offsets within the period that depend on their number only, so
// that every server gets the same load.
std::int64_t first_due(const Task& task, std::int64_t period) {
  const std::uint64_t scattered = (task.writer + 1) * 0x9e3779b97f4a7c15U;
  const std::uint64_t mixed = (scattered ^ (scattered >> 29)) * 0xbf58476d1ce4e5b9U;
  const std::int64_t now = now_ns();
  return now - now % period + period +
         static_cast<std::int64_t>((mixed >> 32) % static_cast<std::uint64_t>(period));
}

void write_chunks(const Task& task) {
  std::string text = kStampMark + std::string(kStampDigits, '0') + " ";
  text.append(task.bytes - std::min(task.bytes, text.size()), 'x');
  std::string line =
      std::string(R"({"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"paced",)"
                  R"("update":{"sessionUpdate":"agent_message_chunk","content":)"
                  R"({"type":"text","text":")") +
      text + "\"}}}}\n";
  char* const stamp = line.data() + line.find(kStampMark) + 1;
  const auto period = task.rate > 0 ? static_cast<std::int64_t>(1e9 / task.rate) : 0;
  std::int64_t due = period > 0 ? first_due(task, period) : 0;
  for (std::uint32_t i = 0; i < task.events; ++i, due += period) {
    if (period > 0)
      std::this_thread::sleep_until(
          std::chrono::steady_clock::time_point(std::chrono::nanoseconds(due)));
    write_stamp(stamp, {.publisher = task.writer, .serial = i, .sent_ns = now_ns()});
    write_all(line);
  }
}

json::object answer(const std::string& method, const json::object& request) {
  if (method == "initialize")
    return {{"protocolVersion", 1}, {"agentCapabilities", json::object()}};
  if (method == "session/new") return {{"sessionId", "paced"}};
  if (method != "session/prompt") return {};
  const json::value& text = request.at("params").at("prompt").at(0).at("text");
  write_chunks(parse_task(std::string(text.as_string())));
  return {{"stopReason", "end_turn"}};
}

void serve() {
  for (std::string line; std::getline(std::cin, line);) {
    const json::object request = json::parse(line).as_object();
    if (!request.contains("id")) continue;
    const std::string method(request.at("method").as_string());
    json::object response{{"jsonrpc", "2.0"}, {"id", request.at("id")}};
    response["result"] = answer(method, request);
    write_all(json::serialize(response) + "\n");
  }
}

}  // namespace
}  // namespace oriel

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string_view(argv[1]) == "--write")
      oriel::write_chunks(oriel::parse_task(argv[2]));
    else if (argc == 1)
      oriel::serve();
    else
      throw std::runtime_error("usage: paced_agent [--write PROMPT]");
  } catch (const std::exception& error) {
    std::cerr << "paced_agent: " << error.what() << '\n';
    return 1;
  }
}
