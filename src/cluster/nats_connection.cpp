#include "cluster/nats_connection.h"

#include "base/id.h"
#include "base/log.h"
#include "base/mutex.h"
#include "cluster/nkey.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/json.hpp>
#include <nats/nats.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <fstream>
#include <iterator>
#include <list>
#include <stdexcept>
#include <thread>
#include <utility>

namespace oriel {
namespace {

using Clock = std::chrono::steady_clock;

// Milliseconds.
constexpr std::int64_t kConnectTimeout = 2000;
constexpr std::int64_t kWriteDeadline = 1000;
constexpr std::int64_t kReconnectWait = 100;
constexpr std::int64_t kReconnectJitter = 50;
constexpr std::int64_t kPingInterval = 1000;  // a frozen server is left after three of them
constexpr int kMaxPings = 2;

constexpr int kDeliveryThreads = 2;  // of the whole process
constexpr int kMaxPendingMessages = 1 << 20;
constexpr std::size_t kDefaultMaxPayload = 1 << 20;
constexpr std::chrono::milliseconds kRetryConnect{200};
constexpr std::chrono::milliseconds kInfoDeadline{1000};

struct Subscription {
  std::string subject;
  NatsConnection::Handler handler;
  int max_pending_bytes = 0;
};

using Settings = std::unique_ptr<natsOptions, void (*)(natsOptions*)>;

// The reason of the last failed call, without the place in the library's source.
std::string last_reason(natsStatus status) {
  const char* detail = nats_GetLastError(nullptr);
  if (detail == nullptr) return natsStatus_GetText(status);
  const std::string_view text = detail;
  const std::size_t start = text.find("): ");
  const bool has_place = text.starts_with('(') && start != std::string_view::npos;
  return std::string(has_place ? text.substr(start + 3) : text);
}

// The servers do not accept this client.
struct CredentialsRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void require(natsStatus status, const std::string& what) {
  if (status != NATS_OK) throw std::runtime_error(what + ": " + last_reason(status));
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return text;
}

void set_credentials(natsOptions* settings, const std::filesystem::path& file) {
  const std::string text = read_text(file);
  if (text.find("-----BEGIN NATS USER JWT-----") != std::string::npos) {
    require(natsOptions_SetUserCredentialsFromFiles(settings, file.c_str(), nullptr),
            file.string());
    return;
  }
  const auto key = public_nkey(find_nkey_seed(text));
  if (!key) {
    throw std::runtime_error(file.string() +
                             " has neither the credentials of a NATS user nor the seed of an nkey");
  }
  require(natsOptions_SetNKeyFromSeed(settings, key->c_str(), file.c_str()), file.string());
}

void on_error(natsConnection*, natsSubscription* /*may be gone*/, natsStatus status, void*) {
  log()->warn("cluster: NATS: {}", natsStatus_GetText(status));
}

void set_servers(natsOptions* settings, const std::vector<std::string>& servers) {
  if (servers.empty()) throw std::runtime_error("no NATS server is given");
  std::vector<const char*> urls;
  urls.reserve(servers.size());
  for (const std::string& server : servers)
    urls.push_back(server.c_str());
  require(natsOptions_SetServers(settings, urls.data(), static_cast<int>(urls.size())),
          "cannot use the URLs of the NATS servers");
}

Settings make_settings(const NatsOptions& options) {
  natsOptions* created = nullptr;
  require(natsOptions_Create(&created), "cannot use NATS");
  Settings settings(created, natsOptions_Destroy);
  set_servers(created, options.servers);
  const bool is_secure =
      !options.ca.empty() || std::any_of(options.servers.begin(), options.servers.end(),
                                         [](const auto& url) { return url.starts_with("tls://"); });
  if (is_secure) require(natsOptions_SetSecure(created, true), "cannot use TLS");
  if (!options.ca.empty()) {
    require(natsOptions_LoadCATrustedCertificates(created, options.ca.c_str()),
            "cannot read " + options.ca.string());
  }
  if (!options.credentials.empty()) set_credentials(created, options.credentials);
  natsOptions_SetName(created, options.name.c_str());
  natsOptions_SetTimeout(created, kConnectTimeout);
  natsOptions_SetWriteDeadline(created, kWriteDeadline);
  natsOptions_SetMaxReconnect(created, -1);
  natsOptions_SetReconnectWait(created, kReconnectWait);
  natsOptions_SetReconnectJitter(created, kReconnectJitter, kReconnectJitter);
  natsOptions_SetReconnectBufSize(created, 0);  // else it would publish later what has failed
  natsOptions_SetPingInterval(created, kPingInterval);
  natsOptions_SetMaxPingsOut(created, kMaxPings);
  natsOptions_SetSendAsap(created, true);
  natsOptions_SetFailRequestsOnDisconnect(created, true);
  natsOptions_UseGlobalMessageDelivery(created, true);
  natsOptions_SetErrorHandler(created, on_error, nullptr);
  return settings;
}

std::uint64_t sequence_of(natsMsg* message) {
  const char* text = nullptr;
  if (natsMsgHeader_Get(message, "Nats-Sequence", &text) != NATS_OK || text == nullptr) return 0;
  const std::string_view digits = text;
  std::uint64_t sequence = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), sequence);
  return sequence;
}

// Takes the message.
NatsMessage to_message(natsMsg* message) {
  const std::unique_ptr<natsMsg, void (*)(natsMsg*)> owned(message, natsMsg_Destroy);
  const char* reply = natsMsg_GetReply(message);
  const auto size = static_cast<std::size_t>(natsMsg_GetDataLength(message));
  return {.subject = natsMsg_GetSubject(message),
          .reply = reply != nullptr ? reply : "",
          .body = std::string(natsMsg_GetData(message), size),
          .stream_sequence = sequence_of(message),
          .is_no_responders = natsMsg_IsNoResponders(message)};
}

void on_message(natsConnection*, natsSubscription*, natsMsg* message, void* closure) {
  static_cast<const Subscription*>(closure)->handler(to_message(message));
}

Error unreachable(const std::string& reason) {
  return {.kind = ErrorKind::kNodeUnreachable,
          .message = "no answer over NATS: " + reason,
          .hint = "retry after a second"};
}

// Host and port of "nats://user:password@host:4222".
std::pair<std::string, std::string> address_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  const std::size_t user = url.rfind('@');
  if (user != std::string_view::npos) url.remove_prefix(user + 1);
  const std::size_t colon = url.rfind(':');
  if (colon == std::string_view::npos) return {std::string(url), "4222"};
  std::string_view host = url.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return {std::string(host), std::string(url.substr(colon + 1))};
}

// What a server says first to every client, which the library does not pass on.
std::string read_version(const std::string& url) {
  const auto [host, port] = address_of(url);
  boost::asio::ip::tcp::iostream stream;
  stream.expires_after(kInfoDeadline);
  stream.connect(host, port);
  std::string line;
  std::getline(stream, line);
  const std::size_t start = line.find('{');
  if (start == std::string::npos) return {};
  boost::system::error_code failure;
  const auto info = boost::json::parse(std::string_view(line).substr(start), failure);
  if (failure || !info.is_object()) return {};
  const auto* version = info.as_object().if_contains("version");
  return version != nullptr && version->is_string() ? std::string(version->as_string()) : "";
}

// A connection of the library, which reconnects it. It gives up when a server has refused the
// credentials twice; then, and after a write that was cut short, it must be replaced.
class Link {
 public:
  // `changed` is called on the library's thread of callbacks: connected again, or given up.
  Link(const NatsOptions& options, std::function<void()> changed) : changed_(std::move(changed)) {
    const Settings settings = make_settings(options);
    natsOptions_SetDisconnectedCB(settings.get(), on_disconnected, this);
    natsOptions_SetReconnectedCB(settings.get(), on_reconnected, this);
    natsOptions_SetClosedCB(settings.get(), on_closed, this);
    const natsStatus status = natsConnection_Connect(&connection_, settings.get());
    if (status == NATS_CONNECTION_AUTH_FAILED)
      throw CredentialsRefused("the NATS servers refuse the credentials: " + last_reason(status));
    require(status, "cannot connect to a NATS server");
    note_connected();
  }

  ~Link() {
    natsConnection_Close(connection_);
    {
      // The library calls this object's functions until here.
      const MutexLock lock(mutex_);
      while (!is_closed_ || running_ > 0)
        ended_.wait(mutex_);
    }
    for (natsSubscription* subscription : subscriptions_)
      natsSubscription_Destroy(subscription);
    natsConnection_Destroy(connection_);
  }

  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  void subscribe(const Subscription& subscription) {
    natsSubscription* created = nullptr;
    // The library passes a closure on without looking at it.
    void* closure = const_cast<Subscription*>(&subscription);
    const natsStatus status = natsConnection_Subscribe(
        &created, connection_, subscription.subject.c_str(), on_message, closure);
    if (status != NATS_OK) {
      is_broken = true;
      return;
    }
    {
      const MutexLock lock(mutex_);
      ++running_;
    }
    natsSubscription_SetPendingLimits(created, kMaxPendingMessages, subscription.max_pending_bytes);
    if (natsSubscription_SetOnCompleteCB(created, on_complete, this) != NATS_OK) on_complete(this);
    subscriptions_.push_back(created);
  }

  bool publish(const std::string& subject, std::string_view body, const std::string& reply) {
    const auto size = static_cast<int>(body.size());
    const natsStatus status =
        reply.empty() ? natsConnection_Publish(connection_, subject.c_str(), body.data(), size)
                      : natsConnection_PublishRequest(connection_, subject.c_str(), reply.c_str(),
                                                      body.data(), size);
    if (status == NATS_OK) return true;
    // The rest of a message that was cut short would be read from the next one.
    if (status != NATS_MAX_PAYLOAD && status != NATS_INSUFFICIENT_BUFFER) is_broken = true;
    return false;
  }

  Result<NatsMessage> request(const std::string& subject, std::string_view body,
                              std::chrono::milliseconds deadline) {
    natsMsg* reply = nullptr;
    const natsStatus status =
        natsConnection_Request(&reply, connection_, subject.c_str(), body.data(),
                               static_cast<int>(body.size()), deadline.count());
    if (status != NATS_OK) return unreachable(natsStatus_GetText(status));
    return to_message(reply);
  }

  std::string url() {
    std::array<char, 1024> text{};
    if (natsConnection_GetConnectedUrl(connection_, text.data(), text.size()) != NATS_OK) return {};
    return text.data();
  }

  bool is_up() const { return is_connected; }

  std::string last_error() const {
    const MutexLock lock(mutex_);
    return last_error_;
  }

  std::atomic<bool> is_connected = false;
  std::atomic<bool> is_broken = false;  // to be replaced
  std::atomic<std::size_t> max_payload = kDefaultMaxPayload;

 private:
  static void on_disconnected(natsConnection* connection, void* closure) {
    auto& self = *static_cast<Link*>(closure);
    const char* reason = nullptr;
    natsConnection_GetLastError(connection, &reason);
    {
      const MutexLock lock(self.mutex_);
      self.last_error_ = reason != nullptr ? reason : "";
    }
    self.is_connected = false;
  }

  static void on_reconnected(natsConnection*, void* closure) {
    auto& self = *static_cast<Link*>(closure);
    self.note_connected();
    self.changed_();
  }

  static void on_closed(natsConnection*, void* closure) {
    auto& self = *static_cast<Link*>(closure);
    self.is_connected = false;
    self.is_broken = true;
    self.changed_();
    const MutexLock lock(self.mutex_);
    self.is_closed_ = true;
    self.ended_.notify_all();
  }

  static void on_complete(void* closure) {
    auto& self = *static_cast<Link*>(closure);
    const MutexLock lock(self.mutex_);
    --self.running_;
    self.ended_.notify_all();
  }

  void note_connected() {
    const std::int64_t size = natsConnection_GetMaxPayload(connection_);
    if (size > 0) max_payload = static_cast<std::size_t>(size);
    is_connected = true;
  }

  std::function<void()> changed_;
  natsConnection* connection_ = nullptr;
  std::vector<natsSubscription*> subscriptions_;

  mutable Mutex mutex_;  // with the library's threads
  ConditionVariable ended_;
  bool is_closed_ GUARDED_BY(mutex_) = false;
  std::size_t running_ GUARDED_BY(mutex_) = 0;  // subscriptions whose handlers may run
  std::string last_error_ GUARDED_BY(mutex_);
};

}  // namespace

class NatsConnection::Impl {
 public:
  explicit Impl(NatsOptions options) : options_(std::move(options)) {
    // Reports wrong options to the caller, not to the log.
    if (nats_SetMessageDeliveryPoolSize(kDeliveryThreads) != NATS_OK)
      throw std::runtime_error("cannot use NATS");
    make_settings(options_);
    thread_ = std::thread([this] { maintain(); });
    pthread_setname_np(thread_.native_handle(), "nats");
  }

  ~Impl() {
    {
      const MutexLock lock(mutex_);
      is_stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  std::shared_ptr<Link> link() const {
    const MutexLock lock(mutex_);
    return link_;
  }

  void subscribe(Subscription subscription) {
    const MutexLock lock(subscribe_mutex_);
    subscriptions_.push_back(std::move(subscription));
    if (const auto current = link()) current->subscribe(subscriptions_.back());
  }

  void on_connected(std::function<void()> handler) {
    const MutexLock lock(mutex_);
    handlers_.push_back(std::move(handler));
  }

  bool wait_connected(std::chrono::milliseconds deadline) const {
    const auto until = Clock::now() + deadline;
    const MutexLock lock(mutex_);
    while (!is_up() && changed_.wait_until(mutex_, until)) {
    }
    return is_up();
  }

  std::optional<std::string> problem() const {
    const MutexLock lock(mutex_);
    if (is_up()) return std::nullopt;
    if (!problem_.empty()) return problem_;
    const std::string reason = link_ ? link_->last_error() : "";
    return reason.empty() ? "not connected to a NATS server"
                          : "not connected to a NATS server: " + reason;
  }

  std::optional<std::string> refusal() const {
    const MutexLock lock(mutex_);
    if (!is_refused_) return std::nullopt;
    return problem_;
  }

  // Has a link that cannot be used any more replaced.
  void replace_broken() { changed_.notify_all(); }

 private:
  bool is_up() const REQUIRES(mutex_) { return link_ && link_->is_up() && !link_->is_broken; }

  void maintain() {
    while (true) {
      release_unused();
      bool is_needed = false;
      {
        const MutexLock lock(mutex_);
        if (is_stopping_) break;
        if (link_ && link_->is_broken) unused_.push_back(std::exchange(link_, nullptr));
        is_needed = link_ == nullptr;
        if (!is_needed) changed_.wait_until(mutex_, Clock::now() + kRetryConnect);
      }
      if (is_needed) connect();
    }
    {
      const MutexLock lock(mutex_);
      if (link_) unused_.push_back(std::exchange(link_, nullptr));
    }
    while (!unused_.empty()) {
      release_unused();
      if (!unused_.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void connect() {
    std::shared_ptr<Link> made;
    try {
      made = std::make_shared<Link>(options_, [this] { link_changed(); });
    } catch (const CredentialsRefused& failure) {
      return wait_after(failure.what(), true);
    } catch (const std::exception& failure) {
      return wait_after(failure.what(), false);
    }
    {
      const MutexLock lock(subscribe_mutex_);
      for (const Subscription& subscription : subscriptions_)
        made->subscribe(subscription);
      const MutexLock also(mutex_);
      link_ = made;
      problem_.clear();
      is_refused_ = false;
    }
    log()->info("cluster: connected to a NATS server");
    link_changed();
  }

  void wait_after(const std::string& problem, bool is_refused) {
    const MutexLock lock(mutex_);
    if (problem_ != problem) log()->warn("cluster: {}", problem);
    problem_ = problem;
    is_refused_ = is_refused;
    const auto until = Clock::now() + kRetryConnect;
    while (!is_stopping_ && changed_.wait_until(mutex_, until)) {
    }
  }

  // On the library's thread, or the one of maintain().
  void link_changed() {
    std::vector<std::function<void()>> handlers;
    {
      const MutexLock lock(mutex_);
      if (is_up()) handlers = handlers_;
    }
    changed_.notify_all();
    for (const auto& handler : handlers)
      handler();
  }

  // Here, because a link may not end on a thread of the library that it waits for.
  void release_unused() {
    std::erase_if(unused_, [](const auto& link) { return link.use_count() == 1; });
  }

  const NatsOptions options_;
  std::vector<std::shared_ptr<Link>> unused_;  // of maintain(): to be ended when nobody uses them

  Mutex subscribe_mutex_;                                               // before mutex_
  std::list<Subscription> subscriptions_ GUARDED_BY(subscribe_mutex_);  // the library has addresses

  mutable Mutex mutex_;  // between callers, maintain() and the library's threads
  mutable ConditionVariable changed_;
  std::shared_ptr<Link> link_ GUARDED_BY(mutex_);
  std::vector<std::function<void()>> handlers_ GUARDED_BY(mutex_);
  std::string problem_ GUARDED_BY(mutex_);
  bool is_refused_ GUARDED_BY(mutex_) = false;  // the credentials, which is the problem
  bool is_stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

NatsConnection::NatsConnection(NatsOptions options, std::chrono::milliseconds deadline)
    : impl_(std::make_unique<Impl>(std::move(options))) {
  wait_connected(deadline);
}

NatsConnection::~NatsConnection() = default;

bool NatsConnection::publish(const std::string& subject, std::string_view body,
                             const std::string& reply) {
  const auto link = impl_->link();
  if (!link || !link->is_up()) return false;
  const bool is_sent = link->publish(subject, body, reply);
  if (!is_sent && link->is_broken) impl_->replace_broken();
  return is_sent;
}

void NatsConnection::subscribe(const std::string& subject, Handler handler,
                               std::size_t max_pending_bytes) {
  impl_->subscribe({.subject = subject,
                    .handler = std::move(handler),
                    .max_pending_bytes = static_cast<int>(max_pending_bytes)});
}

Result<NatsMessage> NatsConnection::request(const std::string& subject, std::string_view body,
                                            std::chrono::milliseconds deadline) {
  const auto link = impl_->link();
  if (!link || !link->is_up()) return unreachable("not connected to a server");
  return link->request(subject, body, deadline);
}

void NatsConnection::on_connected(std::function<void()> handler) {
  impl_->on_connected(std::move(handler));
}

bool NatsConnection::is_connected() const {
  return wait_connected(std::chrono::milliseconds(0));
}

bool NatsConnection::wait_connected(std::chrono::milliseconds deadline) const {
  return impl_->wait_connected(deadline);
}

std::optional<std::string> NatsConnection::problem() const {
  return impl_->problem();
}

std::optional<std::string> NatsConnection::refusal() const {
  return impl_->refusal();
}

std::size_t NatsConnection::max_payload() const {
  const auto link = impl_->link();
  return link ? link->max_payload.load() : kDefaultMaxPayload;
}

std::string NatsConnection::server_version() {
  const auto link = impl_->link();
  if (!link) return {};
  const std::string url = link->url();
  return url.empty() ? "" : read_version(url);
}

std::string NatsConnection::new_inbox() {
  return "_INBOX." + random_id();
}

}  // namespace oriel
