// SPDX-License-Identifier: MIT
// What the process ends with. A script can tell a verdict from everything that is not one.
#pragma once

namespace tideline::cli {

inline constexpr int kExitHolds = 0;
inline constexpr int kExitViolated = 1;
inline constexpr int kExitUsage = 2;        // the command line or the model is wrong
inline constexpr int kExitLimit = 3;        // memory or time
inline constexpr int kExitEnvironment = 4;  // no compiler, no space, unwritable file
inline constexpr int kExitBug = 70;         // ours
inline constexpr int kExitInterrupted = 130;

}  // namespace tideline::cli
