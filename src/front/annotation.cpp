// SPDX-License-Identifier: MIT
#include "front/annotation.h"

#include <algorithm>
#include <string>

namespace tideline {
namespace {

constexpr std::string_view kBlanks = " \t\f\v\r";

// Passes over `count` bytes, all of one line.
void pass(Annotation& rest, std::size_t count) {
  rest.text.remove_prefix(count);
  rest.where.column += static_cast<std::uint32_t>(count);
}

void pass_blanks(Annotation& rest) {
  pass(rest, std::min(rest.text.find_first_not_of(kBlanks), rest.text.size()));
}

}  // namespace

void Annotations::comment(std::string_view text, Location where) {
  constexpr std::string_view kMark = "tideline:";
  Annotation rest{text, where};
  pass_blanks(rest);
  if (!rest.text.starts_with(kMark))
    return;
  pass(rest, kMark.size());
  pass_blanks(rest);
  const Location word_at = rest.where;
  const std::string word(rest.text.substr(0, rest.text.find_first_of(kBlanks)));
  if (word != "progress") {
    diagnostics_.warning(word_at, "'" + word + "' is no annotation that this version knows",
                         "the one it knows is 'tideline: progress', with the progress measure behind it");
    return;
  }
  if (progress_.has_value()) {
    diagnostics_.error(word_at,
                       "the progress measure is given already, at line " + std::to_string(progress_->where.line));
    return;
  }
  pass(rest, word.size());
  progress_ = rest;
}

}  // namespace tideline
