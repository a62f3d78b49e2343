// SPDX-License-Identifier: MIT
#include "base/status.h"

#include <cerrno>
#include <system_error>

namespace tideline {

Status Status::from_errno(const std::string& what) {
  return error(what + ": " + std::generic_category().message(errno));
}

}  // namespace tideline
