// SPDX-License-Identifier: MIT
#include "front/murphi/token_stream.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <utility>

#include "base/check.h"
#include "front/murphi/murphi_parser.h"
// The scanner's header names the extra type, so it comes after the class.
#include "front/murphi/murphi_lexer.h"

namespace tideline::murphi {
namespace {

using Kind = parser::token;

struct Word {
  std::string_view text;
  int kind;
};

// Keywords of both dialects, in lower case, sorted.
constexpr std::array kKeywords{
    Word{"alias", Kind::ALIAS},
    Word{"array", Kind::ARRAY},
    Word{"assert", Kind::ASSERT},
    Word{"begin", Kind::BEGIN_BODY},
    Word{"by", Kind::BY},
    Word{"case", Kind::CASE},
    Word{"clear", Kind::CLEAR},
    Word{"const", Kind::CONST},
    Word{"do", Kind::DO},
    Word{"else", Kind::ELSE},
    Word{"elsif", Kind::ELSIF},
    Word{"end", Kind::END},
    Word{"endalias", Kind::END},
    Word{"endchoose", Kind::END},
    Word{"endexists", Kind::END},
    Word{"endfor", Kind::END},
    Word{"endforall", Kind::END},
    Word{"endfunction", Kind::END},
    Word{"endif", Kind::END},
    Word{"endprocedure", Kind::END},
    Word{"endrecord", Kind::END},
    Word{"endrule", Kind::END},
    Word{"endruleset", Kind::END},
    Word{"endstartstate", Kind::END},
    Word{"endswitch", Kind::END},
    Word{"endwhile", Kind::END},
    Word{"enum", Kind::ENUM},
    Word{"error", Kind::ERROR},
    Word{"exists", Kind::EXISTS},
    Word{"externfun", Kind::EXTERN},
    Word{"externproc", Kind::EXTERN},
    Word{"for", Kind::FOR},
    Word{"forall", Kind::FORALL},
    Word{"function", Kind::FUNCTION},
    Word{"if", Kind::IF},
    Word{"invariant", Kind::INVARIANT},
    Word{"isundefined", Kind::ISUNDEFINED},
    Word{"of", Kind::OF},
    Word{"procedure", Kind::PROCEDURE},
    Word{"put", Kind::PUT},
    Word{"record", Kind::RECORD},
    Word{"return", Kind::RETURN},
    Word{"rule", Kind::RULE},
    Word{"ruleset", Kind::RULESET},
    Word{"scalarset", Kind::SCALARSET},
    Word{"startstate", Kind::STARTSTATE},
    Word{"switch", Kind::SWITCH},
    Word{"then", Kind::THEN},
    Word{"to", Kind::TO},
    Word{"type", Kind::TYPE},
    Word{"undefine", Kind::UNDEFINE},
    Word{"undefined", Kind::UNDEFINED},
    Word{"var", Kind::VAR},
    Word{"while", Kind::WHILE},
};

// Words that are keywords only if the token `next` follows.
struct PairedWord {
  std::string_view text;
  int kind;
  int next;
};
constexpr std::array kPairedWords{
    PairedWord{"choose", Kind::CHOOSE, Kind::NAME},
    PairedWord{"ismember", Kind::ISMEMBER, Kind::LPAREN},
    PairedWord{"multiset", Kind::MULTISET, Kind::LBRACKET},
    PairedWord{"multisetadd", Kind::MULTISETADD, Kind::LPAREN},
    PairedWord{"multisetcount", Kind::MULTISETCOUNT, Kind::LPAREN},
    PairedWord{"multisetremove", Kind::MULTISETREMOVE, Kind::LPAREN},
    PairedWord{"multisetremovepred", Kind::MULTISETREMOVEPRED, Kind::LPAREN},
    PairedWord{"real", Kind::REAL, Kind::LPAREN},
    PairedWord{"union", Kind::UNION, Kind::LBRACE},
};

// Words that open a property if an operand follows.
constexpr std::array kPropertyWords{
    Word{"assume", Kind::ASSUME},
    Word{"cover", Kind::COVER},
    Word{"liveness", Kind::LIVENESS},
};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

template <typename Table>
const typename Table::value_type* find_word(const Table& table, std::string_view text) {
  const auto found = std::lower_bound(table.begin(), table.end(), text,
                                      [](const auto& entry, std::string_view t) { return entry.text < t; });
  return found != table.end() && found->text == text ? &*found : nullptr;
}

// What can stand before a statement or property.
bool ends_statement(int kind) {
  switch (kind) {
    case Kind::START_MODEL:
    case Kind::SEMICOLON:
    case Kind::BEGIN_BODY:
    case Kind::THEN:
    case Kind::ELSE:
    case Kind::DO:
    case Kind::ARROW:
    case Kind::END:
    case Kind::COLON:
      return true;
    default:
      return false;
  }
}

bool is_sign_or_parenthesis(int kind) {
  return kind == Kind::LPAREN || kind == Kind::PLUS || kind == Kind::MINUS;
}

// What can follow a number inside an expression; after `rule 20` anything else says that 20 is a priority.
bool continues_number(int kind) {
  switch (kind) {
    case Kind::IMPLIES:
    case Kind::EQUAL:
    case Kind::NOT_EQUAL:
    case Kind::LESS:
    case Kind::LESS_EQUAL:
    case Kind::GREATER:
    case Kind::GREATER_EQUAL:
    case Kind::SHIFT_LEFT:
    case Kind::SHIFT_RIGHT:
    case Kind::AND:
    case Kind::OR:
    case Kind::AMP:
    case Kind::PIPE:
    case Kind::XOR:
    case Kind::PLUS:
    case Kind::MINUS:
    case Kind::TIMES:
    case Kind::DIVIDE:
    case Kind::MODULO:
    case Kind::QUESTION:
    case Kind::ARROW:
      return true;
    default:
      return false;
  }
}

int bracket_step(int kind) {
  switch (kind) {
    case Kind::LPAREN:
    case Kind::LBRACKET:
    case Kind::LBRACE:
      return 1;
    case Kind::RPAREN:
    case Kind::RBRACKET:
    case Kind::RBRACE:
      return -1;
    default:
      return 0;
  }
}

// What begins an expression, whatever came before.
bool begins_operand(int kind) {
  switch (kind) {
    case Kind::NAME:
    case Kind::NUMBER:
    case Kind::STRING:
    case Kind::NOT:
    case Kind::COMPLEMENT:
    case Kind::FORALL:
    case Kind::EXISTS:
    case Kind::ISUNDEFINED:
      return true;
    default:
      return false;
  }
}

}  // namespace

Lexer::Lexer(std::string_view text, Location first, Diagnostics& diagnostics)
    : source_(text), diagnostics_(diagnostics), place_(first) {
  constexpr std::size_t kTextBytesMax = std::size_t{1} << 30;
  if (text.size() > kTextBytesMax) {
    diagnostics_.error({}, "the model is larger than 1 GiB");
    text = {};
  }
  yyscan_t scanner = nullptr;
  CHECK(murphi_lex_init_extra(this, &scanner) == 0);
  scanner_ = scanner;
  CHECK(murphi__scan_bytes(text.data(), static_cast<int>(text.size()), scanner) != nullptr);
}

Lexer::~Lexer() {
  murphi_lex_destroy(scanner_);
}

Token Lexer::next() {
  text_.clear();
  number_ = 0;
  Token token;
  token.kind = murphi_lex(scanner_);
  token.span = at_;
  if (token.kind == Kind::YYEOF)
    token.span = {place_, offset_, offset_};
  token.text = std::move(text_);
  token.number = number_;
  return token;
}

void Lexer::advance(const char* text, std::size_t length) {
  at_ = {place_, offset_, offset_ + length};
  offset_ += length;
  for (std::size_t i = 0; i < length; ++i) {
    if (text[i] == '\n') {
      ++place_.line;
      place_.column = 1;
    } else {
      ++place_.column;
    }
  }
}

int Lexer::string() {
  text_ = collected_;
  at_ = {opened_at_.where, opened_at_.begin, at_.end};
  return Kind::STRING;
}

int Lexer::number(const char* digits, int base) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto radix = static_cast<std::uint64_t>(base);
  std::uint64_t value = 0;
  for (const char* digit = digits; *digit != '\0'; ++digit) {
    const int c = std::tolower(static_cast<unsigned char>(*digit));
    const auto add = static_cast<std::uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    if (value > (kMax - add) / radix) {
      diagnostics_.error(at_.where, "this number does not fit into 64 bits", "the greatest is " + std::to_string(kMax));
      value = 0;
      break;
    }
    value = value * radix + add;
  }
  number_ = static_cast<std::int64_t>(value);
  return Kind::NUMBER;
}

int Lexer::real_number() {
  diagnostics_.error(at_.where, "real numbers are not supported", "use integers, for example a fixed-point scale");
  return Kind::NUMBER;
}

int Lexer::word(const char* text, std::size_t length) {
  text_.assign(text, length);
  constexpr std::size_t kWordBytesMax = 255;
  if (length > kWordBytesMax) {
    diagnostics_.error(at_.where, "this name is longer than 255 characters");
    text_.resize(kWordBytesMax);
    return Kind::NAME;
  }
  std::string lower = lower_case(text_);
  if (const Word* keyword = find_word(kKeywords, lower))
    return keyword->kind;
  if (lower == "true" || lower == "false" || lower == "boolean")
    text_ = std::move(lower);
  return Kind::NAME;
}

void Lexer::bad_character(const char* text, std::size_t length) {
  if (diagnostics_.error_count() >= TokenStream::kErrorsMax)
    return;
  std::string shown;
  const auto first = static_cast<unsigned char>(text[0]);
  if (length == 1 && first >= 0x21 && first < 0x7f) {
    shown = std::string("unexpected character '") + text[0] + "'";
  } else if (length == 1 || first < 0x20 || first == 0x7f) {
    static constexpr char kDigits[] = "0123456789abcdef";
    shown = std::string("unexpected byte 0x") + kDigits[first >> 4] + kDigits[first & 15];
  } else {
    shown = "unexpected characters";
  }
  diagnostics_.error(at_.where, std::move(shown));
}

void Lexer::unterminated(const char* what) {
  const bool is_string = std::string_view(what) == "string";
  diagnostics_.error(opened_at_.where, std::string("this ") + what + " is never closed",
                     is_string ? "a string ends with '\"'" : "a comment ends with '*/'");
}

void Lexer::line_comment() {
  if (annotations_ != nullptr)
    annotations_->comment(source_.substr(at_.begin, at_.end - at_.begin), at_.where);
}

TokenStream::TokenStream(int first, std::string_view text, Location where, Diagnostics& diagnostics)
    : diagnostics_(diagnostics), lexer_(text, where, diagnostics), is_measure_(first == Kind::START_MEASURE) {
  Token token;
  token.kind = first;
  token.span.where = where;
  ahead_.push_back(std::move(token));
}

const Token& TokenStream::peek(std::size_t k) {
  while (ahead_.size() <= k)
    ahead_.push_back(lexer_.next());
  return ahead_[k];
}

bool TokenStream::begins_component() const {
  return is_measure_ && open_brackets_ == 0 && (previous_ == Kind::START_MEASURE || previous_ == Kind::COMMA);
}

void TokenStream::resolve_word() {
  Token& word = ahead_.front();
  const std::string lower = lower_case(word.text);
  if (lower == "down" && begins_component()) {
    const int next = peek(1).kind;
    if (begins_operand(next) || is_sign_or_parenthesis(next))
      ahead_.front().kind = Kind::DOWN;
    return;
  }
  if (const PairedWord* paired = find_word(kPairedWords, lower)) {
    if (previous_ != Kind::DOT && peek(1).kind == paired->next)
      ahead_.front().kind = paired->kind;
    return;
  }
  if (const Word* property = find_word(kPropertyWords, lower)) {
    const int next = peek(1).kind;
    if (previous_ != Kind::DOT && (begins_operand(next) || (is_sign_or_parenthesis(next) && ends_statement(previous_))))
      ahead_.front().kind = property->kind;
  }
}

Token TokenStream::next(std::size_t stack_size) {
  peek(0);
  if (ahead_.front().kind == Kind::NAME)
    resolve_word();
  else if (ahead_.front().kind == Kind::NUMBER && previous_ == Kind::RULE && !continues_number(peek(1).kind))
    ahead_.front().kind = Kind::PRIORITY;
  Token token = std::move(ahead_.front());
  ahead_.pop_front();
  if (!ended_ && stack_size > kStackMax) {
    diagnostics_.error(token.span.where, "this is nested too deeply",
                       "the limit is " + std::to_string(kDepthMax) + " levels");
    ended_ = true;
  }
  ended_ = ended_ || diagnostics_.error_count() >= kErrorsMax;
  if (ended_) {
    token.kind = Kind::YYEOF;
    token.text.clear();
  }
  open_brackets_ += bracket_step(token.kind);
  previous_ = token.kind;
  return token;
}

}  // namespace tideline::murphi
