// SPDX-License-Identifier: MIT
// Errors in what the user gave us (a model, an expression on the command line): collected, several per run, each with
// file:line:column and the source line with a caret below it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tideline {

// A place in a source text. Lines and columns count from 1; line 0 means "no place".
struct Location {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

enum class Severity : std::uint8_t { kError, kWarning };

struct Diagnostic {
  Severity severity = Severity::kError;
  Location where;
  std::string message;
  std::string hint;  // "did you mean 'Cells'?", empty for none
};

// The diagnostics of one source text.
class Diagnostics {
 public:
  // After this many errors further ones are counted but not kept.
  static constexpr std::size_t kErrorsKept = 20;

  Diagnostics(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

  void error(Location where, std::string message, std::string hint = {});
  void warning(Location where, std::string message, std::string hint = {});

  [[nodiscard]] bool has_errors() const { return error_count_ > 0; }
  [[nodiscard]] std::size_t error_count() const { return error_count_; }
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }
  [[nodiscard]] const std::string& file() const { return file_; }

  // "file:line:column: error: message", the source line, a caret; one block per diagnostic. Control characters and
  // over-long lines of the source are shortened so that the terminal stays readable.
  [[nodiscard]] std::string render() const;

 private:
  std::string file_;
  std::string_view text_;  // must outlive this object
  std::vector<Diagnostic> all_;
  std::size_t error_count_ = 0;
};

// Hands the errors of a text from the command line on to those of the model: "option: message", then the text and a
// caret.
void forward_errors(const Diagnostics& inner, const std::string& option, const std::string& text, Diagnostics& outer);

// The candidate nearest to `name` by edit distance if it is near enough to be a slip of the pen, else empty.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace tideline
