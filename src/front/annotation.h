// SPDX-License-Identifier: MIT
// Annotations: line comments that tell Tideline something and that other tools pass over. "tideline: progress x, y",
// behind "--" in Murphi and "//" in DVE, gives the model's progress measure (ir/progress.h). The lexers know where
// comments are, and report them here.
//
// At most one annotation of a kind; what stands behind its word, up to the end of the line, is for the parser.
#pragma once

#include <optional>
#include <string_view>

#include "base/diagnostics.h"

namespace tideline {

struct Annotation {
  std::string_view text;  // behind the word; a part of the model's text
  Location where;         // of its first byte
};

class Annotations {
 public:
  explicit Annotations(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  // A line comment without the signs that begin it; `where` is the place of its first byte.
  void comment(std::string_view text, Location where);
  [[nodiscard]] const std::optional<Annotation>& progress() const { return progress_; }

 private:
  Diagnostics& diagnostics_;
  std::optional<Annotation> progress_;
};

}  // namespace tideline
