// SPDX-License-Identifier: MIT
// The report for people: verdict first, then the figures, then the path with what changed in each step.
#pragma once

#include <string>

#include "ir/print.h"
#include "report/run_report.h"

namespace tideline {

struct TextStyle {
  bool color = false;   // the verdict's word in colour
  bool figures = true;  // --quiet leaves them out
};

std::string report_text(const RunReport& report, const TextStyle& style);

// One step: "  3  Enter, i = pid_1" and the changes, aligned, one per line.
std::string step_text(std::size_t number, const std::string& rule, const ir::Changes& changes);
// What put statements printed, one line of ours per line of theirs.
std::string output_text(const std::string& output);
// The lines of the changes alone.
std::string changes_text(const ir::Changes& changes);
// "file:line:column: error: message", the source line, a caret. Only the message if there is no place.
std::string located_text(const std::string& file, std::string_view source, Location where, const std::string& message);

}  // namespace tideline
