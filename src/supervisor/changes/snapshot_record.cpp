#include "supervisor/changes/snapshot_record.h"

#include "base/text/json_document.h"
#include "base/text/json_text.h"
#include "base/text/utf8.h"

#include <boost/json/parse.hpp>
#include <boost/json/value_from.hpp>

#include <exception>
#include <fstream>
#include <sstream>
#include <system_error>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

json::value to_value(const LeftOut& left_out) {
  json::array paths;
  for (const std::string& path : left_out.paths)
    paths.emplace_back(valid_utf8(path));
  return json::object{{"paths", std::move(paths)}, {"count", left_out.count}};
}

LeftOut left_out_in(const json::value& value) {
  const DocumentFields fields(value);
  return {.paths = fields.texts("paths"), .count = fields.number("count")};
}

}  // namespace

Result<std::optional<SnapshotRecord>> read_snapshot_record(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::optional<SnapshotRecord>();
  std::ostringstream text;
  text << in.rdbuf();
  try {
    const json::value parsed = json::parse(text.str());
    const DocumentFields fields(parsed);
    SnapshotRecord record{.problem = fields.text("problem"),
                          .is_empty = fields.flag("is_empty"),
                          .start_left_out = left_out_in(fields.at("start_left_out")),
                          .now = fields.text("now"),
                          .now_time = fields.time_or_none("now_time"),
                          .now_left_out = left_out_in(fields.at("now_left_out"))};
    return std::optional<SnapshotRecord>(std::move(record));
  } catch (const std::exception& failure) {
    return Error{.kind = ErrorKind::kBadDocument,
                 .message = file.string() + ": " + failure.what(),
                 .hint = ""};
  }
}

Result<void> write_snapshot_record(const fs::path& file, const SnapshotRecord& record) {
  json::object object{{"problem", record.problem},
                      {"is_empty", record.is_empty},
                      {"start_left_out", to_value(record.start_left_out)},
                      {"now", record.now},
                      {"now_time", nullptr},
                      {"now_left_out", to_value(record.now_left_out)}};
  if (record.now_time) object["now_time"] = unix_milliseconds(*record.now_time);
  std::error_code ec;
  fs::create_directories(file.parent_path(), ec);
  const fs::path part = file.string() + ".part";
  {
    std::ofstream out(part, std::ios::binary);
    out << json_text(object);
    out.close();
    if (!out) ec = std::make_error_code(std::errc::io_error);
  }
  if (!ec) fs::rename(part, file, ec);
  if (!ec) return {};
  return Error{.kind = ErrorKind::kWorkspaceFailed,
               .message = file.string() + " cannot be written: " + ec.message(),
               .hint = "check the disk of --data-dir"};
}

}  // namespace oriel
