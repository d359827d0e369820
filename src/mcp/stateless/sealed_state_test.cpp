#include "mcp/stateless/sealed_state.h"

#include "base/text/base64.h"

#include <gtest/gtest.h>

#include <string>

namespace oriel::mcp {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

const WallTime kNow{milliseconds(1'790'000'000'000)};
constexpr milliseconds kHour{3'600'000};

class SealedState : public testing::Test {
 protected:
  std::optional<json::object> open(std::string_view text,
                                   std::string_view purpose = "alice") const {
    return sealer_.open(text, purpose, kNow, kHour);
  }

  StateSealer sealer_;
  json::object state_ = {{"step", 2}, {"name", "caf\u00E9"}, {"list", {1, nullptr, true}}};
};

TEST_F(SealedState, ComesBackAsItWas) {
  EXPECT_EQ(open(sealer_.seal(state_, "alice", kNow)), state_);
  EXPECT_EQ(open(sealer_.seal({}, "alice", kNow)), json::object());
  EXPECT_EQ(open(sealer_.seal(state_, "", kNow), ""), state_);
}

TEST_F(SealedState, ComesBackHoweverDeepARequestMayBe) {
  json::value deep = 1;
  for (int i = 0; i < 40; ++i)
    deep = json::array{std::move(deep)};
  const json::object state = {{"deep", deep}};
  EXPECT_EQ(open(sealer_.seal(state, "alice", kNow)), state);
}

TEST_F(SealedState, IsTextThatAnythingCanCarry) {
  const std::string text = sealer_.seal(state_, "alice", kNow);
  EXPECT_EQ(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                   "0123456789-_"),
            std::string::npos);
}

TEST_F(SealedState, CannotBeChangedInAnyLetter) {
  const std::string text = sealer_.seal(state_, "alice", kNow);
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_EQ(open(changed), std::nullopt) << i;
  }
}

TEST_F(SealedState, CannotBeCutOrExtended) {
  const std::string text = sealer_.seal(state_, "alice", kNow);
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_EQ(open(text.substr(0, length)), std::nullopt) << length;
  for (const char* more : {"A", "AA", "AAA", "AAAA", "=", " ", "\n"})
    EXPECT_EQ(open(text + more), std::nullopt) << more;
}

TEST_F(SealedState, IsForItsPurposeAlone) {
  const std::string text = sealer_.seal(state_, "alice", kNow);
  EXPECT_EQ(open(text, "bob"), std::nullopt);
  EXPECT_EQ(open(text, "alic"), std::nullopt);
  EXPECT_EQ(open(text, "alice "), std::nullopt);
  EXPECT_EQ(open(text, ""), std::nullopt);
}

TEST_F(SealedState, CannotMoveLettersBetweenPurposeAndContent) {
  const auto bytes = from_base64url(sealer_.seal(state_, "alice", kNow));
  ASSERT_TRUE(bytes);
  const std::string moved = bytes->substr(0, 32) + "e" + bytes->substr(32);
  EXPECT_EQ(open(base64url(moved), "alic"), std::nullopt);
}

TEST_F(SealedState, IsForItsSealerAlone) {
  EXPECT_EQ(open(StateSealer().seal(state_, "alice", kNow)), std::nullopt);
}

TEST_F(SealedState, GrowsOld) {
  EXPECT_EQ(open(sealer_.seal(state_, "alice", kNow - kHour)), state_);
  EXPECT_EQ(open(sealer_.seal(state_, "alice", kNow - kHour - milliseconds(1))), std::nullopt);
}

TEST_F(SealedState, SurvivesAClockThatIsSetBack) {
  EXPECT_EQ(open(sealer_.seal(state_, "alice", kNow + milliseconds(5))), state_);
}

TEST_F(SealedState, IsNotMadeOfOtherBytes) {
  EXPECT_EQ(open(""), std::nullopt);
  EXPECT_EQ(open("{}"), std::nullopt);
  EXPECT_EQ(open(std::string(54, 'A')), std::nullopt);
  EXPECT_EQ(open(std::string_view("\0\xFF", 2)), std::nullopt);
}

}  // namespace
}  // namespace oriel::mcp
