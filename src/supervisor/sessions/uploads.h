#pragma once
// Files that users send to sessions: stored below the data directory, one directory per session,
// and removed with the session.

#include "runtime/blocking_thread.h"
#include "supervisor/sessions/incoming_files.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace oriel {

struct UploadOptions {
  std::filesystem::path directory;  // absolute; created at the start
  std::uint64_t max_file_bytes = 25 << 20;
  std::uint64_t max_files = 10;              // of one upload
  std::uint64_t max_total_bytes = 1U << 30;  // of all sessions
  std::vector<std::string> types = {"*/*"};  // accepted (base/text/media_type.h)
};

// Some bytes of an uploaded file.
struct FilePiece {
  std::uint64_t file_size = 0;
  std::string bytes;

  bool operator==(const FilePiece&) const = default;
};

// An uploaded file, opened for reading. Its functions block and throw std::system_error.
class StoredFile {
 public:
  StoredFile(FileDescriptor file, std::uint64_t size) : file_(std::move(file)), size_(size) {}

  std::uint64_t size() const { return size_; }

  // The next bytes; empty at the end.
  std::string read();

  // The bytes from there on, as many as one read() returns.
  std::string read_at(std::uint64_t offset) const;

 private:
  FileDescriptor file_;
  std::uint64_t size_;
  std::uint64_t offset_ = 0;  // of the next read()
};

// A download from this node or another one: as http::BodySource.
struct Download {
  std::uint64_t size = 0;
  std::function<asio::awaitable<std::string>()> next;
};

// Owned by the supervisor. May be used on any shard: the work happens on its own thread.
class Uploads {
 public:
  explicit Uploads(UploadOptions options);

  const UploadOptions& options() const { return options_; }

  // Removes incomplete files and those of unknown sessions; counts the rest. `is_session` is called
  // on another thread.
  asio::awaitable<void> start(std::function<bool(const std::string& id)> is_session);

  // Removes all files of a session.
  asio::awaitable<void> remove(std::string session_id);

  std::filesystem::path directory_of(const std::string& session_id) const;

  // Error: unknown_file.
  asio::awaitable<Result<std::shared_ptr<StoredFile>>> open(std::string session_id, TurnFile file);
  asio::awaitable<std::string> read(std::shared_ptr<StoredFile> file);

  // The bytes from there on, for another node: at most 256 KiB. Error: unknown_file.
  asio::awaitable<Result<FilePiece>> read_at(std::string session_id, TurnFile file,
                                             std::uint64_t offset);

  // Total size of stored and incoming files.
  std::uint64_t bytes() const { return bytes_->load(); }

 private:
  friend class Upload;

  std::filesystem::path incoming() const { return options_.directory / ".incoming"; }

  UploadOptions options_;
  UploadedBytes bytes_ = std::make_shared<std::atomic<std::uint64_t>>(0);
  BlockingThread blocking_;
};

// One upload: its files arrive one after another, in pieces, within the limits. Its destruction
// removes them unless they are kept. Used by one coroutine.
class Upload {
 public:
  explicit Upload(Uploads& uploads);
  ~Upload();
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;

  // Errors: too_many_files, type_not_allowed, upload_failed.
  asio::awaitable<Result<void>> begin(std::string name, std::string type);

  // The same with the id that another node has given the file.
  asio::awaitable<Result<void>> begin(std::string name, std::string type, std::string file_id);

  // Errors: file_too_large, uploads_full, upload_failed.
  asio::awaitable<Result<void>> write(std::string bytes);
  asio::awaitable<Result<void>> end();

  const std::vector<TurnFile>& files() const { return files_; }

  // Opens one of them, which is complete, to send it to another node. Error: unknown_file.
  asio::awaitable<Result<std::shared_ptr<StoredFile>>> open(TurnFile file);

  // Moves the files into the directory that the session's agent sees. keep() makes them permanent.
  asio::awaitable<Result<void>> move_to(std::string session_id);
  void keep();

 private:
  Uploads& uploads_;
  std::shared_ptr<IncomingFiles> incoming_;
  std::vector<TurnFile> files_;
};

}  // namespace oriel
