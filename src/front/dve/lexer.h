// SPDX-License-Identifier: MIT
// From the text of a DVE model to its tokens. Columns count bytes. All words of DiVinE's grammar are keywords,
// everywhere.
//
// L1  the last token is kEnd, and it is the only one.
// L2  after kErrorsMax errors the rest of the text is not read, so garbage of any size is refused quickly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "front/annotation.h"

namespace tideline::dve {

enum class TokenKind : std::uint8_t {
  kEnd,
  kName,
  kNumber,
  // Keywords.
  kAccept,
  kAnd,  // also &&
  kAssert,
  kAsync,
  kBuchi,
  kByte,
  kChannel,
  kCommit,
  kConst,
  kEffect,
  kFalse,
  kGenBuchi,
  kGuard,
  kImply,
  kInit,
  kInt,
  kMuller,
  kNot,
  kOr,  // also ||
  kProcess,
  kProperty,
  kRabin,
  kState,
  kStreett,
  kSync,
  kSystem,
  kTrans,
  kTrue,
  // Signs.
  kParenOpen,
  kParenClose,
  kBracketOpen,
  kBracketClose,
  kBraceOpen,
  kBraceClose,
  kComma,
  kSemicolon,
  kColon,
  kDot,
  kArrow,      // ->
  kWideArrow,  // =>
  kQuestion,
  kExclamation,
  kTilde,
  kAssign,
  kPlus,
  kMinus,
  kStar,
  kSlash,
  kPercent,
  kAmpersand,
  kBar,
  kCaret,
  kShiftLeft,
  kShiftRight,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::int32_t number = 0;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  Location where;
};

class Lexer {
 public:
  static constexpr std::size_t kErrorsMax = Diagnostics::kErrorsKept;
  static constexpr std::size_t kBytesMax = std::size_t{1} << 28;  // a token takes 24 bytes
  static constexpr std::size_t kNameBytesMax = 255;

  // `first` is the place of the text's first byte. Line comments are reported to `annotations`, if there are any.
  Lexer(std::string_view text, Diagnostics& diagnostics, Location first = {1, 1}, Annotations* annotations = nullptr)
      : text_(text), diagnostics_(diagnostics), annotations_(annotations), place_(first) {}

  // Nothing if there are errors: a token that is missing would only make the parser report more of them.
  std::optional<std::vector<Token>> run();

 private:
  struct Error {
    Location where;
    std::string message;
    std::string hint;
  };

  [[nodiscard]] char at(std::size_t k) const { return offset_ + k < text_.size() ? text_[offset_ + k] : '\0'; }
  void skip_blanks_and_comments();
  [[nodiscard]] std::string_view word_at(std::size_t begin) const;
  [[nodiscard]] std::size_t continued_line() const;
  void skip_line_comment();
  void skip_block_comment();
  void next();
  void word();
  void number();
  void sign();
  void bad_characters();
  void push(TokenKind kind, std::size_t length);
  // Passes over `bytes` that contain no line end.
  void advance(std::size_t bytes);
  [[nodiscard]] bool is_template_macro(std::string_view name) const;
  void error(std::string message, std::string hint = {});
  void report();

  std::string_view text_;
  Diagnostics& diagnostics_;
  Annotations* annotations_;
  std::size_t offset_ = 0;
  Location place_;
  std::vector<Token> tokens_;
  std::vector<Error> errors_;
  std::optional<Location> template_at_;
};

}  // namespace tideline::dve
