// SPDX-License-Identifier: MIT
// Which program this is, more exactly than its version: a hash of its sources (cmake/TidelineBuildId.cmake). What a
// search leaves on disk means the same to the program that wrote it and to no other for sure: representatives of
// orbits, parts of keys and hashes may change without any other sign.
#pragma once

namespace tideline::cli {

extern const char kBuildId[];

}  // namespace tideline::cli
