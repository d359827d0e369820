#include "server/serve.h"

#include "base/log.h"
#include "server/app.h"

#include <csignal>
#include <cstdio>
#include <iostream>

namespace oriel {

int serve(const ServeOptions& options) {
  set_log_level(options.log_level);
  std::signal(SIGPIPE, SIG_IGN);  // a vanished client is an error code, not the end
  try {
    App app(options);
    std::cout << "Oriel is ready: " << app.url() << std::endl;
    app.run();
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
