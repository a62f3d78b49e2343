// SPDX-License-Identifier: MIT
// From text to the parser's tokens. The Lexer carries the state of the generated scanner (murphi.l); the TokenStream
// above it looks one or two tokens ahead to decide words that are keywords in one of the two dialects only: `cover` is
// a keyword in Rumur and a plain name in CMurphi, `choose` the other way round, and models use either as names. In a
// progress measure, `down` before an operand is one where a component begins.
//
// L1  after kErrorsMax lexical or syntax errors the stream ends, so garbage of any size is refused quickly.
// L2  tokens are delivered in order, each once; after the last comes YYEOF for ever.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "front/annotation.h"
#include "front/murphi/ast.h"

namespace tideline::murphi {

struct Token {
  int kind = 0;
  Span span;
  std::string text;  // names: as written (true, false, boolean in lower case); strings: without quotes and escapes
  std::int64_t number = 0;
};

// Called from the actions of murphi.l. Columns count bytes.
class Lexer {
 public:
  // `first` is the place of the text's first byte.
  Lexer(std::string_view text, Location first, Diagnostics& diagnostics);
  ~Lexer();
  Lexer(const Lexer&) = delete;
  Lexer& operator=(const Lexer&) = delete;

  Token next();
  // From now on line comments are reported.
  void report_comments(Annotations& annotations) { annotations_ = &annotations; }

  // For murphi.l.
  void advance(const char* text, std::size_t length);
  void open() {
    opened_at_ = at_;
    collected_.clear();
  }
  void append(std::string_view part) { collected_ += part; }
  int string();
  int number(const char* digits, int base);
  int real_number();
  int word(const char* text, std::size_t length);
  void bad_character(const char* text, std::size_t length);
  void unterminated(const char* what);
  // The rest of a line that was read.
  void line_comment();

 private:
  std::string_view source_;
  Diagnostics& diagnostics_;
  Annotations* annotations_ = nullptr;  // null: nobody listens
  void* scanner_ = nullptr;
  Span at_;         // of the token being read
  Span opened_at_;  // of the quote or comment opening being read
  Location place_;
  std::size_t offset_ = 0;
  std::string collected_;
  std::string text_;
  std::int64_t number_ = 0;
};

class TokenStream {
 public:
  static constexpr std::size_t kErrorsMax = 60;
  // Symbols on the parser's stack: about ten per level of nesting.
  static constexpr std::size_t kStackMax = 10 * kDepthMax;

  // Begins with `first` (a token that selects what is parsed: a model, an expression or a measure); `where` is the
  // place of the text's first byte.
  TokenStream(int first, std::string_view text, Location where, Diagnostics& diagnostics);

  // `stack_size`: of the parser; above kStackMax the text is nested too deeply, which is said, and the stream ends.
  Token next(std::size_t stack_size);
  // True if the stream was cut short (errors, depth): what the parser then misses is no news.
  [[nodiscard]] bool ended() const { return ended_; }
  void report_comments(Annotations& annotations) { lexer_.report_comments(annotations); }

 private:
  const Token& peek(std::size_t k);
  // Turns the name at the front of ahead_ into a keyword if what follows says so.
  void resolve_word();
  // Is the token at the front of ahead_ the first of a component of a measure?
  [[nodiscard]] bool begins_component() const;

  Diagnostics& diagnostics_;
  Lexer lexer_;
  std::deque<Token> ahead_;
  int previous_ = 0;
  bool is_measure_ = false;
  int open_brackets_ = 0;
  bool ended_ = false;
};

}  // namespace tideline::murphi
