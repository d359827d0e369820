#include "supervisor/sessions/uploads.h"

#include "base/id.h"
#include "base/log.h"
#include "base/text/media_type.h"
#include "base/text/quote.h"
#include "supervisor/sessions/file_name.h"
#include "supervisor/sessions/file_prompt.h"

#include <spdlog/fmt/ranges.h>
#include <sys/stat.h>

#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCopyBytes = 256 << 10;

std::uint64_t size_of(const fs::path& directory) {
  std::uint64_t bytes = 0;
  std::error_code ec;
  for (fs::directory_iterator entry(directory, ec); !ec && entry != fs::end(entry);
       entry.increment(ec)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) bytes += entry->file_size(ignored);
  }
  return bytes;
}

void remove_directory(const fs::path& directory) {
  std::error_code ec;
  fs::remove_all(directory, ec);
  if (ec) log()->error("cannot remove {}: {}", directory.string(), ec.message());
}

// Creates the directory, for its owner alone. Returns the number of bytes that stay in it.
std::uint64_t clean(const fs::path& directory,
                    const std::function<bool(const std::string&)>& is_session) {
  ::mkdir(directory.c_str(), 0700);
  std::vector<fs::path> found;
  std::error_code ec;
  for (fs::directory_iterator entry(directory, ec); !ec && entry != fs::end(entry);
       entry.increment(ec))
    found.push_back(entry->path());
  std::uint64_t bytes = 0;
  for (const fs::path& path : found) {
    if (is_session(path.filename().string()))
      bytes += size_of(path);
    else
      remove_directory(path);
  }
  return bytes;
}

Error unknown_file(const TurnFile& file) {
  return {.kind = ErrorKind::kUnknownFile,
          .message = "the file " + quote(file.name) + " no longer exists",
          .hint = "it was removed from the data directory; send it again"};
}

Result<std::shared_ptr<StoredFile>> open_stored(const fs::path& path, const TurnFile& file) {
  FileDescriptor opened(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!opened) return unknown_file(file);

  struct stat status {};

  if (::fstat(opened.get(), &status) != 0 || !S_ISREG(status.st_mode)) return unknown_file(file);
  return std::make_shared<StoredFile>(std::move(opened),
                                      static_cast<std::uint64_t>(status.st_size));
}

}  // namespace

std::string StoredFile::read() {
  std::string piece = read_at(offset_);
  offset_ += piece.size();
  return piece;
}

std::string StoredFile::read_at(std::uint64_t offset) const {
  std::string piece(kCopyBytes, '\0');
  ssize_t got = 0;
  do {
    got = ::pread(file_.get(), piece.data(), piece.size(), static_cast<off_t>(offset));
  } while (got < 0 && errno == EINTR);
  if (got < 0) throw std::system_error(errno, std::generic_category(), "an uploaded file");
  piece.resize(static_cast<std::size_t>(got));
  return piece;
}

Uploads::Uploads(UploadOptions options) : options_(std::move(options)) {}

asio::awaitable<void> Uploads::start(std::function<bool(const std::string& id)> is_session) {
  auto work = [directory = options_.directory, is_session = std::move(is_session)] {
    return clean(directory, is_session);
  };
  const std::uint64_t left = co_await blocking_.run(std::move(work));
  bytes_->fetch_add(left);
}

asio::awaitable<void> Uploads::remove(std::string session_id) {
  if (options_.directory.empty()) co_return;
  auto work = [directory = directory_of(session_id)] {
    const std::uint64_t bytes = size_of(directory);
    remove_directory(directory);
    return bytes;
  };
  const std::uint64_t bytes = co_await blocking_.run(std::move(work));
  bytes_->fetch_sub(bytes);
}

fs::path Uploads::directory_of(const std::string& session_id) const {
  return options_.directory / session_id;
}

asio::awaitable<Result<std::shared_ptr<StoredFile>>> Uploads::open(std::string session_id,
                                                                   TurnFile file) {
  auto work = [path = directory_of(session_id) / stored_name(file), file] {
    return open_stored(path, file);
  };
  co_return co_await blocking_.run(std::move(work));
}

asio::awaitable<std::string> Uploads::read(std::shared_ptr<StoredFile> file) {
  auto work = [file = std::move(file)] { return file->read(); };
  co_return co_await blocking_.run(std::move(work));
}

asio::awaitable<Result<FilePiece>> Uploads::read_at(std::string session_id, TurnFile file,
                                                    std::uint64_t offset) {
  auto work = [path = directory_of(session_id) / stored_name(file), file,
               offset]() -> Result<FilePiece> {
    const auto stored = open_stored(path, file);
    if (!stored) return stored.error();
    return FilePiece{.file_size = (*stored)->size(), .bytes = (*stored)->read_at(offset)};
  };
  co_return co_await blocking_.run(std::move(work));
}

Upload::Upload(Uploads& uploads)
    : uploads_(uploads),
      incoming_(std::make_shared<IncomingFiles>(uploads.incoming(), uploads.bytes_,
                                                uploads.options_.max_total_bytes)) {}

// Not here: removing files may block.
Upload::~Upload() {
  uploads_.blocking_.post([incoming = std::move(incoming_)]() mutable { incoming.reset(); });
}

asio::awaitable<Result<void>> Upload::begin(std::string name, std::string type) {
  return begin(std::move(name), std::move(type), random_id());
}

asio::awaitable<Result<void>> Upload::begin(std::string name, std::string type,
                                            std::string file_id) {
  const UploadOptions& options = uploads_.options_;
  TurnFile file{.file_id = std::move(file_id),
                .name = safe_file_name(name),
                .type = media_type_of(type),
                .size = 0};
  if (files_.size() >= options.max_files) {
    co_return Error{.kind = ErrorKind::kTooManyFiles,
                    .message = fmt::format("more than {} files at once", options.max_files),
                    .hint = "send them in several turns, or raise --max-upload-files"};
  }
  if (!matches_type(file.type, options.types)) {
    co_return Error{.kind = ErrorKind::kTypeNotAllowed,
                    .message = quote(file.name) + ": unsupported file type " + file.type,
                    .hint = fmt::format("send one of {}, or set --upload-types",
                                        fmt::join(options.types, ", "))};
  }
  files_.push_back(file);
  auto work = [incoming = incoming_, file] { return incoming->begin(file); };
  co_return co_await uploads_.blocking_.run(std::move(work));
}

asio::awaitable<Result<void>> Upload::write(std::string bytes) {
  const UploadOptions& options = uploads_.options_;
  TurnFile& file = files_.back();
  if (bytes.size() > options.max_file_bytes - file.size) {
    co_return Error{
        .kind = ErrorKind::kFileTooLarge,
        .message = fmt::format("{} exceeds {} bytes", quote(file.name), options.max_file_bytes),
        .hint = "send a smaller one, or raise --max-upload-bytes"};
  }
  file.size += bytes.size();
  auto work = [incoming = incoming_, bytes = std::move(bytes)] { return incoming->write(bytes); };
  co_return co_await uploads_.blocking_.run(std::move(work));
}

asio::awaitable<Result<void>> Upload::end() {
  auto work = [incoming = incoming_] { return incoming->end(); };
  co_return co_await uploads_.blocking_.run(std::move(work));
}

asio::awaitable<Result<std::shared_ptr<StoredFile>>> Upload::open(TurnFile file) {
  auto work = [incoming = incoming_, file = std::move(file)] {
    return open_stored(incoming->path_of(file), file);
  };
  co_return co_await uploads_.blocking_.run(std::move(work));
}

asio::awaitable<Result<void>> Upload::move_to(std::string session_id) {
  auto work = [incoming = incoming_, directory = uploads_.directory_of(session_id)] {
    return incoming->move_to(directory);
  };
  co_return co_await uploads_.blocking_.run(std::move(work));
}

void Upload::keep() {
  incoming_->keep();
}

}  // namespace oriel
