// SPDX-License-Identifier: MIT
// The syntax tree of a Murphi model, as written: names are not resolved and nothing is typed. The parser builds it, the
// Elaborator (elaborator.h) walks it once and leaves it unchanged.
//
// Every node knows the height of the tree below it. The parser refuses to build a node higher than kDepthMax, so that
// every recursive walk over the tree, its destructor included, is bounded by that limit and not by the input.
//
// A1  depth == 1 + the greatest depth of a child, and depth <= kDepthMax.
// A2  a binary node of an associative operator (kAnd .. kPipe) has two or more operands: `a & b & c` is one node, so a
//     conjunction of a hundred thousand terms is flat.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "front/annotation.h"

namespace tideline::murphi {

inline constexpr std::uint32_t kDepthMax = 1000;

// A stretch of the source text: where it begins, and its bytes [begin, end).
struct Span {
  Location where;
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct Expr;
struct TypeExpr;
struct Stmt;
struct Item;
using ExprPtr = std::unique_ptr<Expr>;
using TypePtr = std::unique_ptr<TypeExpr>;
using StmtPtr = std::unique_ptr<Stmt>;
using ItemPtr = std::unique_ptr<Item>;
using Stmts = std::vector<StmtPtr>;

struct Name {
  std::string text;
  Location where;
};

// `i : T`, or `i := from to to by by`.
struct Quantifier {
  Name name;
  TypePtr type;
  ExprPtr from;
  ExprPtr to;
  ExprPtr by;  // null: 1
};

enum class Op : std::uint8_t {
  kAnd,   // && and its other spelling: boolean only
  kOr,    // ||
  kAmp,   // &: boolean, or bitwise on integers
  kPipe,  // |
  kXor,
  kImplies,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kShiftLeft,
  kShiftRight,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kNot,
  kNegate,
  kPlus,
  kComplement,
};

enum class ExprKind : std::uint8_t {
  kError,  // something the parser has already complained about
  kNumber,
  kName,
  kUndefined,      // the word UNDEFINED
  kField,          // args[0].name
  kIndex,          // args[0][args[1]]
  kCall,           // name(args)
  kUnary,          // op args[0]
  kBinary,         // args[0] op args[1] op ... (A2)
  kConditional,    // args[0] ? args[1] : args[2]
  kForall,         // quantifiers, args[0]
  kExists,         //
  kIsUndefined,    // args[0]
  kIsMember,       // args[0], type
  kMultisetCount,  // name : args[0], args[1]
};

struct Expr {
  ExprKind kind = ExprKind::kError;
  Op op = Op::kAnd;
  bool in_parentheses = false;
  std::uint32_t depth = 1;
  Span span;
  std::int64_t number = 0;
  Name name;
  std::vector<ExprPtr> args;
  std::vector<Quantifier> quantifiers;
  TypePtr type;
};

enum class TypeKind : std::uint8_t {
  kError,
  kName,
  kRange,      // low .. high
  kEnum,       // names
  kScalarset,  // (low)
  kUnion,      // members
  kRecord,     // fields
  kArray,      // [index] of element
  kMultiset,   // [low] of element
};

// Names that share a type: fields of a record, variables, parameters.
struct TypedNames {
  std::vector<Name> names;
  TypePtr type;
  bool is_var = false;  // parameters: passed by reference
};

struct TypeExpr {
  TypeKind kind = TypeKind::kError;
  std::uint32_t depth = 1;
  Span span;
  Name name;
  std::vector<Name> names;
  ExprPtr low;
  ExprPtr high;
  std::vector<TypePtr> members;
  std::vector<TypedNames> fields;
  TypePtr index;
  TypePtr element;
};

enum class SectionKind : std::uint8_t { kConst, kType, kVar };

// One entry of a const, type or var section.
struct Decl {
  SectionKind kind = SectionKind::kVar;
  std::vector<Name> names;
  ExprPtr value;  // kConst
  TypePtr type;   // kType, kVar
};

struct AliasDecl {
  Name name;
  ExprPtr value;
};

enum class PropertyKind : std::uint8_t { kInvariant, kAssert, kAssume, kCover, kLiveness };

enum class StmtKind : std::uint8_t {
  kError,   // already complained about
  kAssign,  // target := value
  kIf,      // branches; the last one without a label is `else`
  kSwitch,  // value; branches
  kFor,     // quantifiers, body
  kWhile,   // value, body
  kAlias,   // aliases, body
  kCall,    // value: kCall
  kClear,   // target
  kUndefine,
  kFail,                // the error statement: message
  kProperty,            // property, value, message
  kPut,                 // value or message
  kReturn,              // value or nothing
  kMultisetAdd,         // value: element, target: multiset
  kMultisetRemove,      // value: slot, target: multiset
  kMultisetRemoveWhere  // name : target, value
};

// A branch of an if (one label: the condition) or switch (several).
struct Branch {
  Span span;
  std::vector<ExprPtr> labels;
  Stmts body;
};

struct Stmt {
  StmtKind kind = StmtKind::kError;
  PropertyKind property = PropertyKind::kAssert;
  bool has_message = false;
  std::uint32_t depth = 1;
  Span span;
  Name name;
  ExprPtr target;
  ExprPtr value;
  std::string message;
  std::vector<Branch> branches;
  std::vector<Quantifier> quantifiers;
  std::vector<AliasDecl> aliases;
  Stmts body;
};

// Local declarations and statements of a rule, start state or function.
struct Body {
  std::vector<Decl> decls;
  Stmts stmts;
};

enum class ItemKind : std::uint8_t {
  kDecls,     // decls
  kFunction,  // name, params, result (null: procedure), body
  kRule,      // label, condition (null: true), body
  kStart,     // label, body
  kProperty,  // property, label, condition
  kRuleset,   // quantifiers, items
  kChoose,    // name : condition, items
  kAlias,     // aliases, items
};

// What stands at the top level of a model, or inside a ruleset.
struct Item {
  ItemKind kind = ItemKind::kDecls;
  PropertyKind property = PropertyKind::kInvariant;
  bool has_label = false;
  std::uint32_t depth = 1;
  Span span;
  std::int64_t priority = 0;  // kRule
  Name name;
  std::string label;
  std::vector<Decl> decls;
  std::vector<TypedNames> params;
  TypePtr result;
  ExprPtr condition;
  Body body;
  std::vector<Quantifier> quantifiers;
  std::vector<AliasDecl> aliases;
  std::vector<ItemPtr> items;
};

struct Model {
  std::vector<ItemPtr> items;
  std::optional<Annotation> progress;
};

// One expression of a progress measure.
struct MeasureComponent {
  ExprPtr value;
  bool descending = false;
};

}  // namespace tideline::murphi
