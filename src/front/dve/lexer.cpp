// SPDX-License-Identifier: MIT
#include "front/dve/lexer.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <utility>

namespace tideline::dve {
namespace {

using Kind = TokenKind;

const std::unordered_map<std::string_view, Kind>& keywords() {
  static const std::unordered_map<std::string_view, Kind> table = {
      {"accept", Kind::kAccept},   {"and", Kind::kAnd},         {"assert", Kind::kAssert},
      {"async", Kind::kAsync},     {"buchi", Kind::kBuchi},     {"byte", Kind::kByte},
      {"channel", Kind::kChannel}, {"commit", Kind::kCommit},   {"const", Kind::kConst},
      {"effect", Kind::kEffect},   {"false", Kind::kFalse},     {"genbuchi", Kind::kGenBuchi},
      {"guard", Kind::kGuard},     {"imply", Kind::kImply},     {"init", Kind::kInit},
      {"int", Kind::kInt},         {"muller", Kind::kMuller},   {"not", Kind::kNot},
      {"or", Kind::kOr},           {"process", Kind::kProcess}, {"property", Kind::kProperty},
      {"rabin", Kind::kRabin},     {"state", Kind::kState},     {"streett", Kind::kStreett},
      {"sync", Kind::kSync},       {"system", Kind::kSystem},   {"trans", Kind::kTrans},
      {"true", Kind::kTrue},
  };
  return table;
}

// Longer signs before their beginnings.
constexpr std::array<std::pair<std::string_view, Kind>, 34> kSigns = {{
    {"->", Kind::kArrow},      {"=>", Kind::kWideArrow},    {"==", Kind::kEqual},     {"!=", Kind::kNotEqual},
    {"<=", Kind::kLessEqual},  {">=", Kind::kGreaterEqual}, {"<<", Kind::kShiftLeft}, {">>", Kind::kShiftRight},
    {"&&", Kind::kAnd},        {"||", Kind::kOr},           {"(", Kind::kParenOpen},  {")", Kind::kParenClose},
    {"[", Kind::kBracketOpen}, {"]", Kind::kBracketClose},  {"{", Kind::kBraceOpen},  {"}", Kind::kBraceClose},
    {",", Kind::kComma},       {";", Kind::kSemicolon},     {":", Kind::kColon},      {".", Kind::kDot},
    {"?", Kind::kQuestion},    {"!", Kind::kExclamation},   {"~", Kind::kTilde},      {"=", Kind::kAssign},
    {"+", Kind::kPlus},        {"-", Kind::kMinus},         {"*", Kind::kStar},       {"/", Kind::kSlash},
    {"%", Kind::kPercent},     {"&", Kind::kAmpersand},     {"|", Kind::kBar},        {"^", Kind::kCaret},
    {"<", Kind::kLess},        {">", Kind::kGreater},
}};

// Macros that begin lines of templates; in a model no name is followed by a parenthesis.
constexpr std::array<std::string_view, 7> kTemplateMacros = {"default", "define",  "divert", "forloop",
                                                             "ifelse",  "include", "myloop"};

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // which some editors write

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c) || c == '$' || c == '#';
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

const std::pair<std::string_view, Kind>* find_sign(std::string_view rest) {
  const auto* const found =
      std::find_if(kSigns.begin(), kSigns.end(), [&](const auto& sign) { return rest.starts_with(sign.first); });
  return found == kSigns.end() ? nullptr : found;
}

// As shown to the user: printable ASCII as it is, other bytes by their number.
std::string describe_character(char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (byte > 0x20 && byte < 0x7f)
    return "unexpected character '" + std::string(1, c) + "'";
  return std::string("unexpected byte 0x") + kDigits[byte >> 4U] + kDigits[byte & 15U];
}

}  // namespace

std::optional<std::vector<Token>> Lexer::run() {
  if (text_.size() > kBytesMax) {
    diagnostics_.error({}, "the model is larger than 256 MiB");
    return std::nullopt;
  }
  if (text_.starts_with(kByteOrderMark))
    offset_ += kByteOrderMark.size();
  skip_blanks_and_comments();
  while (offset_ < text_.size() && errors_.size() < kErrorsMax && !template_at_) {
    next();
    skip_blanks_and_comments();
  }
  push(Kind::kEnd, 0);
  if (errors_.empty() && !template_at_)
    return std::move(tokens_);
  report();
  return std::nullopt;
}

void Lexer::report() {
  if (template_at_) {
    diagnostics_.error(*template_at_, "this is an m4 template, and templates are not read",
                       "expand it first, for example with 'divine combine'");
    return;
  }
  for (Error& one : errors_)
    diagnostics_.error(one.where, std::move(one.message), std::move(one.hint));
}

void Lexer::advance(std::size_t bytes) {
  offset_ += bytes;
  place_.column += static_cast<std::uint32_t>(bytes);
}

void Lexer::push(Kind kind, std::size_t length) {
  tokens_.push_back({kind, 0, static_cast<std::uint32_t>(offset_), static_cast<std::uint32_t>(length), place_});
  advance(length);
}

void Lexer::error(std::string message, std::string hint) {
  errors_.push_back({place_, std::move(message), std::move(hint)});
}

void Lexer::skip_blanks_and_comments() {
  while (offset_ < text_.size()) {
    if (at(0) == '\n') {
      ++offset_;
      place_ = {place_.line + 1, 1};
    } else if (is_blank(at(0))) {
      advance(1);
    } else if (at(0) == '\\' && continued_line() > 0) {
      advance(continued_line());
    } else if (at(0) == '/' && at(1) == '/') {
      skip_line_comment();
    } else if (at(0) == '/' && at(1) == '*') {
      skip_block_comment();
    } else {
      return;
    }
  }
}

// The bytes of a backslash and the blanks between it and the end of its line; 0: something else follows it.
std::size_t Lexer::continued_line() const {
  std::size_t length = 1;
  while (at(length) != '\n' && is_blank(at(length)))
    ++length;
  return at(length) == '\n' ? length : 0;
}

void Lexer::skip_line_comment() {
  advance(2);
  const std::string_view comment = text_.substr(offset_, text_.find('\n', offset_) - offset_);
  if (annotations_ != nullptr)
    annotations_->comment(comment, place_);
  advance(comment.size());
}

void Lexer::skip_block_comment() {
  const std::size_t close = text_.find("*/", offset_ + 2);
  if (close == std::string_view::npos) {
    error("this comment is never closed", "a comment ends with '*/'");
    offset_ = text_.size();
    return;
  }
  for (std::size_t line_end = text_.find('\n', offset_); line_end < close; line_end = text_.find('\n', offset_)) {
    offset_ = line_end + 1;
    place_ = {place_.line + 1, 1};
  }
  advance(close + 2 - offset_);
}

void Lexer::next() {
  if (is_name_start(at(0)))
    word();
  else if (is_digit(at(0)))
    number();
  else
    sign();
}

bool Lexer::is_template_macro(std::string_view name) const {
  const bool begins_line = tokens_.empty() || tokens_.back().where.line < place_.line;
  return begins_line && at(name.size()) == '(' &&
         std::find(kTemplateMacros.begin(), kTemplateMacros.end(), name) != kTemplateMacros.end();
}

std::string_view Lexer::word_at(std::size_t begin) const {
  std::size_t end = begin;
  while (is_name_part(at(end)))
    ++end;
  return text_.substr(offset_ + begin, end - begin);
}

void Lexer::word() {
  const std::string_view name = word_at(0);
  if (is_template_macro(name))
    template_at_ = place_;
  if (name.size() > kNameBytesMax)
    error("this name is longer than 255 characters");
  const auto keyword = keywords().find(name);
  push(keyword == keywords().end() ? Kind::kName : keyword->second, name.size());
}

void Lexer::number() {
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  std::int64_t value = 0;
  std::size_t length = 0;
  for (; is_digit(at(length)); ++length)
    value = std::min(value * 10 + (at(length) - '0'), kMax + 1);
  if (value > kMax)
    error("this number does not fit into 32 bits", "the greatest is 2147483647");
  if (is_name_start(at(length)) && !keywords().contains(word_at(length)))
    error("a name cannot begin with a digit");
  push(Kind::kNumber, length);
  tokens_.back().number = static_cast<std::int32_t>(std::min(value, kMax));
}

void Lexer::sign() {
  if (const auto* found = find_sign(text_.substr(offset_, 2)))
    push(found->second, found->first.size());
  else
    bad_characters();
}

// One error for neighbours of one sort: text in another alphabet is one mistake, not one per byte.
void Lexer::bad_characters() {
  error(describe_character(at(0)), "outside comments a model consists of ASCII letters, digits and signs");
  const auto is_odd = [this] {
    return offset_ < text_.size() && !is_name_start(at(0)) && !is_digit(at(0)) && !is_blank(at(0)) &&
           find_sign(text_.substr(offset_, 2)) == nullptr;
  };
  while (is_odd())
    advance(1);
}

}  // namespace tideline::dve
