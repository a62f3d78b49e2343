// SPDX-License-Identifier: MIT
// The grammar of Murphi: what CMurphi 5.4.9 and Rumur 2022.08 accept, taken together. The two agree except for a few
// words and operators (docs/user/murphi.md), which are decided by the TokenStream or by types, so one grammar serves.
//
// Lists are left-recursive, so that the parser's stack grows with nesting only; TokenStream bounds it. Actions only
// build the tree (Builder); nothing is looked up. Error recovery: a statement, a declaration, a rule.
//
// There are no conflicts. Where both readings of a local declaration section without `begin` are possible (a name: next
// declaration or first statement?), precedence decides for the declaration, as Rumur does.
%require "3.8"
%language "c++"
%skeleton "lalr1.cc"
%define api.namespace {tideline::murphi}
%define api.parser.class {parser}
%define api.value.type variant
%define api.value.automove
%define api.token.constructor
%define api.location.type {tideline::murphi::Span}
%define parse.error custom
%define parse.lac full
%locations
%param { tideline::murphi::Builder& builder }

%code requires {
#include "front/murphi/builder.h"
}

%code {
#include "front/murphi/builder.h"

namespace tideline::murphi {
namespace {

// The default location of a rule: from the first symbol to the last.
Span join(const Span& first, const Span& last) { return {first.where, first.begin, last.end}; }

parser::symbol_type next_symbol(Builder& builder, std::size_t stack_size) {
  Token token = builder.next(stack_size);
  using Kind = parser::token;
  if (token.kind == Kind::NAME || token.kind == Kind::STRING || token.kind == Kind::END)
    return {token.kind, std::move(token.text), token.span};
  if (token.kind == Kind::NUMBER || token.kind == Kind::PRIORITY)
    return {token.kind, token.number, token.span};
  return {token.kind, token.span};
}

}  // namespace
}  // namespace tideline::murphi

// The scanner is told how high the stack is; parse() is a member, so it can see.
#define yylex(builder) next_symbol(builder, static_cast<std::size_t>(yystack_.size()))

#define YYLLOC_DEFAULT(Current, Rhs, N)                                                   \
  do {                                                                                    \
    if (N)                                                                                \
      (Current) = join(YYRHSLOC(Rhs, 1), YYRHSLOC(Rhs, N));                               \
    else                                                                                  \
      (Current) = {YYRHSLOC(Rhs, 0).where, YYRHSLOC(Rhs, 0).end, YYRHSLOC(Rhs, 0).end};   \
  } while (false)
}

%token START_MODEL START_EXPRESSION START_MEASURE
%token ALIAS "alias" ARRAY "array" ASSERT "assert" ASSUME "assume" BEGIN_BODY "begin" BY "by" CASE "case"
%token CHOOSE "choose" CLEAR "clear" CONST "const" COVER "cover" DO "do" DOWN "down" ELSE "else" ELSIF "elsif"
%token ENUM "enum" ERROR "error" EXISTS "exists" EXTERN "externfun" FOR "for" FORALL "forall" FUNCTION "function"
%token IF "if" INVARIANT "invariant" ISMEMBER "ismember" ISUNDEFINED "isundefined" LIVENESS "liveness"
%token MULTISET "multiset" MULTISETADD "multisetadd" MULTISETCOUNT "multisetcount" MULTISETREMOVE "multisetremove"
%token MULTISETREMOVEPRED "multisetremovepred" OF "of" PROCEDURE "procedure" PUT "put" REAL "real" RECORD "record"
%token RETURN "return" RULE "rule" RULESET "ruleset" SCALARSET "scalarset" STARTSTATE "startstate" SWITCH "switch"
%token THEN "then" TO "to" TYPE "type" UNDEFINE "undefine" UNDEFINED "undefined" UNION "union" VAR "var"
%token WHILE "while"
%token ASSIGN ":=" DOTDOT ".." ARROW "==>" COLON ":" SEMICOLON ";" COMMA "," DOT "."
%token LPAREN "(" RPAREN ")" LBRACKET "[" RBRACKET "]" LBRACE "{" RBRACE "}"
%token <std::string> NAME "name" STRING "string" END "end"
%token <std::int64_t> NUMBER "number" PRIORITY

%token IMPLIES "->" OR "||" AND "&&" PIPE "|" XOR "^" AMP "&" NOT "!" COMPLEMENT "~" QUESTION "?"
%token LESS "<" LESS_EQUAL "<=" EQUAL "=" NOT_EQUAL "!=" GREATER_EQUAL ">=" GREATER ">" SHIFT_LEFT "<<"
%token SHIFT_RIGHT ">>" PLUS "+" MINUS "-" TIMES "*" DIVIDE "/" MODULO "%"

// Lowest: a section ends only where neither a name nor an error follows that could continue it.
%precedence SECTION_END
%precedence "name" error
%right "?" ":"
%right "->"
%left "||"
%left "&&"
%left "|"
%left "^"
%left "&"
%precedence "!"
%nonassoc "<" "<=" "=" "!=" ">=" ">"
%left "<<" ">>"
%left "+" "-"
%left "*" "/" "%"
%precedence "~"

%type <std::vector<ItemPtr>> items rules
%type <ItemPtr> item rule function extern rule_head
%type <std::vector<Decl>> section consts types vars decls
%type <Decl> const_decl type_decl var_decl
%type <std::vector<Name>> names names_comma
%type <Name> name
%type <std::vector<TypedNames>> fields params
%type <TypedNames> field param
%type <TypePtr> type result union_member
%type <std::vector<TypePtr>> union_members
%type <Body> body
%type <Stmts> stmts stmt_list
%type <StmtPtr> stmt property_stmt
%type <std::vector<Branch>> elsifs cases
%type <ExprPtr> expr designator call
%type <std::vector<ExprPtr>> exprs
%type <std::vector<MeasureComponent>> measure
%type <MeasureComponent> component
%type <std::vector<Quantifier>> quantifiers
%type <Quantifier> quantifier
%type <std::vector<AliasDecl>> aliases
%type <AliasDecl> alias_decl
%type <PropertyKind> category
%type <std::int64_t> priority_opt

%%

start:
  START_MODEL items                       { builder.model.items = $2; }
| START_EXPRESSION expr                   { builder.expression = $2; }
| START_MEASURE measure                   { builder.measure = $2; }
;

measure:
  component                               { $$.push_back($1); }
| measure "," component                   { $$ = $1; $$.push_back($3); }
;

component:
  expr                                    { $$ = MeasureComponent{$1, false}; }
| "down" expr                             { $$ = MeasureComponent{$2, true}; }
;

// ---- top level ----

items:
  %empty                                  { }
| items section                           { $$ = $1; $$.push_back(builder.decls_item($2, @2)); }
| items item semis_opt                    { $$ = $1; $$.push_back($2); }
| items error                             { $$ = $1; }
;

item: rule | function | extern;

semis_opt: %empty | semis_opt ";";
semis: ";" | semis ";";

section:
  "const" consts                          %prec SECTION_END { $$ = $2; }
| "type" types                            %prec SECTION_END { $$ = $2; }
| "var" vars                              %prec SECTION_END { $$ = $2; }
;

consts:
  %empty                                  { }
| consts const_decl semis_opt             { $$ = $1; $$.push_back($2); }
| consts error ";"                        { $$ = $1; }
;

types:
  %empty                                  { }
| types type_decl semis_opt               { $$ = $1; $$.push_back($2); }
| types error ";"                         { $$ = $1; }
;

vars:
  %empty                                  { }
| vars var_decl semis_opt                 { $$ = $1; $$.push_back($2); }
| vars error ";"                          { $$ = $1; }
;

const_decl: names_comma ":" expr          { $$ = {SectionKind::kConst, $1, $3, nullptr}; };
type_decl: names_comma ":" type           { $$ = {SectionKind::kType, $1, nullptr, $3}; };
var_decl: names_comma ":" type            { $$ = {SectionKind::kVar, $1, nullptr, $3}; };

name: "name"                              { $$ = {$1, @1.where}; };

names:
  name                                    { $$.push_back($1); }
| names "," name                          { $$ = $1; $$.push_back($3); }
;

names_comma: names                        { $$ = $1; }
| names ","                               { $$ = $1; }
;

// ---- types ----

type:
  "name"                                  { $$ = builder.named_type({$1, @1.where}, @$); }
| expr ".." expr                          { $$ = builder.range_type($1, $3, @$); }
| "enum" "{" names_comma "}"              { $$ = builder.enum_type($3, @$); }
| "enum" "{" "}"                          { $$ = builder.enum_type({}, @$); }
| "record" fields "end"                   { $$ = builder.record_type($2, @$); builder.closes($3, "record", @3); }
| "array" "[" type "]" "of" type          { $$ = builder.array_type($3, $6, @$); }
| "multiset" "[" expr "]" "of" type       { $$ = builder.multiset_type($3, $6, @$); }
| "scalarset" "(" expr ")"                { $$ = builder.scalarset_type($3, @$); }
| "union" "{" union_members "}"           { $$ = builder.union_type($3, @$); }
| "union" "{" union_members "," "}"       { $$ = builder.union_type($3, @$); }
| "real" "(" exprs ")"                    { $$ = builder.real_type(@$); }
;

fields:
  %empty                                  { }
| fields field semis_opt                  { $$ = $1; $$.push_back($2); }
| fields error ";"                        { $$ = $1; }
;

field: names_comma ":" type               { $$ = {$1, $3, false}; };

union_members:
  union_member                            { $$.push_back($1); }
| union_members "," union_member          { $$ = $1; $$.push_back($3); }
;

union_member:
  "name"                                  { $$ = builder.named_type({$1, @1.where}, @$); }
| "scalarset" "(" expr ")"                { $$ = builder.scalarset_type($3, @$); }
| "enum" "{" names_comma "}"              { $$ = builder.enum_type($3, @$); }
;

// ---- functions ----

function:
  function_word name "(" params ")" result body "end"
    { $$ = builder.function($2, $4, $6, $7, @$); builder.closes($8, "function", @8); }
| function_word name "(" error ")" result body "end"
    { $$ = builder.function($2, {}, $6, $7, @$); }
;

function_word: "function" | "procedure";

params:
  %empty                                  { }
| params param semis_opt                  { $$ = $1; $$.push_back($2); }
;

param:
  names ":" type                          { $$ = {$1, $3, false}; }
| "var" names ":" type                    { $$ = {$2, $4, true}; }
;

result:
  semis_opt                               { }
| ":" type semis_opt                      { $$ = $2; }
;

extern:
  "externfun" name "(" params ")" extern_result string_opt
    { $$ = builder.external(@1); }
;

extern_result: %empty | ":" type { };
string_opt: %empty | "string" { };

body:
  stmts                                   { $$.stmts = $1; }
| "begin" stmts                           { $$.stmts = $2; }
| decls stmts                             { $$.decls = $1; $$.stmts = $2; }
| decls "begin" stmts                     { $$.decls = $1; $$.stmts = $3; }
;

decls:
  section                                 { $$ = $1; }
| decls section                           { $$ = builder.append($1, $2); }
;

// ---- rules ----

rule:
  rule_head expr "==>" body "end"         { $$ = builder.rule($1, $2, $4, @$); builder.closes($5, "rule", @5); }
| rule_head body "end"                    { $$ = builder.rule($1, nullptr, $2, @$); builder.closes($3, "rule", @3); }
| "startstate" body "end"                 { $$ = builder.start({}, false, $2, @$);
                                            builder.closes($3, "startstate", @3); }
| "startstate" "string" body "end"        { $$ = builder.start($2, true, $3, @$);
                                            builder.closes($4, "startstate", @4); }
| category "string" expr                  { $$ = builder.property($1, $2, true, $3, @$); }
| category expr "string"                  { $$ = builder.property($1, $3, true, $2, @$); }
| category expr                           { $$ = builder.property($1, {}, false, $2, @$); }
| "ruleset" quantifiers do rules "end"    { $$ = builder.ruleset($2, $4, @$); builder.closes($5, "ruleset", @5); }
| "choose" name ":" designator do rules "end"
    { $$ = builder.choose($2, $4, $6, @$); builder.closes($7, "choose", @7); }
| "alias" aliases do rules "end"          { $$ = builder.alias_rules($2, $4, @$); builder.closes($5, "alias", @5); }
;

rules:
  %empty                                  { }
| rules rule semis_opt                    { $$ = $1; $$.push_back($2); }
| rules error                             { $$ = $1; }
;

rule_head:
  "rule" priority_opt                     { $$ = builder.rule_head($2, {}, false, @$); }
| "rule" priority_opt "string"            { $$ = builder.rule_head($2, $3, true, @$); }
;

priority_opt:
  %empty                                  { $$ = 0; }
| PRIORITY                                { $$ = $1; }
;

category:
  "assert"                                { $$ = PropertyKind::kAssert; }
| "invariant"                             { $$ = PropertyKind::kInvariant; }
| "assume"                                { $$ = PropertyKind::kAssume; }
| "cover"                                 { $$ = PropertyKind::kCover; }
| "liveness"                              { $$ = PropertyKind::kLiveness; }
;

quantifiers:
  quantifier semis_opt                    { $$.push_back($1); }
| quantifiers quantifier semis_opt        { $$ = $1; $$.push_back($2); }
;

quantifier:
  name ":" type                           { $$ = {$1, $3, nullptr, nullptr, nullptr}; }
| name ":=" expr "to" expr                { $$ = {$1, nullptr, $3, $5, nullptr}; }
| name ":=" expr "to" expr "by" expr      { $$ = {$1, nullptr, $3, $5, $7}; }
;

// CMurphi takes a colon for the word.
do: "do" | ":";

aliases:
  alias_decl semis_opt                    { $$.push_back($1); }
| aliases alias_decl semis_opt            { $$ = $1; $$.push_back($2); }
;

alias_decl: name ":" expr                 { $$ = {$1, $3}; };

// ---- statements ----

stmts:
  %empty                                  { }
| stmt_list                               { $$ = $1; }
| stmt_list semis                         { $$ = $1; }
;

stmt_list:
  stmt                                    { $$.push_back($1); }
| stmt_list semis stmt                    { $$ = $1; $$.push_back($3); }
;

stmt:
  designator ":=" expr                    { $$ = builder.assign($1, $3, @$); }
| call                                    { $$ = builder.simple(StmtKind::kCall, nullptr, $1, @$); }
| "if" expr "then" stmts elsifs "end"     { $$ = builder.if_stmt($2, $4, $5, @$); builder.closes($6, "if", @6); }
| "if" expr "then" stmts elsifs "else" stmts "end"
    { $$ = builder.if_stmt($2, $4, builder.with_else($5, $7, @6), @$); builder.closes($8, "if", @8); }
| "switch" expr cases "end"               { $$ = builder.switch_stmt($2, $3, @$); builder.closes($4, "switch", @4); }
| "switch" expr cases "else" stmts "end"
    { $$ = builder.switch_stmt($2, builder.with_else($3, $5, @4), @$); builder.closes($6, "switch", @6); }
| "for" quantifiers do stmts "end"        { $$ = builder.for_stmt($2, $4, @$); builder.closes($5, "for", @5); }
| "while" expr do stmts "end"             { $$ = builder.while_stmt($2, $4, @$); builder.closes($5, "while", @5); }
| "alias" aliases do stmts "end"          { $$ = builder.alias_stmt($2, $4, @$); builder.closes($5, "alias", @5); }
| "clear" designator                      { $$ = builder.simple(StmtKind::kClear, $2, nullptr, @$); }
| "undefine" designator                   { $$ = builder.simple(StmtKind::kUndefine, $2, nullptr, @$); }
| "error" "string"                        { $$ = builder.message(StmtKind::kFail, $2, @$); }
| property_stmt                           { $$ = $1; }
| "put" "string"                          { $$ = builder.message(StmtKind::kPut, $2, @$); }
| "put" expr                              { $$ = builder.simple(StmtKind::kPut, nullptr, $2, @$); }
| "return"                                { $$ = builder.simple(StmtKind::kReturn, nullptr, nullptr, @$); }
| "return" expr                           { $$ = builder.simple(StmtKind::kReturn, nullptr, $2, @$); }
| "multisetadd" "(" expr "," designator ")"
    { $$ = builder.simple(StmtKind::kMultisetAdd, $5, $3, @$); }
| "multisetremove" "(" expr "," designator ")"
    { $$ = builder.simple(StmtKind::kMultisetRemove, $5, $3, @$); }
| "multisetremovepred" "(" name ":" designator "," expr ")"
    { $$ = builder.multiset_remove_where($3, $5, $7, @$); }
| error                                   { $$ = builder.simple(StmtKind::kError, nullptr, nullptr, @$); }
;

property_stmt:
  category "string" expr                  { $$ = builder.property_stmt($1, $2, true, $3, @$); }
| category expr "string"                  { $$ = builder.property_stmt($1, $3, true, $2, @$); }
| category expr                           { $$ = builder.property_stmt($1, {}, false, $2, @$); }
;

elsifs:
  %empty                                  { }
| elsifs "elsif" expr "then" stmts        { $$ = $1; $$.push_back(builder.branch($3, $5, @2)); }
;

cases:
  %empty                                  { }
| cases "case" exprs ":" stmts             { $$ = $1; $$.push_back(builder.branch($3, $5, @2)); }
;

// ---- expressions ----

designator:
  "name"                                  { $$ = builder.name({$1, @1.where}, @$); }
| designator "." "name"                   { $$ = builder.field($1, {$3, @3.where}, @$); }
| designator "[" expr "]"                 { $$ = builder.index($1, $3, @$); }
;

call:
  "name" "(" ")"                          { $$ = builder.call({$1, @1.where}, {}, @$); }
| "name" "(" exprs ")"                     { $$ = builder.call({$1, @1.where}, $3, @$); }
| "name" "(" exprs "," ")"                 { $$ = builder.call({$1, @1.where}, $3, @$); }
;

exprs:
  expr                                    { $$.push_back($1); }
| exprs "," expr                          { $$ = $1; $$.push_back($3); }
;

expr:
  expr "?" expr ":" expr                  { $$ = builder.conditional($1, $3, $5, @$); }
| expr "->" expr                          { $$ = builder.binary(Op::kImplies, $1, $3, @$); }
| expr "||" expr                          { $$ = builder.binary(Op::kOr, $1, $3, @$); }
| expr "&&" expr                          { $$ = builder.binary(Op::kAnd, $1, $3, @$); }
| expr "|" expr                           { $$ = builder.binary(Op::kPipe, $1, $3, @$); }
| expr "^" expr                           { $$ = builder.binary(Op::kXor, $1, $3, @$); }
| expr "&" expr                           { $$ = builder.binary(Op::kAmp, $1, $3, @$); }
| "!" expr                                { $$ = builder.unary(Op::kNot, $2, @$); }
| expr "<" expr                           { $$ = builder.binary(Op::kLess, $1, $3, @$); }
| expr "<=" expr                          { $$ = builder.binary(Op::kLessEqual, $1, $3, @$); }
| expr ">" expr                           { $$ = builder.binary(Op::kGreater, $1, $3, @$); }
| expr ">=" expr                          { $$ = builder.binary(Op::kGreaterEqual, $1, $3, @$); }
| expr "=" expr                           { $$ = builder.binary(Op::kEqual, $1, $3, @$); }
| expr "!=" expr                          { $$ = builder.binary(Op::kNotEqual, $1, $3, @$); }
| expr "<<" expr                          { $$ = builder.binary(Op::kShiftLeft, $1, $3, @$); }
| expr ">>" expr                          { $$ = builder.binary(Op::kShiftRight, $1, $3, @$); }
| expr "+" expr                           { $$ = builder.binary(Op::kAdd, $1, $3, @$); }
| expr "-" expr                           { $$ = builder.binary(Op::kSubtract, $1, $3, @$); }
| expr "*" expr                           { $$ = builder.binary(Op::kMultiply, $1, $3, @$); }
| expr "/" expr                           { $$ = builder.binary(Op::kDivide, $1, $3, @$); }
| expr "%" expr                           { $$ = builder.binary(Op::kModulo, $1, $3, @$); }
| "+" expr %prec "*"                      { $$ = builder.unary(Op::kPlus, $2, @$); }
| "-" expr %prec "*"                      { $$ = builder.unary(Op::kNegate, $2, @$); }
| "~" expr %prec "~"                      { $$ = builder.unary(Op::kComplement, $2, @$); }
| "forall" quantifiers do expr "end"      { $$ = builder.quantified(ExprKind::kForall, $2, $4, @$);
                                            builder.closes($5, "forall", @5); }
| "exists" quantifiers do expr "end"      { $$ = builder.quantified(ExprKind::kExists, $2, $4, @$);
                                            builder.closes($5, "exists", @5); }
| designator                              { $$ = $1; }
| call                                    { $$ = $1; }
| "number"                                { $$ = builder.number($1, @$); }
| "undefined"                             { $$ = builder.undefined(@$); }
| "(" expr ")"                            { $$ = builder.parenthesized($2, @$); }
| "isundefined" "(" expr ")"              { $$ = builder.is_undefined($3, @$); }
| "ismember" "(" expr "," type ")"        { $$ = builder.is_member($3, $5, @$); }
| "multisetcount" "(" name ":" designator "," expr ")"
    { $$ = builder.multiset_count($3, $5, $7, @$); }
;

%%

namespace tideline::murphi {

void parser::report_syntax_error(const context& where) const {
  std::vector<symbol_kind_type> kinds(static_cast<std::size_t>(where.expected_tokens(nullptr, 0)));
  where.expected_tokens(kinds.data(), static_cast<int>(kinds.size()));
  std::vector<std::string> expected;
  for (const symbol_kind_type kind : kinds)
    expected.emplace_back(symbol_name(kind));
  const std::string unexpected = where.token() == symbol_kind::S_YYEMPTY ? "" : symbol_name(where.token());
  builder.syntax_error(where.location(), unexpected, expected);
}

// Only called for exceptions of the actions; there are none.
void parser::error(const Span& where, const std::string& message) { builder.syntax_error(where, message, {}); }

bool parse(Builder& builder) { return parser(builder).parse() == 0; }

}  // namespace tideline::murphi
