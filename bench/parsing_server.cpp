// The minimal server with parsing: Beast parses the request and Boost.JSON the event, which is
// numbered and serialized again. Shows the libraries' part of the cost of a publication, without a
// journal, a hub or coroutines.

#include "fan_out_server.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <iostream>
#include <stdexcept>

namespace oriel {
namespace {

namespace http = boost::beast::http;
namespace json = boost::json;

std::string frame_of(std::string_view request, std::uint64_t number) {
  http::request_parser<http::string_body> parser;
  parser.eager(true);
  boost::system::error_code ec;
  parser.put(boost::asio::buffer(request), ec);
  if (ec || parser.get()[http::field::content_type] != "application/json") {
    throw std::runtime_error("a request that is not JSON");
  }
  const json::value event = json::parse(parser.get().body());
  json::object out;
  out["id"] = number;
  out["type"] = event.at("type");
  out["data"] = event.at("data");
  return "id: " + std::to_string(number) + "\ndata: " + json::serialize(out) + "\n\n";
}

}  // namespace
}  // namespace oriel

int main(int argc, char** argv) {
  try {
    const std::uint16_t port = oriel::port_of(argc, argv);
    if (port == 0 || argc != 2) throw std::runtime_error("usage: parsing_server PORT");
    oriel::raise_file_limit();
    std::uint64_t number = 0;
    oriel::FanOutServer server(port, [&](const oriel::Publication& post) {
      server.fan_out(oriel::frame_of(post.request, ++number));
    });
    server.run();
  } catch (const std::exception& error) {
    std::cerr << "parsing_server: " << error.what() << '\n';
    return 1;
  }
}
