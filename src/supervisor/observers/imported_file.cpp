#include "supervisor/observers/imported_file.h"

#include "base/text/json_document.h"
#include "base/text/json_text.h"
#include "base/text/text_hash.h"

#include <boost/json/parse.hpp>

namespace oriel {

namespace json = boost::json;

bool ImportedFile::is_unchanged(const FoundTranscript& found) const {
  return is_done && size == found.size && inode == found.inode && modified_at == found.modified_at;
}

std::string import_document_key(std::string_view path, std::string_view node) {
  return import_documents(node) + hex(text_hash(path));
}

std::string import_documents(std::string_view node) {
  std::string prefix = "imports/";
  if (!node.empty()) prefix.append(node).append("/");
  return prefix;
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
    const DocumentFields fields(document);
    const std::chrono::milliseconds modified_at(fields.index("modified_at"));
    return ImportedFile{.path = fields.text("path"),
                        .size = fields.number("size"),
                        .inode = fields.number("inode"),
                        .modified_at = WallTime(modified_at),
                        .head = fields.number("head"),
                        .offset = fields.number("offset"),
                        .is_done = fields.flag("is_done"),
                        .session_id = fields.text("session_id")};
  } catch (const std::exception& failure) {
    return Error{.kind = ErrorKind::kBadDocument,
                 .message = std::string("not an imported file's document: ") + failure.what(),
                 .hint = "the file is read again; its turns are known by their ids"};
  }
}

}  // namespace oriel
