#include "base/failpoint.h"

#include "base/enum_names.h"
#include "base/text/quantity.h"
#include "base/text/quote.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace oriel {
namespace {

#ifdef ORIEL_NO_FAILPOINTS
constexpr std::array<std::string_view, 0> kFailpoints{};
constexpr std::array<std::string_view, 0> kMutants{};
#else
constexpr std::array<std::string_view, 24> kFailpoints = {
    "write.before",  "write.after",     "document.before", "document.after",    "commit.before",
    "commit.after",  "announce.before", "announce.after",  "checkpoint.before", "checkpoint.after",
    "sync.before",   "sync.after",      "rename.before",   "rename.after",      "spawn.before",
    "spawn.after",   "input.before",    "input.after",     "response.before",   "response.after",
    "stream.before", "stream.after",    "outbox.before",   "outbox.after"};
constexpr std::array<std::string_view, 4> kMutants = {
    "mutant.acknowledge_early", "mutant.replay_without_bound", "mutant.forget_gap",
    "mutant.store_repetitions"};
#endif
constexpr std::array<std::string_view, 3> kActions = {"crash", "throw", "stall"};

Error bad_setting(std::string_view setting) {
  return {.kind = ErrorKind::kBadOption,
          .message = "environment " + std::string(kFailpointsVariable) + ": " + quote(setting) +
                     " is not a failpoint",
          .hint =
              "NAME:HIT or NAME:HIT:crash|throw|stall; oriel verify --list-failpoints lists "
              "the names that this build has"};
}

// Removes the text before `separator` from `rest`, and the separator.
std::string_view take_until(std::string_view& rest, char separator) {
  const std::string_view part = rest.substr(0, rest.find(separator));
  rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  return part;
}

std::optional<FailpointSetting> parse_setting(std::string_view text) {
  const auto point = find_name<Failpoint>(kFailpoints, take_until(text, ':'));
  const auto hit = parse_number(take_until(text, ':'));
  const auto action = text.empty() ? FailAction::kCrash : find_name<FailAction>(kActions, text);
  if (!point || hit.value_or(0) == 0 || !action) return std::nullopt;
  return FailpointSetting{.point = *point, .hit = *hit, .action = *action};
}

}  // namespace

std::vector<std::string> failpoint_names() {
  return {kFailpoints.begin(), kFailpoints.end()};
}

std::vector<std::string> mutant_names() {
  return {kMutants.begin(), kMutants.end()};
}

Result<FailpointSettings> parse_failpoints(std::string_view text) {
  FailpointSettings settings;
  while (!text.empty()) {
    const std::string_view each = take_until(text, ',');
    if (const auto mutant = find_name<Mutant>(kMutants, each)) {
      settings.mutants.push_back(*mutant);
    } else if (const auto point = parse_setting(each)) {
      settings.points.push_back(*point);
    } else {
      return bad_setting(each);
    }
  }
  return settings;
}

#ifndef ORIEL_NO_FAILPOINTS
namespace {

constexpr std::chrono::seconds kStallTime{1};

// Of this process, from its environment.
class Failpoints {
 public:
  Failpoints() {
    const char* const variable = std::getenv(kFailpointsVariable);
    const auto settings = parse_failpoints(variable == nullptr ? "" : variable);
    if (!settings) {
      std::fprintf(stderr, "oriel: %s\n", settings.error().message.c_str());
      std::_Exit(2);
    }
    for (const FailpointSetting& setting : settings->points) {
      Point& point = points_[static_cast<std::size_t>(setting.point)];
      point.hits_left = setting.hit;
      point.action = setting.action;
    }
    for (const Mutant mutant : settings->mutants)
      mutants_[static_cast<std::size_t>(mutant)] = true;
  }

  void hit(Failpoint failpoint) {
    Point& point = points_[static_cast<std::size_t>(failpoint)];
    if (point.hits_left == 0 || --point.hits_left != 0) return;
    switch (point.action) {
      case FailAction::kCrash:
        std::_Exit(kFailpointExit);
      case FailAction::kThrow:
        throw std::runtime_error("failpoint " + std::string(name_in(kFailpoints, failpoint)));
      case FailAction::kStall:
        std::this_thread::sleep_for(kStallTime);
    }
  }

  bool has(Mutant mutant) const { return mutants_[static_cast<std::size_t>(mutant)]; }

 private:
  struct Point {
    std::atomic<std::uint64_t> hits_left = 0;  // 0: never acts
    FailAction action = FailAction::kCrash;
  };

  std::array<Point, kFailpoints.size()> points_;
  std::array<bool, kMutants.size()> mutants_{};
};

Failpoints& failpoints() {
  static Failpoints instance;
  return instance;
}

}  // namespace

void hit_failpoint(Failpoint point) {
  failpoints().hit(point);
}

bool has_mutant(Mutant mutant) {
  return failpoints().has(mutant);
}
#endif

}  // namespace oriel
