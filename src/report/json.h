// SPDX-License-Identifier: MIT
// The report for programs: one JSON object with the fields of docs/formats/json.md; a trace as in
// docs/formats/trace.md. Bytes of names that are no UTF-8 become U+FFFD.
#pragma once

#include <string>
#include <vector>

#include "report/run_report.h"

namespace tideline {

std::string report_json(const RunReport& report);

// The path of the first counterexample; without one, "trace" is null.
std::string trace_json(const RunReport& report);
// A path that need not violate anything (simulate). `message` is empty if it ended without a finding.
std::string walk_json(const ir::Program& program, const std::string& model, const std::vector<ReplayedStep>& steps,
                      const std::string& message);

// What `info` shows.
std::string info_json(const ir::Program& program, const std::string& model);

}  // namespace tideline
