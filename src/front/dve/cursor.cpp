// SPDX-License-Identifier: MIT
#include "front/dve/cursor.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace tideline::dve {
namespace {

constexpr std::size_t kShownNameMax = 40;

bool begins_section(TokenKind kind) {
  return kind == TokenKind::kProcess || kind == TokenKind::kSystem || kind == TokenKind::kEnd;
}

bool begins_statement(TokenKind kind) {
  switch (kind) {
    case TokenKind::kAccept:
    case TokenKind::kAssert:
    case TokenKind::kByte:
    case TokenKind::kChannel:
    case TokenKind::kCommit:
    case TokenKind::kConst:
    case TokenKind::kInit:
    case TokenKind::kInt:
    case TokenKind::kState:
    case TokenKind::kTrans:
      return true;
    default:
      return begins_section(kind);
  }
}

std::string shown(TokenKind kind, std::string_view text) {
  if (kind == TokenKind::kEnd)
    return "the end of the text";
  if (text.size() > kShownNameMax)
    return "'" + std::string(text.substr(0, kShownNameMax)) + "...'";
  return "'" + std::string(text) + "'";
}

std::string_view spelling(TokenKind kind) {
  switch (kind) {
    case TokenKind::kParenOpen:
      return "'('";
    case TokenKind::kParenClose:
      return "')'";
    case TokenKind::kBracketOpen:
      return "'['";
    case TokenKind::kBracketClose:
      return "']'";
    case TokenKind::kBraceClose:
      return "'}'";
    case TokenKind::kSemicolon:
      return "';'";
    case TokenKind::kColon:
      return "':'";
    case TokenKind::kAssign:
      return "'='";
    case TokenKind::kArrow:
      return "'->'";
    default:
      CHECK(false && "this kind of token is never expected alone");
  }
  return {};
}

}  // namespace

Cursor::Cursor(std::string_view text, const std::vector<Token>& tokens, Diagnostics& diagnostics)
    : text_(text), tokens_(tokens), diagnostics_(diagnostics), limit_(tokens.size() - 1) {
  CHECK(!tokens.empty() && tokens.back().kind == TokenKind::kEnd);
}

void Cursor::restart(std::size_t position, std::size_t limit) {
  CHECK(position <= limit && limit < tokens_.size());
  position_ = position;
  limit_ = limit;
}

void Cursor::advance() {
  if (position_ < limit_)
    ++position_;
}

bool Cursor::accept(TokenKind kind) {
  if (!is(kind))
    return false;
  advance();
  return true;
}

bool Cursor::expect(TokenKind kind, std::string hint) {
  if (accept(kind))
    return true;
  syntax_error(std::string(spelling(kind)), std::move(hint));
  return false;
}

bool Cursor::expect_name(const std::string& what, Token& name) {
  name = token();
  if (accept(TokenKind::kName))
    return true;
  const bool is_keyword =
      kind() >= TokenKind::kAccept && kind() <= TokenKind::kTrue && text()[0] != '&' && text()[0] != '|';
  syntax_error(what, is_keyword ? "'" + std::string(text()) + "' is a keyword" : "");
  return false;
}

void Cursor::expect_end_of_list() {
  if (accept(TokenKind::kSemicolon))
    return;
  syntax_error("',' or ';'");
  skip_statement();
}

void Cursor::skip_statement() {
  while (!at_limit() && !begins_statement(kind())) {
    if (accept(TokenKind::kSemicolon))
      return;
    advance();
  }
}

void Cursor::skip_to(TokenKind kind) {
  while (!at_limit() && !is(kind) && !begins_section(this->kind()))
    advance();
}

std::size_t Cursor::closing_brace(std::size_t opened) const {
  std::size_t depth = 0;
  std::size_t k = opened;
  for (; k < limit_ && (k == opened || !begins_section(tokens_[k].kind)); ++k) {
    if (tokens_[k].kind == TokenKind::kBraceOpen)
      ++depth;
    else if (tokens_[k].kind == TokenKind::kBraceClose && --depth == 0)
      break;
  }
  return k;
}

void Cursor::skip_block(std::size_t opened) {
  position_ = std::max(position_, closing_brace(opened));
  accept(TokenKind::kBraceClose);
}

std::string Cursor::written(std::size_t first, std::size_t last) const {
  std::string result;
  for (std::size_t k = first; k < last; ++k) {
    if (k > first && tokens_[k].offset > tokens_[k - 1].offset + tokens_[k - 1].length)
      result += ' ';
    result += text_of(tokens_[k]);
  }
  return result;
}

void Cursor::error(Location where, std::string message, std::string hint) {
  diagnostics_.error(where, std::move(message), std::move(hint));
}

void Cursor::warning(Location where, std::string message, std::string hint) {
  diagnostics_.warning(where, std::move(message), std::move(hint));
}

void Cursor::syntax_error(const std::string& expected, std::string hint) {
  error(where(), "syntax error: unexpected " + shown(kind(), text()) + ", expected " + expected, std::move(hint));
}

}  // namespace tideline::dve
