#pragma once
// From bytes to a Request, with limits. No I/O: the connection feeds it, and so do tests and a
// fuzzer.

#include "http/head_scanner.h"
#include "http/request.h"
#include "http/response.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace oriel::http {

struct RequestLimits {
  std::size_t max_header_bytes = 16 << 10;
  std::size_t max_body_bytes = 1 << 20;
};

// How large a request's body may be, by its head: some routes take more than others.
using BodyLimit = std::function<std::uint64_t(const Request& head)>;

enum class ReadState {
  kIdle,  // no byte of the next request yet
  kHead,  // inside the request line and headers
  kBody,
  kDone,    // request() may be taken
  kFailed,  // refusal() is the answer; the connection must close after it
};

// One request at a time; bytes of the next one are kept for it.
class RequestReader {
 public:
  // Without `body_limit` every body may be as large as `limits` say.
  explicit RequestReader(RequestLimits limits, BodyLimit body_limit = {});
  ~RequestReader();

  // Takes all of `bytes` and goes as far as they allow.
  ReadState feed(std::string_view bytes);
  ReadState state() const;

  // True once, when the head asks for "100-continue" and its body has not come yet.
  bool wants_continue();

  // The request without its body, in kBody and kDone.
  const Request& head() const;

  // What has come of the body and was not taken before, in kBody and kDone: for a body that is not
  // kept whole.
  std::string take_body();

  // The request, decoded, with what was not taken of its body; afterwards the reader goes on with
  // bytes already fed, and state() tells how far.
  Request take_request();

  // Why the bytes were refused: 400, 413, 431, 501 (unknown transfer coding) or 505.
  Response take_refusal();

 private:
  class Parser;

  ReadState advance();
  void read_head();
  void read_body();
  void refuse(Response refusal);

  RequestLimits limits_;
  BodyLimit body_limit_;
  HeadScanner scanner_;
  std::unique_ptr<Parser> parser_;  // from the end of a head to take_request()
  std::string pending_;             // bytes not parsed yet
  ReadState state_ = ReadState::kIdle;
  Response refusal_;
  bool continue_asked_ = false;
};

}  // namespace oriel::http
