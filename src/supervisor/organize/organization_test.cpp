#include "supervisor/organize/organization.h"

#include <boost/json/object.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(Organization, AChangeLeavesTheRestAsItIs) {
  const Organization before{.title = "Old", .is_pinned = true, .labels = {"a"}};
  const auto after = changed(before, {.title = "  New\ntitle\x1b[2J ", .is_archived = true});
  ASSERT_TRUE(after);
  const Organization expected{
      .title = "New title\\x1b[2J", .is_pinned = true, .is_archived = true, .labels = {"a"}};
  EXPECT_EQ(*after, expected);
  EXPECT_EQ(changed(before, {.title = ""})->title, "");
  const std::vector<std::string> labels = {"b", "a", "b"};
  EXPECT_EQ(changed(before, {.labels = labels})->labels, (std::vector<std::string>{"a", "b"}));
}

TEST(Organization, ASessionHasALimitedNumberOfLabels) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i <= kMaxLabels; ++i)
    labels.push_back("label" + std::to_string(i));
  EXPECT_EQ(changed({}, {.labels = labels}).error().kind, ErrorKind::kInvalidRequest);
  labels.pop_back();
  EXPECT_TRUE(changed({}, {.labels = labels}));
}

TEST(Organization, ItsDocumentKeepsIt) {
  const Organization organization{.title = "T", .is_pinned = true, .labels = {"a", "b"}};
  EXPECT_EQ(parse_organization(to_document(organization)).value(), organization);
  EXPECT_EQ(to_document(Organization()), "");
  EXPECT_EQ(parse_organization("").value(), Organization());
  for (const char* text : {"{", "[]", "{}", R"({"title":1})"})
    EXPECT_EQ(parse_organization(text).error().kind, ErrorKind::kBadDocument) << text;
}

TEST(Organization, TheTitleOfAPersonIsShownInsteadOfTheSessionsOwn) {
  SessionState state;
  state.session_id = "ses_1";
  state.project_id = "web";
  state.title = "own";
  const auto own = std::make_shared<const SessionState>(state);
  EXPECT_EQ(organized(own, {.is_pinned = true})->title, "own");
  EXPECT_EQ(organized(own, {}), own);
  const auto shown = organized(own, {.title = "given", .is_archived = true, .labels = {"a"}});
  EXPECT_EQ(shown->title, "given");
  const SessionEvent event = updated_event(*shown, "ann", WallTime());
  EXPECT_EQ(event.feed_type(), kSessionUpdated);
  EXPECT_EQ(event.session_id, "");
  EXPECT_EQ(event.project_id, "web");
  EXPECT_EQ(event.get_if<event::Custom>()->data->at("session_id"), "ses_1");
}

}  // namespace
}  // namespace oriel
