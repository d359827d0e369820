// Files of sessions in a cluster: sent to any node, stored by the session's, read from any.

#include "supervisor/cluster/cluster_testing.h"
#include "supervisor/sessions/file_prompt.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <thread>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::size_t kManyPieces = (2 << 20) + 7;

std::string some_bytes(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<char>(i * 31 + i / 251);
  return bytes;
}

class SharedFiles : public ClusterTest {
 protected:
  // A file that the node has received.
  static std::shared_ptr<Upload> received(SupervisorNode& node, const std::string& name,
                                          const std::string& bytes) {
    auto upload = std::make_shared<Upload>(node.supervisor().uploads());
    add(node, *upload, name, bytes);
    return upload;
  }

  static void add(SupervisorNode& node, Upload& upload, const std::string& name,
                  const std::string& bytes) {
    EXPECT_TRUE(node.wait(upload.begin(name, "text/plain")));
    EXPECT_TRUE(node.wait(upload.write(bytes)));
    EXPECT_TRUE(node.wait(upload.end()));
  }

  static Result<MessageTaken> say(SupervisorNode& node, const std::string& session_id,
                                  std::shared_ptr<Upload> upload,
                                  const std::string& request_id = "") {
    NewTurn turn{.session_id = session_id,
                 .text = "look",
                 .origin = {.source = TurnSource::kUpload, .said_at = {}, .files = {}},
                 .request_id = request_id};
    return node.wait(node.supervisor().say(std::move(turn), std::move(upload)));
  }

  // What this node gives back; empty after a failure.
  static std::string downloaded(SupervisorNode& node, const std::string& session_id,
                                const TurnFile& file) {
    const auto opened = node.wait(node.supervisor().download(session_id, file));
    EXPECT_TRUE(opened);
    if (!opened) return {};
    std::string bytes;
    while (bytes.size() < opened->size)
      bytes += node.wait(opened->next());
    return bytes;
  }

  // The files on the node's disk, below its directory of uploads.
  std::vector<std::string> stored(SupervisorNode& node) {
    // Behind all that was posted before.
    node.wait(node.supervisor().uploads().remove("ses_none"));
    std::vector<std::string> found;
    const auto root = directory_ / node.name() / "uploads";
    std::error_code ec;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root, ec)) {
      if (entry.is_regular_file()) found.push_back(entry.path().lexically_relative(root).string());
    }
    return found;
  }

  template <class Condition>
  static bool eventually(Condition is_so) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!is_so() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return is_so();
  }
};

using R_CLUSTER_5_Files = SharedFiles;

TEST_F(R_CLUSTER_5_Files, FilesThatAnyNodeReceivesAreTheOwnersAndReadFromAnyNode) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  SupervisorNode& c = start("c");
  const std::string id = create_idle(a);
  settle();
  const std::string big = some_bytes(kManyPieces);
  auto upload = received(b, "big file.bin", big);
  add(b, *upload, "empty.txt", "");
  const std::vector<TurnFile> files = upload->files();
  const auto taken = say(b, id, std::move(upload));
  ASSERT_TRUE(taken) << taken.error().message;
  const std::vector<Turn> turns = b.wait(b.supervisor().turns(id)).value();
  EXPECT_EQ(turns.at(2).files, files);
  EXPECT_THAT(stored(b), IsEmpty());
  EXPECT_EQ(b.supervisor().uploads().bytes(), 0U);
  EXPECT_THAT(stored(a), testing::UnorderedElementsAre(id + "/" + stored_name(files[0]),
                                                       id + "/" + stored_name(files[1])));
  for (SupervisorNode* const node : {&a, &b, &c}) {
    EXPECT_EQ(downloaded(*node, id, files[0]), big) << node->name();
    EXPECT_EQ(downloaded(*node, id, files[1]), "") << node->name();
  }
}

TEST_F(R_CLUSTER_5_Files, TheOwnersLimitsHoldAndNothingIsLeftOnEitherNode) {
  SupervisorOptions strict = options();
  strict.uploads.max_file_bytes = 1 << 20;
  strict.uploads.max_files = 1;
  SupervisorNode& a = start("a", strict);
  SupervisorNode& b = start("b");
  const std::string id = create_idle(a);
  settle();
  const auto too_large = say(b, id, received(b, "big", some_bytes(kManyPieces)));
  ASSERT_FALSE(too_large);
  EXPECT_EQ(too_large.error().kind, ErrorKind::kFileTooLarge);
  EXPECT_THAT(too_large.error().message, HasSubstr("1048576"));
  auto two = received(b, "one", "1");
  add(b, *two, "two", "2");
  EXPECT_EQ(say(b, id, std::move(two)).error().kind, ErrorKind::kTooManyFiles);
  EXPECT_THAT(stored(a), IsEmpty());
  EXPECT_THAT(stored(b), IsEmpty());
  EXPECT_EQ(a.supervisor().uploads().bytes(), 0U);
}

TEST_F(R_CLUSTER_5_Files, ASessionThatRefusesTheTurnKeepsNoFile) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  const std::string id = create_idle(a);
  ASSERT_TRUE(a.wait(a.supervisor().end(id, "ann")));
  settle();
  EXPECT_EQ(say(b, id, received(b, "late", "1")).error().kind, ErrorKind::kSessionEnded);
  EXPECT_THAT(stored(a), IsEmpty());
  EXPECT_THAT(stored(b), IsEmpty());
}

TEST_F(R_CLUSTER_5_Files, ARepeatedUploadKeepsTheFilesOfTheFirst) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  SupervisorNode& c = start("c");
  const std::string id = create_idle(a);
  settle();
  auto first = received(b, "one.txt", "1");
  const TurnFile file = first->files().front();
  ASSERT_TRUE(say(b, id, std::move(first), "r1"));
  const auto again = say(c, id, received(c, "one.txt", "1"), "r1");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->is_repeat);
  EXPECT_THAT(stored(a), ElementsAre(id + "/" + stored_name(file)));
  EXPECT_THAT(stored(c), IsEmpty());
}

TEST_F(R_CLUSTER_5_Files, TheOwnerDropsFilesWhoseSenderHasGone) {
  SupervisorOptions hasty = options();
  hasty.cluster.files.max_idle = std::chrono::milliseconds(40);
  SupervisorNode& a = start("a", hasty);
  SupervisorNode& b = start("b");
  const std::string id = create_idle(a);
  settle();
  // The sender gives up after the first piece.
  network_.lose_next_answer(std::string(PutCall::kMethod));
  const auto lost = say(b, id, received(b, "big", some_bytes(kManyPieces)));
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().kind, ErrorKind::kNodeUnreachable);
  EXPECT_THAT(stored(b), IsEmpty());
  EXPECT_TRUE(eventually([&] { return stored(a).empty(); }));
  EXPECT_EQ(a.supervisor().uploads().bytes(), 0U);
}

TEST_F(R_CLUSTER_5_Files, ASenderKeepsNothingWhenTheOwnerIsGone) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  const std::string id = create_idle(a);
  settle();
  auto upload = received(b, "one.txt", "1");
  cut_off(a);
  const auto refused = say(b, id, std::move(upload));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kNodeUnreachable);
  EXPECT_THAT(stored(b), IsEmpty());
}

TEST_F(R_CLUSTER_5_Files, AnOwnerTakesOnlySoManyUploadsAtOnce) {
  SupervisorOptions full = options();
  full.cluster.files.max_incoming = 0;
  SupervisorNode& a = start("a", full);
  SupervisorNode& b = start("b");
  const std::string id = create_idle(a);
  settle();
  EXPECT_EQ(say(b, id, received(b, "one.txt", "1")).error().kind, ErrorKind::kTooManyRequests);
}

TEST_F(R_CLUSTER_5_Files, WhatCannotBeDownloadedIsTheSameErrorAsOnTheOwner) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  const std::string id = create_idle(a);
  settle();
  auto upload = received(a, "one.txt", "1");
  const TurnFile file = upload->files().front();
  ASSERT_TRUE(say(a, id, std::move(upload)));
  std::filesystem::remove(directory_ / "a" / "uploads" / id / stored_name(file));
  const auto here = a.wait(a.supervisor().download(id, file));
  const auto there = b.wait(b.supervisor().download(id, file));
  ASSERT_FALSE(there);
  EXPECT_EQ(there.error(), here.error());
  cut_off(a);
  const auto gone = b.wait(b.supervisor().download(id, file));
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().kind, ErrorKind::kNodeUnreachable);
  EXPECT_THAT(gone.error().message, HasSubstr("its files are there"));
}

TEST_F(R_CLUSTER_5_Files, AFileIsFoundOnTheNodeThatRanTheSessionWhenItWasSent) {
  SupervisorOptions shared = options();
  shared.sandbox.workspaces = directory_ / "shared";
  shared.cluster.has_shared_workspaces = true;
  SupervisorNode& a = start("a", shared);
  SupervisorNode& b = start("b", shared);
  SupervisorNode& c = start("c", shared);
  const std::string id = create_idle(a);
  const std::string bytes = some_bytes(kManyPieces);
  auto upload = received(a, "one.bin", bytes);
  const TurnFile file = upload->files().front();
  ASSERT_TRUE(say(a, id, std::move(upload)));
  settle();
  cut_off(a);
  network_.lose("a");
  ASSERT_TRUE(b.wait(b.supervisor().message(id, {.text = "go on"})));
  c.until(id, [](const SessionState& state) { return state.node == "b"; });
  for (SupervisorNode* const node : {&b, &c}) {
    const auto gone = node->wait(node->supervisor().download(id, file));
    ASSERT_FALSE(gone) << node->name();
    EXPECT_EQ(gone.error().kind, ErrorKind::kUnknownFile);
    EXPECT_THAT(gone.error().hint, HasSubstr("retry once that node is back"));
  }
  heal(a);
  settle();
  for (SupervisorNode* const node : {&a, &b, &c})
    EXPECT_EQ(downloaded(*node, id, file), bytes) << node->name();
}

TEST_F(R_CLUSTER_5_Files, ADownloadBreaksOffWhenTheOwnerIsLostMeanwhile) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  const std::string id = create_idle(a);
  settle();
  auto upload = received(a, "big", some_bytes(kManyPieces));
  const TurnFile file = upload->files().front();
  ASSERT_TRUE(say(a, id, std::move(upload)));
  const auto opened = b.wait(b.supervisor().download(id, file));
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->size, kManyPieces);
  EXPECT_FALSE(b.wait(opened->next()).empty());
  cut_off(a);
  EXPECT_THROW(b.wait(opened->next()), std::runtime_error);
}

}  // namespace
}  // namespace oriel
