#include "base/text/secret_shapes.h"

#include <algorithm>
#include <array>
#include <optional>

namespace oriel {
namespace {

bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}

bool is_alnum(char c) {
  return is_decimal(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_url_safe(char c) {
  return is_alnum(c) || c == '_' || c == '-';
}

bool is_dotted(char c) {
  return is_url_safe(c) || c == '.';
}

bool is_upper_alnum(char c) {
  return is_decimal(c) || (c >= 'A' && c <= 'Z');
}

// A prefix, and then at least `min` characters, one of them a digit: words have none.
struct KeyShape {
  std::string_view name;
  std::string_view prefix;
  bool (*takes)(char);
  std::size_t min;
};

// Longer prefixes first: the first that fits counts.
constexpr std::array kKeys = {
    KeyShape{"oriel-token", "oriel_", is_url_safe, 40},
    KeyShape{"anthropic-key", "sk-ant-", is_url_safe, 20},
    KeyShape{"openai-key", "sk-", is_url_safe, 20},
    KeyShape{"stripe-key", "sk_live_", is_alnum, 16},
    KeyShape{"stripe-key", "sk_test_", is_alnum, 16},
    KeyShape{"stripe-key", "rk_live_", is_alnum, 16},
    KeyShape{"stripe-secret", "whsec_", is_alnum, 24},
    KeyShape{"github-token", "github_pat_", is_url_safe, 30},
    KeyShape{"github-token", "ghp_", is_alnum, 30},
    KeyShape{"github-token", "gho_", is_alnum, 30},
    KeyShape{"github-token", "ghu_", is_alnum, 30},
    KeyShape{"github-token", "ghs_", is_alnum, 30},
    KeyShape{"github-token", "ghr_", is_alnum, 30},
    KeyShape{"gitlab-token", "glpat-", is_url_safe, 20},
    KeyShape{"aws-key", "AKIA", is_upper_alnum, 16},
    KeyShape{"aws-key", "ASIA", is_upper_alnum, 16},
    KeyShape{"google-key", "AIza", is_url_safe, 35},
    KeyShape{"google-token", "ya29.", is_url_safe, 20},
    KeyShape{"slack-token", "xoxb-", is_url_safe, 10},
    KeyShape{"slack-token", "xoxp-", is_url_safe, 10},
    KeyShape{"slack-token", "xoxa-", is_url_safe, 10},
    KeyShape{"slack-token", "xoxr-", is_url_safe, 10},
    KeyShape{"slack-token", "xoxs-", is_url_safe, 10},
    KeyShape{"slack-token", "xapp-", is_url_safe, 10},
    KeyShape{"npm-token", "npm_", is_alnum, 36},
    KeyShape{"pypi-token", "pypi-", is_url_safe, 50},
    KeyShape{"huggingface-token", "hf_", is_alnum, 30},
    KeyShape{"digitalocean-token", "dop_v1_", is_alnum, 60},
    KeyShape{"sendgrid-key", "SG.", is_dotted, 60},
};

constexpr std::size_t kDecisiveBytes = 128;
constexpr std::string_view kJwt = "eyJ";  // Base64 of {"
constexpr std::size_t kMinJwtPart = 10;
constexpr std::string_view kPem = "-----BEGIN ";
constexpr std::string_view kPemKey = "PRIVATE KEY-----";
constexpr std::string_view kPemEnd = "-----END ";
constexpr std::string_view kDashes = "-----";
constexpr std::size_t kMaxPemLabel = 32;  // "ENCRYPTED ", "OPENSSH ", ...
constexpr std::size_t kMinPemBytes = 16;  // fewer are not a key but the mention of one

// Whether the text ends inside of the prefix.
bool is_begun(std::string_view text, std::string_view prefix) {
  return text.size() < prefix.size() && prefix.starts_with(text);
}

std::size_t run_of(std::string_view text, bool (*takes)(char)) {
  const auto end = std::find_if_not(text.begin(), text.end(), takes);
  return static_cast<std::size_t>(end - text.begin());
}

// Decided by the first characters, so that text made of prefixes does not cost its square.
SecretMatch match_body(const KeyShape& key, std::string_view body) {
  const std::string_view first = body.substr(0, kDecisiveBytes);
  const std::size_t run = run_of(first, key.takes);
  const bool has_digit = std::any_of(first.begin(), first.begin() + run, is_decimal);
  if (run < key.min || !has_digit)
    return {.name = key.name, .length = 0, .is_open = run == body.size()};
  const std::size_t whole = run + run_of(body.substr(run), key.takes);
  return {.name = key.name, .length = key.prefix.size() + whole, .is_open = whole == body.size()};
}

SecretMatch match_key(std::string_view text) {
  for (const KeyShape& key : kKeys) {
    if (key.prefix.front() != text.front()) continue;
    if (is_begun(text, key.prefix)) return {.name = key.name, .length = 0, .is_open = true};
    if (!text.starts_with(key.prefix)) continue;
    const SecretMatch match = match_body(key, text.substr(key.prefix.size()));
    if (match.length > 0 || match.is_open) return match;
  }
  return {};
}

// Three parts with dots between them.
SecretMatch match_jwt(std::string_view text) {
  SecretMatch match{.name = "jwt", .length = 0, .is_open = true};
  if (is_begun(text, kJwt)) return match;
  if (!text.starts_with(kJwt)) return {};
  std::size_t at = 0;
  for (int part = 1;; ++part) {
    const std::size_t run = run_of(text.substr(at), is_url_safe);
    at += run;
    const bool is_at_end = at == text.size();
    if (part == 3)
      return {.name = "jwt", .length = run < kMinJwtPart ? 0 : at, .is_open = is_at_end};
    if (is_at_end) return match;
    if (run < kMinJwtPart || text[at] != '.') return {};
    ++at;
  }
}

// Base64 in lines, which may be indented or escaped, and lines such as "Proc-Type: 4,ENCRYPTED".
std::size_t pem_body(std::string_view text) {
  const auto takes = [](char c, char before) {
    if (c == ' ') return before == ' ' || before == '\n' || before == ':';
    return is_alnum(c) || std::string_view("+/=\r\n\t\\:,-").find(c) != std::string_view::npos;
  };
  std::size_t size = 0;
  while (size < text.size() && takes(text[size], size == 0 ? '\0' : text[size - 1]))
    ++size;
  return size;
}

// The size of "-----BEGIN ... PRIVATE KEY-----", 0 if there is none; none if more text may complete
// it.
std::optional<std::size_t> pem_header(std::string_view text) {
  constexpr std::size_t kMaxBytes = kMaxPemLabel + kPemKey.size();
  const std::string_view label = text.substr(kPem.size()).substr(0, kMaxBytes);
  const std::size_t key = label.find(kPemKey);
  if (key != label.npos) return kPem.size() + key + kPemKey.size();
  const std::size_t dashes = std::min(label.find('-'), label.size());
  const bool may_follow = label.size() < kMaxBytes && label.find('\n') == label.npos &&
                          kDashes.starts_with(label.substr(dashes));
  return may_follow ? std::nullopt : std::optional<std::size_t>(0);
}

// A private key, also one whose end is missing.
SecretMatch match_pem(std::string_view text) {
  const SecretMatch open{.name = "private-key", .length = 0, .is_open = true};
  if (is_begun(text, kPem)) return open;
  if (!text.starts_with(kPem)) return {};
  const std::optional<std::size_t> header = pem_header(text);
  if (!header) return open;
  if (*header == 0) return {};
  const std::size_t body = *header + pem_body(text.substr(*header));
  const std::size_t end = text.find(kPemEnd, *header);
  const std::size_t close = end > body ? text.npos : text.find(kDashes, end + kPemEnd.size());
  if (close != text.npos) return {.name = "private-key", .length = close + kDashes.size()};
  const bool is_open = body == text.size() || end <= body;
  return {.name = "private-key",
          .length = body - *header < kMinPemBytes ? 0 : body,
          .is_open = is_open};
}

constexpr auto kPrefixes = [] {
  std::array<std::string_view, kKeys.size() + 2> prefixes{kJwt, kPem};
  for (std::size_t i = 0; i < kKeys.size(); ++i)
    prefixes[i + 2] = kKeys[i].prefix;
  return prefixes;
}();

}  // namespace

SecretMatch match_shape(std::string_view text, char before) {
  if (text.empty()) return {};
  if (text.front() == '-') return match_pem(text);
  if (text.front() == 'e') return is_url_safe(before) ? SecretMatch{} : match_jwt(text);
  return is_alnum(before) ? SecretMatch{} : match_key(text);
}

std::span<const std::string_view> shape_prefixes() {
  return kPrefixes;
}

}  // namespace oriel
