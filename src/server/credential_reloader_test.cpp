#include "server/credential_reloader.h"

#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;

class CredentialReloaderTest : public testing::Test {
 protected:
  // As `oriel token create` does while the server runs.
  void create_token(const std::string& name) {
    TokenStore other(file_);
    ASSERT_TRUE(other.create({.name = name, .scopes = {Scope::kRead}}));
  }

  void reload() { reloader_.reload(http::TlsReload::kIfChanged); }

  ReloadTargets targets() {
    return {.tls = [this](http::TlsReload when) -> bool {
              tls_reloads_.push_back(when);
              if (is_tls_broken_) throw std::runtime_error("cannot use the key");
              return false;
            },
            .certificate = "cert.pem",
            .audit =
                [this](const std::vector<event::Audit>& entries) {
                  for (const event::Audit& entry : entries)
                    audited_.push_back(entry.action);
                }};
  }

  TempDirectory directory_;
  std::filesystem::path file_ = directory_ / "tokens.json";
  TokenStore tokens_{file_};
  asio::io_context io_;
  BlockingThread blocking_;
  std::vector<http::TlsReload> tls_reloads_;
  std::vector<AuditAction> audited_;
  bool is_tls_broken_ = false;
  CredentialReloader reloader_{io_.get_executor(), blocking_, tokens_, targets()};
};

TEST_F(CredentialReloaderTest, NewTokensAreReadAndAudited) {
  create_token("ci");
  reload();
  EXPECT_EQ(tokens_.list().size(), 1U);
  EXPECT_THAT(audited_, ElementsAre(AuditAction::kTokenCreate));
  reload();
  EXPECT_EQ(audited_.size(), 1U) << "nothing has changed";
}

TEST_F(CredentialReloaderTest, AFileThatIsRepairedIsAuditedAgainstTheLastReadableOne) {
  create_token("ci");
  reload();
  const std::filesystem::path copy = directory_ / "copy";
  std::filesystem::copy_file(file_, copy);
  directory_.add("tokens.json", "{");
  reload();
  EXPECT_TRUE(tokens_.list().empty());
  std::filesystem::rename(copy, file_);
  create_token("second");
  reload();
  EXPECT_EQ(tokens_.list().size(), 2U);
  EXPECT_THAT(audited_, ElementsAre(AuditAction::kTokenCreate, AuditAction::kTokenCreate))
      << "one for each token, none for the failure";
}

TEST_F(CredentialReloaderTest, ACertificateThatCannotBeUsedDoesNotKeepTokensFromBeingRead) {
  is_tls_broken_ = true;
  create_token("ci");
  reloader_.reload(http::TlsReload::kAlways);
  EXPECT_EQ(tokens_.list().size(), 1U);
  EXPECT_THAT(tls_reloads_, ElementsAre(http::TlsReload::kAlways));
}

}  // namespace
}  // namespace oriel
