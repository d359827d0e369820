#include "api/mcp/changes_tool.h"

#include "api/mcp/tool.h"

#include <utility>

namespace oriel {
namespace {

mcp::Tool changes_tool() {
  return {
      .name = "session_changes",
      .title = "Show what a session has changed",
      .description =
          "Shows what a session has changed in its workspace since its start: the files with the "
          "lines added and removed, or with diff the patch of one file (path) or of all. source "
          "is git (the workspace was compared) or events (the edits that the agent reported); note "
          "says what is not shown. At most 1000 files, and 512 KiB of a patch.",
      .input_schema = input_schema(
          {{"session_id", text_schema("From session_list.")},
           {"diff", flag_schema("Return the patch instead of the files. Default: false.")},
           {"path", text_schema("The patch of this file, as the list names it. Implies diff.")},
           {"snapshot", text_schema("From an earlier answer: shows the same state again, unless a "
                                    "newer one was taken.")}},
          {"session_id"}),
      .output_schema = output_schema(object_schema(
          {{"session_id", text_schema("")},
           {"source", text_schema("git or events.")},
           {"snapshot", text_schema("Names the state that was compared; empty for events.")},
           {"as_of", text_schema("The time of that state.")},
           {"is_current", flag_schema("false: the workspace cannot be read, this is older.")},
           {"note", text_schema("What is not shown; empty: nothing is missing.")},
           {"workspace", text_schema("")},
           {"count", number_schema("Changed files, including those that are not listed.")},
           {"has_more", flag_schema("Not all are listed.")},
           {"added", number_schema("Lines in all files.")},
           {"removed", number_schema("Lines in all files.")},
           {"files",
            list_schema("", object_schema({{"path", text_schema("")},
                                           {"old_path", text_schema("Of a renamed file.")},
                                           {"status", text_schema("added, modified, deleted or "
                                                                  "renamed.")},
                                           {"binary", flag_schema("")},
                                           {"added", number_schema("")},
                                           {"removed", number_schema("")}},
                                          {"path", "status"}))},
           {"left_out",
            list_schema("Files that are too large or cannot be read.", text_schema(""))},
           {"left_out_count", number_schema("")},
           {"branch", any_schema("Its name, head, base and base_head; null: no repository.")},
           {"commands", list_schema("Shell commands for a person: commit, push, pull_request.",
                                    any_schema(""))},
           {"path", text_schema("Of the patch.")},
           {"patch", text_schema("A unified diff.")},
           {"is_truncated", flag_schema("The patch is longer.")},
           {"is_masked", flag_schema("The patch had secrets, which are masked.")}},
          {"session_id", "source", "note"})),
      .annotations = annotations("Show what a session has changed", Effect::kReads, true),
      .handler = {}};
}

}  // namespace

void ChangesTool::add_to(mcp::Catalog& catalog) {
  mcp::Tool tool = changes_tool();
  tool.handler = [this](mcp::Call& call) { return show(call); };
  catalog.tools.push_back(std::move(tool));
}

asio::awaitable<mcp::RpcResult> ChangesTool::show(mcp::Call& call) {
  ObjectReader arguments = read_arguments(call, {"session_id", "diff", "path", "snapshot"});
  std::string id = arguments.name("session_id");
  if (!arguments.has("session_id"))
    arguments.refuse("session_id", "is missing; session_list lists the sessions");
  ChangesQuery query;
  query.path = arguments.text("path");
  query.snapshot = arguments.text("snapshot");
  const bool wants_diff = arguments.flag("diff").value_or(false) || !query.path.empty();
  query.part = wants_diff ? ChangesPart::kDiff : ChangesPart::kFiles;
  if (arguments.error()) co_return error_result(*arguments.error());
  auto showing = context_.sessions.changes(call.principal(), std::move(id), std::move(query));
  auto answer = co_await std::move(showing);
  if (!answer) co_return error_result(answer.error());
  co_return mcp::structured_result(std::move(answer->json));
}

}  // namespace oriel
