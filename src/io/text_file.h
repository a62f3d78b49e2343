// SPDX-License-Identifier: MIT
// Whole text files: models in, reports out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tideline {

// The file's bytes. Refuses directories, devices and files above `bytes_max`; the message names the path and the
// reason.
Result<std::string> read_text_file(const std::string& path, std::uint64_t bytes_max);

// Writes to a temporary file beside `path`, flushes it to the disk and renames it, so that `path` is never half
// written. What exists and is no regular file (a device, a pipe) is written directly. "-" is standard output.
Status write_text_file(const std::string& path, std::string_view text);

// Whether write_text_file could begin to write there: finds a mistyped directory before a long run, not after it.
Status check_writable(const std::string& path);

}  // namespace tideline
