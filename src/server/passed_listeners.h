#pragma once
// The listeners that a service manager passes to `oriel serve`.

#include "http/listeners.h"
#include "posix/environment.h"
#include "posix/service/passed_sockets.h"
#include "server/serve_options.h"

#include <sys/types.h>

#include <vector>

namespace oriel {

// Takes the sockets that the environment announces to this process; none are usual. Throws
// UsageError if a variable is malformed, or as below.
http::Listeners take_passed_listeners(const ServeOptions& options, const Environment& environment,
                                      pid_t process);

// Takes at most one TCP and one Unix socket. Throws UsageError, which names the socket, if one is
// not a listening stream socket, is not at --listen or --socket, or is open to other users.
http::Listeners take_listeners(const std::vector<PassedSocket>& sockets,
                               const ServeOptions& options);

}  // namespace oriel
