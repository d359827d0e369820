#pragma once
// An incremental request parser with limits. No I/O: the connection, tests and a fuzzer feed it.

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

// Maximum body size for a request with this head: it depends on the route.
using BodyLimit = std::function<std::uint64_t(const Request& head)>;

enum class ReadState {
  kIdle,  // no byte of the next request yet
  kHead,  // inside the request line and headers
  kBody,
  kDone,    // take_request() is ready
  kFailed,  // take_refusal() is the response; the connection must close after it
};

// Parses one request at a time and buffers the bytes of the next.
class RequestReader {
 public:
  // Without `body_limit`, `limits` apply to every body.
  explicit RequestReader(RequestLimits limits, BodyLimit body_limit = {});
  ~RequestReader();

  // Consumes all of `bytes`.
  ReadState feed(std::string_view bytes);
  ReadState state() const;

  // Returns true once, when the head expects "100-continue" and no body byte has arrived.
  bool wants_continue();

  // The request without its body. Valid in kBody and kDone.
  Request& head();

  // Body bytes received and not taken before, for streamed bodies. Valid in kBody and kDone.
  std::string take_body();

  // The decoded request with the rest of its body; then parses bytes already fed, and state()
  // reports the progress.
  Request take_request();

  // The rejection: 400, 413, 431, 501 (unknown transfer coding) or 505.
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
  std::unique_ptr<Parser> parser_;  // set from the end of a head to take_request()
  std::string pending_;             // bytes not parsed yet
  ReadState state_ = ReadState::kIdle;
  Response refusal_;
  bool continue_asked_ = false;
};

}  // namespace oriel::http
