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
  EXPECT_THAT(std::string(form.at("message").as_string()), HasSubstr("Write note.txt"));
  EXPECT_THAT(std::string(form.at("message").as_string()), HasSubstr("note.txt\""));
  EXPECT_EQ(form.at("mode").as_string(), "form");
  const json::value& field = form.at("requestedSchema").at("properties").at("decision");
  EXPECT_EQ(field.at("oneOf").at(0), json::value({{"const", "yes"}, {"title", "Yes, once"}}));
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
  const auto chosen = read_permission_form(
      tool_permission(), parse(R"({"action":"accept","content":{"decision":"yes"}})"));
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->option_id, "yes");
  const auto said = read_permission_form(
      question(),
      parse(R"({"action":"accept","content":{"answer_1":["red","blue"],"answer_2":"so"}})"));
  ASSERT_TRUE(said);
  EXPECT_THAT(said->answers, ElementsAre("red, blue", "so"));
}

TEST(PermissionForm, ADeclinedFormDenies) {
  const auto refused = read_permission_form(tool_permission(), parse(R"({"action":"decline"})"));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->is_allowed, false);
}

TEST(PermissionForm, ADismissedOrMalformedFormLeavesThePermissionPending) {
  for (const char* result :
       {R"({"action":"cancel"})", R"({})", R"({"action":7})", R"({"action":"accept"})",
        R"({"action":"accept","content":{"decision":"maybe"}})",
        R"({"action":"accept","content":{"decision":7}})", R"({"action":"accept","content":[]})"})
    EXPECT_FALSE(read_permission_form(tool_permission(), parse(result))) << result;
  EXPECT_FALSE(read_permission_form(question(),
                                    parse(R"({"action":"accept","content":{"answer_1":"red"}})")));
}

}  // namespace
}  // namespace oriel
