#include "server/serve.h"

#include "base/log.h"
#include "server/server.h"

#include <csignal>
#include <cstdio>
#include <iostream>

namespace oriel {

int serve(const ServeOptions& options) {
  set_log_level(options.log_level);
  std::signal(SIGPIPE, SIG_IGN);  // a closed connection is an error code instead
  try {
    Server server(options);
    std::cout << "Oriel is ready: " << server.url() << std::endl;
    server.run();
    return 0;
  } catch (const UsageError& error) {
    std::cerr << "oriel: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "oriel: " << error.what() << '\n';
    return 1;
  }
}

}  // namespace oriel
