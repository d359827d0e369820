#include "cli/arguments.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using Words = std::vector<std::string>;

const ArgumentShape kShape{.command = "publish",
                           .values = {"data", "text"},
                           .lists = {"types"},
                           .switches = {"json"},
                           .hidden = {"secret"},
                           .positionals = {"TYPE"},
                           .required_positionals = 1};

Arguments parse(Words words) {
  return parse_arguments(kShape, words).value();
}

Error error_of(Words words) {
  return parse_arguments(kShape, words).error();
}

TEST(Arguments, SortsFlagsFromTheRest) {
  const Arguments arguments = parse({"--text", "a b", "deploy", "--json", "--data=1"});
  EXPECT_EQ(arguments.value("text"), "a b");
  EXPECT_EQ(arguments.value("data"), "1");
  EXPECT_EQ(arguments.switches, std::set<std::string>{"json"});
  EXPECT_EQ(arguments.positionals, Words{"deploy"});
  EXPECT_FALSE(arguments.wants_help);
}

TEST(Arguments, LeavesValuesAsTheyAre) {
  for (const char* value :
       {"{}", "[1,2]", "[]", "-", "", "\"x\"", "%%", "a,b", "{\"a\":[1, 2]}", "'"}) {
    EXPECT_EQ(parse({"deploy", "--data", value}).value("data"), value) << value;
  }
  EXPECT_EQ(parse({"deploy", "--text=-v --x"}).value("text"), "-v --x");
  EXPECT_EQ(parse({"deploy", "--text", "-v"}).value("text"), "-v");
  EXPECT_EQ(parse({"[a,b]"}).positionals, Words{"[a,b]"});
}

TEST(Arguments, KeepsRepeatsInOrder) {
  EXPECT_EQ(parse({"x", "--types", "b", "--types=a"}).lists.at("types"), (Words{"b", "a"}));
}

TEST(Arguments, TakesWhatFollowsTwoDashesAsItIs) {
  EXPECT_EQ(parse({"--", "--json"}).positionals, Words{"--json"});
}

TEST(Arguments, HelpWinsOverEverythingMissing) {
  EXPECT_TRUE(parse({"--help"}).wants_help);
  EXPECT_TRUE(parse({"-h"}).wants_help);
  EXPECT_TRUE(parse({"a", "b", "c", "--unknown", "--help"}).wants_help);
}

TEST(Arguments, AnUnknownFlagIsNamedWithTheNearest) {
  EXPECT_EQ(error_of({"x", "--dta=1"}).message, "unknown flag \"--dta\"");
  EXPECT_EQ(error_of({"x", "--dta=1"}).hint, "did you mean --data?");
  EXPECT_EQ(error_of({"x", "--colour"}).hint, "oriel publish --help explains it");
  EXPECT_EQ(error_of({"x", "-q"}).message, "unknown flag \"-q\"");
}

TEST(Arguments, AHiddenSwitchIsNotSuggested) {
  EXPECT_EQ(error_of({"x", "--secrt"}).hint, "oriel publish --help explains it");
  EXPECT_EQ(parse({"x", "--secret"}).switches.count("secret"), 1U);
}

TEST(Arguments, AFlagGivenTwiceIsAnError) {
  EXPECT_EQ(error_of({"x", "--text", "a", "--text", "b"}).message, "flag --text is given twice");
}

TEST(Arguments, AFlagWithoutItsValueIsAnError) {
  EXPECT_EQ(error_of({"x", "--text"}).message, "flag --text needs a value");
}

TEST(Arguments, ASwitchTakesNoValue) {
  EXPECT_NE(error_of({"x", "--json=no"}).message, "");
}

TEST(Arguments, PositionalsAreCounted) {
  EXPECT_EQ(error_of({}).message, "TYPE is missing");
  EXPECT_EQ(error_of({"a", "b"}).message, "unexpected argument \"b\"");
}

}  // namespace
}  // namespace oriel
