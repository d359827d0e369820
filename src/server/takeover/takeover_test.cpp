#include "server/takeover/takeover.h"

#include "base/temp_directory_testing.h"
#include "journal/sqlite/sqlite_schema.h"
#include "server/takeover/handover_socket.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <future>
#include <optional>
#include <thread>

namespace oriel {
namespace {

using asio::ip::tcp;
using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr milliseconds kSoon{10'000};

// A running server as far as a takeover sees it: its listeners, and the socket to ask for them.
class TakeoverTest : public testing::Test {
 protected:
  TakeoverTest() {
    unix_socket_ = socket_file_.take_listener();
    handout_.listeners = {tcp_.native_handle(), unix_socket_.get()};
    auto done = asio::bind_cancellation_slot(end_.slot(), asio::use_future);
    successor_ = asio::co_spawn(io_, serve(), std::move(done));
    thread_ = std::jthread([this] { io_.run(); });
  }

  ~TakeoverTest() override { stop(); }

  // As at a server's end.
  void stop() {
    asio::post(io_, [this] { end_.emit(asio::cancellation_type::terminal); });
    work_.reset();
    if (thread_.joinable()) thread_.join();
    socket_.reset();
  }

  asio::awaitable<Successor> serve() {
    auto next = socket_->next();
    co_return co_await std::move(next);
  }

  std::string problem() {
    try {
      Takeover::begin(directory_.path());
      return "";
    } catch (const std::runtime_error& failure) {
      return failure.what();
    }
  }

  TempDirectory directory_;
  asio::io_context io_;
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work_{
      asio::make_work_guard(io_)};
  tcp::acceptor tcp_{io_, {asio::ip::make_address("127.0.0.1"), 0}};
  std::filesystem::path path_ = directory_ / "a.sock";
  SocketFile socket_file_{path_};
  FileDescriptor unix_socket_;
  Handout handout_{.offer = {.process = 42,
                             .version = "1",
                             .schema = kSchemaVersion,
                             .stops_within = milliseconds(1000),
                             .socket = path_,
                             .owns_socket_file = true},
                   .listeners = {}};
  std::optional<HandoverSocket> socket_{std::in_place, io_.get_executor(),
                                        directory_ / kTakeoverSocket, [this] { return handout_; }};
  asio::cancellation_signal end_;
  std::future<Successor> successor_;
  std::jthread thread_;
};

TEST_F(TakeoverTest, PassesTheListenersAndWaitsForTheJournal) {
  auto takeover = Takeover::begin(directory_.path());
  ASSERT_TRUE(takeover);
  EXPECT_EQ(takeover->offer(), handout_.offer);
  http::Listeners taken = takeover->take_listeners(tcp_.local_endpoint(), path_);
  EXPECT_TRUE(taken.tcp);
  EXPECT_TRUE(taken.unix_socket);
  auto is_ready = std::async(std::launch::async, [this] {
    Successor successor = successor_.get();
    EXPECT_TRUE(successor.request.takes_socket_file);
    return await_successor(successor.connection, kSoon);
  });
  takeover->drain();
  EXPECT_EQ(is_ready.wait_for(milliseconds(0)), std::future_status::timeout);
  takeover->ready();
  EXPECT_TRUE(is_ready.get());
  taken = {};
  EXPECT_TRUE(std::filesystem::exists(path_)) << "it removes the file only once it serves";
}

TEST_F(TakeoverTest, ListenersAtOtherAddressesAreNotTaken) {
  auto takeover = Takeover::begin(directory_.path());
  const tcp::endpoint other(tcp_.local_endpoint().address(), 1);
  const http::Listeners taken = takeover->take_listeners(other, directory_ / "b.sock");
  EXPECT_FALSE(taken.tcp);
  EXPECT_FALSE(taken.unix_socket);
}

TEST_F(TakeoverTest, AnyPortIsThatOfTheRunningServer) {
  auto takeover = Takeover::begin(directory_.path());
  const tcp::endpoint any(tcp_.local_endpoint().address(), 0);
  const http::Listeners taken = takeover->take_listeners(any, "");
  EXPECT_TRUE(taken.tcp);
  EXPECT_FALSE(taken.unix_socket);
}

TEST_F(TakeoverTest, AServerThatDiesWhileItDrainsIsReplaced) {
  auto takeover = Takeover::begin(directory_.path());
  auto draining = std::async(std::launch::async, [&] { takeover->drain(); });
  successor_.get();  // goes away
  EXPECT_NO_THROW(draining.get());
}

TEST_F(TakeoverTest, AProcessThatGoesAwayIsNotWaitedFor) {
  auto takeover = Takeover::begin(directory_.path());
  auto is_ready = std::async(
      std::launch::async, [this] { return await_successor(successor_.get().connection, kSoon); });
  takeover->drain();
  takeover.reset();
  EXPECT_FALSE(is_ready.get());
}

TEST_F(TakeoverTest, AJournalOfANewerVersionIsLeftToItsServer) {
  handout_.offer.schema = kSchemaVersion + 1;
  EXPECT_THAT(problem(), HasSubstr("its journal has version"));
  EXPECT_EQ(successor_.wait_for(milliseconds(0)), std::future_status::timeout);
}

TEST_F(TakeoverTest, WithoutAServerThereIsNone) {
  EXPECT_FALSE(Takeover::begin(directory_ / "missing"));
  auto takeover = Takeover::begin(directory_.path());
  auto draining = std::async(std::launch::async, [&] { takeover->drain(); });
  successor_.get();
  draining.get();
  stop();
  EXPECT_FALSE(Takeover::begin(directory_.path()));
}

}  // namespace
}  // namespace oriel
