#pragma once
// The report of `oriel verify`, for people and for programs. Pure.

#include "verify/verify_run.h"

#include <boost/json/object.hpp>

#include <string>

namespace oriel {

std::string report_text(const VerifyReport& report);
boost::json::object report_json(const VerifyReport& report);

}  // namespace oriel
