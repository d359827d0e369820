#include "api/web/web_files.h"

// .incbin takes files of any size, and the compiler has nothing to parse.
#define ORIEL_EMBED(name, file)                                                   \
  asm(".pushsection .rodata\n"                                                    \
      ".global oriel_web_" #name                                                  \
      "\n"                                                                        \
      ".global oriel_web_" #name                                                  \
      "_end\n"                                                                    \
      "oriel_web_" #name                                                          \
      ":\n"                                                                       \
      ".incbin \"" ORIEL_WEB_FILES "/" file                                       \
      "\"\n"                                                                      \
      "oriel_web_" #name                                                          \
      "_end:\n"                                                                   \
      ".byte 0\n"                                                                 \
      ".popsection\n");                                                           \
  extern "C" const char oriel_web_##name[];                                       \
  extern "C" const char oriel_web_##name##_end[];                                 \
  static std::string_view name() {                                                \
    return {oriel_web_##name,                                                     \
            static_cast<std::size_t>(oriel_web_##name##_end - oriel_web_##name)}; \
  }

ORIEL_EMBED(index_html, "index.html")
ORIEL_EMBED(app_js, "app.js")
ORIEL_EMBED(app_css, "app.css")
ORIEL_EMBED(favicon_svg, "favicon.svg")
ORIEL_EMBED(oriel_js, "oriel.js")
ORIEL_EMBED(oriel_d_ts, "oriel.d.ts")

namespace oriel {

std::array<WebFile, 6> web_files() {
  constexpr std::string_view kScript = "text/javascript; charset=utf-8";
  return {{{.path = "/", .content_type = "text/html; charset=utf-8", .content = index_html()},
           {.path = "/app.js", .content_type = kScript, .content = app_js()},
           {.path = "/app.css", .content_type = "text/css; charset=utf-8", .content = app_css()},
           {.path = "/favicon.svg", .content_type = "image/svg+xml", .content = favicon_svg()},
           {.path = "/oriel.js", .content_type = kScript, .content = oriel_js()},
           {.path = "/oriel.d.ts",
            .content_type = "text/plain; charset=utf-8",
            .content = oriel_d_ts()}}};
}

}  // namespace oriel
