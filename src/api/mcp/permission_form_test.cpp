#include "api/mcp/permission_form.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;

PendingPermission tool_permission() {
  PendingPermission permission;
  permission.permission_id = "perm_1";
  permission.asked.title = "Write note.txt";
  permission.asked.input = json::object{{"path", "note.txt"}};
  permission.asked.options = {{.id = "yes", .label = "Yes, once", .kind = OptionKind::kAllowOnce},
                              {.id = "no", .label = "No", .kind = OptionKind::kRejectOnce}};
  return permission;
}

PendingPermission question() {
  PendingPermission permission;
  permission.permission_id = "perm_2";
  permission.asked.title = "Two questions";
  permission.asked.questions = {{.text = "Which?", .choices = {"red", "blue"}, .takes_many = true},
                                {.text = "Why?", .choices = {}, .takes_many = false}};
  return permission;
}

json::object parse(const char* text) {
  return json::parse(text).as_object();
}

TEST(PermissionForm, ShowsTheOptionsWithTheirLabels) {
  const json::object form = permission_form(tool_permission(), "2025-11-25");
  EXPECT_EQ(form.at("message"), "Write note.txt\ninput.path: note.txt");
  EXPECT_EQ(form.at("mode").as_string(), "form");
  const json::value& field = form.at("requestedSchema").at("properties").at("decision");
  EXPECT_EQ(field.at("oneOf").at(0), json::value({{"const", "yes"}, {"title", "Yes, once"}}));
}

// A text of the permission's input with this many bytes.
PendingPermission permission_of(std::size_t bytes) {
  PendingPermission permission = tool_permission();
  permission.asked.input = json::object{{"content", std::string(bytes, 'x')}};
  permission.asked.details = json::object{{"kind", "edit"}};
  permission.asked.options.push_back({.id = "always",
                                      .label = "Always",
                                      .kind = OptionKind::kAllowAlways,
                                      .scope = "Write(*)\nEdit(*)"});
  return permission;
}

TEST(R_TRUTH_1, AFormShowsEveryFieldAndWhatLastsComesLast) {
  const json::object form = permission_form(permission_of(50'000), "2025-06-18");
  const std::string message(form.at("message").as_string());
  EXPECT_THAT(message, HasSubstr("\ninput.content: " + std::string(50'000, 'x') + "\n"));
  EXPECT_THAT(message, HasSubstr("\ndetails.kind: edit"));
  const json::value& field = form.at("requestedSchema").at("properties").at("decision");
  EXPECT_EQ(field.at("enum"), json::value({"yes", "no", "always"}));
  EXPECT_EQ(field.at("enumNames").at(2), "Always (not only this once: Write(*); Edit(*))");
}

TEST(R_TRUTH_1, AFormThatCannotShowAllOffersNothingThatAllows) {
  const PendingPermission permission = permission_of(kMaxFormBytes);
  const json::object form = permission_form(permission, "2025-06-18");
  const std::string message(form.at("message").as_string());
  EXPECT_EQ(
      message,
      "Write note.txt\nIt is too long for this form (2 lines, 65585 bytes): read and answer it "
      "on Oriel's page or with `oriel answer`.");
  const json::value& field = form.at("requestedSchema").at("properties").at("decision");
  EXPECT_EQ(field.at("enum"), json::value({"no"}));
  EXPECT_EQ(
      read_permission_form(permission, parse(R"({"action":"accept","content":{"decision":"yes"}})"))
          .result,
      FormResult::kUnanswered);
  EXPECT_EQ(
      read_permission_form(permission, parse(R"({"action":"accept","content":{"decision":"no"}})"))
          .result,
      FormResult::kDecided);
}

TEST(R_TRUTH_1, AFormHasNoInvisibleCharacters) {
  PendingPermission permission = question();
  permission.asked.title = "a\u202eb";
  permission.asked.input = json::object{{"k", "\u200b"}};
  permission.asked.questions[1].text = "Why\u2066?";
  const json::object form = permission_form(permission, "2026-07-28");
  EXPECT_EQ(form.at("message"), "a⟨U+202E⟩b\ninput.k: ⟨U+200B⟩");
  const json::value& fields = form.at("requestedSchema").at("properties");
  EXPECT_EQ(fields.at("answer_2").at("title"), "Why⟨U+2066⟩?");
}

TEST(R_TRUTH_1, ChoicesOfAQuestionHaveNoInvisibleCharacters) {
  PendingPermission permission = question();
  permission.asked.questions[0].choices = {"red", "bl\u200bue"};
  permission.asked.questions[1].choices = {"a\u202eb"};
  const json::object form = permission_form(permission, "2026-07-28");
  const json::value& fields = form.at("requestedSchema").at("properties");
  const json::value& second = fields.at("answer_1").at("items").at("anyOf").at(1);
  EXPECT_EQ(second.at("title"), "bl⟨U+200B⟩ue");
  EXPECT_EQ(second.at("const"), "bl\u200bue") << "the answer is the agent's own word";
  EXPECT_EQ(fields.at("answer_2").at("oneOf").at(0).at("title"), "a⟨U+202E⟩b");
  const json::object older = permission_form(permission, "2025-06-18");
  const json::value& named = older.at("requestedSchema").at("properties").at("answer_2");
  EXPECT_EQ(named.at("enumNames"), json::value(json::array{"a⟨U+202E⟩b"}));
}

TEST(PermissionForm, OlderClientsGetEnumNames) {
  const json::object form = permission_form(tool_permission(), "2025-06-18");
  EXPECT_FALSE(form.contains("mode"));
  const json::value& field = form.at("requestedSchema").at("properties").at("decision");
  EXPECT_EQ(field.at("enum"), json::value({"yes", "no"}));
  EXPECT_EQ(field.at("enumNames"), json::value({"Yes, once", "No"}));
}

TEST(PermissionForm, QuestionsAreFieldsOfTheirOwn) {
  const json::object form = permission_form(question(), "2026-07-28");
  const json::value& fields = form.at("requestedSchema").at("properties");
  EXPECT_EQ(fields.at("answer_1").at("items").at("enum"), json::value({"red", "blue"}));
  EXPECT_EQ(fields.at("answer_2").at("type").as_string(), "string");
  EXPECT_EQ(form.at("requestedSchema").at("required"), json::value({"answer_1", "answer_2"}));
}

TEST(PermissionForm, AnAcceptedFormDecides) {
  const FormReply chosen = read_permission_form(
      tool_permission(), parse(R"({"action":"accept","content":{"decision":"yes"}})"));
  EXPECT_EQ(chosen.result, FormResult::kDecided);
  EXPECT_EQ(chosen.decision.option_id, "yes");
  const FormReply said = read_permission_form(
      question(),
      parse(R"({"action":"accept","content":{"answer_1":["red","blue"],"answer_2":"so"}})"));
  EXPECT_EQ(said.result, FormResult::kDecided);
  EXPECT_THAT(said.decision.answers, ElementsAre("red, blue", "so"));
}

TEST(PermissionForm, ADeclinedFormIsTheDenialOfAPersonOrOfAProgram) {
  const FormReply refused =
      read_permission_form(tool_permission(), parse(R"({"action":"decline"})"));
  EXPECT_EQ(refused.result, FormResult::kDeclined);
  EXPECT_EQ(refused.decision.is_allowed, false);
}

TEST(PermissionForm, ADismissedOrMalformedFormIsUnanswered) {
  for (const char* result :
       {R"({"action":"cancel"})", R"({})", R"({"action":7})", R"({"action":"accept"})",
        R"({"action":"accept","content":{"decision":"maybe"}})",
        R"({"action":"accept","content":{"decision":7}})", R"({"action":"accept","content":[]})"}) {
    const FormReply reply = read_permission_form(tool_permission(), parse(result));
    EXPECT_EQ(reply.result, FormResult::kUnanswered) << result;
    EXPECT_FALSE(reply.decision.is_allowed) << result;
  }
  const json::object partly = parse(R"({"action":"accept","content":{"answer_1":"red"}})");
  EXPECT_EQ(read_permission_form(question(), partly).result, FormResult::kUnanswered);
}

}  // namespace
}  // namespace oriel
