#include "http/multipart.h"

#include "base/text/ascii.h"
#include "base/text/quote.h"
#include "base/text/utf8.h"
#include "http/request.h"

#include <algorithm>
#include <array>
#include <utility>

namespace oriel::http {
namespace {

constexpr std::size_t kMaxBoundary = 70;  // RFC 2046, 5.1.1
constexpr std::string_view kFormData = "multipart/form-data";
constexpr std::string_view kBreak = "\r\n";

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  const auto fits = [&](char c) { return is_alphanumeric(c) || kMarks.find(c) != kMarks.npos; };
  return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

bool is_boundary(std::string_view text) {
  constexpr std::string_view kMarks = "'()+_,-./:=? ";
  const auto fits = [&](char c) { return is_alphanumeric(c) || kMarks.find(c) != kMarks.npos; };
  return !text.empty() && text.size() <= kMaxBoundary && text.back() != ' ' &&
         std::all_of(text.begin(), text.end(), fits);
}

// `a; b="c"` of a header's value.
struct Value {
  std::string first;
  std::vector<std::pair<std::string, std::string>> parameters;  // names in lower case
};

// Removes a quoted string from the front of `text`. Browsers do not escape a backslash: it is an
// escape only before a quote or another backslash.
std::optional<std::string> take_quoted(std::string_view& text) {
  std::string value;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\');
    if (is_escape) {
      value += text[++i];
    } else if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return value;
    } else {
      value += text[i];
    }
  }
  return std::nullopt;
}

std::optional<std::string> take_parameter(std::string_view& text) {
  if (text.starts_with('"')) return take_quoted(text);
  const std::string_view value = stripped(text.substr(0, text.find(';')));
  text.remove_prefix(std::min(text.find(';'), text.size()));
  if (!is_token(value)) return std::nullopt;
  return std::string(value);
}

std::optional<Value> parse_value(std::string_view text) {
  Value value{.first = lower_case(stripped(text.substr(0, text.find(';')))), .parameters = {}};
  text.remove_prefix(std::min(text.find(';'), text.size()));
  while (!text.empty()) {
    text = stripped(text.substr(1));
    const std::size_t equals = text.find('=');
    if (equals == text.npos) return std::nullopt;
    std::string name = lower_case(text.substr(0, equals));
    text.remove_prefix(equals + 1);
    auto given = take_parameter(text);
    if (!given || !is_token(name)) return std::nullopt;
    for (const auto& [known, ignored] : value.parameters) {
      if (known == name) return std::nullopt;
    }
    value.parameters.emplace_back(std::move(name), *std::move(given));
    text = stripped(text);
    if (!text.empty() && text.front() != ';') return std::nullopt;
  }
  return value;
}

const std::string* parameter(const Value& value, std::string_view name) {
  for (const auto& [known, given] : value.parameters) {
    if (known == name) return &given;
  }
  return nullptr;
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7f;
  });
}

// The parsed head of a part, or its error.
struct Head {
  PartBegins part;
  bool has_disposition = false;
  bool has_type = false;
  std::string problem;
};

void read_disposition(std::string_view text, Head& head) {
  const auto value = parse_value(text);
  if (head.has_disposition || !value || value->first != "form-data") {
    head.problem = "its Content-Disposition is repeated, malformed or not form-data";
    return;
  }
  head.has_disposition = true;
  if (parameter(*value, "filename*") != nullptr) {
    head.problem = "it has filename*, which RFC 7578 forbids";
    return;
  }
  if (const std::string* name = parameter(*value, "name")) head.part.name = *name;
  if (const std::string* file = parameter(*value, "filename")) head.part.filename = *file;
  if (head.part.name.empty()) head.problem = "it has no name";
}

void read_header(std::string_view line, Head& head) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos || !is_token(line.substr(0, colon)) || has_control(line) ||
      !is_utf8(line)) {
    head.problem = "its header " + quote(line.substr(0, colon)) + " is malformed";
    return;
  }
  const std::string name = lower_case(line.substr(0, colon));
  const std::string_view value = stripped(line.substr(colon + 1));
  if (name == "content-disposition") return read_disposition(value, head);
  if (name == "content-type") {
    if (std::exchange(head.has_type, true)) head.problem = "its Content-Type is repeated";
    head.part.type = value;
  }
  constexpr std::array<std::string_view, 3> kPlain = {"7bit", "8bit", "binary"};
  if (name == "content-transfer-encoding" &&
      std::find(kPlain.begin(), kPlain.end(), lower_case(value)) == kPlain.end())
    head.problem = "its transfer encoding " + quote(value) + " is not known";
}

// `text` are the lines of the head, each with its break.
Head read_part_head(std::string_view text) {
  Head head;
  head.part.type = "text/plain";
  while (!text.empty() && head.problem.empty()) {
    const std::size_t end = text.find(kBreak);
    read_header(text.substr(0, end), head);
    text.remove_prefix(end + kBreak.size());
  }
  if (head.problem.empty() && !head.has_disposition) head.problem = "it has no Content-Disposition";
  return head;
}

}  // namespace

bool is_multipart(std::string_view content_type) {
  return lower_case(stripped(content_type.substr(0, content_type.find(';')))) == kFormData;
}

std::optional<std::string> multipart_boundary(std::string_view content_type) {
  const auto value = parse_value(content_type);
  if (!value || value->first != kFormData) return std::nullopt;
  const std::string* const boundary = parameter(*value, "boundary");
  if (boundary == nullptr || !is_boundary(*boundary)) return std::nullopt;
  return *boundary;
}

// The line break before the first boundary is the one that ended the request's head.
MultipartParser::MultipartParser(std::string_view boundary, MultipartLimits limits)
    : delimiter_("\r\n--" + std::string(boundary)), limits_(limits), pending_(kBreak) {}

Result<std::vector<MultipartEvent>> MultipartParser::feed(std::string_view bytes) {
  pending_ += bytes;
  std::vector<MultipartEvent> events;
  while (true) {
    const auto has_moved = step(events);
    if (!has_moved) return has_moved.error();
    if (!*has_moved) return events;
  }
}

// False: more bytes are needed.
Result<bool> MultipartParser::step(std::vector<MultipartEvent>& events) {
  switch (state_) {
    case State::kBegin:
      if (pending_.size() < delimiter_.size() && delimiter_.starts_with(pending_)) return false;
      if (!pending_.starts_with(delimiter_))
        return refusal("it does not begin with the boundary that its Content-Type names");
      pending_.erase(0, delimiter_.size());
      state_ = State::kDelimited;
      return true;
    case State::kDelimited:
      return take_delimiter();
    case State::kHead:
      return take_head(events);
    case State::kData:
      return take_data(events);
    case State::kEnd:
      break;
  }
  return take_end();
}

// What stands behind a boundary: a line break before the next part, or two dashes.
Result<bool> MultipartParser::take_delimiter() {
  if (pending_.size() < 2) return false;
  if (!pending_.starts_with(kBreak) && !pending_.starts_with("--"))
    return refusal("a boundary is not followed by a line break (CR LF) or by --");
  if (pending_.starts_with("--")) {
    pending_.erase(0, 2);
    state_ = State::kEnd;
    return true;
  }
  if (parts_ == limits_.max_parts)
    return refusal("it has more than " + std::to_string(limits_.max_parts) + " parts");
  ++parts_;
  state_ = State::kHead;  // its line break stays: a head may be empty
  return true;
}

Result<bool> MultipartParser::take_head(std::vector<MultipartEvent>& events) {
  constexpr std::string_view kEmptyLine = "\r\n\r\n";
  const std::size_t end = pending_.find(kEmptyLine);
  const std::size_t least =
      std::min(end, pending_.size() - std::min<std::size_t>(3, pending_.size()));
  if (least > limits_.max_head_bytes)
    return refusal("its head exceeds " + std::to_string(limits_.max_head_bytes) + " bytes");
  if (end == pending_.npos) return false;
  const std::size_t begin = kBreak.size();
  const std::string_view lines =
      end == 0 ? "" : std::string_view(pending_).substr(begin, end + kBreak.size() - begin);
  Head head = read_part_head(lines);
  if (!head.problem.empty()) return refusal(head.problem);
  pending_.erase(0, end + kEmptyLine.size());
  events.emplace_back(std::move(head.part));
  state_ = State::kData;
  return true;
}

bool MultipartParser::take_data(std::vector<MultipartEvent>& events) {
  const std::size_t found = pending_.find(delimiter_);
  const bool is_over = found != pending_.npos;
  // The end of what has come may be the beginning of a boundary.
  const std::size_t held = std::min(pending_.size(), delimiter_.size() - 1);
  const std::size_t size = is_over ? found : pending_.size() - held;
  if (size > 0) events.emplace_back(PartBytes{.bytes = pending_.substr(0, size)});
  pending_.erase(0, is_over ? size + delimiter_.size() : size);
  if (!is_over) return false;
  events.emplace_back(PartEnds{});
  state_ = State::kDelimited;
  return true;
}

Result<bool> MultipartParser::take_end() {
  if (kBreak.starts_with(pending_)) return false;
  return refusal("something follows the last boundary");
}

Result<void> MultipartParser::finish() const {
  if (state_ != State::kEnd) return refusal("it ends before its last boundary");
  return {};
}

Error MultipartParser::refusal(const std::string& problem) const {
  const std::string place =
      state_ == State::kHead ? "part " + std::to_string(parts_) : std::string("the body");
  return {.kind = ErrorKind::kInvalidMultipart,
          .message = place + ": " + problem,
          .hint = "send multipart/form-data according to RFC 7578, with CR LF at the end of lines"};
}

}  // namespace oriel::http
