#include "cli/render/qr_code.h"

#include <memory>
#include <qrencode.h>

namespace oriel {
namespace {

constexpr int kQuietZone = 2;  // modules around the code, so that cameras find it

struct FreeCode {
  void operator()(QRcode* code) const { QRcode_free(code); }
};

bool is_dark(const QRcode& code, int x, int y) {
  const bool is_inside = x >= 0 && y >= 0 && x < code.width && y < code.width;
  return is_inside && (code.data[y * code.width + x] & 1) != 0;
}

}  // namespace

std::string qr_code(const std::string& text) {
  const std::unique_ptr<QRcode, FreeCode> code(
      QRcode_encodeString8bit(text.c_str(), 0, QR_ECLEVEL_L));
  if (!code) return "";
  std::string lines;
  for (int y = -kQuietZone; y < code->width + kQuietZone; y += 2) {
    lines += "\x1b[30;107m";  // black on white
    for (int x = -kQuietZone; x < code->width + kQuietZone; ++x) {
      const bool upper = is_dark(*code, x, y);
      const bool lower = is_dark(*code, x, y + 1);
      lines += upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ");
    }
    lines += "\x1b[0m\n";
  }
  return lines;
}

}  // namespace oriel
