#include "supervisor/observers/imported_file.h"

#include "base/text/json_text.h"
#include "base/text/text_hash.h"

#include <boost/json/parse.hpp>

#include <stdexcept>

namespace oriel {
namespace {

namespace json = boost::json;

std::string text_at(const json::object& object, std::string_view key) {
  const json::string& text = object.at(key).as_string();
  return {text.data(), text.size()};
}

}  // namespace

bool ImportedFile::is_unchanged(const FoundTranscript& found) const {
  return is_done && size == found.size && inode == found.inode && modified_at == found.modified_at;
}

std::string import_document_key(std::string_view path) {
  return std::string(kImportDocuments) + hex(text_hash(path));
}

std::string to_document(const ImportedFile& file) {
  return json_text(json::object{{"path", file.path},
                                {"size", file.size},
                                {"inode", file.inode},
                                {"modified_at", file.modified_at.time_since_epoch().count()},
                                {"head", file.head},
                                {"offset", file.offset},
                                {"is_done", file.is_done},
                                {"session_id", file.session_id}});
}

Result<ImportedFile> parse_import_document(std::string_view text) {
  try {
    const json::value document = json::parse(text);
    const json::object& object = document.as_object();
    const auto number = [&](std::string_view key) {
      return object.at(key).to_number<std::uint64_t>();
    };
    const auto modified = object.at("modified_at").to_number<std::int64_t>();
    return ImportedFile{.path = text_at(object, "path"),
                        .size = number("size"),
                        .inode = number("inode"),
                        .modified_at = WallTime(std::chrono::milliseconds(modified)),
                        .head = number("head"),
                        .offset = number("offset"),
                        .is_done = object.at("is_done").as_bool(),
                        .session_id = text_at(object, "session_id")};
  } catch (const std::exception& failure) {
    return Error{.kind = ErrorKind::kBadDocument,
                 .message = std::string("not an imported file's document: ") + failure.what(),
                 .hint = "the file is read again; its turns are known by their ids"};
  }
}

}  // namespace oriel
