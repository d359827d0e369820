#include "auth/token_file.h"

#include "base/log_capture_testing.h"
#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <stdexcept>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

const Token kToken{.id = "0123456789abcdef",
                   .name = "build",
                   .kind = TokenKind::kBearer,
                   .scopes = {Scope::kRead, Scope::kStart},
                   .projects = {"web"},
                   .sha256 = std::string(64, 'a'),
                   .created = WallTime(std::chrono::hours(1)),
                   .expires = WallTime(std::chrono::hours(2))};

class TokenFileTest : public testing::Test {
 protected:
  void write(const std::string& text) const { std::ofstream(path()) << text; }

  fs::path path() const { return directory / "tokens.json"; }

  TempDirectory directory;
};

// What parsing the text fails with.
std::string problem_of(const std::string& text) {
  try {
    parse_tokens(text);
  } catch (const std::runtime_error& problem) {
    return problem.what();
  }
  return "no problem";
}

// A file with one token, whose JSON has `from` replaced by `to`.
std::string tampered(const std::string& from, const std::string& to) {
  std::string text = format_tokens({.tokens = {kToken}});
  return text.replace(text.find(from), from.size(), to);
}

TEST(ParseTokens, GivesWhatWasFormatted) {
  Token other = kToken;
  other.id = "zzzzzzzzzzzzzzzz";
  other.name = "reader";
  other.kind = TokenKind::kBrowser;
  other.expires = std::nullopt;
  for (const std::vector<Token>& tokens : {std::vector<Token>{}, {kToken}, {kToken, other}}) {
    EXPECT_EQ(parse_tokens(format_tokens({.tokens = tokens})).tokens, tokens);
  }
}

TEST(ParseTokens, SaysWhatIsWrong) {
  EXPECT_THAT(problem_of(""), HasSubstr("not JSON"));
  EXPECT_THAT(problem_of("{\"version\":2,"), HasSubstr("not JSON"));
  EXPECT_THAT(problem_of("[]"), HasSubstr("version is not 2"));
  EXPECT_THAT(problem_of("{\"version\":1,\"tokens\":[]}"), HasSubstr("version is not 2"));
  EXPECT_THAT(problem_of("{\"version\":2}"), HasSubstr("no list of tokens"));
  EXPECT_THAT(problem_of("{\"version\":2,\"tokens\":[7]}"), HasSubstr("not an object"));
  EXPECT_THAT(problem_of(tampered("\"sha256\"", "\"sha1\"")), HasSubstr("lacks \"sha256\""));
  EXPECT_THAT(problem_of(tampered("\"build\"", "7")),
              HasSubstr("\"name\" of a token is not a string"));
  EXPECT_THAT(problem_of(tampered("build", "a b")), HasSubstr("\"a b\" is not a token's name"));
  EXPECT_THAT(problem_of(tampered("0123", "012")), HasSubstr("is not a token's id"));
  EXPECT_THAT(problem_of(tampered("aaa", "AAA")), HasSubstr("is not SHA-256"));
  EXPECT_THAT(problem_of(tampered("start", "stop")), HasSubstr("unknown scope \"stop\""));
  EXPECT_THAT(problem_of(tampered("[\"web\"]", "7")),
              HasSubstr("\"projects\" of a token is not a list"));
  EXPECT_THAT(problem_of(tampered("bearer", "basic")), HasSubstr("kind of a token is \"basic\""));
  EXPECT_THAT(problem_of(tampered("1970-01-01T02", "soon")),
              HasSubstr("\"expires\" of a token is not a time"));
  EXPECT_THAT(problem_of(format_tokens({.tokens = {kToken, kToken}})), HasSubstr("there twice"));
}

TEST_F(TokenFileTest, HoldsNothingWhenItIsNotThere) {
  const TokenFile file(path());
  EXPECT_THAT(file.read().list.tokens, IsEmpty());
  EXPECT_EQ(file.stamp(), FileStamp{});
}

TEST_F(TokenFileTest, GivesWhatWasPutIn) {
  const TokenFile file(path());
  file.replace({.tokens = {kToken}});
  EXPECT_EQ(file.read().list.tokens, std::vector{kToken});
  EXPECT_EQ(file.read().stamp, file.stamp());
}

TEST_F(TokenFileTest, IsForItsOwnerAlone) {
  TokenFile(path()).replace({});
  EXPECT_EQ(fs::status(path()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(TokenFileTest, IsReplacedInOneStep) {
  const TokenFile file(path());
  file.replace({});
  const FileStamp before = file.stamp();
  std::ifstream reader(path());
  file.replace({.tokens = {kToken}});
  EXPECT_NE(file.stamp(), before);
  const std::string seen{std::istreambuf_iterator<char>(reader), {}};
  EXPECT_EQ(seen, format_tokens({})) << "who reads the old file reads all of it";
}

TEST_F(TokenFileTest, OutlivesAWriterThatWasKilled) {
  std::ofstream(path().string() + ".oriel-new-" + std::to_string(::getpid())) << "half a";
  const TokenFile file(path());
  file.replace({.tokens = {kToken}});
  EXPECT_EQ(file.read().list.tokens, std::vector{kToken});
}

TEST_F(TokenFileTest, NamesItselfAndTheRemedyWhenItIsMalformed) {
  write("{");
  try {
    TokenFile(path()).read();
    FAIL() << "a malformed file was read";
  } catch (const std::runtime_error& problem) {
    EXPECT_THAT(problem.what(), HasSubstr(path().string()));
    EXPECT_THAT(problem.what(), HasSubstr("repair it"));
  }
}

TEST_F(TokenFileTest, AFileThatOthersCanReadIsLogged) {
  const LogCapture capture;
  const TokenFile file(path());
  file.replace({.tokens = {kToken}});
  EXPECT_EQ(file.read().list.tokens, std::vector{kToken});
  EXPECT_EQ(capture.text(), "");
  fs::permissions(path(), fs::perms::group_read, fs::perm_options::add);
  EXPECT_EQ(file.read().list.tokens, std::vector{kToken}) << "but it is read";
  EXPECT_THAT(capture.text(), HasSubstr(path().string() + " is open to other users"));
}

// What reading the file as this user fails with.
std::string refusal_of(const TokenFile& file) {
  try {
    file.read();
  } catch (const std::runtime_error& problem) {
    return problem.what();
  }
  return "no problem";
}

using R_AUTH_2_TokenFile = TokenFileTest;

TEST_F(R_AUTH_2_TokenFile, IsRefusedWhenOthersCanWriteIt) {
  const TokenFile file(path());
  for (const fs::perms others : {fs::perms::group_write, fs::perms::others_write}) {
    file.replace({.tokens = {kToken}});
    fs::permissions(path(), others, fs::perm_options::add);
    EXPECT_THAT(refusal_of(file), HasSubstr(path().string() + " can be changed by other users"));
  }
}

TEST_F(R_AUTH_2_TokenFile, IsRefusedWhenItBelongsToAnotherUser) {
  TokenFile(path()).replace({.tokens = {kToken}});
  const TokenFile file(path(), ::geteuid() + 1);
  EXPECT_THAT(refusal_of(file), HasSubstr(path().string() + " belongs to another user"));
}

TEST_F(TokenFileTest, CannotBeADirectory) {
  fs::create_directory(path());
  EXPECT_THROW(TokenFile(path()).read(), std::runtime_error);
}

TEST_F(TokenFileTest, MakesItsDirectoryForTheFirstToken) {
  const TokenFile file(directory / "a" / "b" / "tokens.json");
  const FileDescriptor lock = file.lock();
  file.replace({.tokens = {kToken}});
  EXPECT_EQ(file.read().list.tokens, std::vector{kToken});
}

}  // namespace
}  // namespace oriel
