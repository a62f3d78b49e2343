// SPDX-License-Identifier: MIT
#include "front/murphi/builder.h"

#include <algorithm>
#include <cctype>

#include "front/murphi/murphi_parser.h"

namespace tideline::murphi {
namespace {

template <typename Node>
std::uint32_t depth_of(const std::unique_ptr<Node>& node) {
  return node ? node->depth : 0;
}

template <typename Node>
std::uint32_t depth_of(const std::vector<std::unique_ptr<Node>>& nodes) {
  std::uint32_t depth = 0;
  for (const auto& node : nodes)
    depth = std::max(depth, depth_of(node));
  return depth;
}

std::uint32_t depth_of(const std::vector<Quantifier>& quantifiers) {
  std::uint32_t depth = 0;
  for (const Quantifier& q : quantifiers)
    depth = std::max({depth, depth_of(q.type), depth_of(q.from), depth_of(q.to), depth_of(q.by)});
  // Each quantifier becomes a level of its own.
  return depth + static_cast<std::uint32_t>(std::min<std::size_t>(quantifiers.size(), kDepthMax));
}

std::uint32_t depth_of(const std::vector<AliasDecl>& aliases) {
  std::uint32_t depth = 0;
  for (const AliasDecl& alias : aliases)
    depth = std::max(depth, depth_of(alias.value));
  return depth;
}

std::uint32_t depth_of(const std::vector<TypedNames>& lists) {
  std::uint32_t depth = 0;
  for (const TypedNames& list : lists)
    depth = std::max(depth, depth_of(list.type));
  return depth;
}

std::uint32_t depth_of(const std::vector<Decl>& decls) {
  std::uint32_t depth = 0;
  for (const Decl& decl : decls)
    depth = std::max({depth, depth_of(decl.value), depth_of(decl.type)});
  return depth;
}

// Branch k of an if or switch is tested after the k before it: lowered, it is k levels down.
std::uint32_t depth_of(const std::vector<Branch>& branches) {
  std::uint32_t depth = 0;
  for (std::size_t k = 0; k < branches.size(); ++k) {
    const auto level = static_cast<std::uint32_t>(std::min<std::size_t>(k, kDepthMax));
    depth = std::max({depth, level + depth_of(branches[k].labels), level + depth_of(branches[k].body)});
  }
  return depth;
}

bool is_associative(Op op) {
  return op == Op::kAnd || op == Op::kOr || op == Op::kAmp || op == Op::kPipe;
}

bool is_operator_or_keyword(const std::string& token) {
  return token != "name" && token != "number" && token != "string" && token != "end of file";
}

std::string quoted(const std::string& token) {
  if (token == "name")
    return "a name";
  if (token == "number" || token == "PRIORITY")
    return "a number";
  if (token == "string")
    return "a string";
  if (token == "end of file")
    return "the end of the text";
  return "'" + token + "'";
}

}  // namespace

Builder::Builder(int first, std::string_view text, Location where, Diagnostics& diagnostics)
    : text_(text),
      with_locations_(where.line != 0),
      diagnostics_(diagnostics),
      tokens_(first, text, where, diagnostics) {}

Token Builder::next(std::size_t stack_size) {
  Token token = tokens_.next(stack_size);
  if (!with_locations_)
    token.span.where = {};
  return token;
}

void Builder::syntax_error(const Span& where, const std::string& unexpected, const std::vector<std::string>& expected) {
  if (tokens_.ended())
    return;  // the reason has been given
  constexpr std::size_t kShownMax = 40;
  constexpr std::size_t kExpectedMax = 5;
  std::string message = "syntax error: unexpected " + quoted(unexpected);
  if (!is_operator_or_keyword(unexpected) && where.end > where.begin && where.end - where.begin <= kShownMax)
    message = "syntax error: unexpected " + std::string(text_.substr(where.begin, where.end - where.begin));
  for (std::size_t i = 0; i < expected.size() && expected.size() <= kExpectedMax; ++i) {
    if (i == 0)
      message += ", expected ";
    else
      message += i + 1 == expected.size() ? " or " : ", ";
    message += quoted(expected[i]);
  }
  const auto expects = [&expected](const char* token) {
    return std::find(expected.begin(), expected.end(), token) != expected.end();
  };
  std::string hint;
  if (unexpected == ":=" && expects(":"))
    hint = "local declarations end with 'begin'";
  else if (unexpected == ":=" && expects("="))
    hint = "'=' compares, ':=' assigns";
  else if (unexpected == "=" && expects(":="))
    hint = "':=' assigns, '=' compares";
  else if (unexpected == "end of file" && expects("end"))
    hint = "is an 'end' missing?";
  else if (expects(";") && !expects(unexpected.c_str()) && unexpected != "end of file")
    hint = "is a ';' missing before it?";
  diagnostics_.error(where.where, std::move(message), std::move(hint));
}

void Builder::closes(const std::string& word, std::string_view what, const Span& where) {
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower == "end" || lower == "end" + std::string(what))
    return;
  if (what == "function" && lower == "endprocedure")
    return;
  diagnostics_.error(where.where, "'" + word + "' closes the '" + std::string(what) + "' begun before it",
                     "write 'end' or 'end" + std::string(what) + "'");
}

bool Builder::too_deep(std::uint32_t depth, const Span& span) {
  if (depth <= kDepthMax)
    return false;
  if (!std::exchange(said_too_deep_, true))
    diagnostics_.error(span.where, "this is nested too deeply",
                       "the limit is " + std::to_string(kDepthMax) + " levels; split it into several parts");
  return true;
}

// ---- expressions ----

ExprPtr Builder::new_expr(ExprKind kind, const Span& span) const {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->span = span;
  return expr;
}

ExprPtr Builder::finish(ExprPtr expr) {
  expr->depth = 1 + std::max({depth_of(expr->args), depth_of(expr->quantifiers), depth_of(expr->type)});
  // The body of a quantifier is below all of its variables.
  if (!expr->quantifiers.empty())
    expr->depth += depth_of(expr->args);
  return too_deep(expr->depth, expr->span) ? new_expr(ExprKind::kError, expr->span) : std::move(expr);
}

ExprPtr Builder::number(std::int64_t value, const Span& span) {
  ExprPtr expr = new_expr(ExprKind::kNumber, span);
  expr->number = value;
  return expr;
}

ExprPtr Builder::undefined(const Span& span) {
  return new_expr(ExprKind::kUndefined, span);
}

ExprPtr Builder::name(Name name, const Span& span) {
  ExprPtr expr = new_expr(ExprKind::kName, span);
  expr->name = std::move(name);
  return expr;
}

ExprPtr Builder::field(ExprPtr object, Name name, const Span& span) {
  ExprPtr expr = new_expr(ExprKind::kField, span);
  expr->args.push_back(std::move(object));
  expr->name = std::move(name);
  return finish(std::move(expr));
}

ExprPtr Builder::index(ExprPtr object, ExprPtr index, const Span& span) {
  ExprPtr expr = new_expr(ExprKind::kIndex, span);
  expr->args.push_back(std::move(object));
  expr->args.push_back(std::move(index));
  return finish(std::move(expr));
}

ExprPtr Builder::call(Name name, std::vector<ExprPtr> args, const Span& span) {
  ExprPtr expr = new_expr(ExprKind::kCall, span);
  expr->name = std::move(name);
  expr->args = std::move(args);
  return finish(std::move(expr));
}

ExprPtr Builder::unary(Op op, ExprPtr operand, const Span& span) {
  ExprPtr expr = new_expr(ExprKind::kUnary, span);
  expr->op = op;
  expr->args.push_back(std::move(operand));
  return finish(std::move(expr));
}

ExprPtr Builder::binary(Op op, ExprPtr left, ExprPtr right, const Span& span) {
  if (is_associative(op) && left->kind == ExprKind::kBinary && left->op == op && !left->in_parentheses) {
    left->depth = std::max(left->depth, 1 + right->depth);
    left->args.push_back(std::move(right));
    left->span = span;
    return too_deep(left->depth, span) ? new_expr(ExprKind::kError, span) : std::move(left);
  }
  ExprPtr expr = new_expr(ExprKind::kBinary, span);
  expr->op = op;
  expr->args.push_back(std::move(left));
  expr->args.push_back(std::move(right));
  return finish(std::move(expr));
}

ExprPtr Builder::conditional(ExprPtr condition, ExprPtr then, ExprPtr otherwise, const Span& span) {
  ExprPtr expr = new_expr(ExprKind::kConditional, span);
  expr->args.push_back(std::move(condition));
  expr->args.push_back(std::move(then));
  expr->args.push_back(std::move(otherwise));
  return finish(std::move(expr));
}

ExprPtr Builder::quantified(ExprKind kind, std::vector<Quantifier> quantifiers, ExprPtr body, const Span& span) {
  ExprPtr expr = new_expr(kind, span);
  expr->quantifiers = std::move(quantifiers);
  expr->args.push_back(std::move(body));
  return finish(std::move(expr));
}

ExprPtr Builder::is_undefined(ExprPtr operand, const Span& span) {
  ExprPtr expr = new_expr(ExprKind::kIsUndefined, span);
  expr->args.push_back(std::move(operand));
  return finish(std::move(expr));
}

ExprPtr Builder::is_member(ExprPtr operand, TypePtr type, const Span& span) {
  ExprPtr expr = new_expr(ExprKind::kIsMember, span);
  expr->args.push_back(std::move(operand));
  expr->type = std::move(type);
  return finish(std::move(expr));
}

ExprPtr Builder::multiset_count(Name name, ExprPtr multiset, ExprPtr condition, const Span& span) {
  ExprPtr expr = new_expr(ExprKind::kMultisetCount, span);
  expr->name = std::move(name);
  expr->args.push_back(std::move(multiset));
  expr->args.push_back(std::move(condition));
  return finish(std::move(expr));
}

ExprPtr Builder::parenthesized(ExprPtr expr, const Span& span) {
  expr->in_parentheses = true;
  expr->span = span;
  return expr;
}

// ---- types ----

TypePtr Builder::finish(TypePtr type) {
  type->depth = 1 + std::max({depth_of(type->low), depth_of(type->high), depth_of(type->members),
                              depth_of(type->fields), depth_of(type->index), depth_of(type->element)});
  if (!too_deep(type->depth, type->span))
    return type;
  auto error = std::make_unique<TypeExpr>();
  error->span = type->span;
  return error;
}

TypePtr Builder::named_type(Name name, const Span& span) {
  auto type = std::make_unique<TypeExpr>();
  type->kind = TypeKind::kName;
  type->name = std::move(name);
  type->span = span;
  return type;
}

TypePtr Builder::range_type(ExprPtr low, ExprPtr high, const Span& span) {
  auto type = std::make_unique<TypeExpr>();
  type->kind = TypeKind::kRange;
  type->low = std::move(low);
  type->high = std::move(high);
  type->span = span;
  return finish(std::move(type));
}

TypePtr Builder::enum_type(std::vector<Name> names, const Span& span) {
  auto type = std::make_unique<TypeExpr>();
  type->kind = TypeKind::kEnum;
  type->names = std::move(names);
  type->span = span;
  return type;
}

TypePtr Builder::record_type(std::vector<TypedNames> fields, const Span& span) {
  auto type = std::make_unique<TypeExpr>();
  type->kind = TypeKind::kRecord;
  type->fields = std::move(fields);
  type->span = span;
  return finish(std::move(type));
}

TypePtr Builder::array_type(TypePtr index, TypePtr element, const Span& span) {
  auto type = std::make_unique<TypeExpr>();
  type->kind = TypeKind::kArray;
  type->index = std::move(index);
  type->element = std::move(element);
  type->span = span;
  return finish(std::move(type));
}

TypePtr Builder::multiset_type(ExprPtr capacity, TypePtr element, const Span& span) {
  auto type = std::make_unique<TypeExpr>();
  type->kind = TypeKind::kMultiset;
  type->low = std::move(capacity);
  type->element = std::move(element);
  type->span = span;
  return finish(std::move(type));
}

TypePtr Builder::scalarset_type(ExprPtr size, const Span& span) {
  auto type = std::make_unique<TypeExpr>();
  type->kind = TypeKind::kScalarset;
  type->low = std::move(size);
  type->span = span;
  return finish(std::move(type));
}

TypePtr Builder::union_type(std::vector<TypePtr> members, const Span& span) {
  auto type = std::make_unique<TypeExpr>();
  type->kind = TypeKind::kUnion;
  type->members = std::move(members);
  type->span = span;
  return finish(std::move(type));
}

TypePtr Builder::real_type(const Span& span) {
  diagnostics_.error(span.where, "real types are not supported",
                     "use an integer range, for example a fixed-point scale");
  auto type = std::make_unique<TypeExpr>();
  type->span = span;
  return type;
}

// ---- statements ----

StmtPtr Builder::finish(StmtPtr stmt) {
  stmt->depth = 1 + std::max({depth_of(stmt->target), depth_of(stmt->value), depth_of(stmt->branches),
                              depth_of(stmt->aliases), depth_of(stmt->quantifiers) + depth_of(stmt->body)});
  if (!too_deep(stmt->depth, stmt->span))
    return stmt;
  auto error = std::make_unique<Stmt>();
  error->span = stmt->span;
  return error;
}

StmtPtr Builder::simple(StmtKind kind, ExprPtr target, ExprPtr value, const Span& span) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = kind;
  stmt->target = std::move(target);
  stmt->value = std::move(value);
  stmt->span = span;
  return finish(std::move(stmt));
}

StmtPtr Builder::message(StmtKind kind, std::string message, const Span& span) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = kind;
  stmt->message = std::move(message);
  stmt->has_message = true;
  stmt->span = span;
  return stmt;
}

StmtPtr Builder::assign(ExprPtr target, ExprPtr value, const Span& span) {
  return simple(StmtKind::kAssign, std::move(target), std::move(value), span);
}

StmtPtr Builder::if_stmt(ExprPtr condition, Stmts body, std::vector<Branch> rest, const Span& span) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = StmtKind::kIf;
  stmt->span = span;
  stmt->branches.push_back(branch(std::move(condition), std::move(body), span));
  std::move(rest.begin(), rest.end(), std::back_inserter(stmt->branches));
  return finish(std::move(stmt));
}

StmtPtr Builder::switch_stmt(ExprPtr value, std::vector<Branch> branches, const Span& span) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = StmtKind::kSwitch;
  stmt->span = span;
  stmt->value = std::move(value);
  stmt->branches = std::move(branches);
  return finish(std::move(stmt));
}

StmtPtr Builder::for_stmt(std::vector<Quantifier> quantifiers, Stmts body, const Span& span) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = StmtKind::kFor;
  stmt->span = span;
  stmt->quantifiers = std::move(quantifiers);
  stmt->body = std::move(body);
  return finish(std::move(stmt));
}

StmtPtr Builder::while_stmt(ExprPtr condition, Stmts body, const Span& span) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = StmtKind::kWhile;
  stmt->span = span;
  stmt->value = std::move(condition);
  stmt->body = std::move(body);
  return finish(std::move(stmt));
}

StmtPtr Builder::alias_stmt(std::vector<AliasDecl> aliases, Stmts body, const Span& span) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = StmtKind::kAlias;
  stmt->span = span;
  stmt->aliases = std::move(aliases);
  stmt->body = std::move(body);
  return finish(std::move(stmt));
}

StmtPtr Builder::property_stmt(PropertyKind kind, std::string message, bool has_message, ExprPtr condition,
                               const Span& span) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = StmtKind::kProperty;
  stmt->property = kind;
  stmt->span = span;
  stmt->message = std::move(message);
  stmt->has_message = has_message;
  stmt->value = std::move(condition);
  return finish(std::move(stmt));
}

StmtPtr Builder::multiset_remove_where(Name name, ExprPtr multiset, ExprPtr condition, const Span& span) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = StmtKind::kMultisetRemoveWhere;
  stmt->span = span;
  stmt->name = std::move(name);
  stmt->target = std::move(multiset);
  stmt->value = std::move(condition);
  return finish(std::move(stmt));
}

Branch Builder::branch(ExprPtr label, Stmts body, const Span& span) {
  std::vector<ExprPtr> labels;
  labels.push_back(std::move(label));
  return branch(std::move(labels), std::move(body), span);
}

Branch Builder::branch(std::vector<ExprPtr> labels, Stmts body, const Span& span) {
  return {span, std::move(labels), std::move(body)};
}

std::vector<Branch> Builder::with_else(std::vector<Branch> branches, Stmts body, const Span& span) {
  branches.push_back(branch(std::vector<ExprPtr>(), std::move(body), span));
  return branches;
}

// ---- top level ----

ItemPtr Builder::finish(ItemPtr item) {
  const std::uint32_t body = std::max(depth_of(item->body.decls), depth_of(item->body.stmts));
  item->depth =
      1 + std::max({depth_of(item->decls), depth_of(item->params), depth_of(item->result), depth_of(item->condition),
                    body, depth_of(item->aliases), depth_of(item->quantifiers) + depth_of(item->items)});
  if (!too_deep(item->depth, item->span))
    return item;
  auto error = std::make_unique<Item>();
  error->span = item->span;
  return error;
}

namespace {

ItemPtr new_item(ItemKind kind, const Span& span) {
  auto item = std::make_unique<Item>();
  item->kind = kind;
  item->span = span;
  return item;
}

}  // namespace

ItemPtr Builder::decls_item(std::vector<Decl> decls, const Span& span) {
  ItemPtr item = new_item(ItemKind::kDecls, span);
  item->decls = std::move(decls);
  return finish(std::move(item));
}

std::vector<Decl> Builder::append(std::vector<Decl> first, std::vector<Decl> second) {
  std::move(second.begin(), second.end(), std::back_inserter(first));
  return first;
}

ItemPtr Builder::function(Name name, std::vector<TypedNames> params, TypePtr result, Body body, const Span& span) {
  ItemPtr item = new_item(ItemKind::kFunction, span);
  item->name = std::move(name);
  item->params = std::move(params);
  item->result = std::move(result);
  item->body = std::move(body);
  return finish(std::move(item));
}

ItemPtr Builder::external(const Span& span) {
  diagnostics_.error(span.where, "external C functions are not supported", "write the function in Murphi");
  return new_item(ItemKind::kDecls, span);
}

ItemPtr Builder::rule_head(std::int64_t priority, std::string label, bool has_label, const Span& span) {
  ItemPtr item = new_item(ItemKind::kRule, span);
  item->priority = priority;
  item->label = std::move(label);
  item->has_label = has_label;
  return item;
}

ItemPtr Builder::rule(ItemPtr head, ExprPtr condition, Body body, const Span& span) {
  head->condition = std::move(condition);
  head->body = std::move(body);
  head->span = span;
  return finish(std::move(head));
}

ItemPtr Builder::start(std::string label, bool has_label, Body body, const Span& span) {
  ItemPtr item = new_item(ItemKind::kStart, span);
  item->label = std::move(label);
  item->has_label = has_label;
  item->body = std::move(body);
  return finish(std::move(item));
}

ItemPtr Builder::property(PropertyKind kind, std::string label, bool has_label, ExprPtr condition, const Span& span) {
  ItemPtr item = new_item(ItemKind::kProperty, span);
  item->property = kind;
  item->label = std::move(label);
  item->has_label = has_label;
  item->condition = std::move(condition);
  return finish(std::move(item));
}

ItemPtr Builder::ruleset(std::vector<Quantifier> quantifiers, std::vector<ItemPtr> items, const Span& span) {
  ItemPtr item = new_item(ItemKind::kRuleset, span);
  item->quantifiers = std::move(quantifiers);
  item->items = std::move(items);
  return finish(std::move(item));
}

ItemPtr Builder::choose(Name name, ExprPtr multiset, std::vector<ItemPtr> items, const Span& span) {
  ItemPtr item = new_item(ItemKind::kChoose, span);
  item->name = std::move(name);
  item->condition = std::move(multiset);
  item->items = std::move(items);
  return finish(std::move(item));
}

ItemPtr Builder::alias_rules(std::vector<AliasDecl> aliases, std::vector<ItemPtr> items, const Span& span) {
  ItemPtr item = new_item(ItemKind::kAlias, span);
  item->aliases = std::move(aliases);
  item->items = std::move(items);
  return finish(std::move(item));
}

namespace {

void run(Builder& builder, Diagnostics& diagnostics) {
  if (!parse(builder) && !diagnostics.has_errors())
    diagnostics.error({1, 1}, "syntax error");
}

}  // namespace

Model parse_model(std::string_view text, Diagnostics& diagnostics) {
  Annotations annotations(diagnostics);
  Builder builder(parser::token::START_MODEL, text, {1, 1}, diagnostics);
  builder.report_comments(annotations);
  run(builder, diagnostics);
  builder.model.progress = annotations.progress();
  return std::move(builder.model);
}

ExprPtr parse_expression(std::string_view text, bool with_locations, Diagnostics& diagnostics) {
  Builder builder(parser::token::START_EXPRESSION, text, with_locations ? Location{1, 1} : Location{}, diagnostics);
  run(builder, diagnostics);
  return std::move(builder.expression);
}

std::vector<MeasureComponent> parse_measure(std::string_view text, Location where, Diagnostics& diagnostics) {
  Builder builder(parser::token::START_MEASURE, text, where, diagnostics);
  run(builder, diagnostics);
  return std::move(builder.measure);
}

}  // namespace tideline::murphi
