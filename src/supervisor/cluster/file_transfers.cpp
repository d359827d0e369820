#include "supervisor/cluster/file_transfers.h"

#include "base/id.h"
#include "base/text/quote.h"

#include <stdexcept>
#include <utility>

namespace oriel {
namespace {

Error incomplete_files() {
  return {.kind = ErrorKind::kUploadFailed,
          .message = "the files did not arrive as a whole on the node that runs the session",
          .hint = "send them again"};
}

Error too_many_transfers(const std::string& node) {
  return {.kind = ErrorKind::kTooManyRequests,
          .message = "too many files are on their way to the node " + node,
          .hint = "retry after a second"};
}

// Appends the bytes of a call. Errors: those of Upload.
asio::awaitable<Result<void>> append_piece(std::shared_ptr<Upload> upload, PutCall call) {
  if (call.begins) {
    auto beginning = upload->begin(call.file.name, call.file.type, call.file.file_id);
    const auto begun = co_await std::move(beginning);
    if (!begun) co_return begun.error();
  }
  const bool is_open =
      !upload->files().empty() && upload->files().back().file_id == call.file.file_id;
  if (!is_open) co_return incomplete_files();
  if (!call.bytes.empty()) {
    auto writing = upload->write(std::move(call.bytes));
    const auto written = co_await std::move(writing);
    if (!written) co_return written.error();
  }
  if (!call.ends) co_return Result<void>();
  auto ending = upload->end();
  co_return co_await std::move(ending);
}

// A file of another node. Used by one coroutine at a time.
class RemoteFile {
 public:
  RemoteFile(Peers& peers, std::string node, GetCall next, std::chrono::milliseconds deadline)
      : peers_(peers), node_(std::move(node)), next_(std::move(next)), deadline_(deadline) {}

  asio::awaitable<Result<FilePiece>> read() {
    auto calling = peers_.call(node_, std::string(GetCall::kMethod), to_message(next_), deadline_);
    auto answer = co_await std::move(calling);
    if (!answer) co_return answer.error();
    auto piece = parse_file_piece(*answer);
    if (piece) next_.offset += piece->bytes.size();
    co_return piece;
  }

 private:
  Peers& peers_;
  const std::string node_;
  GetCall next_;
  const std::chrono::milliseconds deadline_;
};

// The bytes of `first`, then those that follow. Throws if they cannot be read.
asio::awaitable<std::string> next_bytes(std::shared_ptr<RemoteFile> file,
                                        std::shared_ptr<std::string> first) {
  if (!first->empty()) co_return std::exchange(*first, {});
  auto reading = file->read();
  auto piece = co_await std::move(reading);
  if (!piece) throw std::runtime_error("a file of another node: " + describe(piece.error()));
  co_return std::move(piece->bytes);
}

}  // namespace

FileTransfers::FileTransfers(asio::any_io_executor shard, Peers& peers, Uploads& uploads,
                             FileTransferOptions options)
    : peers_(peers), uploads_(uploads), options_(options), timer_(shard), tasks_(shard) {
  peers_.serve(std::string(PutCall::kMethod),
               [this](std::string message) { return put(std::move(message)); });
  peers_.serve(std::string(GetCall::kMethod),
               [this](std::string message) { return get(std::move(message)); });
}

void FileTransfers::start() {
  tasks_.spawn("idle file transfers", remove_idle());
}

asio::awaitable<void> FileTransfers::stop() {
  tasks_.cancel();
  co_await tasks_.joined();
  incoming_.clear();
}

asio::awaitable<Result<std::string>> FileTransfers::send(std::string node,
                                                         std::shared_ptr<Upload> upload) {
  const std::string transfer_id = random_id();
  for (const TurnFile& file : upload->files()) {
    auto sending = send_file(node, transfer_id, upload, file);
    const auto sent = co_await std::move(sending);
    if (!sent) co_return sent.error();
  }
  co_return transfer_id;
}

asio::awaitable<Result<void>> FileTransfers::send_file(std::string node, std::string transfer_id,
                                                       std::shared_ptr<Upload> upload,
                                                       TurnFile file) {
  auto opening = upload->open(file);
  const auto stored = co_await std::move(opening);
  if (!stored) co_return stored.error();
  PutCall call{.transfer_id = std::move(transfer_id), .file = std::move(file), .begins = true};
  std::uint64_t sent = 0;
  while (!call.ends) {
    call.bytes = co_await uploads_.read(*stored);
    sent += call.bytes.size();
    call.ends = call.bytes.empty() || sent >= (*stored)->size();
    auto calling =
        peers_.call(node, std::string(PutCall::kMethod), to_message(call), options_.piece_deadline);
    const auto answer = co_await std::move(calling);
    if (!answer) co_return answer.error();
    call.begins = false;
  }
  co_return Result<void>();
}

std::shared_ptr<Upload> FileTransfers::take(const std::string& transfer_id) {
  const auto arrived = incoming_.extract(transfer_id);
  return arrived.empty() ? nullptr : arrived.mapped().upload;
}

asio::awaitable<Result<Download>> FileTransfers::open(std::string node, std::string session_id,
                                                      TurnFile file) {
  GetCall call{.session_id = std::move(session_id), .file = std::move(file)};
  const auto remote = std::make_shared<RemoteFile>(peers_, std::move(node), std::move(call),
                                                   options_.piece_deadline);
  auto reading = remote->read();
  auto piece = co_await std::move(reading);
  if (!piece) co_return piece.error();
  const auto first = std::make_shared<std::string>(std::move(piece->bytes));
  co_return Download{.size = piece->file_size,
                     .next = [remote, first] { return next_bytes(remote, first); }};
}

asio::awaitable<Result<std::string>> FileTransfers::put(std::string message) {
  auto call = parse_put_call(message);
  if (!call) co_return call.error();
  const std::string transfer_id = call->transfer_id;
  const auto upload = upload_for(*call);
  if (!upload) co_return upload.error();
  auto appending = append_piece(*upload, *std::move(call));
  const auto appended = co_await std::move(appending);
  const auto known = incoming_.find(transfer_id);
  if (known != incoming_.end()) known->second.used_at = std::chrono::steady_clock::now();
  if (appended) co_return std::string();
  incoming_.erase(transfer_id);
  co_return appended.error();
}

// An unknown one begins with a file.
Result<std::shared_ptr<Upload>> FileTransfers::upload_for(const PutCall& call) {
  const auto known = incoming_.find(call.transfer_id);
  if (known != incoming_.end()) return known->second.upload;
  if (!call.begins) return incomplete_files();
  if (incoming_.size() >= options_.max_incoming) return too_many_transfers(peers_.self());
  Incoming& begun = incoming_[call.transfer_id];
  begun = {.upload = std::make_shared<Upload>(uploads_),
           .used_at = std::chrono::steady_clock::now()};
  return begun.upload;
}

asio::awaitable<Result<std::string>> FileTransfers::get(std::string message) {
  auto call = parse_get_call(message);
  if (!call) co_return call.error();
  auto reading = uploads_.read_at(std::move(call->session_id), std::move(call->file), call->offset);
  const auto piece = co_await std::move(reading);
  if (!piece) co_return piece.error();
  co_return to_message(*piece);
}

asio::awaitable<void> FileTransfers::remove_idle() {
  while (true) {
    timer_.expires_after(options_.max_idle / 4);
    co_await timer_.async_wait(asio::use_awaitable);
    const SteadyTime oldest = std::chrono::steady_clock::now() - options_.max_idle;
    std::erase_if(incoming_, [oldest](const auto& each) { return each.second.used_at < oldest; });
  }
}

}  // namespace oriel
