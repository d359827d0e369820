#include "auth/token_secret.h"

#include "base/text/base64.h"
#include "http/digest.h"

namespace oriel {

std::string make_token_secret() {
  return "oriel_" + base64url(http::random_bytes(32));
}

}  // namespace oriel
