#include "publisher.h"

#include <stdexcept>

namespace oriel {

Published Publisher::publish(std::string body) {
  const HttpRequest request{.method = "POST",
                            .target = "/api/events",
                            .headers = {{"Content-Type", "application/json"}},
                            .body = std::move(body)};
  const HttpResponse response = call(connection_, request);
  if (response.status != 201) throw std::runtime_error("not published: " + response.body);
  const boost::json::object answer = response.json();
  return {.id = std::string(answer.at("id").as_string()),
          .sequence = answer.at("sequence").to_number<std::uint64_t>(),
          .index = answer.at("index").to_number<std::uint64_t>()};
}

Published Publisher::publish_big(std::size_t bytes, std::string type) {
  return publish(R"({"type":")" + type + R"(","text":")" + std::string(bytes, 'x') + R"("})");
}

}  // namespace oriel
