// Appends to a journal until it is killed, and says what was acknowledged: journal_writer FILE NAME
// Each line on standard output is one event: "<sequence> <session> <index> <text>".

#include "journal/journal.h"
#include "journal/sqlite/sqlite_engine.h"
#include "runtime/shards.h"

#include <boost/asio/use_future.hpp>

#include <cstdio>
#include <future>
#include <string>
#include <unistd.h>
#include <vector>

namespace oriel {
namespace {

constexpr int kShards = 2;
constexpr int kAppenders = 8;
constexpr int kSessions = 5;

SessionEvent event_of(std::string text, int session) {
  SessionEvent event;
  event.session_id = "session-" + std::to_string(session);
  event.timestamp = wall_now();
  event.payload = event::Custom{.type = "message",
                                .text = std::move(text),
                                .data = boost::json::value(std::string(200, 'r'))};
  return event;
}

asio::awaitable<void> append_for_ever(Journal& journal, std::string name) {
  for (int count = 0;; ++count) {
    std::vector<SessionEvent> events;
    std::vector<std::string> texts;
    for (int i = 0; i <= count % 4; ++i) {
      texts.push_back(name + "." + std::to_string(count) + "." + std::to_string(i));
      events.push_back(event_of(texts.back(), (count + i) % kSessions));
    }
    const auto placed = co_await journal.append(std::move(events));
    std::string lines;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Record& record = *placed.value()[i];
      lines += std::to_string(record.sequence) + " " + record.session_id + " " +
               std::to_string(record.index) + " " + texts[i] + "\n";
    }
    if (write(STDOUT_FILENO, lines.data(), lines.size()) < 0) throw std::runtime_error("write");
  }
}

void append_until_killed(const char* file, const std::string& name) {
  auto engine =
      open_sqlite_engine({.file = file, .durability = Durability::kProcess, .retention = {}});
  Journal journal(std::move(engine), {});
  Shards shards(kShards);
  shards.start();
  journal.start();
  std::vector<std::future<void>> appenders;
  for (int i = 0; i < kAppenders; ++i) {
    appenders.push_back(asio::co_spawn(shards[i % kShards].executor(),
                                       append_for_ever(journal, name + "." + std::to_string(i)),
                                       asio::use_future));
  }
  for (auto& appender : appenders)
    appender.get();
}

}  // namespace
}  // namespace oriel

int main(int count, char** words) {
  if (count != 3) {
    std::fprintf(stderr, "usage: journal_writer FILE NAME\n");
    return 2;
  }
  oriel::append_until_killed(words[1], words[2]);
}
