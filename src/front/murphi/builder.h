// SPDX-License-Identifier: MIT
// What the grammar's actions call: makes tree nodes, keeps their depth (invariant A1 of ast.h) and words syntax errors.
// A node that would be too deep is replaced by an error node, so the tree stays shallow while parsing goes on.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "front/murphi/ast.h"
#include "front/murphi/token_stream.h"

namespace tideline::murphi {

class Builder {
 public:
  // `text` must outlive the builder; `where` is the place of its first byte, or line 0: every node is at no place.
  Builder(int first, std::string_view text, Location where, Diagnostics& diagnostics);

  Model model;                            // result of START_MODEL
  ExprPtr expression;                     // result of START_EXPRESSION
  std::vector<MeasureComponent> measure;  // result of START_MEASURE

  void report_comments(Annotations& annotations) { tokens_.report_comments(annotations); }
  Token next(std::size_t stack_size);
  void syntax_error(const Span& where, const std::string& unexpected, const std::vector<std::string>& expected);
  // A closing word (end, endif, ...) must fit what it closes.
  void closes(const std::string& word, std::string_view what, const Span& where);

  ExprPtr number(std::int64_t value, const Span& span);
  ExprPtr undefined(const Span& span);
  ExprPtr name(Name name, const Span& span);
  ExprPtr field(ExprPtr object, Name name, const Span& span);
  ExprPtr index(ExprPtr object, ExprPtr index, const Span& span);
  ExprPtr call(Name name, std::vector<ExprPtr> args, const Span& span);
  ExprPtr unary(Op op, ExprPtr operand, const Span& span);
  ExprPtr binary(Op op, ExprPtr left, ExprPtr right, const Span& span);
  ExprPtr conditional(ExprPtr condition, ExprPtr then, ExprPtr otherwise, const Span& span);
  ExprPtr quantified(ExprKind kind, std::vector<Quantifier> quantifiers, ExprPtr body, const Span& span);
  ExprPtr is_undefined(ExprPtr operand, const Span& span);
  ExprPtr is_member(ExprPtr operand, TypePtr type, const Span& span);
  ExprPtr multiset_count(Name name, ExprPtr multiset, ExprPtr condition, const Span& span);
  static ExprPtr parenthesized(ExprPtr expr, const Span& span);

  TypePtr named_type(Name name, const Span& span);
  TypePtr range_type(ExprPtr low, ExprPtr high, const Span& span);
  TypePtr enum_type(std::vector<Name> names, const Span& span);
  TypePtr record_type(std::vector<TypedNames> fields, const Span& span);
  TypePtr array_type(TypePtr index, TypePtr element, const Span& span);
  TypePtr multiset_type(ExprPtr capacity, TypePtr element, const Span& span);
  TypePtr scalarset_type(ExprPtr size, const Span& span);
  TypePtr union_type(std::vector<TypePtr> members, const Span& span);
  TypePtr real_type(const Span& span);

  StmtPtr simple(StmtKind kind, ExprPtr target, ExprPtr value, const Span& span);
  StmtPtr message(StmtKind kind, std::string message, const Span& span);
  StmtPtr assign(ExprPtr target, ExprPtr value, const Span& span);
  StmtPtr if_stmt(ExprPtr condition, Stmts body, std::vector<Branch> rest, const Span& span);
  StmtPtr switch_stmt(ExprPtr value, std::vector<Branch> branches, const Span& span);
  StmtPtr for_stmt(std::vector<Quantifier> quantifiers, Stmts body, const Span& span);
  StmtPtr while_stmt(ExprPtr condition, Stmts body, const Span& span);
  StmtPtr alias_stmt(std::vector<AliasDecl> aliases, Stmts body, const Span& span);
  StmtPtr property_stmt(PropertyKind kind, std::string message, bool has_message, ExprPtr condition, const Span& span);
  StmtPtr multiset_remove_where(Name name, ExprPtr multiset, ExprPtr condition, const Span& span);
  static Branch branch(ExprPtr label, Stmts body, const Span& span);
  static Branch branch(std::vector<ExprPtr> labels, Stmts body, const Span& span);
  static std::vector<Branch> with_else(std::vector<Branch> branches, Stmts body, const Span& span);

  ItemPtr decls_item(std::vector<Decl> decls, const Span& span);
  static std::vector<Decl> append(std::vector<Decl> first, std::vector<Decl> second);
  ItemPtr function(Name name, std::vector<TypedNames> params, TypePtr result, Body body, const Span& span);
  ItemPtr external(const Span& span);
  ItemPtr rule_head(std::int64_t priority, std::string label, bool has_label, const Span& span);
  ItemPtr rule(ItemPtr head, ExprPtr condition, Body body, const Span& span);
  ItemPtr start(std::string label, bool has_label, Body body, const Span& span);
  ItemPtr property(PropertyKind kind, std::string label, bool has_label, ExprPtr condition, const Span& span);
  ItemPtr ruleset(std::vector<Quantifier> quantifiers, std::vector<ItemPtr> items, const Span& span);
  ItemPtr choose(Name name, ExprPtr multiset, std::vector<ItemPtr> items, const Span& span);
  ItemPtr alias_rules(std::vector<AliasDecl> aliases, std::vector<ItemPtr> items, const Span& span);

 private:
  ExprPtr new_expr(ExprKind kind, const Span& span) const;
  ExprPtr finish(ExprPtr expr);
  TypePtr finish(TypePtr type);
  StmtPtr finish(StmtPtr stmt);
  ItemPtr finish(ItemPtr item);
  bool too_deep(std::uint32_t depth, const Span& span);

  std::string_view text_;
  bool with_locations_ = true;
  bool said_too_deep_ = false;
  Diagnostics& diagnostics_;
  TokenStream tokens_;
};

// Runs the generated parser; false after a syntax error that could not be recovered from. Either way the errors are in
// the builder's diagnostics.
bool parse(Builder& builder);

// Parses a whole model, one expression, or a progress measure whose first byte is at `where` (line 0: without places).
// The result may be used only if there are no errors.
Model parse_model(std::string_view text, Diagnostics& diagnostics);
ExprPtr parse_expression(std::string_view text, bool with_locations, Diagnostics& diagnostics);
std::vector<MeasureComponent> parse_measure(std::string_view text, Location where, Diagnostics& diagnostics);

}  // namespace tideline::murphi
