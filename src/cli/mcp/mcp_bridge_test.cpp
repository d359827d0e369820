#include "cli/mcp/mcp_bridge.h"

#include "base/eventually_testing.h"
#include "base/mutex.h"
#include "client/scripted_server_testing.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <sstream>

namespace oriel {
namespace {

using asio::ip::tcp;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Lines = std::vector<std::string>;

constexpr const char* kStreamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
constexpr const char* kAccepted = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";

struct Script {
  std::string bytes;
  bool stays = false;                 // until the client closes it
  std::function<void()> closed = {};  // called when the client has closed it
};

// Serves connections concurrently; `answer` is called on any thread.
class FakeServer {
 public:
  using Answer = std::function<Script(const std::string& request)>;

  explicit FakeServer(Answer answer)
      : acceptor_(io_, {asio::ip::make_address("127.0.0.1"), 0}),
        answer_(std::move(answer)),
        thread_([this] { accept(); }) {}

  ~FakeServer() {
    is_over_ = true;
    tcp::socket waker(io_);
    waker.connect(acceptor_.local_endpoint());
    thread_.join();
    for (std::thread& connection : connections_)
      connection.join();
  }

  std::string url() const {
    return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
  }

  // Those that contain `part`.
  Lines requests(const std::string& part = {}) {
    const MutexLock lock(mutex_);
    Lines found;
    std::copy_if(requests_.begin(), requests_.end(), std::back_inserter(found),
                 [&](const std::string& each) { return each.find(part) != each.npos; });
    return found;
  }

 private:
  void accept() {
    for (;;) {
      auto socket = std::make_shared<tcp::socket>(acceptor_.accept());
      if (is_over_) return;
      connections_.emplace_back([this, socket] { serve(*socket); });
    }
  }

  void serve(tcp::socket& socket) {
    std::string request;
    boost::system::error_code ec;
    const std::size_t head =
        asio::read_until(socket, asio::dynamic_buffer(request), "\r\n\r\n", ec);
    const std::size_t header = request.find("Content-Length: ");
    const std::size_t length = header < head ? std::stoul(request.substr(header + 16)) : 0;
    const std::size_t missing = head + length - request.size();
    asio::read(socket, asio::dynamic_buffer(request), asio::transfer_exactly(missing), ec);
    {
      const MutexLock lock(mutex_);
      requests_.push_back(request);
    }
    const Script script = answer_(request);
    asio::write(socket, asio::buffer(script.bytes), ec);
    if (!script.stays) socket.shutdown(socket.shutdown_send, ec);
    char byte = 0;
    while (!ec)
      socket.read_some(asio::buffer(&byte, 1), ec);
    if (script.closed) script.closed();
  }

  asio::io_context io_;
  tcp::acceptor acceptor_;
  Answer answer_;
  Mutex mutex_;
  Lines requests_ GUARDED_BY(mutex_);
  std::vector<std::thread> connections_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

struct Said {
  Lines out;
  Lines notices;
};

asio::awaitable<void> say(McpBridge& bridge, LineQueue& output, Lines lines,
                          std::chrono::milliseconds grace) {
  for (std::string& line : lines) {
    auto taking = bridge.take(std::move(line));
    co_await std::move(taking);
  }
  auto finishing = bridge.finish(grace);
  co_await std::move(finishing);
  output.close();
}

// What a client receives that sends these lines and waits for their responses.
Said talk(const std::string& url, Lines lines, std::chrono::milliseconds grace = seconds(20)) {
  Said said;
  asio::io_context io(1);
  LineQueue output(io.get_executor(), 1 << 20);
  McpBridge bridge(io.get_executor(), {.url = http::parse_url(url).value(), .token = "t"}, output,
                   [&](const std::string& text) { said.notices.push_back(text); });
  auto saying = asio::co_spawn(io, say(bridge, output, std::move(lines), grace), asio::use_future);
  io.run();
  saying.get();
  io.restart();
  auto taking = asio::co_spawn(io, output.take(), asio::use_future);
  io.run();
  std::istringstream in(taking.get());
  for (std::string line; std::getline(in, line);)
    said.out.push_back(line);
  return said;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

std::string call(const std::string& id, const std::string& method) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"("})";
}

std::string result(const std::string& id, const std::string& value = "{}") {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + value + "}";
}

std::string stateless(const std::string& id, const std::string& method, const std::string& more) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method +
         R"(","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})" + more +
         "}}";
}

const std::string kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";
const std::string kInitialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

std::string hello(const std::string& id, const std::string& session) {
  std::string answer = json_answer(result(id, R"({"protocolVersion":"2025-11-25"})"));
  return answer.insert(answer.find("\r\n") + 2, "Mcp-Session-Id: " + session + "\r\n");
}

std::string event(const std::string& id, const std::string& data) {
  return "id: " + id + "\nretry: 1\ndata: " + data + "\n\n";
}

TEST(McpBridge, StartsASessionAndEndsIt) {
  FakeServer server([](const std::string& request) -> Script {
    if (contains(request, "initialize\"")) return {hello("0", "s1")};
    if (request.starts_with("DELETE")) return {"HTTP/1.1 204 No Content\r\n\r\n"};
    return {json_answer(result("1"))};
  });
  const Said said = talk(server.url(), {kInitialize, call("1", "tools/list")});
  EXPECT_THAT(said.out,
              ElementsAre(result("0", R"({"protocolVersion":"2025-11-25"})"), result("1")));
  EXPECT_THAT(said.notices, IsEmpty());
  const Lines requests = server.requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_THAT(requests[0], HasSubstr("POST /mcp HTTP/1.1\r\n"));
  EXPECT_THAT(requests[0], HasSubstr("\r\nAuthorization: Bearer t\r\n"));
  EXPECT_THAT(requests[0], Not(HasSubstr("Mcp-Session-Id")));
  EXPECT_THAT(requests[1], HasSubstr("\r\nMcp-Session-Id: s1\r\n"));
  EXPECT_THAT(requests[1], HasSubstr("\r\nMCP-Protocol-Version: 2025-11-25\r\n"));
  EXPECT_THAT(requests[1], HasSubstr("\r\nAccept: application/json, text/event-stream\r\n"));
  EXPECT_THAT(requests[2], HasSubstr("DELETE /mcp HTTP/1.1\r\n"));
  EXPECT_THAT(requests[2], HasSubstr("\r\nMcp-Session-Id: s1\r\n"));
}

TEST(R_RESUME_4, AResponseThatIsCutOffIsResumedWithoutLossOrRepetition) {
  std::atomic<bool> is_second = false;
  FakeServer server([&](const std::string& request) -> Script {
    if (contains(request, "initialize\"")) return {hello("0", "s1")};
    if (contains(request, "tools/call"))
      return {kStreamHead + event("s-a-n-1-0", "") + event("s-a-n-1-1", call("7", "ping")) +
              "id: s-a-n-1-2\ndata: {\"js"};
    if (contains(request, "Last-Event-ID: s-a-n-1-1\r\n") && !is_second.exchange(true))
      return {kStreamHead};
    return {kStreamHead + event("s-a-n-1-1", "") + event("s-a-n-1-2", call("8", "ping")) +
            event("s-a-n-1-3", result("1"))};
  });
  const Said said = talk(server.url(), {kInitialize, call("1", "tools/call")});
  ASSERT_EQ(said.out.size(), 4U);
  EXPECT_EQ(said.out[1], call("7", "ping"));
  EXPECT_EQ(said.out[2], call("8", "ping"));
  EXPECT_EQ(said.out[3], result("1"));
  const Lines resumed = server.requests("GET /mcp");
  ASSERT_EQ(resumed.size(), 2U);
  for (const std::string& request : resumed) {
    EXPECT_THAT(request, HasSubstr("\r\nLast-Event-ID: s-a-n-1-1\r\n"));
    EXPECT_THAT(request, HasSubstr("\r\nMcp-Session-Id: s1\r\n"));
  }
}

TEST(R_RESUME_4, AStatelessResponseThatIsCutOffIsResumedUnderAnotherName) {
  FakeServer server([&](const std::string& request) -> Script {
    if (contains(request, "tools/call")) return {kStreamHead + event("-a-0-1-1", "")};
    if (contains(request, "Last-Event-ID: -a-0-1-1\r\n"))
      return {kStreamHead + event("-b-0-1-1", "") + "data: " + call("7", "ping") + "\n\n"};
    return {std::string(kStreamHead) + "data: " + result("1") + "\n\n"};
  });
  const Said said = talk(server.url(), {stateless("1", "tools/call", "")});
  EXPECT_THAT(said.out, ElementsAre(call("7", "ping"), result("1")));
  const Lines resumed = server.requests("GET /mcp");
  ASSERT_EQ(resumed.size(), 2U);
  EXPECT_THAT(resumed[1], HasSubstr("\r\nLast-Event-ID: -b-0-1-1\r\n"));
}

TEST(McpBridge, AStatelessResponseThatIsCutOffWithoutAnEventIdIsAnError) {
  FakeServer server([&](const std::string&) -> Script { return {std::string(kStreamHead)}; });
  const Said said = talk(server.url(), {stateless("1", "tools/call", "")});
  ASSERT_EQ(said.out.size(), 1U);
  EXPECT_THAT(said.out[0], HasSubstr("the response was cut off"));
}

// Initializes, cuts the response to a call, and answers the following GET like this.
Said resumed_with(const std::string& answer) {
  FakeServer server([&](const std::string& request) -> Script {
    if (contains(request, "initialize\"")) return {hello("0", "s1")};
    if (contains(request, "tools/call")) return {kStreamHead + event("s-a-n-1-0", "")};
    if (request.starts_with("GET")) return {answer};
    return {"HTTP/1.1 204 No Content\r\n\r\n"};
  });
  return talk(server.url(), {kInitialize, call("1", "tools/call")});
}

TEST(R_RESUME_3, APurgedResponseIsAnErrorAtOnce) {
  const Said said = resumed_with(json_answer(
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32010,"message":"events were purged"}})",
      "410 Gone"));
  EXPECT_EQ(said.out.back(),
            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32010,"message":"events were purged"}})");
}

TEST(R_RESUME_2, EventsOfAnotherStreamAreNotForwarded) {
  const Said said = resumed_with(kStreamHead + event("s-other-n--4", "") +
                                 event("s-other-n--5", call("9", "ping")));
  EXPECT_EQ(said.out.size(), 2U);
  EXPECT_THAT(said.out.back(), HasSubstr("no longer holds the response"));
}

TEST(McpBridge, ReportsARequestThatIsLostWithItsServer) {
  const Said said = resumed_with(json_answer("{}", "404 Not Found"));
  EXPECT_THAT(said.out.back(), HasSubstr("the server has lost this request"));
  EXPECT_THAT(said.out.back(), HasSubstr("\"id\":1,"));
}

TEST(McpBridge, RestartsALostSessionUnnoticedByTheClient) {
  std::atomic<int> sessions = 0;
  FakeServer server([&](const std::string& request) -> Script {
    if (contains(request, "oriel-again-0")) return {hello("\"oriel-again-0\"", "s2")};
    if (contains(request, "initialize\"")) return {hello("0", "s1")};
    if (request.starts_with("GET")) return {"HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n"};
    if (request.starts_with("DELETE")) return {"HTTP/1.1 204 No Content\r\n\r\n"};
    if (contains(request, "setLevel"))
      return {json_answer(result(++sessions == 1 ? "1" : "\"again\""))};
    if (contains(request, "notifications/")) return {kAccepted};
    if (contains(request, "Mcp-Session-Id: s1")) return {json_answer("{}", "404 Not Found")};
    return {json_answer(result(contains(request, "\"id\":2") ? "2" : "3"))};
  });
  const std::string level =
      R"({"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}})";
  const std::string note = R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})";
  // The notification delays later lines until the level is remembered.
  const Said said = talk(server.url(), {kInitialize, kInitialized, level, note, note,
                                        call("2", "tools/list"), call("3", "tools/list")});
  Lines out = said.out;
  std::sort(out.begin(), out.end());
  EXPECT_THAT(out, ElementsAre(result("0", R"({"protocolVersion":"2025-11-25"})"), result("1"),
                               result("2"), result("3")));
  EXPECT_EQ(server.requests("oriel-again-0").size(), 1U);
  EXPECT_EQ(server.requests("\"level\":\"debug\"").size(), 2U);
  EXPECT_THAT(server.requests("DELETE").at(0), HasSubstr("Mcp-Session-Id: s2"));
  EXPECT_THAT(said.notices, ElementsAre("the server had lost the session; restarted it"));
}

TEST(McpBridge, ReopensTheSessionsOwnStreamAfterEveryDisconnect) {
  std::atomic<int> gets = 0;
  FakeServer server([&](const std::string& request) -> Script {
    if (contains(request, "initialize\"")) return {hello("0", "s1")};
    if (contains(request, "notifications/initialized")) return {kAccepted};
    if (request.starts_with("DELETE")) return {"HTTP/1.1 204 No Content\r\n\r\n"};
    if (contains(request, "tools/list")) {
      EXPECT_TRUE(eventually([&] { return gets >= 2; }));
      return {json_answer(result("1"))};
    }
    if (++gets == 1) return {kStreamHead + event("a", call("7", "ping"))};
    return {kStreamHead + event("b", call("8", "ping")), true};
  });
  const Said said = talk(server.url(), {kInitialize, kInitialized, call("1", "tools/list")});
  EXPECT_EQ(std::count(said.out.begin(), said.out.end(), call("7", "ping")), 1);
  const Lines streams = server.requests("GET /mcp");
  ASSERT_GE(streams.size(), 2U);
  EXPECT_THAT(streams[0], Not(HasSubstr("Last-Event-ID")));
  EXPECT_THAT(streams[1], HasSubstr("\r\nLast-Event-ID: a\r\n"));
}

TEST(McpBridge, RunsRequestsConcurrently) {
  std::atomic<bool> is_fast_done = false;
  FakeServer server([&](const std::string& request) -> Script {
    const bool is_slow = contains(request, "\"id\":1");
    if (is_slow) is_fast_done.wait(false);
    is_fast_done = true;
    is_fast_done.notify_all();
    return {json_answer(result(is_slow ? "1" : "2"))};
  });
  const Said said = talk(server.url(), {call("1", "slow"), call("2", "fast")});
  Lines out = said.out;
  std::sort(out.begin(), out.end());
  EXPECT_THAT(out, ElementsAre(result("1"), result("2")));
}

TEST(McpBridge, AnswersForAnUnreachableServer) {
  std::string url;
  {
    const FakeServer gone([](const std::string&) -> Script { return {}; });
    url = gone.url();
  }
  const Said said = talk(url, {call("\"a\"", "tools/list"), kInitialized});
  ASSERT_EQ(said.out.size(), 1U);
  EXPECT_THAT(said.out[0], HasSubstr(R"("id":"a","error":{"code":-32000,"message":")" + url));
  EXPECT_THAT(said.out[0], HasSubstr("start it with `oriel serve`"));
  EXPECT_EQ(said.notices.size(), 1U);
}

TEST(McpBridge, ARejectionHasTheIdOfItsRequest) {
  FakeServer server([](const std::string&) -> Script {
    return {json_answer(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}})",
                        "400 Bad Request")};
  });
  EXPECT_THAT(talk(server.url(), {call("5", "tools/list")}).out,
              ElementsAre(R"({"jsonrpc":"2.0","id":5,"error":{"code":-32600,"message":"no"}})"));
}

TEST(McpBridge, AnswersInvalidMessagesItself) {
  const Said said = talk("http://127.0.0.1:1", {"nonsense"});
  ASSERT_EQ(said.out.size(), 1U);
  EXPECT_THAT(said.out[0], HasSubstr(R"("id":null,"error":{"code":-32700)"));
}

TEST(McpBridge, AddsTheHeadersOfStatelessRequests) {
  FakeServer server([](const std::string&) -> Script { return {json_answer(result("1"))}; });
  const Said said = talk(server.url(), {stateless("1", "tools/call", R"(,"name":"session_list")")});
  EXPECT_THAT(said.out, ElementsAre(result("1")));
  const std::string request = server.requests().at(0);
  EXPECT_THAT(request, HasSubstr("\r\nMCP-Protocol-Version: 2026-07-28\r\n"));
  EXPECT_THAT(request, HasSubstr("\r\nMcp-Method: tools/call\r\n"));
  EXPECT_THAT(request, HasSubstr("\r\nMcp-Name: session_list\r\n"));
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST(McpBridge, CancelsAStatelessRequestByClosingItsConnection) {
  FakeServer server([](const std::string&) -> Script { return {std::string(kStreamHead), true}; });
  const std::string cancel =
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  const Said said = talk(server.url(), {stateless("1", "tools/call", ""), cancel});
  EXPECT_THAT(said.out, IsEmpty());
  EXPECT_LE(server.requests().size(), 1U);
}

TEST(McpBridge, CancelsARequestOfASessionOnceItIsSent) {
  std::atomic<bool> is_cancelled = false;
  FakeServer server([&](const std::string& request) -> Script {
    if (contains(request, "initialize\"")) return {hello("0", "s1")};
    if (contains(request, "tools/call")) return {kStreamHead + event("s-a-n-1-0", "")};
    if (contains(request, "notifications/cancelled")) is_cancelled = true;
    if (contains(request, "notifications/cancelled")) return {kAccepted};
    return {"HTTP/1.1 204 No Content\r\n\r\n"};
  });
  const std::string cancel =
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  const Said said = talk(server.url(), {kInitialize, call("1", "tools/call"), cancel});
  EXPECT_EQ(said.out.size(), 1U);
  EXPECT_TRUE(is_cancelled);
}

const std::string kAcknowledged =
    R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{}})";

std::string unnamed(const std::string& data) {
  return "retry: 1\ndata: " + data + "\n\n";
}

std::string updated(const std::string& uri) {
  return R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":")" + uri +
         R"(","_meta":{"io.modelcontextprotocol/subscriptionId":1}}})";
}

const std::string kListen =
    stateless("1", "subscriptions/listen", R"(,"notifications":{"resourceSubscriptions":["a"]})");

bool listens(const std::string& request) {
  return contains(request, "subscriptions/listen");
}

// Waits until `count` has grown to `least`, then answers request 2.
Script answer_at(std::atomic<int>& count, int least) {
  for (int seen = count; seen < least; seen = count)
    count.wait(seen);
  return {json_answer(result("2"))};
}

int increment(std::atomic<int>& count) {
  const int now = ++count;
  count.notify_all();
  return now;
}

// A listener, and a request whose answer ends the test.
const Lines kListenAndWait = {kListen, stateless("2", "tools/list", "")};

TEST(R_RESUME_4, AListenerOutlivesItsStreamsAndReportsTheGap) {
  std::atomic<int> streams = 0;
  FakeServer server([&](const std::string& request) -> Script {
    if (!listens(request)) return answer_at(streams, 4);
    const std::string stream = kStreamHead + unnamed(kAcknowledged);
    switch (increment(streams)) {
      case 1:  // cut
        return {stream};
      case 2:  // ended by a server that stops
        return {stream + unnamed(result("1", R"({"resultType":"complete"})"))};
      case 3:
        return {stream + unnamed(updated("b"))};
      default:
        return {kStreamHead, true};
    }
  });
  EXPECT_THAT(talk(server.url(), kListenAndWait).out,
              ElementsAre(kAcknowledged, updated("a"), updated("a"), updated("b"), result("2")));
}

TEST(R_RESUME_4, AListenerWaitsForAServerThatIsAway) {
  std::atomic<int> tries = 0;
  FakeServer server([&](const std::string& request) -> Script {
    if (!listens(request)) return answer_at(tries, 4);
    switch (increment(tries)) {
      case 1:
        return {""};
      case 2:
        return {kStreamHead + unnamed(kAcknowledged)};
      case 3:
        return {json_answer("{}", "503 Service Unavailable")};
      default:
        return {kStreamHead, true};
    }
  });
  EXPECT_THAT(talk(server.url(), kListenAndWait).out, ElementsAre(kAcknowledged, result("2")));
}

TEST(McpBridge, AListenerThatIsRejectedEnds) {
  std::atomic<int> ended = 0;
  FakeServer server([&](const std::string& request) -> Script {
    if (!listens(request)) return answer_at(ended, 1);
    return {.bytes =
                json_answer(R"({"error":"unauthorized","message":"no token"})", "401 Unauthorized"),
            .closed = [&] { increment(ended); }};
  });
  const Said said = talk(server.url(), kListenAndWait);
  ASSERT_EQ(said.out.size(), 2U);
  EXPECT_THAT(said.out[0], HasSubstr(R"("id":1,"error":{"code":-32000)"));
  EXPECT_EQ(server.requests("subscriptions/listen").size(), 1U);
}

TEST(McpBridge, AListenerThatIsCancelledIsNotOpenedAgain) {
  FakeServer server([](const std::string& request) -> Script {
    if (listens(request)) return {kStreamHead + unnamed(kAcknowledged)};
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return {json_answer(result("2"))};
  });
  const std::string cancel =
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  Lines lines = kListenAndWait;
  lines.insert(lines.begin() + 1, cancel);
  EXPECT_EQ(talk(server.url(), lines).out.back(), result("2"));
  EXPECT_LE(server.requests("subscriptions/listen").size(), 1U);
}

TEST(R_RESUME_3, LostMessagesOfTheSessionsOwnStreamAreReportedOnce) {
  std::atomic<int> gets = 0;
  FakeServer server([&](const std::string& request) -> Script {
    if (contains(request, "initialize\"")) return {hello("0", "s1")};
    if (contains(request, "notifications/initialized")) return {kAccepted};
    if (request.starts_with("DELETE")) return {"HTTP/1.1 204 No Content\r\n\r\n"};
    if (!request.starts_with("GET")) return answer_at(gets, 4);
    if (increment(gets) == 1) return {kStreamHead + event("a", call("7", "ping"))};
    return {json_answer("{}", "410 Gone")};
  });
  const Said said = talk(server.url(), {kInitialize, kInitialized, call("2", "tools/list")});
  EXPECT_THAT(said.notices,
              ElementsAre("messages of the server were lost: it no longer holds them"));
}

TEST(McpBridge, DoesNotWaitForListenersAtTheEnd) {
  FakeServer server([](const std::string&) -> Script {
    return {kStreamHead + std::string("data: ") + call("7", "ping") + "\n\n", true};
  });
  const Said said = talk(server.url(), {stateless("1", "subscriptions/listen", "")});
  EXPECT_LE(said.out.size(), 1U);
}

}  // namespace
}  // namespace oriel
