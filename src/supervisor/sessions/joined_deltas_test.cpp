#include "supervisor/sessions/joined_deltas.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TextDelta said(std::string text, std::string message_id = "m") {
  return {.message_id = std::move(message_id), .text = std::move(text)};
}

TEST(JoinedDeltas, NeighbouringPiecesOfAMessageBecomeOne) {
  EXPECT_THAT(with_joined_deltas({said("a"), said("b"), said("c")}),
              ElementsAre(AgentEvent(said("abc"))));
}

TEST(JoinedDeltas, NeighbouringThoughtsBecomeOne) {
  EXPECT_THAT(with_joined_deltas({ThoughtDelta{"a"}, ThoughtDelta{"b"}, said("c")}),
              ElementsAre(AgentEvent(ThoughtDelta{"ab"}), AgentEvent(said("c"))));
}

TEST(JoinedDeltas, PiecesOfAnotherMessageStayApart) {
  EXPECT_THAT(with_joined_deltas({said("a", "1"), said("b", "2"), said("c", "1")}),
              ElementsAre(AgentEvent(said("a", "1")), AgentEvent(said("b", "2")),
                          AgentEvent(said("c", "1"))));
}

TEST(JoinedDeltas, EventsBetweenPiecesKeepTheirPlace) {
  const NoticeGiven notice{.text = "!"};
  const TextFinished end{.message_id = "m", .text = "ab"};
  EXPECT_THAT(with_joined_deltas({said("a"), notice, said("b"), said("c"), end}),
              ElementsAre(AgentEvent(said("a")), AgentEvent(notice), AgentEvent(said("bc")),
                          AgentEvent(end)));
}

TEST(JoinedDeltas, ALongPieceIsNotCopied) {
  const std::string text(kMaxJoinedBytes, 'x');
  EXPECT_THAT(with_joined_deltas({said("a"), said(text), said("b"), said("c")}),
              ElementsAre(AgentEvent(said("a")), AgentEvent(said(text)), AgentEvent(said("bc"))));
}

TEST(JoinedDeltas, PiecesFillEventsOfLimitedSize) {
  constexpr std::size_t kPiece = 40;
  const std::vector<AgentEvent> pieces(2 * kMaxJoinedBytes / kPiece,
                                       said(std::string(kPiece, 'x')));
  EXPECT_THAT(with_joined_deltas(pieces), SizeIs(3));
}

}  // namespace
}  // namespace oriel
