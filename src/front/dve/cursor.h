// SPDX-License-Identifier: MIT
// A place among the tokens of a text, and the wording of syntax errors.
//
// C1  the cursor never passes its limit: at the limit advance() stays, so every loop over tokens must end there.
// C2  the token at the limit exists (at the end of the text it is kEnd) and can be looked at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "front/dve/lexer.h"

namespace tideline::dve {

class Cursor {
 public:
  // All three must outlive the cursor.
  Cursor(std::string_view text, const std::vector<Token>& tokens, Diagnostics& diagnostics);

  [[nodiscard]] const Token& token() const { return tokens_[position_]; }
  // The token after this one; the one at the limit has itself as the next.
  [[nodiscard]] const Token& next_token() const { return tokens_[position_ < limit_ ? position_ + 1 : position_]; }
  [[nodiscard]] TokenKind kind() const { return token().kind; }
  [[nodiscard]] Location where() const { return token().where; }
  [[nodiscard]] std::string_view text() const { return text_of(token()); }
  [[nodiscard]] std::string_view text_of(const Token& token) const { return text_.substr(token.offset, token.length); }
  [[nodiscard]] bool is(TokenKind kind) const { return token().kind == kind; }
  [[nodiscard]] bool at_limit() const { return position_ >= limit_; }
  [[nodiscard]] std::size_t position() const { return position_; }
  // The position of kEnd.
  [[nodiscard]] std::size_t last() const { return tokens_.size() - 1; }
  // Goes to `position`, and from there not beyond `limit`.
  void restart(std::size_t position, std::size_t limit);

  void advance();
  // Passes over a token of this kind, if it is here.
  bool accept(TokenKind kind);
  // The same, and a syntax error otherwise.
  bool expect(TokenKind kind, std::string hint = {});
  // A name; `what` is said where there is none, for example "the name of a state".
  bool expect_name(const std::string& what, Token& name);
  // The ';' after a list; without it the rest of the statement is skipped.
  void expect_end_of_list();

  // Recovery. Up to a token of this kind or to the beginning of a process or the system line, whichever comes first.
  void skip_to(TokenKind kind);
  // Past the next ';', or up to a word that begins another statement.
  void skip_statement();
  // Past the brace that closes the one opened at `opened`.
  void skip_block(std::size_t opened);
  // The closing brace for the one at `opened`, or what comes instead of it: the next process, the system line, the end.
  [[nodiscard]] std::size_t closing_brace(std::size_t opened) const;

  // The tokens [first, last) as written, but with single spaces and without comments.
  [[nodiscard]] std::string written(std::size_t first, std::size_t last) const;

  void error(Location where, std::string message, std::string hint = {});
  void warning(Location where, std::string message, std::string hint = {});
  // "syntax error: unexpected x, expected y" at the current token.
  void syntax_error(const std::string& expected, std::string hint = {});
  // False once further errors are only counted: time for suggestions would be wasted.
  [[nodiscard]] bool errors_are_shown() const { return error_count() < Diagnostics::kErrorsKept; }
  [[nodiscard]] std::size_t error_count() const { return diagnostics_.error_count(); }

 private:
  std::string_view text_;
  const std::vector<Token>& tokens_;
  Diagnostics& diagnostics_;
  std::size_t position_ = 0;
  std::size_t limit_;
};

}  // namespace tideline::dve
