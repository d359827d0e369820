#pragma once
// The messages of subscriptions/listen, kept open for a client across streams of the server. Pure.

#include "cli/mcp/mcp_line.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

class McpSubscription {
 public:
  explicit McpSubscription(const McpLine& line);

  // The lines that the client receives for this message of the server; none to forward it as it is.
  // The acknowledgement of a later stream becomes notifications of what may have changed between
  // the streams. The result, with which the server ends a stream, is dropped.
  std::optional<std::vector<std::string>> replace(std::string_view message);

 private:
  std::vector<std::string> changes() const;

  boost::json::value id_;       // of the client's request, which names the subscription
  boost::json::object wanted_;  // params.notifications
  bool is_acknowledged_ = false;
};

}  // namespace oriel
