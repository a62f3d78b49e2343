// SPDX-License-Identifier: MIT
// A piece of C text that grows line by line, with braces and indentation kept in step.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace tideline::native {

class CText {
 public:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    add_line(format, fmt::make_format_args(args...));
  }
  // A line that opens a brace; `close` ends it.
  template <typename... Args>
  void open(fmt::format_string<Args...> format, Args&&... args) {
    add_line(format, fmt::make_format_args(args...));
    ++indent_;
  }
  void close() {
    --indent_;
    line("}}");
  }
  // A label; the empty statement lets declarations follow.
  void label(const std::string& name) {
    line("{}:;", name);
    labels_.push_back(name);
  }
  // All labels so far.
  [[nodiscard]] const std::vector<std::string>& labels() const { return labels_; }
  // Lines made elsewhere, as they are.
  void append(const std::string& lines) { text_ += lines; }

  [[nodiscard]] bool empty() const { return text_.empty(); }
  [[nodiscard]] const std::string& str() const { return text_; }
  // Begins an empty text at the same indentation and gives the old one; for collecting lines that may not be wanted.
  std::string set_aside() { return std::exchange(text_, std::string()); }
  // Ends that: back to the old text; gives the lines collected since.
  std::string take_back(std::string old) { return std::exchange(text_, std::move(old)); }

 private:
  // Not a template: there are hundreds of lines, and each would be compiled.
  void add_line(fmt::string_view format, fmt::format_args args);

  std::string text_;
  std::vector<std::string> labels_;
  unsigned indent_ = 0;
};

}  // namespace tideline::native
