#include "supervisor/cluster/session_calls.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TurnOrigin full_origin() {
  return {.source = TurnSource::kUpload,
          .said_at = WallTime(std::chrono::milliseconds(1'794'777'567'042)),
          .files = {{.file_id = "f1", .name = "ä.png", .type = "image/png", .size = 12}}};
}

TEST(R_CLUSTER_5_Calls, AMessageArrivesAsItWasSent) {
  const MessageCall sent{.session_id = "ses_1",
                         .said = {.text = "hello \"you\"\n",
                                  .prompt = "hello",
                                  .request_id = "r1",
                                  .by = "ann",
                                  .origin = full_origin(),
                                  .may_answer = false}};
  const auto arrived = parse_call<MessageCall>(to_json(sent));
  ASSERT_TRUE(arrived) << arrived.error().message;
  EXPECT_EQ(arrived->session_id, sent.session_id);
  EXPECT_EQ(arrived->said.text, sent.said.text);
  EXPECT_EQ(arrived->said.prompt, sent.said.prompt);
  EXPECT_EQ(arrived->said.request_id, sent.said.request_id);
  EXPECT_EQ(arrived->said.by, sent.said.by);
  EXPECT_EQ(arrived->said.origin, sent.said.origin);
  EXPECT_EQ(arrived->said.may_answer, sent.said.may_answer);
}

TEST(R_CLUSTER_5_Calls, ATypedMessageHasNoOrigin) {
  const auto arrived = parse_call<MessageCall>(to_json(MessageCall{.session_id = "", .said = {}}));
  ASSERT_TRUE(arrived);
  EXPECT_FALSE(arrived->said.origin);
}

TEST(R_CLUSTER_5_Calls, ASpokenTurnArrivesAsItWasSent) {
  const SayCall sent{.session_id = "ses_1",
                     .turn = {.session_id = "ses_1",
                              .text = "yes",
                              .origin = full_origin(),
                              .request_id = "r1",
                              .by = "ann",
                              .may_answer = false},
                     .transfer_id = "t1"};
  const auto arrived = parse_call<SayCall>(to_json(sent));
  ASSERT_TRUE(arrived) << arrived.error().message;
  EXPECT_EQ(arrived->session_id, sent.session_id);
  EXPECT_EQ(arrived->turn.session_id, sent.turn.session_id);
  EXPECT_EQ(arrived->turn.text, sent.turn.text);
  EXPECT_EQ(arrived->turn.origin, sent.turn.origin);
  EXPECT_EQ(arrived->turn.request_id, sent.turn.request_id);
  EXPECT_EQ(arrived->turn.by, sent.turn.by);
  EXPECT_EQ(arrived->turn.may_answer, sent.turn.may_answer);
  EXPECT_EQ(arrived->transfer_id, sent.transfer_id);
}

TEST(R_CLUSTER_5_Calls, AHookArrivesAsTheAgentSentIt) {
  HookCall sent;
  sent.incoming.hook.kind = HookKind::kPostToolUse;
  sent.incoming.hook.session_id = "native";
  sent.incoming.hook.cwd = "/work";
  sent.incoming.hook.tool_name = "Bash";
  sent.incoming.hook.tool_input = {{"command", "ls"}};
  sent.incoming.bytes = 99;
  sent.incoming.projects = {"web", "api"};
  const auto arrived = parse_call<HookCall>(to_json(sent));
  ASSERT_TRUE(arrived) << arrived.error().message;
  EXPECT_EQ(arrived->incoming.hook, sent.incoming.hook);
  EXPECT_EQ(arrived->incoming.bytes, 99U);
  EXPECT_EQ(arrived->incoming.projects, sent.incoming.projects);
  EXPECT_FALSE(parse_call<HookCall>(R"({"kind":"stop","hook":"{}","bytes":1,"projects":[]})"));
}

TEST(R_CLUSTER_5_Calls, ADecisionArrivesAsItWasMade) {
  const event::Reply reply{
      .turn_id = "turn_1", .text = "blue", .request_id = "r1", .origin = full_origin()};
  const AnswerCall sent{.session_id = "ses_1",
                        .permission_id = "perm_1",
                        .decision = {.is_allowed = false,
                                     .option_id = "no",
                                     .answers = {"blue", ""},
                                     .by = "ann",
                                     .reply = reply}};
  const auto arrived = parse_call<AnswerCall>(to_json(sent));
  ASSERT_TRUE(arrived) << arrived.error().message;
  EXPECT_EQ(arrived->session_id, sent.session_id);
  EXPECT_EQ(arrived->permission_id, sent.permission_id);
  EXPECT_EQ(arrived->decision.is_allowed, sent.decision.is_allowed);
  EXPECT_EQ(arrived->decision.option_id, sent.decision.option_id);
  EXPECT_EQ(arrived->decision.answers, sent.decision.answers);
  EXPECT_EQ(arrived->decision.by, sent.decision.by);
  EXPECT_EQ(arrived->decision.reply, sent.decision.reply);
  const auto open = parse_call<AnswerCall>(to_json(AnswerCall{}));
  ASSERT_TRUE(open);
  EXPECT_FALSE(open->decision.is_allowed);
  EXPECT_FALSE(open->decision.reply);
}

TEST(R_CLUSTER_5_Calls, ACancellationAndAnEndNameSessionAndPrincipal) {
  const auto cancel = parse_call<CancelCall>(to_json(CancelCall{.session_id = "s", .by = "ann"}));
  ASSERT_TRUE(cancel);
  EXPECT_EQ(cancel->session_id, "s");
  EXPECT_EQ(cancel->by, "ann");
  const auto end = parse_call<EndCall>(to_json(EndCall{.session_id = "s", .by = "ann"}));
  ASSERT_TRUE(end);
  EXPECT_EQ(end->session_id, "s");
  EXPECT_EQ(end->by, "ann");
}

TEST(R_CLUSTER_5_Calls, ANewSessionArrivesAsItWasWanted) {
  const NewSession sent{.agent = "droid",
                        .project_id = "p",
                        .workspace = "/work",
                        .title = "a title",
                        .message = "hello",
                        .request_id = "r1",
                        .permissions = PermissionMode::kDeny,
                        .by = "ann",
                        .session_id = "ses_1"};
  const auto arrived = parse_call<CreateCall>(to_json(CreateCall{.wanted = sent}));
  ASSERT_TRUE(arrived) << arrived.error().message;
  const NewSession& wanted = arrived->wanted;
  EXPECT_EQ(wanted.agent, sent.agent);
  EXPECT_EQ(wanted.project_id, sent.project_id);
  EXPECT_EQ(wanted.workspace, sent.workspace);
  EXPECT_EQ(wanted.title, sent.title);
  EXPECT_EQ(wanted.message, sent.message);
  EXPECT_EQ(wanted.request_id, sent.request_id);
  EXPECT_EQ(wanted.permissions, sent.permissions);
  EXPECT_EQ(wanted.by, sent.by);
  EXPECT_EQ(wanted.session_id, sent.session_id);
  EXPECT_FALSE(parse_call<CreateCall>(to_json(CreateCall{}))->wanted.permissions);
}

TEST(R_CLUSTER_5_Calls, AQuestionForChangesAndItsAnswerArriveAsTheyWere) {
  const ChangesCall sent{
      .session_id = "ses_1",
      .query = {.part = ChangesPart::kDiff, .path = "a \"b\"", .snapshot = "1f0c"}};
  const auto arrived = parse_call<ChangesCall>(to_json(sent));
  ASSERT_TRUE(arrived) << arrived.error().message;
  EXPECT_EQ(arrived->session_id, sent.session_id);
  EXPECT_EQ(arrived->query, sent.query);
  const ChangesAnswer answer{.json = {{"patch", "+x\n"}, {"is_truncated", false}}};
  EXPECT_EQ(parse_call<ChangesAnswer>(to_json(answer))->json, answer.json);
}

TEST(R_CLUSTER_5_Calls, ADirectoryArrivesAsItWasNamed) {
  const auto arrived = parse_call<ResolveCall>(to_json(ResolveCall{.directory = "/a b"}));
  ASSERT_TRUE(arrived);
  EXPECT_EQ(arrived->directory, "/a b");
}

TEST(R_CLUSTER_5_Calls, AnswersArriveAsTheyWereGiven) {
  const MessageTaken taken{.task_id = "task_1",
                           .turn_id = "turn_1",
                           .last_index = 41,
                           .queued = 2,
                           .is_repeat = true,
                           .permission_id = "perm_1",
                           .step = {}};
  const auto message = parse_call<MessageTaken>(to_json(taken));
  ASSERT_TRUE(message);
  EXPECT_EQ(message->task_id, taken.task_id);
  EXPECT_EQ(message->turn_id, taken.turn_id);
  EXPECT_EQ(message->last_index, taken.last_index);
  EXPECT_EQ(message->queued, taken.queued);
  EXPECT_EQ(message->is_repeat, taken.is_repeat);
  EXPECT_EQ(message->permission_id, taken.permission_id);
  EXPECT_EQ(parse_call<std::string>(to_json(std::string("allowed"))).value(), "allowed");
}

TEST(R_CLUSTER_5_Calls, ASessionArrivesWithWhatIsKnownWhileItRuns) {
  SessionState state;
  state.session_id = "ses_1";
  state.agent = "droid";
  state.workspace = "/work";
  state.is_live = true;
  state.node = "a";
  PendingPermission pending;
  pending.permission_id = "perm_1";
  pending.asked.id = "perm_1";
  pending.asked.title = "write";
  pending.asked_at = WallTime(std::chrono::milliseconds(5));
  state.pending = {pending};
  const CreatedSession sent{.session = std::make_shared<const SessionState>(state),
                            .task_id = "task_1",
                            .last_index = 7,
                            .is_repeat = true};
  const auto arrived = parse_call<CreatedSession>(to_json(sent));
  ASSERT_TRUE(arrived) << arrived.error().message;
  EXPECT_EQ(*arrived->session, state);
  EXPECT_EQ(arrived->task_id, sent.task_id);
  EXPECT_EQ(arrived->last_index, sent.last_index);
  EXPECT_EQ(arrived->is_repeat, sent.is_repeat);
  EXPECT_EQ(**parse_call<SessionSnapshot>(to_json(sent.session)), state);
}

TEST(R_CLUSTER_5_Calls, ASearchForPathsAndWhatItFoundArriveAsTheyWereSent) {
  const auto call =
      parse_call<PathsCall>(to_json(PathsCall{.session_id = "ses_1", .typed = "\"ä", .most = 7}));
  ASSERT_TRUE(call) << call.error().message;
  EXPECT_EQ(call->session_id, "ses_1");
  EXPECT_EQ(call->typed, "\"ä");
  EXPECT_EQ(call->most, 7U);
  const FoundPaths found{.paths = {"a b.txt", "ü/"}, .is_complete = false};
  EXPECT_EQ(parse_call<FoundPaths>(to_json(found)).value(), found);
}

TEST(R_CLUSTER_5_Calls, WhatIsNoCallIsRefused) {
  for (const char* const text : {"", "{}", "[]", "{\"session_id\":1}"}) {
    EXPECT_EQ(parse_call<MessageCall>(text).error().kind, ErrorKind::kBadDocument) << text;
    EXPECT_EQ(parse_call<CreatedSession>(text).error().kind, ErrorKind::kBadDocument) << text;
  }
}

}  // namespace
}  // namespace oriel
